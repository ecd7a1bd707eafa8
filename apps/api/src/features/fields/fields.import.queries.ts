import type { RecordType } from '@guildhall/contract/features/fields'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { TableShape } from '../../platform/records/row-changes.ts'
import { readHolds } from '../../platform/records/row-holds.ts'
import type { Hold } from '../../platform/records/row-holds.ts'
import { fieldRecords } from './fields.records.rules.ts'

/** The table of values and that of choices as an import writes them. */
export const fieldTables = (type: RecordType) =>
  ({
    values: { table: fieldRecords[type].values, key: [fieldRecords[type].record, 'field_id', 'id'], columns: { value: { type: 'text' } } },
    choices: {
      table: 'field_choices',
      key: ['id'],
      columns: {
        field_id: { type: 'uuid' },
        label: { type: 'text' },
        color: { type: 'text', empty: 'gray' },
        place: { type: 'int', empty: 0 },
      },
    },
  }) as const satisfies Record<string, TableShape>

export type HeldValue = { recordId: string; id: string; fieldId: string; value: string; person: string | null }

/** Values that these records have, as far as the actor sees them; of another person the name too. */
export async function heldValues(db: ActorDb, type: RecordType, orgId: string, ids: readonly string[]): Promise<HeldValue[]> {
  if (ids.length === 0) return []
  const record = sql.ref(`v.${fieldRecords[type].record}`)
  const { rows } = await sql<HeldValue>`select ${record} as "recordId", v.id, v.field_id as "fieldId", v.value,
      case when f.type = 'person' then (select p.display_name from app.people p where p.org_id = v.org_id and p.id = v.value::uuid) end as person
    from ${sql.table(`app.${fieldRecords[type].values}`)} v join app.fields f on f.org_id = v.org_id and f.id = v.field_id
    where v.org_id = ${orgId}::uuid and ${record} = any (${ids}::uuid[])`.execute(db)
  return rows
}

/** People by member number. */
export async function peopleByNumber(db: ActorDb, orgId: string, numbers: readonly string[]): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map()
  const { rows } = await sql<{ id: string; number: string }>`select p.id, p.member_no_key as number from app.people p
    where p.org_id = ${orgId}::uuid and p.deleted_at is null and p.member_no_key = any (select lower(n) from unnest(${numbers}::text[]) n)`.execute(
    db,
  )
  return new Map(rows.map(({ id, number }) => [number, id]))
}

const tables = Object.values(fieldRecords).map(({ values }) => sql.table(`app.${values}`))

/** Removes choices that nobody has. */
export async function removeUnusedChoices(db: ActorDb, orgId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const used = tables.map(
    (table) => sql`not exists (select from ${table} v where v.org_id = c.org_id and v.field_id = c.field_id and v.key = c.id::text)`,
  )
  await sql`delete from app.field_choices c where c.org_id = ${orgId}::uuid and c.id = any (${ids}::uuid[]) and ${sql.join(used, sql` and `)}`.execute(
    db,
  )
}

/** Choices that somebody has. */
export const choicesInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(
    db,
    ids,
    Object.values(fieldRecords).map(({ values, record }) => ({
      why: 'is used',
      table: values,
      rows: sql`select null::uuid as id, ${sql.ref(`v.${record}`)} as subject, '' as name from app.field_choices c
        join ${sql.table(`app.${values}`)} v on v.org_id = c.org_id and v.field_id = c.field_id and v.key = c.id::text
        where c.org_id = ${orgId}::uuid and c.id = k.id`,
    })),
  )
