import type { Person } from '../people-api.ts'

export type LifeEvent = {
  on: string
  kind: 'chapters' | 'offices' | 'groups'
  what: 'began' | 'ended'
  name: string
  /** Of a chapter or a group, for the link. */
  id: string
  /** The kind of membership, the title in a group, the chapter of an office. */
  detail: string
}

/** What happened in a person's life here up to a day, newest first, read from dated memberships, offices and groups. */
export function lifeOf(
  { memberships, positions, groups }: Pick<Person, 'memberships' | 'positions' | 'groups'>,
  today: string,
): LifeEvent[] {
  const events = [
    ...memberships.flatMap((one) => span({ kind: 'chapters', name: one.chapter.name, id: one.chapter.id, detail: one.kind }, one)),
    ...positions.flatMap((one) => span({ kind: 'offices', name: one.title, id: one.chapter.id, detail: one.chapter.name }, one)),
    ...groups
      .filter(({ status }) => status === 'active' || status === 'removed')
      .flatMap((one) => span({ kind: 'groups', name: one.group.name, id: one.group.id, detail: one.title }, one)),
  ]
  return events.filter(({ on }) => on <= today).toSorted((one, other) => (one.on < other.on ? 1 : one.on > other.on ? -1 : 0))
}

type Subject = Omit<LifeEvent, 'on' | 'what'>

const span = (subject: Subject, { startsOn, endsOn }: { startsOn: string | null; endsOn: string | null }): LifeEvent[] => [
  ...(startsOn ? [{ ...subject, on: startsOn, what: 'began' as const }] : []),
  ...(endsOn ? [{ ...subject, on: endsOn, what: 'ended' as const }] : []),
]
