import { EventSort, eventsFilterFields } from '@guildhall/contract/features/events'
import type { CalendarInput, CalendarEvent, EventRow } from '@guildhall/contract/features/events'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { choiceField, dateField, filterWhere, flagField, idField, textField } from '../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../platform/lists/filters.ts'
import { chapterRef, orNull } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { matchRank } from '../../platform/lists/match-rank.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { statement } from '../../platform/records/statement.ts'
import { chapterField } from '../chapters/chapters.references.public.ts'
import { eventRow, eventsFrom, full, manages } from './events.queries.ts'

/** Events that the caller runs, or is registered for. */
const mine: RawBuilder<SqlBool> = sql`(e.id = any ((select app.my_registrations())::uuid[]) or e.id = any ((select app.event_scope('events.read'))::uuid[]))`

const catalogue: FilterCatalogue = {
  title: textField(sql`e.title`),
  status: choiceField(sql`e.status`, eventsFilterFields.status.options),
  kind: choiceField(sql`e.kind`, eventsFilterFields.kind.options),
  mode: choiceField(sql`e.mode`, eventsFilterFields.mode.options),
  visibility: choiceField(sql`e.visibility`, eventsFilterFields.visibility.options),
  chapter: chapterField(sql`e.chapter_id`),
  group: idField(sql`e.group_id`),
  series: idField(sql`e.series_id`),
  startsAt: dateField(sql`e.starts_local`),
  weekday: choiceField(sql`to_char(e.starts_local, 'ID')`, eventsFilterFields.weekday.options),
  hour: choiceField(sql`to_char(e.starts_local, 'HH24')`, eventsFilterFields.hour.options),
  upcoming: flagField(sql`(e.ends_at > now())`),
  past: flagField(sql`(e.ends_at <= now())`),
  mine: flagField(mine),
  myChapters: flagField(sql`coalesce(e.chapter_id = any ((select app.my_event_chapters())::uuid[]), false)`),
  drafts: flagField(sql`(e.status = 'draft')`),
  full: flagField(full),
  archived: flagField(sql`(e.status = 'archived')`),
}
const orders = { startsAt: sql`e.starts_at`, title: sql`e.sort_name`, createdAt: sql`e.created_at` }

/** Who has the link of an unlisted event opens it; lists show it to nobody but those who run it or take part. */
export const listed: RawBuilder<SqlBool> = sql`(e.visibility <> 'unlisted' or ${mine} or ${manages})`

type Question = {
  q?: string | undefined
  filter?: Filter | undefined
  sort?: string | undefined
  /** Also archived ones, of which the filter says nothing. */
  archived?: boolean
}

/** Words in title, summary or place, accent-blind; archived events only when the filter speaks of them, templates never. */
export function eventsList({ q, filter, sort, archived = false }: Question): List<EventRow> {
  const words = q?.trim() ?? ''
  const { by, descending } = readSort(sort, EventSort.options, 'startsAt')
  const filtered = filterWhere(filter, catalogue)
  const asks = (...names: string[]) => filter?.and.some(({ or }) => or.some(({ field }) => names.includes(field))) ?? false
  const where: RawBuilder<SqlBool>[] = [sql`e.template_name is null`, listed]
  if (words) where.push(sql`e.id in (select app.search_events(${words}))`)
  if (filtered) where.push(filtered)
  if (!archived && !asks('archived', 'status')) where.push(sql`e.status <> 'archived'`)
  const byStart = [orders.startsAt, sql`e.id`]
  return {
    key: ['events', words, filter ?? null, by],
    item: eventRow,
    from: eventsFrom,
    where,
    // What does not search has no best match, and goes by its start.
    order: by !== 'match' ? [orders[by], sql`e.id`] : words ? [matchRank(sql`e.title`, words), ...byStart] : byStart,
    descending,
  }
}

const myStatus = sql`(select r.status from app.registrations r where r.org_id = e.org_id and r.event_id = e.id and r.person_id = (select app.person_id())
  and r.status not in ('cancelled', 'rejected'))`
type Calendar = z.infer<typeof CalendarInput>
/** By the clocks of the events. None is longer than 31 days, so that the index on their first day finds all that reach into the window. */
export function calendarQuery({ from, to, chapterId, groupId, mine: own, perDay = 8 }: Calendar) {
  const where: RawBuilder<SqlBool>[] = [
    sql`e.starts_local >= ${from}::date - 31 and e.starts_local < ${to}::date + 1 and e.ends_local > ${from}::date`,
    sql`e.status in ('draft', 'published', 'cancelled') and e.template_name is null`,
    listed,
  ]
  if (chapterId)
    where.push(sql`e.chapter_id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}::uuid)`)
  if (groupId) where.push(sql`e.group_id = ${groupId}::uuid`)
  if (own) where.push(mine)
  return statement(sql<{ items: CalendarEvent[]; days: { date: string; events: number }[] }>`
    with found as materialized (
      select e.org_id, e.id, e.starts_local, row_number() over (partition by e.starts_local::date order by e.starts_local, e.id) as nth
      from app.events e where ${sql.join(where, sql` and `)}
    ), shown as (select f.* from found f where f.nth <= ${perDay} order by f.starts_local, f.id limit 2000)
    select (select coalesce(json_agg(json_build_object('id', e.id, 'title', e.title, 'status', e.status, 'mode', e.mode, 'startsAt', e.starts_at, 'endsAt', e.ends_at,
        'timezone', e.timezone, 'startsLocal', to_char(e.starts_local, 'YYYY-MM-DD"T"HH24:MI:SS'), 'endsLocal', to_char(e.ends_local, 'YYYY-MM-DD"T"HH24:MI:SS'),
        'chapter', ${orNull('c', chapterRef)}, 'mine', ${myStatus}) order by s.starts_local, s.id), '[]')
      from shown s join app.events e on e.org_id = s.org_id and e.id = s.id left join app.chapters c on c.org_id = e.org_id and c.id = e.chapter_id) as items,
      (select coalesce(json_agg(json_build_object('date', d.date, 'events', d.events) order by d.date), '[]')
        from (select f.starts_local::date as date, count(*)::int as events from found f group by 1) d) as days`)
}
