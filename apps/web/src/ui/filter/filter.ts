/** All groups must hold; within a group any condition suffices. The same shape travels in the address and to the server. */
export type Filter = { and: { or: FilterCondition[] }[] }
export type FilterOp = 'is' | 'isNot' | 'in' | 'notIn' | 'contains' | 'startsWith' | 'before' | 'after' | 'between' | 'empty' | 'notEmpty'
export type FilterValue = string | number | boolean | (string | number)[]
export type FilterCondition = { field: string; op: FilterOp; value?: FilterValue | undefined }

export type Option = { value: string; label: string; hint?: string | undefined }

export type FilterField = {
  id: string
  label: string
  kind: 'text' | 'number' | 'date' | 'yesNo' | 'choice' | 'record'
  /** Less than what the kind offers. */
  ops?: readonly FilterOp[]
  /** For choice. */
  options?: readonly Option[]
  /** For record: type-ahead, and the names of the ids an address carries. */
  search?: (query: string, signal: AbortSignal) => Promise<Option[]>
  names?: (ids: string[], signal: AbortSignal) => Promise<Option[]>
}

export const emptyFilter: Filter = { and: [] }

const opsOf: Record<FilterField['kind'], readonly FilterOp[]> = {
  text: ['contains', 'is', 'isNot', 'startsWith', 'empty', 'notEmpty'],
  number: ['is', 'isNot', 'before', 'after', 'between', 'empty', 'notEmpty'],
  date: ['is', 'before', 'after', 'between', 'empty', 'notEmpty'],
  yesNo: ['is'],
  choice: ['in', 'notIn', 'empty', 'notEmpty'],
  record: ['in', 'notIn', 'empty', 'notEmpty'],
}
export const operatorsOf = (field: FilterField) => field.ops ?? opsOf[field.kind]

export const takesNothing = (op: FilterOp) => op === 'empty' || op === 'notEmpty'
export const takesList = (op: FilterOp) => op === 'in' || op === 'notIn'

export function blankCondition(field: FilterField): FilterCondition {
  const op = operatorsOf(field)[0] ?? 'is'
  return { field: field.id, op, value: blankValue(field, op) }
}

export function blankValue(field: FilterField, op: FilterOp): FilterValue | undefined {
  if (takesNothing(op)) return undefined
  if (takesList(op)) return []
  if (op === 'between') return ['', '']
  return field.kind === 'yesNo' ? true : ''
}

/** A condition without a value asks nothing yet and must not be sent. */
export function isComplete({ op, value }: FilterCondition): boolean {
  if (takesNothing(op)) return true
  if (Array.isArray(value)) return value.length > 0 && value.every((part) => part !== '')
  return value !== undefined && value !== ''
}

const operators: readonly string[] = [
  'is',
  'isNot',
  'in',
  'notIn',
  'contains',
  'startsWith',
  'before',
  'after',
  'between',
  'empty',
  'notEmpty',
] satisfies FilterOp[]

/** A filter out of an address, or nothing when it is none. */
export function filterFrom(value: unknown): Filter | undefined {
  if (!isObject(value) || !Array.isArray(value['and'])) return undefined
  const groups: unknown[] = value['and']
  return groups.every(isGroup) ? { and: groups } : undefined
}

function isGroup(value: unknown): value is { or: FilterCondition[] } {
  if (!isObject(value) || !Array.isArray(value['or'])) return false
  const conditions: unknown[] = value['or']
  return conditions.length > 0 && conditions.every(isCondition)
}

const isCondition = (value: unknown): value is FilterCondition =>
  isObject(value) &&
  typeof value['field'] === 'string' &&
  typeof value['op'] === 'string' &&
  operators.includes(value['op']) &&
  isValue(value['value'])

const isValue = (value: unknown): value is FilterCondition['value'] =>
  value === undefined || typeof value === 'boolean' || isScalar(value) || (Array.isArray(value) && value.every(isScalar))

const isScalar = (value: unknown) => typeof value === 'string' || typeof value === 'number'
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
