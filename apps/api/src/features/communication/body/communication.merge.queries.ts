import type { MergeField, MergeValues } from '@guildhall/contract/merge-fields'
import { publicEventPath } from '@guildhall/contract/public-paths'
import type { PersonRef } from '@guildhall/contract/shapes'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import type * as z from 'zod'
import { faceRef } from '../../../platform/lists/json-refs.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import type { EventFacts } from './communication.blocks.rules.ts'

/** What merge fields are made of, as app.merge_values answers it. */
export type MergeRow = {
  personId: string
  firstName: string
  lastName: string
  fullName: string
  chapter: string
  memberNo: string
  membershipType: string
  memberSince: string | null
  termEnds: string | null
  language: string | null
}

/** Of people whom the caller sees, as far as they see them. */
export async function readMergeRows(db: ActorDb, people: readonly string[]): Promise<MergeRow[]> {
  const { rows } =
    await sql<MergeRow>`select m.person_id as "personId", m.first_name as "firstName", m.last_name as "lastName", m.full_name as "fullName",
    m.chapter, m.member_no as "memberNo", m.membership_type as "membershipType", m.member_since::text as "memberSince", m.term_ends::text as "termEnds", m.language
    from app.merge_values((select app.org_id()), ${people}::uuid[]) m`.execute(db)
  return rows
}

/** Of whoever asks, where a person belongs to their account. */
export async function readOwnMergeRow(db: ActorDb): Promise<MergeRow | undefined> {
  const person = await findAddressee(db, null)
  return person && (await readMergeRows(db, [person.id]))[0]
}

const columnOf: Partial<Record<MergeField, string>> = {
  first_name: 'first_name',
  last_name: 'last_name',
  chapter: 'chapter',
  member_no: 'member_no',
  membership_type: 'membership_type',
  member_since: 'member_since',
  term_ends: 'term_ends',
}
/** How many of these people lack a value for each field, as the caller sees them. */
export async function countMissing(
  db: ActorDb,
  people: RawBuilder<{ person_id: string }>,
  fields: readonly MergeField[],
): Promise<Map<MergeField, number>> {
  const known = fields.flatMap((field) => (columnOf[field] === undefined ? [] : [{ field, column: columnOf[field] }]))
  if (known.length === 0) return new Map()
  const counts = known.map(
    ({ field, column }) => sql`${sql.lit(field)}, count(*) filter (where coalesce(${sql.ref(`m.${column}`)}::text, '') = '')`,
  )
  const { rows } = await sql<{ missing: Partial<Record<MergeField, number>> }>`select json_build_object(${sql.join(counts)}) as missing
    from app.merge_values((select app.org_id()), array(select a.person_id from (${people}) a)) m`.execute(db)
  return new Map(known.map(({ field }) => [field, rows[0]?.missing[field] ?? 0]))
}

/** As words of the message's language. */
export function mergeValuesOf(row: MergeRow | undefined, organisation: string, i18n: Texts): MergeValues {
  if (!row) return { organisation }
  const name = row.firstName.trim() === '' ? row.fullName : row.firstName
  return {
    first_name: row.firstName,
    last_name: row.lastName,
    full_name: row.fullName,
    salutation: i18n._('Dear {name}', { name }),
    chapter: row.chapter,
    member_no: row.memberNo,
    membership_type: row.membershipType,
    member_since: row.memberSince === null ? '' : i18n.date(row.memberSince),
    term_ends: row.termEnds === null ? '' : i18n.date(row.termEnds),
    organisation,
  }
}

type EventRow = Omit<EventFacts, 'path'> & { isOnline: boolean; isOpen: boolean }

/** Events that the caller sees, by id. */
export async function readEventFacts(db: ActorDb, ids: readonly string[], i18n: Texts): Promise<Map<string, EventFacts>> {
  if (ids.length === 0) return new Map()
  const { rows } =
    await sql<EventRow>`select e.id, e.title as name, e.starts_at::text as "startsAt", e.ends_at::text as "endsAt", e.timezone, e.mode = 'online' as "isOnline",
      concat_ws(', ', nullif(e.venue_name, ''), nullif(e.venue_address, '')) as place, e.visibility in ('public', 'unlisted') and e.status = 'published' as "isOpen"
    from app.events e where e.id = any (${ids}::uuid[]) and e.archived_at is null and e.template_name is null`.execute(db)
  return new Map(
    rows.map(({ isOnline, isOpen, ...event }) => [
      event.id,
      {
        ...event,
        startsAt: new Date(event.startsAt).toISOString(),
        endsAt: new Date(event.endsAt).toISOString(),
        place: isOnline ? i18n._('Online') : event.place,
        path: isOpen ? publicEventPath(event.id) : `/events/${event.id}`,
      },
    ]),
  )
}

/** Pictures that the caller may put into messages. */
export async function seenPictures(db: ActorDb, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`select f.id from app.files f
    where f.id = any (${ids}::uuid[]) and f.use = 'picture' and f.record_type = 'message_picture' and f.removed_at is null`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether the caller writes messages for anybody. */
export async function writesMessages(db: ActorDb): Promise<boolean> {
  const { rows } = await sql<{ writes: boolean }>`select app.everywhere('messages.write') or app.scope('messages.write') <> '{}'
    or app.group_scope('messages.write') <> '{}' as writes`.execute(db)
  return rows[0]?.writes ?? false
}

/** Gives the pictures of a message that goes out an address for everybody. */
export const publishPictures = async (db: ActorDb, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await sql`select app.publish_message_pictures(${ids}::uuid[])`.execute(db)
}

type Seen = { person: z.infer<typeof PersonRef> }
/** A person whom the caller sees; themselves where none is named. */
export async function findAddressee(db: ActorDb, personId: string | null): Promise<Seen['person'] | undefined> {
  const { rows } = await sql<Seen>`select ${faceRef('p')} as person from app.people p
    where p.id = coalesce(${personId}::uuid, (select app.person_id())) and p.deleted_at is null and p.lifecycle not in ('merged', 'erased')`.execute(
    db,
  )
  return rows[0]?.person
}

/** A picture of a message that went out. `db` has no actor. */
export async function publicPicture(db: Kysely<Schema>, idpOrg: string | undefined, pictureId: string) {
  const { rows } = await sql<{
    orgId: string | null
  }>`select app.public_message_picture(${idpOrg ?? null}, ${pictureId}::uuid) as "orgId"`.execute(db)
  const orgId = rows[0]?.orgId
  return orgId ? { orgId, pictureId } : undefined
}
