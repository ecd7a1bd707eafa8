import { sql } from 'kysely'
import { chapterOf, choice, day, dayIn, record, recordOf } from './reports.sources.queries.ts'
import type { Sources, Sql } from './reports.sources.queries.ts'

/** What is counted beside the deliveries, which are never read. */
const counted = (states: readonly string[]) =>
  sql`coalesce(sum(x.n) filter (where x.what = any (${sql.lit(`{${states.join(',')}}`)}::text[])), 0)`
const left = ['sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'unknown']
const counts = sql`cross join lateral (
  select coalesce(sum(x.n) filter (where x.what not in ('opened', 'clicked', 'unsubscribed', 'skipped', 'cancelled') and x.what not like 'skipped:%'), 0) as recipients,
    ${counted(left)} as gone, ${counted(['soft_bounce', 'hard_bounce'])} as bounced, ${counted(['opened'])} as opened,
    ${counted(['clicked'])} as clicked, ${counted(['unsubscribed'])} as unsubscribed
  from app.message_counts x where x.org_id = m.org_id and x.message_id = m.id) k`
/** A mail that left and did not come back. */
const delivered = sql`(k.gone - k.bounced)`
const share = (part: Sql, whole: Sql) => ({ of: 'share', part, whole, counts: sql<boolean>`(${whole} > 0)` }) as const

export const messageSources: Sources<'messages'> = {
  messages: ({ timezone }) => {
    const sentOn = dayIn(sql`m.started_at`, timezone)
    return {
      from: sql`from app.messages m ${counts}`,
      where: [],
      id: sql`m.id`,
      chapter: sql`m.chapter_id`,
      day: sentOn,
      fields: {
        status: choice('messages', 'status', sql`m.status`),
        topic: record('topic', sql`m.topic_id`),
        chapter: chapterOf(sql`m.chapter_id`),
        sentOn: day(sentOn),
      },
      measures: {
        messages: { of: 'rows' },
        recipients: { of: 'sum', value: sql`k.recipients` },
        delivered: { of: 'sum', value: delivered },
        opened: share(sql`k.opened`, delivered),
        clicked: share(sql`k.clicked`, delivered),
        bounced: share(sql`k.bounced`, sql`k.gone`),
        unsubscribed: { of: 'sum', value: sql`k.unsubscribed` },
      },
      joins: sql`left join app.chapters h on h.org_id = m.org_id and h.id = m.chapter_id`,
      record: recordOf({ kind: 'message', id: sql`m.id`, name: sql`m.name`, chapter: 'h', detail: sql`m.status`, on: sentOn }),
    }
  },
}
