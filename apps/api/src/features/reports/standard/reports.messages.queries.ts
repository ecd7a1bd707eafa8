import { standardBy } from '@guildhall/contract/features/reports.standard'
import { sql } from 'kysely'
import type { FactReport, Source, Sql } from './reports.facts.queries.ts'
import { measuresOf, percent } from './reports.facts.rules.ts'
import type { Asked } from './reports.facts.rules.ts'
import { below, during, groupOf, grouped } from './reports.grouping.queries.ts'

/** Messages that policies show, whose sending began: with the day on the organisation's clocks, as `m`. */
const messages = ({ timezone }: Asked): Sql =>
  sql`(select x.id, x.name, x.chapter_id, x.started_at, (x.started_at at time zone ${timezone})::date as day from app.messages x where x.started_at is not null) m`

const found = sql`('queued', 'sent', 'delivered', 'soft_bounce', 'hard_bounce', 'complaint', 'failed', 'unknown')`
const arrived = sql`('sent', 'delivered', 'complaint', 'unknown')`
const bounced = sql`('soft_bounce', 'hard_bounce')`

function sources(asked: Asked): Source[] {
  const key = asked.by === null ? sql`m.id::text` : grouped(asked, { day: sql`m.day`, chapter: sql`m.chapter_id` })
  const named = asked.by === null ? { label: sql`m.name`, rank: sql`extract(epoch from m.started_at)` } : {}
  const where = [during(sql`m.day`, asked), below(asked, sql`m.chapter_id`)]
  const sum = (condition: Sql) => sql`case when n.what ${condition} then n.n end`
  return [
    {
      tables: sql`${messages(asked)}`,
      where,
      keys: [key],
      ...named,
      record: { kind: sql`'message'`, id: sql`m.id`, name: sql`m.name`, chapter: sql`m.chapter_id`, on: sql`m.day` },
      weights: { messages: {} },
    },
    {
      tables: sql`app.message_deliveries d join ${messages(asked)} on m.id = d.message_id`,
      where,
      keys: [key],
      record: {
        kind: sql`case when d.person_id is null then 'message' else 'person' end`,
        id: sql`coalesce(d.person_id, m.id)`,
        key: sql`d.id::text`,
        person: sql`d.person_id`,
        chapter: sql`d.chapter_id`,
        detail: sql`d.state`,
        on: sql`m.day`,
      },
      weights: {
        recipients: { when: sql`d.state in ${found}` },
        delivered: { when: sql`d.state in ${arrived}` },
        opened: { when: sql`d.opened_at is not null` },
        clicked: { when: sql`d.clicked_at is not null` },
        bounced: { when: sql`d.state in ${bounced}` },
        unsubscribed: { when: sql`d.unsubscribed_at is not null` },
      },
      // Deliveries are kept for 18 months, their counts for good.
      counted: {
        tables: sql`app.message_counts n join ${messages(asked)} on m.id = n.message_id`,
        where,
        keys: [key],
        ...named,
        weights: {
          recipients: sum(sql`in ${found}`),
          delivered: sum(sql`in ${arrived}`),
          opened: sum(sql`= 'opened'`),
          clicked: sum(sql`= 'clicked'`),
          bounced: sum(sql`in ${bounced}`),
          unsubscribed: sum(sql`= 'unsubscribed'`),
        },
      },
    },
  ]
}

export const messagesReport: FactReport = {
  by: standardBy.messages,
  dimensions: (asked) => [asked.by === null ? { key: 'message', kind: 'record' } : groupOf(asked)],
  measures: measuresOf('messages', {
    openRate: { behind: 'opened', of: ({ opened, delivered }) => percent(opened, delivered) },
    clickRate: { behind: 'clicked', of: ({ clicked, delivered }) => percent(clicked, delivered) },
    bounceRate: { behind: 'bounced', of: ({ bounced: back, delivered }) => percent(back, (back ?? 0) + (delivered ?? 0)) },
  }),
  sources,
  picture: () => 'table',
}
