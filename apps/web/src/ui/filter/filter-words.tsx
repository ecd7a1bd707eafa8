import { t } from '@lingui/core/macro'
import type { FilterCondition, FilterField, FilterOp } from './filter.ts'

/** How an operator reads between a field and its value. */
export function operatorText(op: FilterOp, kind: FilterField['kind']): string {
  switch (op) {
    case 'is':
      return t`is`
    case 'isNot':
      return t`is not`
    case 'in':
      return t`is any of`
    case 'notIn':
      return t`is none of`
    case 'contains':
      return t`contains`
    case 'startsWith':
      return t`starts with`
    case 'before':
      return kind === 'number' ? t`is less than` : t`is before`
    case 'after':
      return kind === 'number' ? t`is more than` : t`is after`
    case 'between':
      return t`is between`
    case 'empty':
      return t`is empty`
    case 'notEmpty':
      return t`is not empty`
  }
}

/** "Status is any of Active, Lapsed", for the chip and for those who hear it. */
export function conditionText(condition: FilterCondition, field: FilterField | undefined, nameOf: (value: string) => string): string {
  if (!field) return t`${condition.field} (no longer exists)`
  const verb = operatorText(condition.op, field.kind)
  return [field.label, verb, valueText(condition, field, nameOf)].filter(Boolean).join(' ')
}

function valueText({ op, value }: FilterCondition, field: FilterField, nameOf: (value: string) => string): string {
  if (value === undefined) return ''
  if (typeof value === 'boolean') return value ? t`yes` : t`no`
  if (!Array.isArray(value)) return nameOf(String(value))
  if (op === 'between') {
    const [from = '', to = ''] = value
    return t`${String(from)} and ${String(to)}`
  }
  const names = value.map((part) => nameOf(String(part)))
  return field.kind === 'record' && names.length > 3 ? t`${names.length} selected` : names.join(', ')
}
