import { standardBy, standardChoices } from '@guildhall/contract/features/reports.standard'
import { sql } from 'kysely'
import type { Dimension, FactReport, Source, Sql } from './reports.facts.queries.ts'
import { measuresOf, percent } from './reports.facts.rules.ts'
import type { Asked, Shown } from './reports.facts.rules.ts'
import { below, groupOf, grouped } from './reports.grouping.queries.ts'

const { type: kinds } = standardChoices.events

/** Events of these days that the reader runs or keeps the books of, as `f`; called off, they count nowhere. */
export const events = ({ since, until }: Pick<Asked, 'since' | 'until'>, alias = 'f'): Sql =>
  sql`app.counted_events(${since ?? '-infinity'}::date, ${until}::date) ${sql.ref(alias)}`
const took = (asked: Asked) => [sql<never>`not f.called_off`, below(asked, sql`f.chapter_id`)]

const columns = { day: sql`f.starts_local::date`, chapter: sql`f.chapter_id`, type: sql`f.kind` }
/** An event, as `f`. */
export const event = {
  kind: sql`'event'`,
  id: sql`f.event_id`,
  name: sql`f.title`,
  chapter: sql`f.chapter_id`,
  detail: sql`f.kind`,
  on: sql`f.starts_local::date`,
}
/** Of events that are over and checked people in. */
const held = sql<never>`f.over and f.attended > 0`

/** Events, the seats of those that the reader runs, and the money of all; grouped as `key` says. */
function sources(asked: Asked, { key, label, rank }: { key: Sql; label?: Sql; rank?: Sql }): Source[] {
  const shared = { ...(label && { label }), ...(rank && { rank }) }
  const rows = { tables: sql`${events(asked)}`, where: took(asked), keys: [key], ...shared }
  return [
    { ...rows, record: event, weights: { events: {} } },
    {
      ...rows,
      tables: sql`app.registrations r join ${events(asked)} on f.event_id = r.event_id`,
      where: [...took(asked), sql`f.managed and r.status in ('confirmed', 'checked_in')`],
      record: {
        kind: sql`case when r.person_id is null then 'event' else 'person' end`,
        id: sql`coalesce(r.person_id, r.event_id)`,
        key: sql`r.id::text`,
        person: sql`r.person_id`,
        name: sql`case when r.person_id is null then r.name end`,
        chapter: sql`f.chapter_id`,
        detail: sql`f.title`,
        on: sql`f.starts_local::date`,
      },
      weights: {
        registrations: {},
        attended: { when: sql`r.status = 'checked_in'` },
        noShows: { when: sql`r.status = 'confirmed' and ${held}` },
        expected: { when: held },
      },
      counted: {
        ...rows,
        where: [...took(asked), sql`f.managed`],
        weights: {
          registrations: sql`f.seats`,
          attended: sql`f.attended`,
          noShows: sql`case when ${held} then f.seats - f.attended end`,
          expected: sql`case when ${held} then f.seats end`,
        },
      },
    },
    {
      ...rows,
      tables: sql`${events(asked)} join app.event_revenue(array(select e.event_id from ${events(asked, 'e')} where not e.called_off)) v on v.event_id = f.event_id`,
      where: [...took(asked), sql`v.paid <> 0 and v.currency = ${asked.currency}`],
      record: { ...event, key: sql`concat(f.event_id, ' ', v.ticket_type_id)` },
      weights: { revenue: { weighs: sql`v.paid`, money: true } },
    },
  ]
}

const noShow: Omit<Shown, 'key' | 'unit'> = { behind: 'noShows', of: ({ noShows, expected }) => percent(noShows, expected) }

export const eventsReport: FactReport = {
  by: standardBy.events,
  dimensions: (asked) => [groupOf(asked, { kind: 'choice', order: kinds })],
  measures: measuresOf('events', { noShow }),
  sources: (asked) => sources(asked, { key: grouped(asked, columns) }),
  picture: ({ by }) => (by === 'chapter' || by === 'region' ? 'table' : by === 'type' ? 'bars' : 'line'),
}

const ofEvent: Dimension = { key: 'event', kind: 'record' }

export const attendance: FactReport = {
  by: standardBy.attendance,
  dimensions: () => [ofEvent],
  measures: measuresOf('attendance', { noShow }),
  sources: (asked) =>
    sources(asked, {
      key: sql`f.event_id::text`,
      label: sql`f.title`,
      rank: sql`extract(epoch from f.starts_local)`,
    }).slice(0, 2),
  picture: () => 'table',
}
