import type { ImportChange } from '@guildhall/contract/features/imports'
import type { RowChange, Values } from '../../../platform/records/row-changes.ts'

/** A change as the ledger keeps it. `shown` has names for ids that mean nothing yet, such as a tag that only the run makes. */
export type Effect = RowChange & { shown?: Record<string, string> }

/** Right without which values of a table are not shown. */
export type ValueRight = 'contact' | 'sensitive'
const rights: Record<string, ValueRight> = {
  person_emails: 'contact',
  person_phones: 'contact',
  person_contacts: 'contact',
  person_external_ids: 'contact',
  person_private: 'sensitive',
  person_office_notes: 'sensitive',
}

/** Which field of an import a column is; what is not here is nobody's to read, such as which address is the first. */
const fields: Record<string, Record<string, string>> = {
  people: {
    member_no: 'memberNo',
    given_name: 'givenName',
    middle_name: 'middleName',
    family_name: 'familyName',
    suffix: 'suffix',
    preferred_name: 'preferredName',
    former_names: 'formerName',
    pronouns: 'pronouns',
    lifecycle: 'lifecycle',
    joined_on: 'joinedOn',
    grad_year: 'gradYear',
    employer: 'employer',
    job_title: 'jobTitle',
    bio: 'bio',
    language: 'language',
    do_not_contact: 'doNotContact',
  },
  person_emails: { address: 'email' },
  person_phones: { number: 'phone' },
  person_external_ids: { external_id: 'externalId' },
  person_contacts: {
    street: 'street',
    city: 'city',
    region: 'region',
    postal_code: 'postalCode',
    country: 'country',
    website: 'website',
    links: 'link',
  },
  person_private: { birth_date: 'birthDate', gender: 'gender', deceased_on: 'deceasedOn' },
  person_office_notes: { note: 'note' },
  person_tags: { tag_id: 'tag' },
  record_tags: { tag_id: 'tag' },
  affiliations: { chapter_id: 'chapterCode', kind: 'affiliationKind', starts_on: 'memberSince', ends_on: 'memberUntil' },
  chapters: {
    code: 'code',
    name: 'name',
    parent_id: 'parentCode',
    level: 'level',
    status: 'status',
    about: 'about',
    city: 'city',
    contact_email: 'contactEmail',
    website: 'website',
    timezone: 'timezone',
    chartered_on: 'charteredOn',
    closed_on: 'closedOn',
  },
  groups: {
    code: 'code',
    name: 'name',
    kind: 'kind',
    parent_id: 'parentCode',
    chapter_id: 'chapterCode',
    description: 'description',
    visibility: 'visibility',
    join_policy: 'joinPolicy',
    capacity: 'capacity',
    phone: 'phone',
    website: 'website',
  },
  group_members: { title: 'title', role: 'role', side: 'side', rank: 'rank', starts_on: 'startsOn', ends_on: 'endsOn' },
  invoices: { foreign_number: 'number' },
  membership_terms: { starts_on: 'startsOn', ends_on: 'endsOn', settled_on: 'paidOn' },
  position_holders: { starts_on: 'startsOn', ends_on: 'endsOn', note: 'note' },
  positions: { max_holders: 'seats' },
  registrations: { registered_on: 'registeredOn' },
}
/** Of a row that comes with a change, what says which one it is. */
const naming: Record<string, string> = {
  person_emails: 'address',
  person_phones: 'number',
  person_external_ids: 'external_id',
  person_tags: 'tag_id',
  record_tags: 'tag_id',
  affiliations: 'chapter_id',
}

/** A record that a reader knows by name; an id of another system is what it says. */
const isReference = (column: string) => column.endsWith('_id') && column !== 'external_id'

const isList = (value: Values[string]): value is readonly Values[string][] => Array.isArray(value)

/** Values of fields of the organisation; what is shown of them comes along, since only the import knows the words. */
export const isFieldValue = (table: string) => table.endsWith('_field_values')

type Part = { field: string; how: ImportChange['how']; table: string; column: string; before: Values[string]; after: Values[string] }
const isEmpty = (value: Values[string]) => value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0)
const isRecord = (value: Values[string]): value is { readonly [key: string]: Values[string] } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One effect in fields: a changed column each, or the one thing that a new or removed row brings or takes. */
function partsOf({ table, key, before, after, shown }: Effect): Part[] {
  if (isFieldValue(table)) {
    const [from, to] = [before?.['value'] ?? null, after?.['value'] ?? null]
    return [{ field: `field:${shown?.['field'] ?? ''}`, how: howOf(from, to), table, column: 'value', before: from, after: to }]
  }
  const known = fields[table] ?? {}
  const name = naming[table]
  if (name && (before === null || after === null)) {
    const value = (after ?? before ?? {})[name] ?? key[name] ?? null
    const how = before === null ? 'add' : 'remove'
    const system = table === 'person_external_ids' ? (after ?? before ?? {})['system'] : undefined
    return [
      {
        field: `${known[name] ?? name}${typeof system === 'string' ? `:${system}` : ''}`,
        how,
        table,
        column: name,
        before: before && value,
        after: before ? null : value,
      },
    ]
  }
  return Object.entries(known).flatMap(([column, field]): Part[] => {
    if (!(column in (after ?? before ?? {}))) return []
    const [from, to] = [before?.[column] ?? null, after?.[column] ?? null]
    if (column !== 'links' || !isRecord(to))
      return from === to ? [] : [{ field, how: howOf(from, to), table, column, before: from, after: to }]
    const former = isRecord(from) ? from : {}
    return [...new Set([...Object.keys(former), ...Object.keys(to)])].flatMap((service): Part[] => {
      const [was, is] = [former[service] ?? null, to[service] ?? null]
      return was === is ? [] : [{ field: `link:${service}`, how: howOf(was, is), table, column, before: was, after: is }]
    })
  })
}

const howOf = (from: Values[string], to: Values[string]): ImportChange['how'] => (isEmpty(from) ? 'add' : isEmpty(to) ? 'remove' : 'change')

/** Whether an effect is only the mark that everyone in the file gets. */
const isMark = ({ table, key }: Effect, importTagId: string | null) => table === 'person_tags' && key['tag_id'] === importTagId

/** The kinds of change in a row, such as `email:add`, by which rows are counted and found; null when there are none. */
export function kindsOf(effects: readonly Effect[], importTagId: string | null): string[] | null {
  const kinds = new Set(
    effects
      .filter((effect) => !isMark(effect, importTagId))
      .flatMap(partsOf)
      .map(({ field, how }) => `${field.split(':')[0] ?? field}:${how}`),
  )
  return kinds.size > 0 ? [...kinds].sort().slice(0, 100) : null
}

/** Ids in effects that a reader knows by name only. */
export const idsOf = (effects: readonly Effect[]): string[] =>
  effects
    .flatMap(partsOf)
    .filter(({ column }) => isReference(column))
    .flatMap(({ before, after }) => [before, after])
    .flatMap((value) => (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? [value] : []))

/** What a row changes, field by field, in words; values that are not the reader's are held back and said to be. */
export function changesOf(
  effects: readonly Effect[],
  {
    names,
    may,
    fields,
    importTagId,
  }: {
    names: ReadonlyMap<string, string>
    may: ReadonlySet<ValueRight>
    /** Of the organisation, by key, whose values the reader may see. */
    fields: ReadonlySet<string>
    importTagId: string | null
  },
): ImportChange[] {
  return effects
    .filter((effect) => !isMark(effect, importTagId))
    .flatMap((effect) =>
      partsOf(effect).map(({ field, how, table, column, before, after }): ImportChange => {
        const right = rights[table]
        const hidden = isFieldValue(table) ? !fields.has(field.slice('field:'.length)) : right !== undefined && !may.has(right)
        const named = (value: Values[string]) =>
          (typeof value === 'string' ? effect.shown?.[`is:${value}`] : undefined) ?? wordsOf(value, isReference(column) ? names : null)
        return {
          field,
          how,
          before: hidden ? null : named(before),
          after: hidden ? null : (effect.shown?.[column] ?? named(after)),
          hidden,
        }
      }),
    )
}

function wordsOf(value: Values[string], names: ReadonlyMap<string, string> | null): string | null {
  if (value === null || value === '') return null
  if (isList(value)) return value.map((each) => wordsOf(each, names) ?? '').join(', ')
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return names ? (names.get(text) ?? null) : text.slice(0, 2000)
}
