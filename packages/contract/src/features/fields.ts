import * as z from 'zod'
import { del, get, patch, post, put } from '../base.ts'
import { refusal } from '../reasons.ts'
import { formed, Id, Instant, PersonRef, TagColor, Version, text } from '../shapes.ts'

const tag = 'Fields'

/** Records that an organisation adds fields to. */
export const RecordType = z.enum(['people', 'chapters', 'groups'])
export type RecordType = z.infer<typeof RecordType>
/** `flag` is yes or no, `choice` one of several, `choices` any of several, `person` another person. */
export const FieldType = z.enum(['text', 'number', 'date', 'flag', 'choice', 'choices', 'url', 'person'])
export type FieldType = z.infer<typeof FieldType>
/** Who reads values: everyone who sees the record, the person themselves and officers, or officers only, never about themselves. */
export const FieldAudience = z.enum(['everyone', 'self', 'officers'])
export type FieldAudience = z.infer<typeof FieldAudience>
/** What programs, filters and imports call a field. */
export const FieldKey = formed(
  /^[a-z][a-z0-9_]{0,29}$/,
  refusal('not_a_key', 'Use a to z, 0 to 9 and _, starting with a letter, 30 characters at most.'),
)
/** In filters, sorts and columns of lists, a field is known by its key with this in front. */
export const fieldPrefix = 'fields.'
export const fieldsPerType = 60

export const FieldChoice = z.object({
  id: Id,
  label: z.string(),
  color: TagColor,
  retired: z.boolean().describe('Cannot be chosen any more'),
})
export type FieldChoice = z.infer<typeof FieldChoice>

export const Field = z.object({
  id: Id,
  recordType: RecordType,
  key: FieldKey,
  label: z.string(),
  help: z.string(),
  type: FieldType,
  required: z.boolean(),
  pattern: z.string().describe('A regular expression that the whole text matches; empty for any text'),
  section: z.string().describe('Heading that it stands under on forms and pages'),
  audience: FieldAudience,
  ownEditable: z.boolean().describe('People change it on their own page'),
  sensitive: z.boolean().describe('Officers need people.sensitive to read it'),
  searchable: z.boolean().describe('The search of people finds them by it; texts and web addresses only'),
  reach: z.enum(['all', 'some', 'own']).describe('Whose values you may read: of every record you see, of some, or your own at most'),
  archivedAt: Instant.nullable(),
  choices: z.array(FieldChoice).describe('In their order; empty for other types'),
  version: Version,
})
export type Field = z.infer<typeof Field>

/** Values by the keys of their fields: text, day or address as text, number, yes or no, ids of choices, a person. */
export const FieldValues = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()), PersonRef]))
export type FieldValues = z.infer<typeof FieldValues>
/** Of a row of a list. */
export const FieldsOfRow = FieldValues.optional().describe(
  'Fields of the organisation that were asked for and have a value that is yours to see',
)
/** Of a list whose rows have everything else anyway. */
export const FieldColumns = z
  .string()
  .max(2000)
  .optional()
  .describe('Fields of the organisation as further columns, fields.key, separated by commas')
/** The same to be written; null empties a field, and what is left out stays. A person is given by id. */
export const FieldChange = z
  .record(FieldKey, z.union([text(500), z.number(), z.boolean(), z.array(Id).max(100), z.null()]))
  .refine((values) => Object.keys(values).length <= fieldsPerType, `Send at most ${fieldsPerType} fields.`)
export type FieldChange = z.infer<typeof FieldChange>

/** A change of a field's value in many records; parts of what a list offers to change. */
export const fieldBulkChanges = [
  z.strictObject({
    do: z.literal('setField'),
    fieldId: Id,
    value: z.union([text(500), z.number(), z.boolean(), z.array(Id).max(100), z.null()]).describe('Null clears it'),
  }),
  z.strictObject({
    do: z.literal('addChoices'),
    fieldId: Id,
    choiceIds: z.array(Id).min(1).max(100).describe('Of a field that takes several'),
  }),
  z.strictObject({ do: z.literal('removeChoices'), fieldId: Id, choiceIds: z.array(Id).min(1).max(100) }),
] as const
export type FieldBulkChange = z.infer<(typeof fieldBulkChanges)[number]>

const NewChoice = z.strictObject({
  id: Id.optional().describe('Of a choice that is there already'),
  label: text(80, 1),
  color: TagColor.default('gray'),
  retired: z.boolean().default(false),
})
const Changeable = {
  label: text(80, 1),
  help: text(300),
  required: z.boolean(),
  pattern: z.string().max(200, 'Keep this to 200 characters.'),
  section: text(60),
  audience: FieldAudience,
  ownEditable: z.boolean(),
  sensitive: z.boolean(),
  searchable: z.boolean(),
  choices: z.array(NewChoice).max(100, 'Keep at most 100 choices.'),
}
export const NewField = z
  .strictObject({
    recordType: RecordType,
    key: FieldKey,
    type: FieldType,
    label: Changeable.label,
    help: Changeable.help.default(''),
    required: Changeable.required.default(false),
    pattern: Changeable.pattern.default(''),
    section: Changeable.section.default(''),
    audience: Changeable.audience.default('officers'),
    ownEditable: Changeable.ownEditable.default(false),
    sensitive: Changeable.sensitive.default(false),
    searchable: Changeable.searchable.default(false),
    choices: Changeable.choices.default([]),
  })
  .meta({
    examples: [
      {
        recordType: 'people',
        key: 'tshirt_size',
        type: 'choice',
        label: 'T-shirt size',
        audience: 'self',
        choices: [{ label: 'S' }, { label: 'M' }, { label: 'L' }],
      },
    ],
  })
export type NewField = z.infer<typeof NewField>
const FieldPatch = z.strictObject(Changeable).partial().extend({ archived: z.boolean().optional() })
export type FieldPatch = z.infer<typeof FieldPatch>

/** Counting stops at 10,000. */
export const FieldUses = z.object({
  records: z.int().describe('Records with a value; 10,001 stands for more than 10,000'),
  choices: z.array(z.object({ choiceId: Id, records: z.int() })),
})
export type FieldUses = z.infer<typeof FieldUses>

export const fieldsData = {
  list: get('/fields', 'listFields', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Fields that the organisation adds to its records, as far as you may read them somewhere, in their order',
  })
    .input(z.strictObject({ recordType: RecordType.optional() }))
    .output(z.object({ items: z.array(Field) })),
  create: post('/fields', 'createField', { needs: 'organisation.manage', tag, summary: 'Add a field to a kind of record' })
    .input(NewField)
    .output(Field),
  update: patch('/fields/{fieldId}', 'updateField', {
    needs: 'organisation.manage',
    tag,
    summary: 'Change a field; choices are sent whole and in order. Archived fields keep their values',
  })
    .input(FieldPatch.extend({ fieldId: Id }))
    .output(Field),
  order: put('/fields/order/{recordType}', 'orderFields', {
    needs: 'organisation.manage',
    tag,
    summary: 'Put the fields of a kind of record in this order',
  })
    .input(z.strictObject({ recordType: RecordType, fieldIds: z.array(Id).min(1).max(fieldsPerType) }))
    .output(z.object({ items: z.array(Field) })),
  uses: get('/fields/{fieldId}/uses', 'getFieldUses', {
    needs: 'organisation.manage',
    tag,
    summary: 'How many records have a value of a field, and of each choice',
  })
    .input(z.strictObject({ fieldId: Id }))
    .output(FieldUses),
  replaceChoice: post('/fields/{fieldId}/choices/{choiceId}/replace', 'replaceFieldChoice', {
    needs: 'organisation.manage',
    tag,
    status: 200,
    summary: 'Give every record that has one choice another instead, and delete the choice',
  })
    .input(z.strictObject({ fieldId: Id, choiceId: Id, replaceBy: Id }))
    .output(Field),
  remove: del('/fields/{fieldId}', 'removeField', {
    needs: 'organisation.manage',
    tag,
    summary: 'Delete a field; with values only where withValues says so',
  })
    .input(z.strictObject({ fieldId: Id, withValues: z.boolean().optional().describe('Delete its values too; they cannot be restored') }))
    .output(z.void()),
}
