import { standardBy } from '@guildhall/contract/features/reports.standard'
import { sql } from 'kysely'
import type { FactReport, Source, Sql } from './reports.facts.queries.ts'
import { measuresOf, percent } from './reports.facts.rules.ts'
import type { Asked } from './reports.facts.rules.ts'
import { during, groupOf, grouped, membershipTypes, within } from './reports.grouping.queries.ts'

/** Everybody with the first membership of theirs that the reader sees, as `c`, where it began in the range. */
const cohort = (asked: Asked) => sql`(
  select distinct on (m.person_id) m.person_id, m.chapter_id, m.type_id, m.starts_on as first_on from app.memberships m
  where ${during(sql`m.starts_on`, asked)} and ${within(asked, 'memberships.read', sql`m.chapter_id`)}
    and not exists (select from app.memberships o where o.person_id = m.person_id and o.starts_on < m.starts_on)
  order by m.person_id, m.starts_on, m.id) c`
const anniversary = sql`(c.first_on + make_interval(years => n.years))::date`
const year = (day: Sql) => sql`extract(year from ${day})::int`

/**
 * Each of them once for every anniversary that has come, as `x`; `alive` says whether one of their memberships ran on it, its grace period included.
 */
function anniversaries(asked: Asked): Sql {
  const today = sql`${asked.today}::date`
  return sql`(
    select c.person_id, c.chapter_id, c.type_id, c.first_on, n.years, a.person_id is not null as alive
    from ${cohort(asked)} cross join lateral generate_series(0, ${year(today)} - ${year(sql`c.first_on`)}) n (years)
      left join (
        select distinct c.person_id, n.years from ${cohort(asked)}
          join app.memberships m on m.person_id = c.person_id
          join app.terms_of(array(select m.id from ${cohort(asked)} join app.memberships m on m.person_id = c.person_id)) t on t.membership_id = m.id
          cross join lateral generate_series(greatest(0, ${year(sql`t.starts_on`)} - ${year(sql`c.first_on`)}),
            ${year(sql`least(t.grace_until, ${today})`)} - ${year(sql`c.first_on`)}) n (years)
        where ${anniversary} between t.starts_on and t.grace_until
          and (m.status <> 'cancelled' or coalesce(m.cancelled_on, m.ends_on + 1) > ${anniversary})) a on a.person_id = c.person_id and a.years = n.years
    where ${anniversary} <= ${today}) x`
}

const source = (asked: Asked): Source => {
  const key = grouped(asked, { chapter: sql`x.chapter_id`, type: sql`x.type_id` })
  return {
    tables: sql`${anniversaries(asked)}`,
    where: [],
    keys: [asked.by === null ? sql`to_char(x.first_on, 'YYYY-01-01')` : key, sql`x.years::text`],
    record: {
      kind: sql`'person'`,
      id: sql`x.person_id`,
      key: sql`x.person_id || ' ' || x.years`,
      person: sql`x.person_id`,
      chapter: sql`x.chapter_id`,
      on: sql`x.first_on`,
    },
    weights: { cohort: {}, people: { when: sql`x.alive` } },
  }
}

export const retention: FactReport = {
  by: standardBy.retention,
  dimensions: (asked) => [
    asked.by === null ? { key: 'cohort', kind: 'day', bucket: 'year' } : groupOf(asked, membershipTypes),
    { key: 'years', kind: 'number' },
  ],
  measures: measuresOf('retention', {
    retained: { adds: false, behind: 'people', of: ({ people, cohort: all }) => percent(people, all) },
    people: { adds: false },
    cohort: { adds: false },
  }),
  sources: (asked) => [source(asked)],
  picture: () => 'grid',
  // A year of joining after the other: together they take longer than a page waits for.
  steps: async (db, asked) => {
    const { rows } = await sql<{ year: number | null }>`
      select extract(year from min(m.starts_on))::int as year from app.memberships m where ${during(sql`m.starts_on`, asked)}`.execute(db)
    const first = rows[0]?.year
    if (first === null || first === undefined) return [asked]
    const last = Number(asked.until.slice(0, 4))
    return Array.from({ length: Math.max(1, last - first + 1) }, (_, nth) => {
      const year = String(first + nth).padStart(4, '0')
      const [start, end] = [`${year}-01-01`, `${year}-12-31`]
      return {
        ...asked,
        since: asked.since === null || asked.since < start ? start : asked.since,
        until: asked.until > end ? end : asked.until,
        part: year,
      }
    })
  },
}
