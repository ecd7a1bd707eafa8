import { standardBy, standardChoices } from '@guildhall/contract/features/reports.standard'
import { daysFrom } from '@guildhall/contract/moments'
import { sql } from 'kysely'
import { event, events } from './reports.events.queries.ts'
import type { FactReport, Source, Sql } from './reports.facts.queries.ts'
import { measuresOf, percent } from './reports.facts.rules.ts'
import type { Asked } from './reports.facts.rules.ts'
import { gift } from './reports.giving.queries.ts'
import { below, groupOf, grouped, inTheYear, within } from './reports.grouping.queries.ts'
import { belonging } from './reports.joins.queries.ts'

/** Mandatory offices of chapters that were open on the day, and nobody held. */
function vacancies(asked: Asked, keys: (key: Sql) => readonly Sql[], measure: string): Source {
  const key = grouped(asked, { chapter: sql`s.chapter_id` })
  return {
    tables: sql`app.positions s join app.chapters c on c.id = s.chapter_id left join app.officers_on(${asked.day}::date) n on n.position_id = s.id`,
    where: [
      sql`s.mandatory and n.people is null`,
      asked.isNow ? sql`c.status <> 'closed'` : sql`(c.closed_on > ${asked.day}::date or c.closed_on is null and c.status <> 'closed')`,
      within(asked, 'people.contact', sql`s.chapter_id`),
    ],
    keys: keys(key),
    record: {
      kind: sql`'chapter'`,
      id: sql`s.chapter_id`,
      key: sql`s.id::text`,
      name: sql`c.name`,
      chapter: sql`s.chapter_id`,
      detail: sql`s.title`,
    },
    weights: { [measure]: {} },
  }
}

/** Every chapter has its row, also where there is nothing to count. */
function chapters(asked: Asked): Source {
  const key = grouped(asked, { chapter: sql`c.id` })
  return {
    tables: sql`app.chapters c`,
    where: [sql`c.status <> 'closed'`, within(asked, 'people.contact', sql`c.id`)],
    keys: [key],
    record: { kind: sql`'chapter'`, id: sql`c.id`, name: sql`c.name`, chapter: sql`c.id` },
    weights: { chapters: {} },
  }
}

function activity(asked: Asked): Source[] {
  const ofEvents = grouped(asked, { chapter: sql`f.chapter_id` })
  const ofGifts = grouped(asked, { chapter: sql`g.chapter_id` })
  return [
    {
      tables: events({ since: daysFrom(asked.yearBefore, 1), until: asked.day }),
      where: [sql`not f.called_off and f.chapter_id is not null`, below(asked, sql`f.chapter_id`)],
      keys: [ofEvents],
      record: event,
      weights: { events: {} },
    },
    {
      tables: sql`app.gifts g`,
      where: [
        sql`g.counted_amount > 0 and g.chapter_id is not null and g.currency = ${asked.currency}`,
        inTheYear(sql`g.received_on`, asked),
        within(asked, 'gifts.read', sql`g.chapter_id`),
      ],
      keys: [ofGifts],
      record: gift,
      weights: { raised: { weighs: sql`g.counted_amount`, money: true } },
    },
  ]
}

type Growth = { joins?: number | null; leaves?: number | null }
const growth = ({ joins, leaves }: Growth) => (joins ?? 0) - (leaves ?? 0)

export const scorecard: FactReport = {
  by: standardBy.chapters,
  dimensions: (asked) => [groupOf(asked)],
  measures: measuresOf('chapters', {
    growth: { of: growth },
    growthRate: { of: (values) => percent(growth(values), (values['members'] ?? 0) - growth(values)) },
  }),
  sources: (asked) => [chapters(asked), ...belonging(asked), vacancies(asked, (key) => [key], 'vacant'), ...activity(asked)],
  picture: () => 'table',
}

const { state: states } = standardChoices.officers

/** Terms that end soon, and those without an end that are longer than the office has them. */
function terms(asked: Asked): Source {
  const key = grouped(asked, { chapter: sql`s.chapter_id` })
  const day = sql`${asked.day}::date`
  const state = sql`x.state`
  return {
    tables: sql`app.position_holders h join app.positions s on s.id = h.position_id
      cross join lateral (select case when h.ends_on <= ${day} + 30 then 'ends30' when h.ends_on <= ${day} + 60 then 'ends60' when h.ends_on <= ${day} + 90 then 'ends90'
        when h.ends_on is null and (h.starts_on + make_interval(months => s.term_months))::date <= ${day} then 'overrun' end as state) x`,
    where: [
      sql`h.starts_on <= ${day} and (h.ends_on is null or h.ends_on >= ${day}) and x.state is not null`,
      within(asked, 'people.contact', sql`s.chapter_id`),
    ],
    keys: asked.by === null ? [state] : [state, key],
    record: {
      kind: sql`'person'`,
      id: sql`h.person_id`,
      key: sql`h.id::text`,
      person: sql`h.person_id`,
      chapter: sql`s.chapter_id`,
      detail: sql`s.title`,
      on: sql`coalesce(h.ends_on, (h.starts_on + make_interval(months => s.term_months))::date)`,
    },
    weights: { offices: {} },
  }
}

export const officers: FactReport = {
  by: standardBy.officers,
  dimensions: (asked) => [{ key: 'state', kind: 'choice', order: states }, ...(asked.by === null ? [] : [groupOf(asked)])],
  measures: measuresOf('officers'),
  sources: (asked) => [vacancies(asked, (key) => (asked.by === null ? [vacant] : [vacant, key]), 'offices'), terms(asked)],
  picture: () => 'table',
}
const vacant = sql`'vacant'::text`
