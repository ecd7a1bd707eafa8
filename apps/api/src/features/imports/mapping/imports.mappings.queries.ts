import type { ImportKind, SavedMapping, ValueChoices } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { Compilable, RawBuilder } from 'kysely'
import { statement } from '../../../platform/records/statement.ts'

const mappings = (kind: ImportKind | undefined): RawBuilder<{ item: SavedMapping }> => sql<{ item: SavedMapping }>`
  select json_build_object('id', m.id, 'kind', m.kind, 'name', m.name, 'headers', m.mapping -> 'headers', 'mapping', m.mapping -> 'targets',
    'values', coalesce(m.mapping -> 'values', '{}'),
    'mine', m.created_by = app.account_id(), 'createdAt', m.created_at) as item
  from app.import_mappings m where m.org_id = (select app.org_id()) and ${kind ? sql`m.kind = ${kind}` : sql`true`}
  order by m.created_at desc, m.id limit 500`

export const mappingsQuery = (kind: ImportKind | undefined): Compilable<{ item: SavedMapping }> => statement(mappings(kind))

export async function savedMappings(db: ActorDb, kind: ImportKind): Promise<SavedMapping[]> {
  return (await mappings(kind).execute(db)).rows.map(({ item }) => item)
}

/** Keeps a mapping under a name; the same name of the same kind is overwritten. */
export async function saveMapping(
  db: ActorDb,
  orgId: string,
  accountId: string,
  kind: ImportKind,
  name: string,
  headers: readonly string[],
  targets: readonly string[],
  values: ValueChoices,
): Promise<void> {
  await sql`
    insert into app.import_mappings (org_id, kind, name, mapping, created_by)
    values (${orgId}::uuid, ${kind}, ${name}, ${JSON.stringify({ headers, targets, values })}::jsonb, ${accountId}::uuid)
    on conflict (org_id, kind, name) do update set mapping = excluded.mapping`.execute(db)
}

export async function removeMapping(db: ActorDb, mappingId: string): Promise<boolean> {
  const { numAffectedRows } =
    await sql`delete from app.import_mappings m where m.org_id = (select app.org_id()) and m.id = ${mappingId}::uuid`.execute(db)
  return Number(numAffectedRows ?? 0) > 0
}
