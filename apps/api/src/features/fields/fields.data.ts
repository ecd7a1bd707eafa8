import type { Field, FieldPatch } from '@guildhall/contract/features/fields'
import type { PlainReason } from '@guildhall/contract/reasons'
import type { ActorDb } from '@guildhall/db'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { checkPattern } from './fields.pattern.rules.ts'
import {
  fieldUses,
  fieldsQuery,
  findField,
  insertField,
  managesFields,
  orderFields,
  readFields,
  removeField,
  replaceChoice,
  saveChoices,
  updateField,
} from './fields.queries.ts'

const { fields } = data

export const fieldsData = fields.router({
  list: fields.list.handler(async ({ input, context }) => {
    const rows = await context.read(fieldsQuery(input.recordType))
    return { items: rows.map((row) => row.item) }
  }),

  create: fields.create.handler(({ input, context }) =>
    sayingFaults(() =>
      context.inTx(async (db) => {
        checkDefinition({ ...input, archivedAt: null })
        if ((await readFields(db, input.recordType)).some((field) => field.key === input.key))
          throw problem('CONFLICT', keyFault(input.key))
        const id = await insertField(db, context.actor.orgId, input)
        return mustFind(await findField(db, id))
      }),
    ),
  ),

  update: fields.update.handler(({ input: { fieldId, choices, ...change }, context }) =>
    sayingFaults(() =>
      context.inTx(async (db) => {
        const before = mustFind(await findField(db, fieldId))
        await mustManage(db)
        checkDefinition({ ...before, ...given(change), ...(choices ? { choices } : {}) })
        // First, so that nobody's change in between is overwritten.
        await updateField(db, { id: fieldId, version: context.ifMatch }, change)
        if (choices) {
          await refuseUsed(db, before, choices)
          await saveChoices(db, context.actor.orgId, fieldId, choices)
        }
        return mustFind(await findField(db, fieldId))
      }),
    ),
  ),

  order: fields.order.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustManage(db)
      const known = new Set((await readFields(db, input.recordType)).map(({ id }) => id))
      if (!input.fieldIds.every((id) => known.has(id))) throw problem('NOT_FOUND')
      await orderFields(db, input.recordType, input.fieldIds)
      return { items: await readFields(db, input.recordType) }
    }),
  ),

  uses: fields.uses.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const field = mustFind(await findField(db, input.fieldId))
      await mustManage(db)
      return fieldUses(db, field)
    }),
  ),

  replaceChoice: fields.replaceChoice.handler(({ input: { fieldId, choiceId, replaceBy }, context }) =>
    context.inTx(async (db) => {
      const field = mustFind(await findField(db, fieldId))
      await mustManage(db)
      // Not a 404: who repeats the request has replaced it already.
      if (!field.choices.some(({ id }) => id === choiceId))
        throw problem('UNPROCESSABLE_CONTENT', fault('choiceId', 'field_choice', 'Choose a choice of this field.'))
      if (choiceId === replaceBy || !field.choices.some(({ id }) => id === replaceBy))
        throw problem('UNPROCESSABLE_CONTENT', fault('replaceBy', 'field_choice', 'Choose another choice of this field.'))
      await replaceChoice(db, fieldId, choiceId, replaceBy)
      return mustFind(await findField(db, fieldId))
    }),
  ),

  remove: fields.remove.handler(({ input, context }) =>
    context.inTx(
      async (db) => {
        const field = mustFind(await findField(db, input.fieldId))
        await mustManage(db)
        const { records } = await fieldUses(db, field)
        if (records > 0 && !input.withValues)
          throw problem('CONFLICT', {
            reason: 'field_in_use',
            detail: `${counted(records)} a value in “${field.label}”. Archive the field, or confirm that its values go too.`,
            params: { label: field.label, records },
            current: { records },
          })
        if (!(await removeField(db, input.fieldId))) throw problem('FORBIDDEN')
      },
      // Its values go with it.
      { statementTimeoutMs: 60_000 },
    ),
  ),
})

const counted = (records: number) =>
  records > 10_000 ? 'More than 10,000 records have' : records === 1 ? '1 record has' : `${records.toLocaleString('en')} records have`

const given = (change: FieldPatch) => Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

const keyFault = (key: string) => fault('key', 'field_key_taken', `The key “${key}” is already used. Choose another.`)

/** What the parts of a definition say together. */
function checkDefinition(
  field: Pick<Field, 'type' | 'audience' | 'sensitive' | 'searchable' | 'ownEditable' | 'pattern' | 'recordType'> & {
    choices: readonly { label: string }[]
    archivedAt: unknown
  },
) {
  const refuse = (path: string, code: PlainReason, message: string) => problem('UNPROCESSABLE_CONTENT', fault(path, code, message))
  if (field.sensitive && field.audience === 'everyone')
    throw refuse('audience', 'field_sensitive_open', 'A sensitive field cannot be visible to everyone. Choose who reads it.')
  if (field.ownEditable && field.audience === 'officers')
    throw refuse('ownEditable', 'field_own_hidden', 'People cannot change what they do not see. Let them read the field first.')
  if (field.searchable && (field.recordType !== 'people' || (field.type !== 'text' && field.type !== 'url')))
    throw refuse('searchable', 'field_not_searchable', 'Only texts and web addresses of people can be searched.')
  if (field.recordType !== 'people' && (field.audience === 'self' || field.ownEditable))
    throw refuse('audience', 'field_no_self', 'Only people have a record of their own. Choose everyone or officers.')
  const chosen = field.type === 'choice' || field.type === 'choices'
  if (chosen && field.choices.length === 0) throw refuse('choices', 'field_needs_choices', 'Add at least one choice.')
  if (!chosen && field.choices.length > 0) throw refuse('choices', 'field_no_choices', 'Only fields of choices have choices.')
  const labels = field.choices.map(({ label }) => label.toLowerCase())
  const twice = labels.findIndex((label, at) => labels.indexOf(label) !== at)
  if (twice >= 0) throw refuse(`choices.${twice}.label`, 'field_choice_twice', 'This choice is already in the list.')
  if (field.pattern && field.type !== 'text') throw refuse('pattern', 'field_no_pattern', 'Only text fields have a pattern.')
  const answer = field.pattern ? checkPattern(field.pattern) : 'fits'
  if (answer === 'broken')
    throw refuse('pattern', 'field_pattern_broken', 'This is not a regular expression. Check brackets and backslashes.')
  if (answer === 'slow')
    throw refuse('pattern', 'field_pattern_slow', 'This pattern takes too long on some texts. Avoid repetition inside repetition.')
}

/** Whoever reads a field need not manage it: the answer to a change is then no, not "not there". */
async function mustManage(db: ActorDb) {
  if (!(await managesFields(db))) throw problem('FORBIDDEN')
}

async function refuseUsed(db: ActorDb, before: Field, choices: NonNullable<FieldPatch['choices']>) {
  const dropped = before.choices.filter(({ id }) => !choices.some((choice) => choice.id === id))
  const unknown = choices.findIndex(({ id }) => id !== undefined && !before.choices.some((choice) => choice.id === id))
  if (unknown >= 0)
    throw problem('UNPROCESSABLE_CONTENT', fault(`choices.${unknown}.id`, 'field_choice', 'This choice is not there any more.'))
  if (dropped.length === 0) return
  const uses = await fieldUses(db, before)
  const used = dropped.find(({ id }) => uses.choices.some(({ choiceId, records }) => choiceId === id && records > 0))
  if (!used) return
  const records = uses.choices.find(({ choiceId }) => choiceId === used.id)?.records ?? 0
  throw problem('CONFLICT', {
    ...fault('choices', 'field_choice_in_use', `${counted(records)} “${used.label}”. Replace it by another choice, or retire it.`, {
      params: { label: used.label, records },
    }),
    current: { choiceId: used.id, records },
  })
}

/** What the database refuses, as the field it is about. */
async function sayingFaults<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
    if (constraint === 'fields_org_id_record_type_key_key')
      throw problem('CONFLICT', fault('key', 'field_key_taken', 'This key is already used. Choose another.'))
    if (constraint === 'fields_limit')
      throw problem('CONFLICT', { reason: 'fields_limit', detail: 'There are 60 fields already. Delete one that is not needed any more.' })
    throw error
  }
}
