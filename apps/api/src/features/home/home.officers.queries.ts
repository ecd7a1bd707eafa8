import type { Home } from '@guildhall/contract/features/home'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { chapterRef, personRef } from '../../platform/lists/json-refs.ts'
import { monthsOfMembers, twelveMonths } from '../chapters/chapters.growth.public.ts'

// Parts of home that officers see. `within` says whether a chapter belongs to the scope looked at.

type Within = (chapterId: RawBuilder<unknown>) => RawBuilder<SqlBool>
type Part<Key extends keyof Home> = RawBuilder<Home[Key]>
const today = sql`(select app.today())`

/** `belongsHere` says whether person p belongs to the scope; the list of people who joined this month asks the same. */
export const memberNumbers = (within: Within, belongsHere: RawBuilder<SqlBool>): Part<'members'> => sql`(
  with ${monthsOfMembers(within(sql`n.chapter_id`))},
  people as (
    select coalesce(sum(n.people) filter (where n.kind = 'member'), 0)::int as current, coalesce(sum(n.people) filter (where n.kind = 'alumni'), 0)::int as alumni
    from app.chapter_counts n where n.kind in ('member', 'alumni') and ${within(sql`n.chapter_id`)})
  select json_build_object('current', people.current, 'alumni', people.alumni,
    'newThisMonth', (select count(*)::int from app.people p
      where p.deleted_at is null and p.joined_on >= date_trunc('month', ${today}::timestamp)::date and ${belongsHere}),
    'netChange', (select sum(joins - leaves)::int from months where back < 12), 'months', ${twelveMonths(0)}, 'before', ${twelveMonths(12)}) from people)`

export const endingTerms = (within: Within): Part<'endingTerms'> => sql`(
  with ending as materialized (
    select h.id, h.person_id, h.position_id, h.ends_on, s.chapter_id, s.title, s.mandatory
    from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    where h.ends_on between ${today} and ${today} + 60 and h.starts_on <= ${today} and ${within(sql`s.chapter_id`)})
  select json_build_object('total', (select count(*)::int from ending), 'items', coalesce(json_agg(x.item order by x.ends_on, x.id), '[]')) from (
    select json_build_object('id', e.id, 'position', json_build_object('id', e.position_id, 'title', e.title, 'mandatory', e.mandatory),
      'person', ${personRef('p')}, 'endsOn', e.ends_on, 'chapter', ${chapterRef('c')}) as item, e.ends_on, e.id
    from (select * from ending order by ends_on, id limit 10) e join app.people p on p.id = e.person_id join app.chapters c on c.id = e.chapter_id) x)`

export const vacancies = (within: Within): Part<'vacancies'> => sql`(
  with vacant as materialized (
    select s.id, s.title, s.title_key, s.max_holders, s.chapter_id from app.positions s
    where s.mandatory and ${within(sql`s.chapter_id`)} and s.id not in (select n.position_id from app.officers_now() n))
  select json_build_object('total', count(*) filter (where c.status <> 'closed'), 'items', (
      select coalesce(json_agg(x.item), '[]') from (
        select json_build_object('positionId', v.id, 'title', v.title, 'openSeats', v.max_holders, 'chapter', ${chapterRef('c')}) as item
        from vacant v join app.chapters c on c.id = v.chapter_id where c.status <> 'closed' order by c.depth, c.search, v.title_key limit 10) x))
  from vacant v join app.chapters c on c.id = v.chapter_id)`

export const dataHealth = (within: Within, organisation: boolean): Part<'dataHealth'> => sql`(
  select case when count(*) > 0 then json_build_object('people', sum(d.people)::int, 'withoutEmail', sum(d.without_email)::int,
    'withoutChapter', ${organisation ? sql`coalesce(sum(d.people) filter (where d.chapter_id is null), 0)::int` : sql`null::int`}, 'countedAt', min(d.counted_at)) end
  from app.data_health d where ${within(sql`d.chapter_id`)})`

/** Fourteen days from today, one by one through the index; 29 February is kept on 1 March where there is none. */
export const birthdays = (livesHere: RawBuilder<SqlBool>): Part<'birthdays'> => sql`(
  select case when (select app.everywhere('people.sensitive')) or (select app.scope('people.sensitive')) <> '{}' then (
    select coalesce(json_agg(x.item order by x.day, x.sort_name), '[]') from (
      select json_build_object('person', ${personRef('p')}, 'on', d.day) as item, d.day, p.sort_name
      from (select ${today} + ahead as day, extract(month from ${today} + ahead)::int * 100 + extract(day from ${today} + ahead)::int as birthday from generate_series(0, 13) ahead) d
      cross join lateral (
        -- offset 0: first whose day it is, then who of them lives here, until ten are found.
        select p.id, p.display_name, p.sort_name from (
          select p.id, p.display_name, p.sort_name, p.home_chapter_id
          from app.person_private v join app.people p on p.org_id = v.org_id and p.id = v.person_id
          where v.birthday in (d.birthday, case when d.birthday = 301 and extract(day from d.day - 1) = 28 then 229 end)
            and v.deceased_on is null and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased', 'former') offset 0) p
        where ${livesHere} limit 10) p
      order by d.day, p.sort_name limit 10) x) end)`
