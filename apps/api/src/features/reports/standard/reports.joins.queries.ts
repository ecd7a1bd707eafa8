import { standardBy } from '@guildhall/contract/features/reports.standard'
import { daysFrom } from '@guildhall/contract/moments'
import { sql } from 'kysely'
import type { Condition, FactReport, Source, Sql } from './reports.facts.queries.ts'
import { measuresOf } from './reports.facts.rules.ts'
import type { Asked } from './reports.facts.rules.ts'
import { during, groupOf, grouped, inTheYear, within } from './reports.grouping.queries.ts'

const isMember = sql<never>`a.kind = 'member'`
const mayCount = (asked: Asked, chapter: Sql) => within(asked, 'people.contact', chapter)

/** Somebody who belongs to a chapter, as `a`. */
const person = { kind: sql`'person'`, id: sql`a.person_id`, key: sql`a.id::text`, person: sql`a.person_id`, chapter: sql`a.chapter_id` }

type What = { measure: 'joins' | 'leaves'; day: Sql }

const firstOfMonth = (day: string) => `${day.slice(0, 7)}-01`
const firstOfNext = (day: string) => firstOfMonth(daysFrom(firstOfMonth(day), 31))

/** Whole months are counted already; what stands at either end of the range is counted from the rows. */
function counted({ since, until }: Asked, { measure, day }: What): Sql {
  const first = since === null ? null : since === firstOfMonth(since) ? since : firstOfNext(since)
  const end = firstOfMonth(daysFrom(until, 1))
  if (first !== null && first >= end)
    return sql`(select a.chapter_id, ${day} as day, 1 as n from app.affiliations a where ${isMember} and ${during(day, { since, until })}) x`
  const whole: Condition = sql`n.month < ${end}::date and ${first === null ? sql`true` : sql`n.month >= ${first}::date`}`
  const edges: Condition = sql`${day} between ${end}::date and ${until}::date
    ${first === null ? sql`` : sql`or ${day} >= ${since}::date and ${day} < ${first}::date`}`
  return sql`(select n.chapter_id, n.month as day, n.${sql.ref(measure)} as n from app.chapter_months n where ${whole}
    union all select a.chapter_id, ${day}, 1 from app.affiliations a where ${isMember} and (${edges})) x`
}

function source(asked: Asked, what: What): Source {
  const { measure, day } = what
  const rows = grouped(asked, { day, chapter: sql`a.chapter_id` })
  const sums = grouped(asked, { day: sql`x.day`, chapter: sql`x.chapter_id` })
  return {
    tables: sql`app.affiliations a`,
    where: [isMember, during(day, asked), mayCount(asked, sql`a.chapter_id`)],
    keys: [rows],
    record: { ...person, on: day },
    weights: { [measure]: {} },
    counted: {
      tables: sql`${counted(asked, what)}`,
      where: [sql`x.n <> 0`, mayCount(asked, sql`x.chapter_id`)],
      keys: [sums],
      weights: { [measure]: sql`x.n` },
    },
  }
}

const net = { of: ({ joins, leaves }: Record<string, number | null>) => (joins ?? 0) - (leaves ?? 0) }

export const joinsAndLeaves: FactReport = {
  by: standardBy['joins-and-leaves'],
  dimensions: (asked) => [groupOf(asked)],
  measures: measuresOf('joins-and-leaves', { net }),
  sources: (asked) => [
    source(asked, { measure: 'joins', day: sql`a.starts_on` }),
    source(asked, { measure: 'leaves', day: sql`a.ends_on` }),
  ],
  picture: ({ by }) => (by === 'chapter' || by === 'region' ? 'bars' : 'line'),
}

/** Members and alumni of chapters on the day, and who came and went in the year up to it. */
export function belonging(asked: Asked): Source[] {
  const day = sql`${asked.day}::date`
  const rows = grouped(asked, { chapter: sql`a.chapter_id` })
  const sums = grouped(asked, { chapter: sql`x.chapter_id` })
  const rest = { tables: sql`app.affiliations a`, keys: [rows] }
  const people: Source = {
    ...rest,
    where: [
      sql`a.kind in ('member', 'alumni') and a.starts_on <= ${day} and (a.ends_on is null or a.ends_on >= ${day})`,
      mayCount(asked, sql`a.chapter_id`),
    ],
    record: { ...person, detail: sql`a.kind`, on: sql`a.starts_on` },
    weights: { members: { when: sql`a.kind = 'member'` }, alumni: { when: sql`a.kind = 'alumni'` } },
    ...(asked.isNow && {
      counted: {
        tables: sql`app.chapter_counts x`,
        where: [mayCount(asked, sql`x.chapter_id`)],
        keys: [sums],
        weights: {
          members: sql`case when x.kind = 'member' then x.people end`,
          alumni: sql`case when x.kind = 'alumni' then x.people end`,
        },
      },
    }),
  }
  return [
    people,
    {
      ...rest,
      where: [isMember, inTheYear(sql`a.starts_on`, asked), mayCount(asked, sql`a.chapter_id`)],
      record: { ...person, on: sql`a.starts_on` },
      weights: { joins: {} },
    },
    {
      ...rest,
      where: [isMember, sql`a.ends_on >= ${asked.yearBefore}::date and a.ends_on < ${day}`, mayCount(asked, sql`a.chapter_id`)],
      record: { ...person, on: sql`a.ends_on` },
      weights: { leaves: {} },
    },
  ]
}

export const membersByChapter: FactReport = {
  by: standardBy['members-by-chapter'],
  dimensions: (asked) => [groupOf(asked)],
  measures: measuresOf('members-by-chapter', { net }),
  sources: belonging,
  picture: () => 'table',
}
