import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isMyself, mayDecide, maySeeContact } from '../../people/people.sync.public.ts'
import { mayInChapter } from '../../../platform/lists/json-refs.ts'
import { mayWith } from '../../../platform/lists/people-rights.ts'

type Entry = { id: string; value: string; isPrimary: boolean }
/** A person as a connection compares them, as far as the owner of the connection sees it. */
export type PersonRow = {
  id: string
  name: string
  columns: Record<string, string | null>
  isClosed: boolean
  isOutside: boolean
  seesContact: boolean
  seesSensitive: boolean
  /** Custom fields that officers keep, and ids of other systems. */
  seesKept: boolean
  seesTags: boolean
  /** The owner's own record, of which officers keep some things from them. */
  isMine: boolean
  decides: boolean
  emails: Entry[]
  phones: Entry[]
  externalId: { id: string; value: string } | null
  contact: Record<string, string | null> | null
  private: Record<string, string | null> | null
  tags: { id: string; name: string }[]
}

/** Whether `p` belongs to the connection: to its chapter or one below, today or at home. */
const isWithin = (orgId: string, chapterId: string | null): RawBuilder<boolean> =>
  chapterId === null
    ? sql`true`
    : sql`(exists (select from app.chapter_ancestors x where x.org_id = ${orgId}::uuid and x.ancestor_id = ${chapterId}::uuid and x.chapter_id = p.home_chapter_id)
      or exists (select from app.affiliations f join app.chapter_ancestors x on x.org_id = f.org_id and x.chapter_id = f.chapter_id and x.ancestor_id = ${chapterId}::uuid
        where f.org_id = ${orgId}::uuid and f.person_id = p.id and f.starts_on <= (select app.today()) and (f.ends_on is null or f.ends_on >= (select app.today()))))`

const isClosed = sql<boolean>`(p.deleted_at is not null or p.lifecycle in ('deceased', 'merged', 'erased'))`

export async function readPeople(db: ActorDb, orgId: string, chapterId: string | null, ids: readonly string[]): Promise<PersonRow[]> {
  if (ids.length === 0) return []
  const mine = (table: string) => sql`${sql.table(table)} c where c.org_id = p.org_id and c.person_id = p.id`
  const entries = (
    table: string,
    column: string,
  ) => sql`coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'value', ${sql.ref(`c.${column}`)},
    'isPrimary', c.is_primary) order by c.is_primary desc, c.created_at, c.id) from ${mine(table)}), '[]')`
  const { rows } = await sql<PersonRow>`
    select p.id, p.display_name as name, jsonb_build_object('member_no', p.member_no, 'given_name', p.given_name, 'family_name', p.family_name,
        'preferred_name', p.preferred_name, 'lifecycle', p.lifecycle) as columns,
      ${isClosed} as "isClosed", not ${isWithin(orgId, chapterId)} as "isOutside", ${maySeeContact} as "seesContact",
      ${mayWith('people.sensitive')} as "seesSensitive", ${mayWith('people.contact')} as "seesKept",
      (${mayWith('people.write')} or ${mayWith('people.sensitive')}) as "seesTags", ${isMyself} as "isMine", ${mayDecide} as decides,
      ${entries('app.person_emails', 'address')} as emails, ${entries('app.person_phones', 'number')} as phones,
      (select jsonb_build_object('id', c.id, 'value', c.external_id) from ${mine('app.person_external_ids')} and c.system = 'default') as "externalId",
      (select jsonb_build_object('street', c.street, 'postal_code', c.postal_code, 'city', c.city, 'country', c.country) from ${mine('app.person_contacts')}) as contact,
      (select jsonb_build_object('birth_date', c.birth_date) from ${mine('app.person_private')}) as private,
      coalesce((select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name)) from app.person_tags c join app.tags t on t.org_id = c.org_id and t.id = c.tag_id
        where c.org_id = p.org_id and c.person_id = p.id), '[]') as tags
    from app.people p where p.org_id = ${orgId}::uuid and p.id = any (${ids}::uuid[])`.execute(db)
  return rows
}

/** In one order, so that two who lock the same people wait for each other and no longer. */
export async function lockPeople(db: ActorDb, orgId: string, ids: readonly string[]): Promise<void> {
  await sql`select from app.people p where p.org_id = ${orgId}::uuid and p.id = any (${ids}::uuid[]) order by p.id for update`.execute(db)
  for (const table of ['person_emails', 'person_phones', 'person_contacts', 'person_private', 'person_external_ids', 'people_field_values'])
    await sql`select from ${sql.table(`app.${table}`)} c where c.org_id = ${orgId}::uuid and c.person_id = any (${ids}::uuid[]) order by c.person_id for update`.execute(
      db,
    )
}

const isOpen = sql`not ${isClosed}`

/** Fields by which people are matched. An address that several people share is no key of any of them. */
const keys: Record<string, RawBuilder<unknown>> = {
  primaryEmail: sql`app.person_emails e on e.address_key = lower(k.value) join app.people p on p.org_id = e.org_id and p.id = e.person_id`,
  memberNo: sql`app.people p on p.member_no_key = lower(k.value)`,
  externalId: sql`app.person_external_ids e on e.system = 'default' and e.external_id = k.value join app.people p on p.org_id = e.org_id and p.id = e.person_id`,
}
export const isKeyOfPeople = (field: string): boolean => Object.hasOwn(keys, field)

export async function matchPeople(
  db: ActorDb,
  orgId: string,
  field: string,
  values: readonly string[],
): Promise<{ value: string; id: string }[]> {
  const key = keys[field]
  if (!key || values.length === 0) return []
  const { rows } = await sql<{ value: string; id: string }>`
    select distinct k.value, p.id from unnest(${values}::text[]) k (value) join ${key} where p.org_id = ${orgId}::uuid and ${isOpen}`.execute(
    db,
  )
  return rows
}

type Untied = { orgId: string; connectionId: string; chapterId: string | null; matchBy: string | null; after: string | null; limit: number }

/** People whom the connection reaches and knows nothing of yet, who have what tells them apart there; in the order of their ids. */
export async function untiedPeople(db: ActorDb, { orgId, connectionId, chapterId, matchBy, after, limit }: Untied): Promise<string[]> {
  const hasKey =
    matchBy === 'primaryEmail'
      ? sql`exists (select from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id and e.is_primary)`
      : matchBy === 'externalId'
        ? sql`exists (select from app.person_external_ids e where e.org_id = p.org_id and e.person_id = p.id and e.system = 'default')`
        : matchBy === 'memberNo'
          ? sql`p.member_no is not null`
          : sql`true`
  const { rows } = await sql<{ id: string }>`
    select p.id from app.people p
    where p.org_id = ${orgId}::uuid and p.id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000') and ${isOpen} and ${isWithin(orgId, chapterId)} and ${hasKey}
      and not exists (select from app.external_refs r where r.org_id = p.org_id and r.connection_id = ${connectionId}::uuid and r.record_id = p.id)
    order by p.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** What the owner of a connection may do with people that it makes. */
export async function rightsOverPeople(
  db: ActorDb,
  chapterId: string | null,
): Promise<{ isOffice: boolean; sensitive: boolean; enters: boolean }> {
  const holds = (permission: string) => mayInChapter(permission, sql`${chapterId}::uuid`)
  const { rows } = await sql<{ isOffice: boolean; sensitive: boolean; enters: boolean }>`
    select app.everywhere('people.write') and app.everywhere('people.sensitive') as "isOffice", ${holds('people.sensitive')} as sensitive, ${holds('people.write')} as enters`.execute(
    db,
  )
  return rows[0] ?? { isOffice: false, sensitive: false, enters: false }
}
