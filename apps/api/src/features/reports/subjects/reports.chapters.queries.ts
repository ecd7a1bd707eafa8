import { sql } from 'kysely'
import { chapterOf, choice, day, dayIn, record, recordOf, words, yesNo } from './reports.sources.queries.ts'
import type { Sources } from './reports.sources.queries.ts'

const startsOn = sql`e.starts_local::date`
const inChapter = sql`left join app.chapters h on h.org_id = e.org_id and h.id = e.chapter_id`
/** Templates are never events. */
const isEvent = sql<boolean>`(e.template_name is null)`
const seated = sql<boolean>`(r.status in ('confirmed', 'checked_in'))`
/** Of events that are over and had somebody at the door: without, nothing is known of who came. */
const wasCounted = sql<boolean>`(e.ends_at <= now() and n.checked_in > 0 and r.status in ('confirmed', 'checked_in'))`
/** What a seat that is taken costs. */
const price = sql`(case when r.status in ('confirmed', 'checked_in') then r.price_amount else 0 end)`

export const chapterSources: Sources<'chapters' | 'events' | 'registrations'> = {
  chapters: () => ({
    from: sql`from app.chapters c left join app.chapter_counts n on n.org_id = c.org_id and n.chapter_id = c.id and n.kind = 'member'`,
    where: [],
    id: sql`c.id`,
    chapter: sql`c.id`,
    day: sql`c.chartered_on`,
    fields: {
      status: choice('chapters', 'status', sql`c.status`),
      kind: choice('chapters', 'kind', sql`c.level`),
      chapter: chapterOf(sql`c.id`),
      foundedOn: day(sql`c.chartered_on`),
      city: words(sql`c.city`),
    },
    measures: { chapters: { of: 'rows' }, members: { of: 'sum', value: sql`coalesce(n.people, 0)` } },
    joins: sql`left join app.chapters h on h.org_id = c.org_id and h.id = c.parent_id`,
    record: recordOf({ kind: 'chapter', id: sql`c.id`, name: sql`c.name`, chapter: 'h', detail: sql`c.status`, on: sql`c.chartered_on` }),
  }),
  events: () => ({
    from: sql`from app.events e left join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id`,
    where: [isEvent],
    id: sql`e.id`,
    chapter: sql`e.chapter_id`,
    day: startsOn,
    fields: {
      status: choice('events', 'status', sql`e.status`),
      kind: choice('events', 'kind', sql`e.kind`),
      format: choice('events', 'format', sql`e.mode`),
      chapter: chapterOf(sql`e.chapter_id`),
      startsOn: day(startsOn),
    },
    measures: {
      events: { of: 'rows' },
      registrations: { of: 'sum', value: sql`coalesce(n.confirmed + n.checked_in, 0)` },
      attended: { of: 'sum', value: sql`coalesce(n.checked_in, 0)` },
    },
    joins: inChapter,
    record: recordOf({ kind: 'event', id: sql`e.id`, name: sql`e.title`, chapter: 'h', detail: sql`e.status`, on: startsOn }),
  }),
  registrations: ({ currency, timezone }) => {
    const registeredOn = dayIn(sql`r.created_at`, timezone)
    return {
      from: sql`from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id
        left join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id`,
      where: [isEvent],
      id: sql`r.id`,
      chapter: sql`r.chapter_id`,
      person: sql`r.person_id`,
      day: startsOn,
      fields: {
        status: choice('registrations', 'status', sql`r.status`),
        event: record('event', sql`r.event_id`),
        chapter: chapterOf(sql`r.chapter_id`),
        attended: yesNo(sql`(r.status = 'checked_in')`),
        startsOn: day(startsOn),
        registeredOn: day(registeredOn),
      },
      measures: {
        registrations: { of: 'rows' },
        people: { of: 'different', column: sql`r.person_id`, counts: sql`(r.person_id is not null and ${seated})` },
        attended: { of: 'rows', counts: sql`(r.status = 'checked_in')` },
        noShow: { of: 'share', part: sql`(r.status = 'confirmed')::int`, whole: sql`1`, counts: wasCounted },
        revenue: { of: 'sum', value: price, counts: sql`(r.price_currency = ${currency} and ${price} > 0)` },
      },
      joins: sql`left join app.chapters h on h.org_id = r.org_id and h.id = r.chapter_id`,
      record: recordOf({
        kind: 'event',
        id: sql`e.id`,
        personId: sql`r.person_id`,
        name: sql`r.name`,
        chapter: 'h',
        detail: sql`e.title`,
        on: startsOn,
        amount: { amount: price, currency: sql`r.price_currency` },
      }),
    }
  },
}
