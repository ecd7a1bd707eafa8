import type {
  ContactChange,
  PersonContact,
  PersonEmail,
  PersonPhone,
  PersonPrivate,
  PrivateChange,
} from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type * as z from 'zod'
import { columnsOf } from '../../../platform/records/columns.ts'

/** E-mails and telephones are kept alike; only the table and the column that holds the value differ. */
export type Channel = 'email' | 'phone'
const channels = {
  email: { table: sql.table('app.person_emails'), value: sql.ref('address'), name: sql.lit('address') },
  phone: { table: sql.table('app.person_phones'), value: sql.ref('number'), name: sql.lit('number') },
} as const
type Entry<C extends Channel> = z.infer<C extends 'email' ? typeof PersonEmail : typeof PersonPhone>
export type NewEntry = { value: string; label: string; visibleTo: 'officers' | 'members'; isPrimary?: boolean | undefined }
export type EntryChange = {
  value?: string | undefined
  label?: string | undefined
  visibleTo?: string | undefined
  isPrimary?: boolean | undefined
}
type Owned = { personId: string; entryId: string }

const entryJson = (channel: Channel) =>
  sql`json_build_object('id', id, ${channels[channel].name}, ${channels[channel].value}, 'label', label, 'isPrimary', is_primary, 'visibleTo', visible_to)`

/** Adds an entry; the first one is primary, and a new primary one takes over. */
export async function addEntry<C extends Channel>(
  db: ActorDb,
  channel: C,
  orgId: string,
  personId: string,
  entry: NewEntry,
): Promise<Entry<C>> {
  const { table, value } = channels[channel]
  if (entry.isPrimary) await demote(db, channel, personId)
  const { rows } = await sql<{ entry: Entry<C> }>`insert into ${table} (org_id, person_id, ${value}, label, visible_to, is_primary)
    select ${orgId}, ${personId}, ${entry.value}, ${entry.label}, ${entry.visibleTo},
      ${entry.isPrimary ?? null}::boolean is true or not exists (select from ${table} o where o.person_id = ${personId} and o.is_primary)
    returning ${entryJson(channel)} as entry`.execute(db)
  return one(rows).entry
}

/** Nothing when the person has no such entry that the caller may change. */
export async function updateEntry<C extends Channel>(
  db: ActorDb,
  channel: C,
  { personId, entryId }: Owned,
  change: EntryChange,
): Promise<Entry<C> | undefined> {
  const { table, value } = channels[channel]
  if (change.isPrimary) await demote(db, channel, personId, entryId)
  const { rows } = await sql<{
    entry: Entry<C>
  }>`update ${table} set ${value} = coalesce(${change.value ?? null}, ${value}), label = coalesce(${change.label ?? null}, label),
      visible_to = coalesce(${change.visibleTo ?? null}, visible_to), is_primary = is_primary or ${change.isPrimary ?? false}
    where id = ${entryId} and person_id = ${personId} returning ${entryJson(channel)} as entry`.execute(db)
  return rows[0]?.entry
}

/** False when there was none to remove. The oldest one left becomes primary. */
export async function removeEntry(db: ActorDb, channel: Channel, { personId, entryId }: Owned): Promise<boolean> {
  const { table } = channels[channel]
  const { rows } = await sql<{
    primary: boolean
  }>`delete from ${table} where id = ${entryId} and person_id = ${personId} returning is_primary as primary`.execute(db)
  if (rows[0]?.primary) {
    await sql`update ${table} set is_primary = true where id = (select o.id from ${table} o where o.person_id = ${personId} order by o.created_at, o.id limit 1)`.execute(
      db,
    )
  }
  return rows.length > 0
}

export async function findEntry(db: ActorDb, channel: Channel, { personId, entryId }: Owned): Promise<unknown> {
  const { rows } = await sql`select id from ${channels[channel].table} where id = ${entryId} and person_id = ${personId}`.execute(db)
  return rows[0]
}

const demote = (db: ActorDb, channel: Channel, personId: string, except: string | null = null) =>
  sql`update ${channels[channel].table} set is_primary = false where person_id = ${personId} and is_primary and id is distinct from ${except}::uuid`.execute(
    db,
  )

/** Sets what is given and keeps the rest; makes the row if there is none. */
export async function saveContact(db: ActorDb, orgId: string, personId: string, { links, ...same }: z.infer<typeof ContactChange>) {
  const set = columnsOf('app.person_contacts', { ...same, links: links && JSON.stringify(links) })
  await upsert(db, sql.table('app.person_contacts'), orgId, personId, set)
  const { rows } = await sql<{
    contact: z.infer<typeof PersonContact>
  }>`select json_build_object('street', street, 'city', city, 'region', region, 'postalCode', postal_code,
    'country', country, 'website', website, 'links', links, 'visibleTo', visible_to) as contact from app.person_contacts where person_id = ${personId}`.execute(
    db,
  )
  return one(rows).contact
}

export async function savePrivate(db: ActorDb, orgId: string, personId: string, change: z.infer<typeof PrivateChange>) {
  await upsert(db, sql.table('app.person_private'), orgId, personId, columnsOf('app.person_private', change))
  const { rows } = await sql<{
    private: z.infer<typeof PersonPrivate>
  }>`select json_build_object('birthDate', birth_date, 'gender', gender, 'deceasedOn', deceased_on)
    as private from app.person_private where person_id = ${personId}`.execute(db)
  return one(rows).private
}

export async function saveOfficeNote(db: ActorDb, orgId: string, personId: string, note: string): Promise<{ note: string }> {
  await upsert(db, sql.table('app.person_office_notes'), orgId, personId, { note })
  return { note }
}

/** Assigns an id of another system, in place of the one from there. */
export async function saveExternalId(db: ActorDb, orgId: string, personId: string, system: string, externalId: string): Promise<void> {
  const { rows } = await sql`update app.person_external_ids set external_id = ${externalId}
    where person_id = ${personId} and system = ${system} returning 1`.execute(db)
  if (rows.length > 0) return
  await sql`insert into app.person_external_ids (org_id, person_id, system, external_id)
    values (${orgId}, ${personId}, ${system}, ${externalId})`.execute(db)
}

/** False when there was none to remove. */
export async function removeExternalId(db: ActorDb, personId: string, system: string): Promise<boolean> {
  const { rows } = await sql`delete from app.person_external_ids where person_id = ${personId} and system = ${system} returning 1`.execute(
    db,
  )
  return rows.length > 0
}

type Value = string | null | undefined

/** An update first: an upsert would need the insert's rights even where the row is there. */
async function upsert(db: ActorDb, table: RawBuilder<unknown>, orgId: string, personId: string, values: Record<string, Value>) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined)
  const set = [sql`person_id = person_id`, ...given.map(([column, value]) => sql`${sql.ref(column)} = ${value}`)].slice(
    given.length > 0 ? 1 : 0,
  )
  const there = await sql`select from ${table} where person_id = ${personId}`.execute(db)
  if (there.rows.length > 0) {
    if (given.length === 0) return
    const { rows } = await sql`update ${table} set ${sql.join(set)} where person_id = ${personId} returning 1`.execute(db)
    if (rows.length > 0) return
  }
  const columns = [sql.ref('org_id'), sql.ref('person_id'), ...given.map(([column]) => sql.ref(column))]
  const inserted = [sql`${orgId}`, sql`${personId}`, ...given.map(([, value]) => sql`${value}`)]
  await sql`insert into ${table} (${sql.join(columns)}) values (${sql.join(inserted)})`.execute(db)
}

function one<Row>(rows: Row[]): Row {
  const [row] = rows
  if (!row) throw new Error('A row that was just written is not there to read.')
  return row
}
