import { withNames } from '@guildhall/contract/formatted-document'
import { AnnouncementAudience, AnnouncementState } from '@guildhall/contract/features/communication.announcements'
import type {
  Announcement,
  AnnouncementChange,
  AnnouncementRow,
  NewAnnouncement,
} from '@guildhall/contract/features/communication.announcements'
import type { Filter } from '@guildhall/contract/shapes'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { namesSeen } from '../../../platform/formatted-text/mentions.ts'
import type { NamesSeen } from '../../../platform/formatted-text/mentions.ts'
import { choiceField, dateField, filterWhere, flagField, idField, textField } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../../platform/lists/filters.ts'
import { chapterRef, groupRef, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import { exportField, exportRows } from '../../../platform/lists/export-source.ts'
import type { ExportSource } from '../../../platform/lists/export-source.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { matchRank } from '../../../platform/lists/match-rank.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { chapterField } from '../../chapters/chapters.references.public.ts'
import { holdsMessages, writesSomewhere } from '../communication.places.queries.ts'

// In these pieces `a` is the announcement; `c` its chapter, `g` its group, `p` its author and `r` whether the caller has read it are left joined.

const from = sql`from app.announcements a
  left join app.chapters c on c.org_id = a.org_id and c.id = a.chapter_id
  left join app.groups g on g.org_id = a.org_id and g.id = a.group_id
  left join app.people p on p.org_id = a.org_id and p.id = a.author_id and p.deleted_at is null and p.lifecycle <> 'erased'
  left join app.announcement_reads r on r.org_id = a.org_id and r.announcement_id = a.id and r.account_id = (select app.account_id())`

const state: RawBuilder<AnnouncementState> = sql`(case when a.archived_at is not null then 'archived' when a.published_at is null then 'draft'
  when a.starts_at > now() then 'scheduled' when a.ends_at <= now() then 'over' else 'shown' end)`
const isPublished: RawBuilder<SqlBool> = sql`(a.published_at is not null and a.archived_at is null and a.starts_at <= now())`
const isShown: RawBuilder<SqlBool> = sql`(${isPublished} and (a.ends_at is null or a.ends_at > now()))`
const reachesMe: RawBuilder<SqlBool> = sql`(a.reach = any ((select app.announced_to_me())::text[]))`
const forMe: RawBuilder<SqlBool> = sql`(${isPublished} and ${reachesMe})`
const writes = holdsMessages('messages.write', 'a')
const publishes: RawBuilder<SqlBool> = sql`(${writes} and ${holdsMessages('messages.send', 'a')})`
const startsAt = sql`coalesce(a.starts_at, a.created_at)`

const rowFields = sql`'id', a.id, 'title', a.title, 'state', ${state}, 'scope', case when a.group_id is not null then 'group' when a.chapter_id is not null then 'chapter' else 'organisation' end,
  'chapter', ${orNull('c', chapterRef)}, 'group', ${orNull('g', groupRef)}, 'audience', a.audience, 'pinned', a.pinned, 'startsAt', a.starts_at, 'endsAt', a.ends_at,
  'author', ${orNull('p', personRef)}, 'mine', case when ${forMe} then json_build_object('readAt', r.read_at, 'dismissedAt', r.dismissed_at) end,
  'may', json_build_object('edit', ${writes} and (a.published_at is null or ${publishes}), 'publish', ${publishes}), 'createdAt', a.created_at, 'version', a.version`
const inRow = sql`'readers', case when ${writes} then (select n.readers from app.announcement_read_counts(array[a.id]) n) end`

type Stored = { of: Announcement; names: NamesSeen }
const item = sql<Stored>`json_build_object('names', ${namesSeen(sql`a.body`)}, 'of', jsonb_build_object(${rowFields}) || jsonb_build_object('body', a.body,
  'publishedAt', a.published_at, 'updatedAt', a.updated_at, 'readers', n.readers, 'reached', n.reached))`
const counted = sql`left join lateral app.announcement_readers(a.id) n on ${writes}`
const uncounted = sql`cross join (select null::int as readers, null::int as reached) n`

/** With the names of people mentioned that the caller may see. */
export const announcementOf = ({ of, names }: Stored): Announcement => ({ ...of, body: withNames(of.body, names) })

export const announcementQuery = (id: string) =>
  statement(sql<{ item: Stored }>`select ${item} as item ${from} ${counted} where a.id = ${id}`)

export async function findAnnouncement(db: ActorDb, id: string): Promise<Announcement | undefined> {
  const { rows } = await db.executeQuery(announcementQuery(id).compile())
  return rows[0] && announcementOf(rows[0].item)
}

type Place = { chapterId?: string | undefined; groupId?: string | undefined }
type Current = { items: Stored[]; unread: number; nextChangeAt: string | null }

/** What is shown right now: to the caller and not yet done with, or in one place. */
export function currentQuery({ chapterId, groupId }: Place) {
  const isHere = chapterId
    ? sql`a.chapter_id = ${chapterId}`
    : groupId
      ? sql`a.group_id = ${groupId}`
      : sql`${reachesMe} and r.dismissed_at is null and (r.read_at is null or a.pinned)`
  const mine = sql`from app.announcements a left join app.announcement_reads r on r.org_id = a.org_id and r.announcement_id = a.id and r.account_id = (select app.account_id())
    where a.published_at is not null and a.archived_at is null and ${reachesMe}`
  return statement(sql<Current>`select
    coalesce((select json_agg(x.item order by x.pinned desc, x.starts_at desc, x.id) from (
      select ${item} as item, a.pinned, a.starts_at, a.id ${from} ${uncounted} where ${isShown} and ${isHere}
      order by a.pinned desc, a.starts_at desc, a.id limit 20) x), '[]') as items,
    (select count(*)::int from (select 1 ${mine} and ${isShown} and r.read_at is null limit 1000) x) as unread,
    (select min(x.at) from (
      select case when a.starts_at > now() then a.starts_at else a.ends_at end as at ${mine} and (a.starts_at > now() or a.ends_at > now())) x) as "nextChangeAt"`)
}

/** Null where it is not for the caller to write. */
export async function countReach(db: ActorDb, { chapterId, groupId, audience }: Place & { audience: AnnouncementAudience }) {
  const { rows } = await sql<{
    reached: number | null
  }>`select app.announcement_reach(${chapterId ?? null}, ${groupId ?? null}, ${audience}) as reached`.execute(db)
  return rows[0]?.reached ?? null
}

const fields: FilterCatalogue = {
  title: textField(sql`a.title`),
  state: choiceField(state, AnnouncementState.options),
  audience: choiceField(sql`a.audience`, AnnouncementAudience.options),
  pinned: flagField(sql`a.pinned`),
  chapter: chapterField(sql`a.chapter_id`),
  group: idField(sql`a.group_id`),
  forMe: flagField(forMe),
  unread: flagField(sql`(${forMe} and r.read_at is null)`),
  startsAt: dateField(sql`a.starts_at`),
  createdAt: dateField(sql`a.created_at`),
  archived: flagField(sql`(a.archived_at is not null)`),
}
const orders = { startsAt, title: sql`a.sort_name`, createdAt: sql`a.created_at` }

type Question = { q?: string | undefined; filter?: Filter | undefined; sort?: string | undefined }

/** Words in the title, accent-blind; archived ones only when the filter speaks of them. */
export function announcementsList({ q, filter, sort = '-startsAt' }: Question): List<AnnouncementRow> {
  const words = q?.trim() ?? ''
  const { by, descending } = readSort(sort, ['startsAt', 'title', 'createdAt', 'match'], 'startsAt')
  const filtered = filterWhere(filter, fields)
  const asksArchived = filter?.and.some(({ or }) => or.some(({ field }) => field === 'archived' || field === 'state')) ?? false
  const where: RawBuilder<SqlBool>[] = []
  if (words) where.push(sql`a.id in (select app.search_announcements(${words}))`)
  if (filtered) where.push(filtered)
  if (!asksArchived) where.push(sql`a.archived_at is null`)
  const byStart = [startsAt, sql`a.id`]
  return {
    key: ['announcements', words, filter ?? null, by],
    item: sql`json_build_object(${rowFields}, ${inRow})`,
    from,
    where,
    // What does not search has no best match, and goes by its start.
    order: by !== 'match' ? [orders[by], sql`a.id`] : words ? [matchRank(sql`a.title`, words), ...byStart] : byStart,
    descending,
  }
}

/** The list as a file, for those who write messages; how many read one, for those who look after it. */
export const announcementsExport: ExportSource = {
  fields: [
    exportField('title', 'Title', sql`a.title`),
    exportField('state', 'State', state),
    exportField('place', 'Announced in', sql`coalesce(g.name, c.name)`),
    exportField('chapterCode', 'Chapter code', sql`c.code`),
    exportField('audience', 'Audience', sql`a.audience`),
    exportField('pinned', 'Pinned', sql`a.pinned`, 'flag'),
    exportField('startsAt', 'Start', sql`a.starts_at`, 'instant'),
    exportField('endsAt', 'End', sql`a.ends_at`, 'instant'),
    exportField('author', 'Author', sql`p.display_name`),
    exportField('readers', 'Readers', sql`(select n.readers from app.announcement_read_counts(array[a.id]) n)`, 'number'),
    exportField('createdAt', 'Created at', sql`a.created_at`, 'instant'),
    exportField('id', 'Record id', sql`a.id`),
  ],
  may: () => writesSomewhere,
  rows(request) {
    const { selection, sort } = request
    return exportRows(request, sql`a.id`, announcementsList({ ...('all' in selection ? selection.all : {}), sort }))
  },
}

export async function insertAnnouncement(db: ActorDb, { orgId, accountId }: Actor, announcement: NewAnnouncement): Promise<string> {
  const { id } = await db
    .insertInto('app.announcements')
    .values({
      org_id: orgId,
      created_by: accountId,
      author_id: sql<string | null>`(select app.person_id())`,
      ...columnsOf('app.announcements', announcement),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { announcementId: string; version: number }
type Columns = { [Column in 'starts_at' | 'ends_at' | 'published_at' | 'archived_at']?: RawBuilder<unknown> | string | null }

export const changeAnnouncement = (
  db: ActorDb,
  { announcementId: id, version }: Guarded,
  change: AnnouncementChange,
): Promise<Announcement> =>
  updateRecord(db, 'app.announcements', { id, version }, columnsOf('app.announcements', change), () => findAnnouncement(db, id))

export const setAnnouncement = (db: ActorDb, { announcementId: id, version }: Guarded, set: Columns): Promise<Announcement> =>
  updateRecord(db, 'app.announcements', { id, version }, set, () => findAnnouncement(db, id))

export const now = sql`now()`

/** Once read it stays read; once dismissed, dismissed. Answers whether it is addressed to the caller. */
export async function noteRead(db: ActorDb, id: string, dismissed: boolean): Promise<boolean> {
  const { rows } = await sql`insert into app.announcement_reads as r (org_id, announcement_id, account_id, dismissed_at)
    select a.org_id, a.id, (select app.account_id()), ${dismissed ? now : sql`null::timestamptz`} from app.announcements a where a.id = ${id} and ${forMe}
    on conflict (org_id, announcement_id, account_id) do update set dismissed_at = coalesce(r.dismissed_at, excluded.dismissed_at)
    returning 1`.execute(db)
  return rows.length > 0
}
