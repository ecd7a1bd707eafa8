import type { Field } from '@guildhall/contract/features/fields'
import { RowsHeldBack, deleteRows, writeChanges } from '../../../platform/records/row-changes.ts'
import type { RowChange } from '../../../platform/records/row-changes.ts'
import { heldValues, readFields } from '../../fields/fields.public.ts'
import type { HeldValue } from '../../fields/fields.public.ts'
import { tagsOf } from '../../imports/imports.plan.public.ts'
import { addEntry, archivePerson, newPerson, peopleTables, removeEntry, updateEntry } from '../../people/people.sync.public.ts'
import { tagsShape } from '../../tags/tags.public.ts'
import type { RowError } from '../connectors/integrations.connector.rules.ts'
import { setOf } from '../engine/integrations.compare.rules.ts'
import type { Ours, OurRecord, OursReach, Write } from './integrations.ours.rules.ts'
import { lockPeople, matchPeople, readPeople, rightsOverPeople, untiedPeople } from './integrations.people.queries.ts'
import type { PersonRow } from './integrations.people.queries.ts'
import {
  changedPerson,
  changedValues,
  contactColumns,
  draftOf,
  goneValues,
  ownValues,
  personColumns,
} from './integrations.people.changes.rules.ts'
import { endsMembership, normalOfPeople, ownKey, shownValue } from './integrations.people.rules.ts'

const shapes = [
  tagsShape,
  peopleTables.people,
  peopleTables.affiliations,
  peopleTables.emails,
  peopleTables.phones,
  peopleTables.externalIds,
  peopleTables.contacts,
  peopleTables.private,
  peopleTables.personTags,
  ownValues,
]

/** People as a connection reads and writes them, by the rules by which imports do. */
export const ourPeople: Ours = {
  entity: 'person',
  async open(reach) {
    const { db, orgId, connection } = reach
    const fields = (await readFields(db, 'people')).filter(({ archivedAt, type }) => archivedAt === null && type !== 'person')
    const own = new Map(fields.map((field) => [field.key, field]))
    const rights = await rightsOverPeople(db, connection.chapterId)
    const named = reach.fields.flatMap((key) => own.get(ownKey(key) ?? '') ?? [])
    const known = new Map<string, { row: PersonRow; held: HeldValue[] }>()
    const normal = (field: string, text: string | null) => normalOfPeople(field, text, own)

    const valuesOf = (row: PersonRow, held: readonly HeldValue[]): OurRecord['values'] => {
      const values: Record<string, string | null> = {}
      for (const field of reach.fields) {
        const stored = storedOf(row, field, own, held)
        if (stored === undefined) continue
        const read = normal(field, stored)
        values[field] = 'error' in read ? stored : read.value
      }
      return values
    }

    return {
      sets: new Set(['tags', ...fields.filter(({ type }) => type === 'choices').map(({ key }) => `field:${key}`)]),
      normal,
      async read(ids) {
        const rows = await readPeople(db, orgId, connection.chapterId, ids)
        const held = named.length === 0 ? [] : await heldValues(db, 'people', orgId, ids)
        const byPerson = Map.groupBy(held, ({ recordId }) => recordId)
        return new Map(
          rows.map((row): [string, OurRecord] => {
            const mine = byPerson.get(row.id) ?? []
            known.set(row.id, { row, held: mine })
            return [row.id, { id: row.id, name: row.name, values: valuesOf(row, mine), isClosed: row.isClosed, isOutside: row.isOutside }]
          }),
        )
      },
      lock: (ids) => lockPeople(db, orgId, ids),
      async match(field, values) {
        return new Map(
          [...Map.groupBy(await matchPeople(db, orgId, field, values), ({ value }) => value)].map(([value, found]) => [
            value,
            found.map(({ id }) => id),
          ]),
        )
      },
      faultOf: (write) => faultOf(write, known.get(write.id ?? '')?.row, { ...rights, fields, chapterId: connection.chapterId }),
      write: (writes) => writePeople(reach, writes, known, own, rights.sensitive),
      untied: (after, limit) =>
        untiedPeople(db, { orgId, connectionId: connection.id, chapterId: connection.chapterId, matchBy: reach.matchBy, after, limit }),
      async remove(id) {
        if (!(await archivePerson(db, id))) throw new RowsHeldBack('people')
      },
    }
  },
}

/** What stands in a field; undefined where it is not the owner's to see. */
function storedOf(row: PersonRow, field: string, own: ReadonlyMap<string, Field>, held: readonly HeldValue[]): string | null | undefined {
  const column = Object.entries(personColumns).find(([key]) => key === field)?.[1]
  if (column) return row.columns[column] ?? null
  const address = Object.entries(contactColumns).find(([key]) => key === field)?.[1]
  const seen = (value: string | null | undefined) => (row.seesContact ? (value ?? null) : undefined)
  if (address) return seen(row.contact?.[address])
  switch (field) {
    case 'primaryEmail':
      return seen(primaryOf(row.emails)?.value)
    case 'primaryPhone':
      return seen(primaryOf(row.phones)?.value)
    case 'externalId':
      return row.seesKept ? (row.externalId?.value ?? null) : undefined
    case 'birthDate':
      return row.seesSensitive ? (row.private?.['birth_date'] ?? null) : undefined
    case 'tags':
      return !row.seesTags ? undefined : setOf(row.tags.map(({ name }) => name))
    case 'fullName':
      return row.name
  }
  const mine = own.get(ownKey(field) ?? '')
  if (!mine || !seesField(row, mine)) return undefined
  return shownValue(
    mine,
    held.filter(({ fieldId }) => fieldId === mine.id).map(({ value }) => value),
  )
}

/** As the policy of values has it: what the owner does not see of somebody is not empty, it is unknown. */
function seesField(row: PersonRow, { reach, audience, sensitive }: Field): boolean {
  if (reach === 'own') return false
  if (audience === 'everyone') return true
  return (sensitive ? row.seesSensitive : row.seesKept) && !(audience === 'officers' && row.isMine)
}

const primaryOf = <E extends { isPrimary: boolean }>(entries: readonly E[]) => entries.find(({ isPrimary }) => isPrimary)

type Rights = { isOffice: boolean; sensitive: boolean; enters: boolean; fields: readonly Field[]; chapterId: string | null }

/** Why a write cannot be, where the database would say it only for all of them, or not at all. */
function faultOf(
  { id, values }: Write,
  row: PersonRow | undefined,
  { isOffice, sensitive, enters, fields, chapterId }: Rights,
): RowError | null {
  const fault = (code: string, message: string): RowError => ({ code, message })
  const given = values['givenName'] === undefined ? row?.columns['given_name'] : values['givenName']
  const family = values['familyName'] === undefined ? row?.columns['family_name'] : values['familyName']
  if (!given && !family) return fault('no_name', 'This row has no name. A person needs a given or a family name.')
  if (!isOffice && (values['memberNo'] !== undefined || values['externalId'] !== undefined))
    return fault('not_allowed', 'The office assigns member numbers and external ids, and the owner of this connection is not part of it.')
  if (values['lifecycle'] === null) return fault('bad_value', 'lifecycle: A status cannot be empty.')
  if (id !== null && row) {
    if (endsMembership(row.columns['lifecycle'], values['lifecycle']) && !row.decides)
      return fault('not_allowed', 'The status of this person is decided in the home chapter.')
    if (values['birthDate'] !== undefined && !row.seesSensitive) return fault('not_allowed', 'The birth date is not the owner’s to change.')
    const emptied = fields.find((field) => field.required && values[`field:${field.key}`] === null)
    return emptied ? fault('missing', `${emptied.label} may not be empty.`) : null
  }
  if (!enters)
    return fault(
      'not_allowed',
      chapterId === null
        ? 'Only who enters people everywhere enters them without a chapter.'
        : 'The owner may not enter people in this chapter.',
    )
  if (values['birthDate'] && !sensitive) return fault('not_allowed', 'The birth date is not the owner’s to enter.')
  const missing = fields.find((field) => field.required && field.reach !== 'own' && !values[`field:${field.key}`])
  return missing ? fault('missing', `This row has no ${missing.label}.`) : null
}

type Known = ReadonlyMap<string, { row: PersonRow; held: HeldValue[] }>

async function writePeople(reach: OursReach, writes: readonly Write[], known: Known, own: ReadonlyMap<string, Field>, sensitive: boolean) {
  const { db, orgId } = reach
  const drafts = writes.map(({ values }, line) => draftOf(values, line))
  const tags = await tagsOf(db, orgId, drafts)
  const changes: RowChange[] = []
  const gone: { tags: Record<string, string>[]; values: Record<string, string>[]; ids: Record<string, string>[] } = {
    tags: [],
    values: [],
    ids: [],
  }
  const ids = writes.map(({ id, values }, line) => {
    const draft = drafts[line] ?? draftOf(values, line)
    const tagIds = draft.tags.map((name) => tags.idOf(name))
    const before = known.get(id ?? '')
    if (id !== null && before) {
      changes.push(...changedPerson(before.row, values, tagIds), ...changedValues(id, values, own, before.held))
      if (values['tags'] !== undefined)
        gone.tags.push(...before.row.tags.filter((tag) => !tagIds.includes(tag.id)).map((tag) => ({ person_id: id, tag_id: tag.id })))
      if (values['externalId'] === null && before.row.externalId) gone.ids.push({ id: before.row.externalId.id })
      gone.values.push(...goneValues(id, values, own, before.held))
      return id
    }
    const made = newPerson(draft, {
      accountId: reach.accountId,
      today: reach.today,
      defaultStartsOn: null,
      chapterId: reach.connection.chapterId,
      sensitive,
      tagIds,
      mapped: { kind: 'people', headers: [], targets: [], reading: { dateOrder: 'ymd', phoneCountry: null } },
    })
    changes.push(...made.changes, ...changedValues(made.id, values, own, []))
    return made.id
  })
  await removeAll(reach, gone)
  await writeChanges(db, orgId, shapes, [...tags.take(changes), ...changes])
  for (const [at, { id, values }] of writes.entries()) {
    const before = known.get(id ?? '')?.row
    if (!before || ids[at] === undefined) continue
    if (values['primaryEmail'] !== undefined) await setEntry(reach, 'email', before, values['primaryEmail'])
    if (values['primaryPhone'] !== undefined) await setEntry(reach, 'phone', before, values['primaryPhone'])
  }
  return ids
}

async function removeAll(
  { db, orgId }: OursReach,
  gone: { tags: Record<string, string>[]; values: Record<string, string>[]; ids: Record<string, string>[] },
) {
  const removed = async (shape: Parameters<typeof deleteRows>[2], keys: readonly Record<string, string>[]) => {
    if (keys.length > 0 && (await deleteRows(db, orgId, shape, keys)) < keys.length) throw new RowsHeldBack(shape.table)
  }
  await removed(peopleTables.personTags, gone.tags)
  await removed(peopleTables.externalIds, gone.ids)
  await removed(ownValues, gone.values)
}

/** The first address or number: changed in place, so that what hangs on it stays. */
async function setEntry({ db, orgId }: OursReach, channel: 'email' | 'phone', row: PersonRow, value: string | null): Promise<void> {
  const entries = channel === 'email' ? row.emails : row.phones
  const first = primaryOf(entries)
  const held = () => new RowsHeldBack(channel === 'email' ? 'person_emails' : 'person_phones')
  if (value === null) {
    if (first && !(await removeEntry(db, channel, { personId: row.id, entryId: first.id }))) throw held()
    return
  }
  const same = entries.find((one) => one.value.toLowerCase() === value.toLowerCase())
  const entry = same ?? first
  if (!entry) {
    await addEntry(db, channel, orgId, row.id, { value, label: '', visibleTo: 'officers', isPrimary: true })
    return
  }
  if (!(await updateEntry(db, channel, { personId: row.id, entryId: entry.id }, { value, isPrimary: true }))) throw held()
}
