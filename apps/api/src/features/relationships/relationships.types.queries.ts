import type { NewRelationshipType, RelationshipType, RelationshipTypeChange } from '@guildhall/contract/features/relationships'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

const item = sql<RelationshipType>`json_build_object('id', t.id, 'key', t.key, 'name', t.name, 'forwardLabel', t.forward_label, 'inverseLabel', t.inverse_label,
  'acyclic', t.acyclic, 'maxParents', t.max_parents, 'grants', t.grants, 'approval', t.approval, 'isMinorsOnly', t.is_minors_only,
  'active', case when (select app.everywhere('organisation.manage')) then coalesce(n.active, 0) end, 'archivedAt', t.archived_at, 'version', t.version)`
const from = sql`from app.relationship_types t left join app.relationship_counts() n on n.type_id = t.id`

export const typesQuery = (archived: boolean) =>
  statement(
    sql<{
      item: RelationshipType
    }>`select ${item} as item ${from} where (t.archived_at is not null) = ${archived} order by t.name, t.id limit 100`,
  )

export async function findType(db: ActorDb, id: string): Promise<RelationshipType | undefined> {
  const { rows } = await sql<{ item: RelationshipType }>`select ${item} as item ${from} where t.id = ${id}`.execute(db)
  return rows[0]?.item
}

type By = { orgId: string; accountId: string }
export async function insertType(db: ActorDb, { orgId, accountId }: By, type: NewRelationshipType): Promise<string> {
  const { id } = await db
    .insertInto('app.relationship_types')
    .values({ org_id: orgId, created_by: accountId, ...columnsOf('app.relationship_types', type) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { relationshipTypeId: string; version: number }
export const updateType = (db: ActorDb, { relationshipTypeId: id, version }: Guarded, change: RelationshipTypeChange) =>
  updateRecord(db, 'app.relationship_types', { id, version }, columnsOf('app.relationship_types', change), () => findType(db, id))
export const archiveType = (db: ActorDb, { relationshipTypeId: id, version }: Guarded, archived: boolean) =>
  updateRecord(db, 'app.relationship_types', { id, version }, { archived_at: archived ? sql`now()` : null }, () => findType(db, id))
