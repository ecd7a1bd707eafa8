import type { Field, FieldPatch, FieldUses, NewField, RecordType } from '@guildhall/contract/features/fields'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { fieldRecords } from './fields.records.rules.ts'

const reachOf = (type: RecordType) => {
  const { kept, sensitive } = fieldRecords[type]
  const held = (permission: string) => sql`case when (select app.everywhere(${sql.lit(permission)})) then 'all'
    when (select app.scope(${sql.lit(permission)})) <> '{}' or (select app.group_scope(${sql.lit(permission)})) <> '{}' then 'some' else 'own' end`
  return sql`case when f.audience = 'everyone' then 'all' when f.sensitive then ${held(sensitive)} else ${held(kept)} end`
}

const item = sql<Field>`json_build_object('id', f.id, 'recordType', f.record_type, 'key', f.key, 'label', f.label, 'help', f.help, 'type', f.type,
  'required', f.required, 'pattern', f.pattern, 'section', f.section, 'audience', f.audience, 'ownEditable', f.own_editable, 'sensitive', f.sensitive, 'searchable', f.searchable,
  'reach', case f.record_type when 'people' then ${reachOf('people')} when 'chapters' then ${reachOf('chapters')} else ${reachOf('groups')} end,
  'archivedAt', f.archived_at, 'version', f.version,
  'choices', (select coalesce(json_agg(json_build_object('id', c.id, 'label', c.label, 'color', c.color, 'retired', c.retired) order by c.place, c.label_key), '[]')
    from app.field_choices c where c.org_id = f.org_id and c.field_id = f.id))`

export const fieldsQuery = (recordType?: RecordType) =>
  statement(
    sql<{
      item: Field
    }>`select ${item} as item from app.fields f where ${recordType === undefined ? sql`true` : sql`f.record_type = ${recordType}`}
      order by f.record_type, f.place, f.label, f.id`,
  )

export async function readFields(db: ActorDb, recordType: RecordType): Promise<Field[]> {
  const { rows } = await db.executeQuery(fieldsQuery(recordType).compile())
  return rows.map((row) => row.item)
}

export async function findField(db: ActorDb, fieldId: string): Promise<Field | undefined> {
  const { rows } = await sql<{ item: Field }>`select ${item} as item from app.fields f where f.id = ${fieldId}`.execute(db)
  return rows[0]?.item
}

export async function insertField(db: ActorDb, orgId: string, { choices, recordType, ...field }: NewField): Promise<string> {
  const { rows } = await sql<{
    place: number
  }>`select coalesce(max(place), 0) + 1 as place from app.fields where record_type = ${recordType}`.execute(db)
  const { id } = await db
    .insertInto('app.fields')
    .values({ org_id: orgId, record_type: recordType, place: rows[0]?.place ?? 1, ...columnsOf('app.fields', field) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await saveChoices(db, orgId, id, choices)
  return id
}

export const updateField = (db: ActorDb, key: { id: string; version: number }, { archived, ...change }: Omit<FieldPatch, 'choices'>) =>
  updateRecord(
    db,
    'app.fields',
    key,
    // A change of nothing but choices is a change of the field too.
    {
      label: sql`label`,
      ...columnsOf('app.fields', change),
      ...(archived === undefined ? {} : { archived_at: archived ? sql`coalesce(archived_at, now())` : null }),
    },
    () => findField(db, key.id),
  )

type Choice = NonNullable<FieldPatch['choices']>[number]

/** The choices of a field in this order; those that are left out are deleted. */
export async function saveChoices(db: ActorDb, orgId: string, fieldId: string, choices: readonly Choice[]): Promise<void> {
  const kept = choices.flatMap(({ id }) => (id ? [id] : []))
  await sql`delete from app.field_choices where field_id = ${fieldId} and id <> all (${kept}::uuid[])`.execute(db)
  for (const [place, { id, label, color, retired }] of choices.entries()) {
    if (id) {
      await sql`update app.field_choices set label = ${label}, color = ${color}, retired = ${retired}, place = ${place}
        where field_id = ${fieldId} and id = ${id}`.execute(db)
    } else {
      await sql`insert into app.field_choices (org_id, field_id, label, color, retired, place)
        values (${orgId}, ${fieldId}, ${label}, ${color}, ${retired}, ${place})`.execute(db)
    }
  }
}

/** The given ones first, in this order; others keep theirs, behind them. */
export async function orderFields(db: ActorDb, recordType: RecordType, fieldIds: readonly string[]): Promise<void> {
  await sql`update app.fields f set place = n.place
    from (select o.id, row_number() over (order by array_position(${fieldIds}::uuid[], o.id) nulls last, o.place, o.label) as place
      from app.fields o where o.record_type = ${recordType}) n
    where f.id = n.id and f.place <> n.place`.execute(db)
}

export async function fieldUses(db: ActorDb, { id, type }: Field): Promise<FieldUses> {
  const { rows } = await sql<{ choice: string | null; records: number }>`select choice, records from app.field_uses(${id}::uuid)`.execute(
    db,
  )
  const choices = rows.flatMap(({ choice, records }) => (choice ? [{ choiceId: choice, records }] : []))
  const sum = rows.reduce((all, { records }) => all + records, 0)
  return { records: Math.min(sum, 10_001), choices: type === 'choice' || type === 'choices' ? choices : [] }
}

export async function replaceChoice(db: ActorDb, fieldId: string, choiceId: string, replaceBy: string): Promise<void> {
  await sql`select app.field_choice_replace(${fieldId}::uuid, ${choiceId}::uuid, ${replaceBy}::uuid)`.execute(db)
  await sql`delete from app.field_choices where field_id = ${fieldId} and id = ${choiceId}`.execute(db)
}

export async function removeField(db: ActorDb, fieldId: string): Promise<boolean> {
  const { rows } = await sql`delete from app.fields where id = ${fieldId} returning 1`.execute(db)
  return rows.length > 0
}

/** Whether the caller manages fields. */
export async function managesFields(db: ActorDb): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select app.everywhere('organisation.manage') as may`.execute(db)
  return rows[0]?.may ?? false
}
