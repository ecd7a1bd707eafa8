import type { Field, FieldChange, RecordType } from '@guildhall/contract/features/fields'
import type { ImportKind } from '@guildhall/contract/features/imports'
import type { ActorDb } from '@guildhall/db'
import { newId } from '../../../platform/records/new-id.ts'
import { RowsHeldBack, writeChanges } from '../../../platform/records/row-changes.ts'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import {
  choicesInUse,
  fieldTables,
  heldValues,
  peopleByNumber,
  readFields,
  readFieldValue,
  removeUnusedChoices,
} from '../../fields/fields.public.ts'
import type { HeldValue } from '../../fields/fields.public.ts'
import { releaseSavepoint, rollbackToSavepoint, savepoint } from '../imports.queries.ts'
import { isRowFault } from '../running/imports.faults.rules.ts'
import type { Effect } from './imports.changes.rules.ts'
import { isRejected } from './imports.drafts.rules.ts'
import type { Draft } from './imports.drafts.rules.ts'
import type { ImportPlan, Planning } from './imports.kinds.rules.ts'
import { error, reachesAll, rejected } from './imports.plans.rules.ts'
import type { Planned } from './imports.plans.rules.ts'

/** The plan of a kind of records, with columns that map to fields of the organisation. */
export function withFields(type: RecordType, plan: ImportPlan): ImportPlan {
  const { values, choices } = fieldTables(type)
  return {
    ...plan,
    tables: [choices, ...plan.tables, values],
    shared: { ...plan.shared, field_choices: { removeUnused: removeUnusedChoices, inUse: choicesInUse } },
    plan: async (planning, drafts) => {
      const planned = await plan.plan(planning, drafts)
      return planning.mapped.targets.some((target) => target.startsWith('field:')) ? planFields(type, planning, planned) : planned
    },
  }
}

/** Kinds of files whose records have fields of the organisation. */
const recordTypes: Partial<Record<ImportKind, RecordType>> = { people: 'people', chapters: 'chapters', groups: 'groups' }

/** Fields that columns of a file can map to; those of a mapping, where it is given. */
export async function ownFields(db: ActorDb, kind: ImportKind, mapping?: readonly string[]): Promise<Field[]> {
  const type = recordTypes[kind]
  if (!type || (mapping && !mapping.some((target) => target.startsWith('field:')))) return []
  return (await readFields(db, type)).filter(({ archivedAt }) => archivedAt === null)
}

/** A cell of a field: what to store, or nothing where the row cannot be taken. */
type Cell = { planning: Planning; draft: Draft; field: Field; held: readonly HeldValue[]; column: string | undefined }

async function planFields(type: RecordType, planning: Planning, planned: readonly Planned[]): Promise<Planned[]> {
  const { db, orgId, mapped } = planning
  const fields = (await readFields(db, type)).filter(({ archivedAt }) => archivedAt === null)
  // Of a row that is out already, all faults are told too.
  const open = planned.filter(({ outcome }) => outcome !== 'skip')
  const held = Map.groupBy(
    await heldValues(
      db,
      type,
      orgId,
      open.flatMap(({ outcome, entityId }) => (outcome !== 'create' && entityId ? [entityId] : [])),
    ),
    ({ recordId }) => recordId,
  )
  const named = fields.filter((field) => field.type === 'person').flatMap(({ key }) => open.flatMap(({ draft }) => draft.own[key] ?? []))
  const people = await peopleByNumber(db, orgId, [...new Set(named)])
  const choices = newChoices(planning, fields)
  const tables = fieldTables(type)
  const record = tables.values.key[0]

  const own = new Map<Planned, Effect[]>()
  for (const one of open) {
    const { draft, entityId, outcome } = one
    const effects: Effect[] = []
    for (const field of fields) {
      const column = mapped.headers[mapped.targets.indexOf(`field:${field.key}`)]
      const texts = draft.own[field.key]
      if (!texts) {
        if (outcome === 'create' && field.required && field.reach !== 'own')
          error(draft, 'missing', `This row has no ${field.label}.`, `Fill in ${field.label}.`, { column, params: { field: field.label } })
        continue
      }
      const present = held.get(entityId ?? '')?.filter(({ fieldId }) => fieldId === field.id) ?? []
      const cell = { planning, draft, field, held: present, column }
      for (const { value, word, made } of texts.flatMap((text) => valueOf(cell, text, people, choices))) {
        if (!entityId || present.some((one) => one.value === value)) continue
        const former = field.type === 'choices' ? undefined : present[0]
        const shown = { field: field.key, ...(word && { [`is:${value}`]: word }), ...(former && wordOf(field, former)) }
        if (made) effects.push(made)
        effects.push({
          table: tables.values.table,
          key: { [record]: entityId, field_id: field.id, id: former?.id ?? newId() },
          before: former ? { value: former.value } : null,
          after: { value },
          shown,
        })
      }
    }
    own.set(one, effects)
  }
  // Nobody knows better than the database what the actor may write: a check tries it, and takes it back.
  if (planning.phase === 'check') {
    const changed = open.filter((one) => one.outcome !== 'create' && (own.get(one)?.length ?? 0) > 0)
    const tried = (some: readonly Planned[]) =>
      mayWrite(
        planning,
        [tables.choices, tables.values],
        some.flatMap((one) => own.get(one) ?? []),
      )
    if (!(await tried(changed)))
      for (const one of changed)
        if (!(await tried([one])))
          error(
            one.draft,
            'field_kept',
            'A field of this record is not yours to change.',
            'Leave its column out, or ask an administrator.',
            {
              params: {
                field: fields
                  .filter(({ key }) => one.draft.own[key])
                  .map(({ label }) => label)
                  .join(', '),
              },
            },
          )
  }
  return planned.map((one) => {
    const effects = own.get(one)
    if (!effects || isRejected(one.draft))
      return isRejected(one.draft) ? { ...rejected(one.draft), ...(one.label && { label: one.label }) } : one
    if (effects.length === 0) return one
    return { ...one, outcome: one.outcome === 'unchanged' ? 'update' : one.outcome, changes: [...one.changes, ...effects] }
  })
}

const wordOf = (field: Field, { value, person }: HeldValue) => {
  const word = person ?? field.choices.find(({ id }) => id === value)?.label
  return word ? { [`is:${value}`]: word } : {}
}

/** Choices that rows of this chunk add, each with the first row that has it. */
function newChoices({ options, reach }: Planning, fields: readonly Field[]) {
  const made = new Map<string, string>()
  const allowed = options.newChoices === 'create' && reachesAll(reach, 'organisation.manage')
  return (field: Field, label: string): { value: string; word: string; made?: Effect } | null => {
    if (!allowed || label.length > 80) return null
    const key = `${field.id} ${label.toLowerCase()}`
    const id = made.get(key)
    if (id) return { value: id, word: label }
    const value = newId()
    made.set(key, value)
    const place = (fields.find((one) => one.id === field.id)?.choices.length ?? 0) + made.size
    return {
      value,
      word: label,
      made: { table: 'field_choices', key: { id: value }, before: null, after: { field_id: field.id, label, place } },
    }
  }
}

type Found = { value: string; word?: string; made?: Effect }

function valueOf(cell: Cell, text: string, people: ReadonlyMap<string, string>, choices: ReturnType<typeof newChoices>): Found[] {
  const { draft, field, held, column } = cell
  const about = { column, value: text }
  if (field.type === 'choice' || field.type === 'choices') {
    const known = field.choices.find(({ label }) => label.toLowerCase() === text.toLowerCase())
    const found = known
      ? known.retired && !held.some(({ value }) => value === known.id)
        ? null
        : { value: known.id, word: known.label }
      : choices(field, text)
    if (found) return [found]
    const offered = field.choices.filter(({ retired }) => !retired).map(({ label }) => label)
    error(draft, 'not_a_choice', `“${field.label}” has no such choice.`, 'Use one of its choices, or have new ones created.', {
      ...about,
      params: { choices: offered.join(', ').slice(0, 500) },
    })
    return []
  }
  if (field.type === 'person') {
    const same = held.find(({ person }) => person === text)
    const id = same?.value ?? people.get(text.toLowerCase())
    if (id) return [{ value: id, word: text }]
    error(draft, 'field_person', 'Nobody you see has this member number.', 'Give the member number of a person.', about)
    return []
  }
  const given: FieldChange[string] = field.type === 'number' ? Number(text) : field.type === 'flag' ? text === 'true' : text
  const read = readFieldValue({ ...field, required: false }, given)
  if (!('code' in read)) return read.map((value) => ({ value }))
  error(draft, 'field_pattern', read.message, 'Correct the value.', { ...about, params: { help: field.help } })
  return []
}

/** Whether the database would take these rows from the actor: it is tried, and taken back. */
export async function mayWrite({ db, orgId }: Planning, tables: readonly TableShape[], effects: readonly Effect[]): Promise<boolean> {
  if (effects.length === 0) return true
  await savepoint(db)
  try {
    await writeChanges(db, orgId, tables, effects)
    await rollbackToSavepoint(db)
    await releaseSavepoint(db)
    return true
  } catch (cause) {
    if (!(cause instanceof RowsHeldBack) && !isRowFault(cause)) throw cause
    await rollbackToSavepoint(db)
    await releaseSavepoint(db)
    return false
  }
}
