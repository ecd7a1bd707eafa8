import type { NewCalendarFeed } from '@guildhall/contract/features/events.feeds'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import { statement } from '../../../platform/records/statement.ts'
import type { CalendarRow } from '../calendar/events.calendar.entries.rules.ts'
import { calendarRow } from '../calendar/events.calendar.queries.ts'
import { listed } from '../events.list.queries.ts'
import { eventsFrom } from '../events.queries.ts'

export type FeedKind = NewCalendarFeed['kind']
/** What a calendar is about. */
export type FeedPlace = { kind: FeedKind; chapterId: string | null; groupId: string | null }
export type StoredFeed = FeedPlace & { id: string; isPublic: boolean; secretHash: string; createdAt: string; isReset: boolean }

const stored = sql`f.id, f.kind, f.chapter_id as "chapterId", f.group_id as "groupId", f.public as "isPublic", f.secret_hash as "secretHash", to_json(f.created_at) as "createdAt",
  f.reset_at is not null as "isReset"`
const about = ({ kind, chapterId, groupId }: FeedPlace): RawBuilder<SqlBool> =>
  sql`f.kind = ${kind} and f.chapter_id is not distinct from ${chapterId}::uuid and f.group_id is not distinct from ${groupId}::uuid`

/** Addresses of a calendar that the caller may see: their own, and the public one. */
export async function findFeeds(db: ActorDb, place: FeedPlace): Promise<StoredFeed[]> {
  const { rows } = await sql<StoredFeed>`select ${stored} from app.calendar_feeds f where f.reset_at is null and ${about(place)}`.execute(
    db,
  )
  return rows
}
export async function findFeed(db: ActorDb, id: string): Promise<StoredFeed | undefined> {
  const { rows } = await sql<StoredFeed>`select ${stored} from app.calendar_feeds f where f.id = ${id}`.execute(db)
  return rows[0]
}

/** Mirrors the policies, to say what to offer; they decide. */
export async function mayPublish(db: ActorDb, { chapterId, groupId }: FeedPlace): Promise<boolean> {
  const { rows } = await sql<{
    may: boolean
  }>`select (app.everywhere('events.manage') or coalesce(${chapterId}::uuid = any (app.scope('events.manage')), false)
    or coalesce(${groupId}::uuid = any (app.group_scope('events.manage')), false)) as may`.execute(db)
  return rows[0]?.may ?? false
}

type Author = { orgId: string; accountId: string }
type NewFeed = FeedPlace & { id: string; isPublic: boolean; secretHash: string }
/** Does nothing where there is one already, which somebody else may have made at the same moment. */
export const insertFeed = (db: ActorDb, { orgId, accountId }: Author, feed: NewFeed) =>
  sql`insert into app.calendar_feeds (org_id, id, kind, public, account_id, chapter_id, group_id, secret_hash)
    values (${orgId}, ${feed.id}, ${feed.kind}, ${feed.isPublic}, ${feed.isPublic ? null : accountId}, ${feed.chapterId}, ${feed.groupId}, ${feed.secretHash}) on conflict do nothing`.execute(
    db,
  )
/** False where the caller may not, or where somebody was quicker. */
export async function endFeed(db: ActorDb, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`update app.calendar_feeds set reset_at = now() where id = ${id} and reset_at is null`.execute(db)
  return numAffectedRows === 1n
}

// Reading -------------------------------------------------------------------------------------------------------------------------------

export type OpenedFeed = FeedPlace & {
  id: string
  orgId: string
  public: boolean
  accountId: string | null
  idpRoles: string[]
  organisation: string
  locale: string
  /** Of the chapter or group, where its reader may know it. */
  name: string | null
  isOver: boolean
}
/** What the address of a calendar is about, for everybody who has it; undefined for one that never was. */
export async function openFeed(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string): Promise<OpenedFeed | undefined> {
  const { rows } = await sql<{ feed: OpenedFeed | null }>`select app.open_calendar_feed(${idpOrg ?? null}, ${secretHash}) as feed`.execute(
    db,
  )
  return rows[0]?.feed ?? undefined
}

export type FeedWindow = { since: string; until: string; most: number }
export type FeedRow = CalendarRow & { isTentative?: boolean }

export async function publicFeedRows(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string, window: FeedWindow) {
  const { since, until, most } = window
  const { rows } = await sql<{
    items: FeedRow[]
  }>`select app.public_calendar(${idpOrg ?? null}, ${secretHash}, ${since}, ${until}, ${most}) as items`.execute(db)
  return rows[0]?.items ?? []
}

/** One's own registrations; of events that were cancelled also those that ended with the event, so that calendars learn of it. */
const registered = sql`from app.registrations r where r.org_id = e.org_id and r.event_id = e.id and r.person_id = (select app.person_id())
  and (r.status not in ('cancelled', 'rejected') or r.cause = 'event_cancelled')`
/** As the caller sees them: row-level security leaves out what is hidden from them. */
export function feedRowsQuery({ kind, chapterId, groupId }: FeedPlace, { since, until, most }: FeedWindow) {
  const where: RawBuilder<SqlBool>[] = [
    sql`e.starts_at >= ${since} and e.starts_at < ${until} and e.status in ('published', 'cancelled') and e.template_name is null`,
    kind === 'personal' ? sql`exists (select ${registered})` : listed,
  ]
  if (chapterId)
    where.push(sql`e.chapter_id in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}::uuid)`)
  if (groupId) where.push(sql`e.group_id = ${groupId}::uuid`)
  return statement(sql<{ item: CalendarRow; isTentative: boolean }>`select ${calendarRow} as item,
    coalesce((select r.status not in ('confirmed', 'checked_in') ${registered} order by r.id desc limit 1), false) as "isTentative"
    ${eventsFrom} where ${sql.join(where, sql` and `)} order by e.starts_at, e.id limit ${most}`)
}
