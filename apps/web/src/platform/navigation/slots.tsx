import type { MessageDescriptor } from '@lingui/core'
import type { Icon } from '@tabler/icons-react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { Group } from '@guildhall/contract/features/groups'
import type { Home } from '@guildhall/contract/features/home'
import type { HistoryEntry, Person } from '@guildhall/contract/features/people'
import type { TimelineCategory, TimelineEntry, TimelineKind } from '@guildhall/contract/features/timeline'
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
export type GroupTab = Section<{ group: Group }>
export type AccountTab = Section<object>
/** What stands below the title of a card on home. Accounts remember hidden cards by `key`, so a key stays what it is. */
export type HomeCard = Section<{ home: Home }>

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

/** What features add to the frame and to each other's pages. */
export type Slots = {
  areas: readonly Area[]
  createActions: readonly CreateAction[]
  personTabs: readonly PersonTab[]
  chapterTabs: readonly ChapterTab[]
  groupTabs: readonly GroupTab[]
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

/** What one feature adds, in its `<feature>-slots.tsx`: labels and lazy components only, since all of it is part of the first load. */
export type FeatureSlots = Partial<Slots>

export const gatherSlots = (features: readonly FeatureSlots[]): Slots => ({
  areas: features.flatMap(({ areas = [] }) => areas),
  createActions: features.flatMap(({ createActions = [] }) => createActions),
  personTabs: features.flatMap(({ personTabs = [] }) => personTabs),
  chapterTabs: features.flatMap(({ chapterTabs = [] }) => chapterTabs),
  groupTabs: features.flatMap(({ groupTabs = [] }) => groupTabs),
  accountTabs: features.flatMap(({ accountTabs = [] }) => accountTabs),
  homeCards: features.flatMap(({ homeCards = [] }) => homeCards),
  paletteSources: features.flatMap(({ paletteSources = [] }) => paletteSources),
  overlays: features.flatMap(({ overlays = [] }) => overlays),
  historyWords: features.flatMap(({ historyWords = [] }) => historyWords),
  timelineTexts: features.flatMap(({ timelineTexts = [] }) => timelineTexts),
})

const SlotsContext = createContext(gatherSlots([]))

export const SlotsProvider = SlotsContext

export const useSlot = <Name extends keyof Slots>(name: Name): Slots[Name] => use(SlotsContext)[name]
