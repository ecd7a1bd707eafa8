import type { MessageDescriptor } from '@lingui/core'
import type { Icon } from '@tabler/icons-react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { Event } from '@guildhall/contract/features/events'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import type { Group } from '@guildhall/contract/features/groups'
import type { Home } from '@guildhall/contract/features/home'
import type { HistoryEntry, Person } from '@guildhall/contract/features/people'
import type { TimelineCategory, TimelineEntry, TimelineKind } from '@guildhall/contract/features/timeline'
import type { NewExport } from '@guildhall/contract/features/lists'
import type { Permission } from '@guildhall/contract/permissions'
import { createContext, use } from 'react'
import type { ComponentType } from 'react'
import type { AreaKey } from './area.ts'
import type { Section } from './sections.tsx'

/** An entry of the navigation, the menu page and the palette. They stand in the order of app/features.tsx. */
export type Area = {
  key: AreaKey
  label: MessageDescriptor
  /** One line on the menu page. */
  purpose: MessageDescriptor
  icon: Icon
  /** Areas of one group stand together, with room before the next. */
  group: 'home' | 'records' | 'work' | 'insight' | 'administration'
  /** Empty where a dialog stands in place of a page. */
  href: string
  /** What that dialog holds. */
  switcher?: ComponentType<{ onChosen: () => void }>
  /** Second key after G. */
  goKey?: string
  /** Absent for everybody else; without one, every account has it. */
  permission?: Permission
  /** Keeps its place in the phone's bottom bar. */
  phone?: true
}

/** An entry of the New menu, and C followed by the letter. */
export type CreateAction = { key: string; label: MessageDescriptor; href: string; permission?: Permission }

export type PersonTab = Section<{ person: Person; recentChanges: readonly HistoryEntry[] }>
export type ChapterTab = Section<{ chapter: Chapter }> & {
  /** Looks after the tabs below it, and after what the address names there. */
  divided?: true
}
export type FinanceTab = Section<{ chapter: Chapter }>
/** A part of an invoice's panel, below what it charges. */
export type InvoicePart = Section<{ invoice: InvoiceDetail }>
export type GroupTab = Section<{ group: Group }>
export type EventTab = Section<{ event: Event }>
export type AccountTab = Section<object>
/** A button in the head of a person's page. */
export type PersonAct = { person: Person }
/** A section beside a person's facts; draws nothing where it has nothing to show. */
export type PersonPart = Section<{ person: Person }>
/** A button beside what changes the selected people; `guarded` keeps more ticks than one request takes from being sent. */
export type SelectionAct = { people: () => NewExport['selection']; guarded: (act: () => void) => void }
/** What stands below the title of a card on home. Accounts remember hidden cards by `key`, so a key stays what it is. */
export type HomeCard = Section<{ home: Home }> & {
  /** Draws its card itself, with `HomeCard` of home, and nothing while it has nothing to show. */
  framed?: true
}

/** What changes are told of a feature's records; the keys are what the server calls them. */
export type HistoryWords = {
  /** `onPerson`: what a person's own history calls it, where it tells of it. */
  entities: Record<string, { noun: MessageDescriptor; onPerson?: MessageDescriptor }>
  fields?: Record<string, MessageDescriptor>
  /** What a choice is called that the database keeps under a short name, by `<table>.<column>`. */
  values?: Record<string, Record<string, MessageDescriptor>>
  /** What lists are called that are exported. */
  lists?: Record<string, MessageDescriptor>
}

/** How entries of one category of a person's timeline are told; each `entry` is a `TimelineLine`. */
export type TimelineTexts = {
  category: TimelineCategory
  label: MessageDescriptor
  order: number
  kinds: readonly TimelineKind[]
  /** The chip is absent for everybody else. */
  may?: (person: Person) => boolean
  entry: ComponentType<{ entry: TimelineEntry }>
}

/** What the frame shows of the features from the first moment. */
export type FrameSlots = {
  areas: readonly Area[]
  createActions: readonly CreateAction[]
}

/** What features add to each other's pages, and what the frame fetches after the first paint. */
export type PageSlots = {
  personTabs: readonly PersonTab[]
  personParts: readonly PersonPart[]
  personActs: readonly ComponentType<PersonAct>[]
  /** Of the list of people. */
  selectionActs: readonly ComponentType<SelectionAct>[]
  chapterTabs: readonly ChapterTab[]
  groupTabs: readonly GroupTab[]
  eventTabs: readonly EventTab[]
  /** Below the chapter tab Finance. */
  financeTabs: readonly FinanceTab[]
  invoiceParts: readonly InvoicePart[]
  /** Of account management. */
  accountTabs: readonly AccountTab[]
  /** After home's own cards, whose answer says nothing of other areas: these ask for what they show. */
  homeCards: readonly HomeCard[]
  /** Each is mounted once, and lets the palette find its kind of records or commands. */
  paletteSources: readonly ComponentType[]
  /** Each is mounted once, after the page: dialogs and work that goes on wherever the reader is. */
  overlays: readonly ComponentType[]
  /** For histories, recent changes and the audit log. */
  historyWords: readonly HistoryWords[]
  timelineTexts: readonly TimelineTexts[]
}

/** One feature's part of the frame, in its `<feature>-area.tsx`, which is part of the first load. */
export type FeatureArea = Partial<FrameSlots>

/** What one feature adds to pages, in its `<feature>-slots.tsx`: labels and lazy components only, since all of it comes with the first page. */
export type FeatureSlots = Partial<PageSlots>

export const gatherAreas = (features: readonly FeatureArea[]): FrameSlots => ({
  areas: features.flatMap(({ areas = [] }) => areas),
  createActions: features.flatMap(({ createActions = [] }) => createActions),
})

export const gatherSlots = (features: readonly FeatureSlots[]): PageSlots => ({
  personTabs: features.flatMap(({ personTabs = [] }) => personTabs),
  personParts: features.flatMap(({ personParts = [] }) => personParts),
  personActs: features.flatMap(({ personActs = [] }) => personActs),
  selectionActs: features.flatMap(({ selectionActs = [] }) => selectionActs),
  chapterTabs: features.flatMap(({ chapterTabs = [] }) => chapterTabs),
  groupTabs: features.flatMap(({ groupTabs = [] }) => groupTabs),
  eventTabs: features.flatMap(({ eventTabs = [] }) => eventTabs),
  financeTabs: features.flatMap(({ financeTabs = [] }) => financeTabs),
  invoiceParts: features.flatMap(({ invoiceParts = [] }) => invoiceParts),
  accountTabs: features.flatMap(({ accountTabs = [] }) => accountTabs),
  homeCards: features.flatMap(({ homeCards = [] }) => homeCards),
  paletteSources: features.flatMap(({ paletteSources = [] }) => paletteSources),
  overlays: features.flatMap(({ overlays = [] }) => overlays),
  historyWords: features.flatMap(({ historyWords = [] }) => historyWords),
  timelineTexts: features.flatMap(({ timelineTexts = [] }) => timelineTexts),
})

/** Of all features. What pages show of each other is fetched beside the first page; `page` answers the same promise until it has failed. */
export type Slots = { frame: FrameSlots; page: () => PageSlots | Promise<PageSlots> }

const SlotsContext = createContext<Slots>({ frame: gatherAreas([]), page: () => gatherSlots([]) })

export const SlotsProvider = SlotsContext

export const useFrameSlot = <Name extends keyof FrameSlots>(name: Name): FrameSlots[Name] => use(SlotsContext).frame[name]

/** Suspends a page that is drawn before they are here, which happens to one that is opened by signing in in a window. */
export function useSlot<Name extends keyof PageSlots>(name: Name): PageSlots[Name] {
  const page = use(SlotsContext).page()
  return (page instanceof Promise ? use(page) : page)[name]
}
