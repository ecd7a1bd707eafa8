import { t } from '@lingui/core/macro'
import type { Event, EventRow, RegistrationStatus } from '@guildhall/contract/features/events'
import type { Tone } from '../../ui/display/status-badge.tsx'

export const eventKindWords = (): Record<EventRow['kind'], string> => ({
  meeting: t`Meeting`,
  social: t`Social`,
  training: t`Training`,
  conference: t`Conference`,
  fundraiser: t`Fundraiser`,
  service: t`Service`,
  other: t`Other`,
})
export const modeWords = (): Record<EventRow['mode'], string> => ({ in_person: t`In person`, online: t`Online`, hybrid: t`Hybrid` })
export const statusWords = (): Record<EventRow['status'], string> => ({
  draft: t`Draft`,
  published: t`Published`,
  cancelled: t`Cancelled`,
  archived: t`Archived`,
})
export const eventVisibilityWords = (): Record<EventRow['visibility'], string> => ({
  public: t`Everybody, also without signing in`,
  unlisted: t`Everybody with the link`,
  members: t`All members`,
  chapter: t`The chapter and the chapters below`,
  group: t`The group`,
  invite: t`Invited people`,
})
export const registrationWords = (): Record<RegistrationStatus, string> => ({
  pending_approval: t`Awaiting approval`,
  pending_payment: t`Awaiting payment`,
  confirmed: t`Going`,
  waitlisted: t`On the waiting list`,
  offered: t`Seat offered`,
  cancelled: t`Cancelled`,
  rejected: t`Not admitted`,
  checked_in: t`Checked in`,
})
export const audienceWords = (): Record<Event['ticketTypes'][number]['audience'], string> => ({
  everyone: t`Everybody`,
  members: t`Members`,
  chapter: t`The chapter`,
  staff: t`Handed out by organisers`,
})
export const questionKindWords = (): Record<Event['questions'][number]['kind'], string> => ({
  line: t`Short text`,
  lines: t`Long text`,
  choice: t`One choice`,
  choices: t`Several choices`,
  flag: t`Yes or no`,
})
export const staffRoleWords = (): Record<Event['staff'][number]['role'], string> => ({
  host: t`Host`,
  speaker: t`Speaker`,
  manager: t`Manager`,
  checkin: t`Check-in`,
})
export const missingWords = (): Record<Event['missing'][number], string> => ({
  place: t`Enter a place, or make it an online event.`,
  link: t`Enter the link where it takes place online.`,
  future: t`Choose a start in the future.`,
})

const keys = <Key extends string>(words: Record<Key, string>) => Object.keys(words).filter((key): key is Key => key in words)
export const optionsOf = <Key extends string>(words: Record<Key, string>) => keys(words).map((value) => ({ value, label: words[value] }))
/** The option that a select's text stands for. */
export const chosenOf = <Key extends string>(words: Record<Key, string>, text: string | null): Key | undefined =>
  keys(words).find((key) => key === text)

/** What there is to say about an event besides its date; nothing of one that is simply to come. */
export function stateOf(event: Pick<EventRow, 'status' | 'registration' | 'endsAt'>, now: Date): { text: string; tone: Tone } | undefined {
  if (event.status === 'draft') return { text: t`Draft`, tone: 'neutral' }
  if (event.status === 'cancelled') return { text: t`Cancelled`, tone: 'bad' }
  if (event.status === 'archived') return { text: t`Archived`, tone: 'neutral' }
  if (new Date(event.endsAt) <= now) return { text: t`Past`, tone: 'neutral' }
  if (event.registration === 'full') return { text: t`Full`, tone: 'warning' }
  return undefined
}
