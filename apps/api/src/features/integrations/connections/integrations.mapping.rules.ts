import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { ConnectorKey, FieldMapping } from '@guildhall/contract/features/integrations'
import type { Field } from '@guildhall/contract/features/fields'
import type { AnyReason, FieldFault } from '@guildhall/contract/reasons'
import { problem } from '../../../platform/procedures/problem.ts'

export const fieldPrefix = 'field:'

/** What the caller may read and write of people anywhere at all; of whom, the database decides when a run asks. */
export type Reaches = { contact: boolean; sensitive: boolean; write: boolean }

/** Our fields that only go out, since they are made of others. */
const outOnly = new Set(['fullName'])
const contact = new Set(['primaryEmail', 'primaryPhone', 'street', 'postalCode', 'city', 'country', 'externalId', 'tags', 'subscribed'])
const sensitive = new Set(['birthDate'])

/** Fields of the organisation that can be mapped: those of people whose values the caller reads, save those that name another person. */
export const mappable = (fields: readonly Field[]): Field[] =>
  fields.filter(({ archivedAt, type, reach }) => !archivedAt && type !== 'person' && reach !== 'own')

type Mapping = readonly FieldMapping[]
type Known = { fields: readonly Field[]; reaches: Reaches }

function hiddenFrom({ contact: seesContact, sensitive: seesSensitive }: Reaches, field: string): boolean {
  return (contact.has(field) && !seesContact) || (sensitive.has(field) && !seesSensitive)
}

function faultOf(key: ConnectorKey, { ours, direction }: FieldMapping, { fields, reaches }: Known): [string, AnyReason] | null {
  const { directions, fields: own, takesFields, record } = connectors[key]
  const isOwn = own.includes(ours)
  const isAdded = takesFields && ours.startsWith(fieldPrefix) && fields.some(({ key: one }) => `${fieldPrefix}${one}` === ours)
  if (!isOwn && !isAdded) return ['ours', 'mapping_field_unknown']
  if (record === 'person' && hiddenFrom(reaches, ours)) return ['ours', 'mapping_field_hidden']
  if (record === 'person' && direction !== 'out' && !reaches.write) return ['ours', 'mapping_field_hidden']
  const fits = directions?.includes('both') || directions?.includes(direction)
  return !fits || (outOnly.has(ours) && direction !== 'out') ? ['direction', 'mapping_direction'] : null
}

const said: Partial<Record<AnyReason, string>> = {
  mapping_field_unknown: 'There is no such field.',
  mapping_field_hidden: 'You may not read or write this field yourself.',
  mapping_direction: 'This field does not go in this direction.',
  mapping_field_twice: 'This field is already filled from another one.',
  mapping_match: 'Records cannot be matched by this field.',
}

/** Into one field only one other may go, or it would never be known which of the two it holds. */
function faultsOf(key: ConnectorKey, mapping: Mapping, known: Known): FieldFault[] {
  const filled = { ours: new Set<string>(), theirs: new Set<string>() }
  const isSecond = (side: 'ours' | 'theirs', name: string) => {
    const has = filled[side].has(name)
    filled[side].add(name)
    return has
  }
  return mapping.flatMap((one, at) => {
    const faults: [string, AnyReason][] = []
    const fault = faultOf(key, one, known)
    if (fault) faults.push(fault)
    if (one.direction !== 'out' && isSecond('ours', one.ours)) faults.push(['ours', 'mapping_field_twice'])
    if (one.direction !== 'in' && isSecond('theirs', one.theirs)) faults.push(['theirs', 'mapping_field_twice'])
    return faults.map(([name, code]) => ({ path: `mapping.${at}.${name}`, code, message: said[code] ?? 'Check this field.' }))
  })
}

/** Refuses a mapping with every fault at once. */
export function mustFit(key: ConnectorKey, mapping: Mapping, matchBy: string | null | undefined, known: Known): void {
  const errors = faultsOf(key, mapping, known)
  if (matchBy && !connectors[key].matchBy.includes(matchBy))
    errors.push({ path: 'matchBy', code: 'mapping_match', message: 'Records cannot be matched by this field.' })
  const [first] = errors
  if (first) throw problem('UNPROCESSABLE_CONTENT', { reason: first.code, detail: `${first.path}: ${first.message}`, errors })
}
