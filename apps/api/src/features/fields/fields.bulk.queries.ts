import type { Field, FieldBulkChange, RecordType } from '@guildhall/contract/features/fields'
import type { PlainReason } from '@guildhall/contract/reasons'
import type { Permission } from '@guildhall/contract/permissions'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import * as z from 'zod'
import { keepEffects } from '../../platform/lists/bulk-effects.ts'
import type { BulkEffect } from '../../platform/lists/bulk-effects.ts'
import type { BulkWork } from '../../platform/lists/bulk.ts'
import { mayInChapter } from '../../platform/lists/json-refs.ts'
import { mayWith } from '../../platform/lists/people-rights.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { findField } from './fields.queries.ts'
import { fieldRecords } from './fields.records.rules.ts'
import { isFault, readValue } from './fields.values.rules.ts'

// One field of many records: setting it, clearing it, and choices more or fewer.

type Condition = RawBuilder<SqlBool>
type Work = BulkWork<FieldBulkChange>

const table = (type: RecordType) => sql.table(`app.${fieldRecords[type].values}`)
const record = (type: RecordType) => sql.ref(`v.${fieldRecords[type].record}`)
/** What the lists of the features call their records. */
const aliases = { people: 'p', chapters: 'c', groups: 'g' } as const

/** What a change means for any record: its field, and the values that are set, added or removed. */
type Meaning = { field: Field; how: FieldBulkChange['do']; values: readonly string[] }

/** Reads what is to be set, and refuses what the field does not take. */
export async function readFieldChange(db: ActorDb, type: RecordType, change: FieldBulkChange): Promise<Meaning> {
  const field = await findField(db, change.fieldId)
  if (!field || field.recordType !== type || field.archivedAt)
    throw problem('UNPROCESSABLE_CONTENT', fault('change.fieldId', 'unknown_field', 'There is no such field.'))
  const { do: how } = change
  const path = how === 'setField' ? 'change.value' : 'change.choiceIds'
  const refuse = (code: PlainReason, message: string) => problem('UNPROCESSABLE_CONTENT', fault(path, code, message))
  if (how !== 'setField' && field.type !== 'choices')
    throw refuse('field_no_choices', 'Only fields of several choices take choices to add or remove.')
  const given = how === 'setField' ? change.value : change.choiceIds
  // A choice that was retired can still be taken away.
  const read = readValue(field, given, how === 'removeChoices' ? change.choiceIds : [])
  if (isFault(read)) {
    const { code, message, params } = read
    throw problem('UNPROCESSABLE_CONTENT', {
      reason: code,
      detail: message,
      ...(params && { params }),
      errors: [{ path, code, message, ...(params && { params }) }],
    })
  }
  const [value] = read
  if (field.type === 'person' && value !== undefined && (await peopleSeen(db, [value])).size === 0)
    throw refuse('field_person', 'Choose a person.')
  return { field, how, values: await asStored(db, field, read) }
}

/** As the database writes it down: 1.50 is 1.5. */
async function asStored(db: ActorDb, { type }: Field, values: readonly string[]): Promise<readonly string[]> {
  const [value] = values
  if (type !== 'number' || value === undefined) return values.toSorted()
  const { rows } = await sql<{ value: string }>`select trim_scale(${value}::numeric)::text as value`.execute(db)
  return rows.map((row) => row.value)
}

async function peopleSeen(db: ActorDb, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select id from app.people where id = any (${ids}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether the caller may change the field, and whether the change would make a difference, of each record of the list. */
export async function fieldTargets(
  db: ActorDb,
  type: RecordType,
  change: FieldBulkChange,
): Promise<{ may: Condition; differs: Condition }> {
  const { field, how, values } = await readFieldChange(db, type, change)
  const alias = aliases[type]
  const own = sql`from ${table(type)} v where v.org_id = ${sql.ref(`${alias}.org_id`)} and ${record(type)} = ${sql.ref(`${alias}.id`)}
    and v.field_id = ${field.id}::uuid`
  const given = sql`${values}::text[]`
  const some = sql<SqlBool>`exists (select ${own} and v.value = any (${given}))`
  const may = mayChange(type, field)
  switch (how) {
    case 'setField':
      return { may, differs: sql`(array(select v.value ${own} order by v.value collate "C") <> ${given})` }
    case 'addChoices':
      return { may, differs: sql`((select count(*) ${own} and v.value = any (${given})) < ${values.length})` }
    case 'removeChoices':
      // A required field keeps its last choice.
      return {
        may: field.required ? sql`(${may} and (not ${some} or exists (select ${own} and v.value <> all (${given}))))` : may,
        differs: some,
      }
  }
}

/** Mirrors the policies of values, which decide: who changes the record and reads the field, and people themselves where the field lets them. */
function mayChange(type: RecordType, field: Field): Condition {
  const { writes, kept, sensitive } = fieldRecords[type]
  const reads = field.audience === 'everyone' ? sql`true` : held(type, field.sensitive ? sensitive : kept)
  const changes = sql<SqlBool>`(${held(type, writes)} and ${reads})`
  if (type !== 'people') return changes
  const others = field.audience === 'officers' ? sql` and p.id <> all ((select app.my_records())::uuid[])` : sql``
  const oneself = field.ownEditable ? sql` or coalesce(p.id = (select app.person_id()), false)` : sql``
  return sql`((${changes}${oneself})${others})`
}

function held(type: RecordType, permission: Permission): Condition {
  if (type === 'people') return mayWith(permission)
  if (type === 'chapters') return mayInChapter(permission, sql`c.id`)
  return sql`(${mayInChapter(permission, sql`g.chapter_id`)} or g.id = any ((select app.group_scope(${permission}))::uuid[]))`
}

/** The same for taking a change back; nobody may where the field is gone. */
export async function mayChangeField(db: ActorDb, type: RecordType, { fieldId }: FieldBulkChange): Promise<Condition> {
  const field = await findField(db, fieldId)
  return field ? mayChange(type, field) : sql`false`
}

// Writing ---------------------------------------------------------------------------------------------------------------------------

type Change = { recordId: string; former: readonly string[]; latter: readonly string[] }
const Kept = z.object({ former: z.array(z.string()), latter: z.array(z.string()) })

export async function applyFieldChange(
  db: ActorDb,
  type: RecordType,
  { orgId, jobId, change }: Work,
  ids: readonly string[],
): Promise<number> {
  const { field, how, values } = await readFieldChange(db, type, change)
  const held = await lockValues(db, type, orgId, field, ids)
  const changes = ids.map((recordId): Change => {
    const former = held.get(recordId) ?? []
    const latter =
      how === 'setField'
        ? values
        : how === 'addChoices'
          ? [...new Set([...former, ...values])].toSorted()
          : former.filter((value) => !values.includes(value))
    return { recordId, former, latter }
  })
  const changed = await write(db, type, orgId, field, changes)
  const kept = changes.filter(({ recordId }) => changed.has(recordId))
  return keepEffects(
    db,
    { orgId, jobId },
    sql`select x."recordId" as record_id, x.former, x.latter
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) x("recordId" uuid, former jsonb, latter jsonb)`,
    sql`jsonb_build_object('former', changed.former, 'latter', changed.latter)`,
  )
}

/** `ids` are those that the caller may still change. What was changed since stays, and so does what would point to something that is gone. */
export async function revertFieldChange(
  db: ActorDb,
  type: RecordType,
  { orgId, change }: Work,
  ids: readonly string[],
  effects: readonly BulkEffect[],
): Promise<number> {
  const field = await findField(db, change.fieldId)
  if (!field) return 0
  const held = await lockValues(db, type, orgId, field, ids)
  const allowed = new Set(ids)
  const back = effects.flatMap(({ recordId, before }): Change[] => {
    const kept = Kept.safeParse(before)
    const present = held.get(recordId) ?? []
    if (!allowed.has(recordId) || !kept.success || String(present) !== String(kept.data.latter)) return []
    return [{ recordId, former: present, latter: kept.data.former }]
  })
  const there =
    field.type === 'person'
      ? await peopleSeen(
          db,
          back.flatMap(({ latter }) => latter),
        )
      : new Set(field.choices.map(({ id }) => id))
  const points = field.type === 'person' || field.type === 'choice' || field.type === 'choices'
  const possible = points ? back.filter(({ latter }) => latter.every((value) => there.has(value))) : back
  return (await write(db, type, orgId, field, possible)).size
}

/** Values of these records in their order, which nobody else changes meanwhile. */
async function lockValues(
  db: ActorDb,
  type: RecordType,
  orgId: string,
  field: Field,
  ids: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; value: string }>`select ${record(type)} as id, v.value from ${table(type)} v
    where v.org_id = ${orgId}::uuid and v.field_id = ${field.id}::uuid and ${record(type)} = any (${ids}::uuid[])
    order by ${record(type)}, v.value collate "C" for update`.execute(db)
  return new Map([...Map.groupBy(rows, ({ id }) => id)].map(([id, values]) => [id, values.map(({ value }) => value)]))
}

/** Writes what differs, and answers which records changed. */
async function write(db: ActorDb, type: RecordType, orgId: string, field: Field, changes: readonly Change[]): Promise<ReadonlySet<string>> {
  const replaces = ({ former, latter }: Change) => field.type !== 'choices' && former.length > 0 && latter.length > 0
  const rowsOf = (of: readonly Change[], values: (change: Change) => readonly string[]) =>
    of.flatMap((change) => values(change).map((value) => ({ id: change.recordId, value })))
  const others = changes.filter((change) => !replaces(change))
  const changed = new Set<string>()
  const run = async (
    rows: readonly { id: string; value: string }[],
    statement: (given: RawBuilder<unknown>) => RawBuilder<{ id: string }>,
  ) => {
    if (rows.length === 0) return
    const done = await statement(sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) x(id uuid, value text)`).execute(db)
    for (const { id } of done.rows) changed.add(id)
  }
  const at = sql`v.org_id = ${orgId}::uuid and v.field_id = ${field.id}::uuid and ${record(type)} = x.id`
  await run(
    rowsOf(changes.filter(replaces), ({ latter }) => latter),
    (given) => sql`update ${table(type)} v set value = x.value from ${given} where ${at} returning ${record(type)} as id`,
  )
  await run(
    rowsOf(others, ({ former, latter }) => former.filter((value) => !latter.includes(value))),
    (given) => sql`delete from ${table(type)} v using ${given} where ${at} and v.value = x.value returning ${record(type)} as id`,
  )
  // What somebody entered at the same moment stays.
  await run(
    rowsOf(others, ({ former, latter }) => latter.filter((value) => !former.includes(value))),
    (given) => sql`insert into ${table(type)} as v (org_id, ${sql.ref(fieldRecords[type].record)}, field_id, value)
      select ${orgId}::uuid, x.id, ${field.id}::uuid, x.value from ${given} on conflict do nothing returning ${record(type)} as id`,
  )
  return changed
}
