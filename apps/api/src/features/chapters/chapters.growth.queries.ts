import type { ChapterGrowth, MemberMonths } from '@guildhall/contract/features/chapters'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { mayInChapter } from '../../platform/lists/json-refs.ts'
import { statement } from '../../platform/records/statement.ts'

const today = sql`(select app.today())`
const monthAgo = (months: RawBuilder<unknown>) => sql`(date_trunc('month', ${today}::timestamp) - make_interval(months => ${months}))::date`

/** The last 24 months of the chapters that `within` chooses by `n.chapter_id`, for a with clause; `back` counts from this month. */
export const monthsOfMembers = (within: RawBuilder<SqlBool>): RawBuilder<unknown> => sql`
  counted as materialized (
    select n.month, sum(n.joins)::int as joins, sum(n.leaves)::int as leaves from app.chapter_months n
    where n.month between ${monthAgo(sql`23`)} and ${today} and ${within} group by n.month),
  months as (
    select m.back, to_char(m.month, 'YYYY-MM') as month, coalesce(n.joins, 0) as joins, coalesce(n.leaves, 0) as leaves
    from (select back, ${monthAgo(sql`back`)} as month from generate_series(0, 23) back) m left join counted n on n.month = m.month)`

/** Twelve of them, oldest first; `from` is how many months ago the last one is. */
export const twelveMonths = (from: 0 | 12): RawBuilder<MemberMonths['months']> => sql`(
  select json_agg(json_build_object('month', month, 'joins', joins, 'leaves', leaves) order by month) from months
  where back between ${sql.lit(from)} and ${sql.lit(from + 11)})`

/** Null instead of zeros where row-level security would leave nothing to count. */
export const growthQuery = (chapterId: string) =>
  statement(sql<ChapterGrowth>`
    with here as materialized (select chapter_id from app.chapter_ancestors where ancestor_id = ${chapterId}),
    ${monthsOfMembers(sql`n.chapter_id in (select chapter_id from here)`)}
    select case when ${mayInChapter('people.contact', sql`c.id`)} then json_build_object(
      'members', (select coalesce(sum(n.people), 0)::int from app.chapter_counts n where n.kind = 'member' and n.chapter_id in (select chapter_id from here)),
      'months', ${twelveMonths(0)}, 'before', ${twelveMonths(12)}) end as growth
    from app.chapters c where c.id = ${chapterId}`)
