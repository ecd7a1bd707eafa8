import type { Field } from '@guildhall/contract/features/fields'
import { splitTexts } from '../../../platform/files/joined-texts.ts'
import { newId } from '../../../platform/records/new-id.ts'
import type { RowChange } from '../../../platform/records/row-changes.ts'
import { fieldTables } from '../../fields/fields.public.ts'
import type { HeldValue } from '../../fields/fields.public.ts'
import type { Draft } from '../../imports/imports.plan.public.ts'
import type { Write } from './integrations.ours.rules.ts'
import type { PersonRow } from './integrations.people.queries.ts'
import { ownKey, storedValues } from './integrations.people.rules.ts'

export const personColumns = {
  givenName: 'given_name',
  familyName: 'family_name',
  preferredName: 'preferred_name',
  memberNo: 'member_no',
  lifecycle: 'lifecycle',
}
export const contactColumns = { street: 'street', postalCode: 'postal_code', city: 'city', country: 'country' }
/** Columns whose empty value is null, since an empty text is none. */
const nullable = new Set(['member_no', 'birth_date'])
export const { values: ownValues } = fieldTables('people')

/** A row of a file that says the same, for the code that makes people of rows. */
export function draftOf(values: Write['values'], line: number): Draft {
  const text = (field: string) => values[field] ?? undefined
  const one = (value: string | undefined) => (value === undefined ? [] : [value])
  const fields: Draft['fields'] = {}
  for (const field of [...Object.keys(personColumns), ...Object.keys(contactColumns), 'birthDate']) {
    const value = text(field)
    if (value !== undefined) fields[field] = value
  }
  const externalId = text('externalId')
  return {
    line,
    step: line,
    fields,
    emails: one(text('primaryEmail')),
    phones: one(text('primaryPhone')),
    tags: splitTexts(text('tags') ?? ''),
    formerNames: [],
    links: {},
    externalIds: externalId === undefined ? {} : { default: externalId },
    own: {},
    findings: [],
  }
}

/** Columns of a table under their names, for those fields that are given; what is emptied is empty as the column has it. */
function columnsIn(values: Write['values'], names: Record<string, string>) {
  const entries = Object.entries(names).flatMap(([field, column]) => {
    const value = values[field]
    return value === undefined ? [] : [[column, value ?? (nullable.has(column) ? null : '')] as const]
  })
  return entries.length === 0 ? null : Object.fromEntries(entries)
}

export function changedPerson(row: PersonRow, values: Write['values'], tagIds: readonly string[]): RowChange[] {
  const changes: RowChange[] = []
  const person = columnsIn(values, personColumns)
  if (person) changes.push({ table: 'people', key: { id: row.id }, before: row.columns, after: person })
  const contact = columnsIn(values, contactColumns)
  if (contact) changes.push({ table: 'person_contacts', key: { person_id: row.id }, before: row.contact, after: contact })
  const kept = columnsIn(values, { birthDate: 'birth_date' })
  if (kept) changes.push({ table: 'person_private', key: { person_id: row.id }, before: row.private, after: kept })
  const externalId = values['externalId']
  if (externalId && row.externalId)
    changes.push({
      table: 'person_external_ids',
      key: { id: row.externalId.id },
      before: { external_id: row.externalId.value },
      after: { external_id: externalId },
    })
  else if (externalId)
    changes.push({
      table: 'person_external_ids',
      key: { id: newId() },
      before: null,
      after: { person_id: row.id, system: 'default', external_id: externalId },
    })
  const present = new Set(row.tags.map(({ id }) => id))
  if (values['tags'] !== undefined)
    for (const tag of tagIds)
      if (!present.has(tag)) changes.push({ table: 'person_tags', key: { person_id: row.id, tag_id: tag }, before: null, after: {} })
  return changes
}

const namedValues = (values: Write['values'], own: ReadonlyMap<string, Field>) =>
  Object.entries(values).flatMap(([name, value]) => {
    const field = own.get(ownKey(name) ?? '')
    return field ? [{ field, wanted: storedValues(field, value) }] : []
  })

export function changedValues(
  id: string,
  values: Write['values'],
  own: ReadonlyMap<string, Field>,
  held: readonly HeldValue[],
): RowChange[] {
  return namedValues(values, own).flatMap(({ field, wanted }) => {
    const present = held.filter(({ fieldId }) => fieldId === field.id)
    const former = field.type === 'choices' ? undefined : present[0]
    return wanted
      .filter((value) => !present.some((one) => one.value === value))
      .map((value): RowChange => ({
        table: ownValues.table,
        key: { person_id: id, field_id: field.id, id: former?.id ?? newId() },
        before: former ? { value: former.value } : null,
        after: { value },
      }))
  })
}

export const goneValues = (id: string, values: Write['values'], own: ReadonlyMap<string, Field>, held: readonly HeldValue[]) =>
  namedValues(values, own).flatMap(({ field, wanted }) =>
    held
      .filter(({ fieldId, value }) => fieldId === field.id && !wanted.includes(value) && (field.type === 'choices' || wanted.length === 0))
      .map((one) => ({ person_id: id, field_id: field.id, id: one.id })),
  )
