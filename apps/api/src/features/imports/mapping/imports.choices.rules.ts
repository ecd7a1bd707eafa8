import type { ImportKind, UnrecognizedColumn, ValueChoices } from '@guildhall/contract/features/imports'
import type { FieldFault } from '@guildhall/contract/reasons'
import { fieldRules } from './imports.fields.rules.ts'
import type { ColumnValues, StoredImport } from '../imports.queries.ts'
import { cellFault, cleanCell, foldChoice, readValue, saysNothing } from './imports.values.rules.ts'
import type { FieldRule, Value } from './imports.values.rules.ts'

type ClosedList = Extract<FieldRule, { is: 'choice' | 'flag' }>
const noReading = { dateOrder: null, phoneCountry: null }
/** More different values are no list that anyone goes through. */
const mostValues = 200
const sampledColumnValues = 60
const longest = 100

/** The rule of a field with a closed list; null for any other. */
export function closedList(kind: ImportKind, field: string): ClosedList | null {
  const rule = fieldRules[kind][field]
  return rule?.is === 'choice' || rule?.is === 'flag' ? rule : null
}

const targetsOf = (rule: ClosedList) => (rule.is === 'flag' ? ['yes', 'no'] : [...new Set(Object.values(rule.options))])

/** What someone chose for a value; undefined when nobody did. An empty text leaves the field empty. */
export function chosenValue(choices: ValueChoices, field: string, value: string, rule: FieldRule): Value | undefined {
  if (rule.is !== 'choice' && rule.is !== 'flag') return undefined
  const chosen = Object.hasOwn(choices, field) ? choices[field] : undefined
  const key = foldChoice(value)
  const target = chosen && Object.hasOwn(chosen, key) ? chosen[key] : undefined
  return rule.is === 'flag' && target ? target === 'yes' : target
}

export type ValueCounter = { index: number; values: Map<string, ColumnValues['values'][number]> }
export const valueCounter = (index: number): ValueCounter => ({ index, values: new Map() })

export function countValue({ values }: ValueCounter, cell: string): void {
  const value = cleanCell(cell)
  // What cannot be stored is refused row by row, whatever it was meant to be.
  if (value === '' || value.length > longest || cellFault(value)) return
  const key = foldChoice(value)
  const known = values.get(key)
  if (known) known.rows += 1
  else if (values.size < mostValues) values.set(key, { value, key, rows: 1 })
}

/** The values of the columns that have few different ones, whichever of them will be mapped to a closed list. */
export function sampledValues(rows: readonly (readonly string[])[], columns: number): ColumnValues[] {
  return Array.from({ length: columns }, (_, index) => {
    const counter = valueCounter(index)
    for (const row of rows) if (counter.values.size <= sampledColumnValues) countValue(counter, row[index] ?? '')
    return { index, whole: false, values: [...counter.values.values()] }
  })
    .filter(({ values }) => values.length > 0 && values.length <= sampledColumnValues)
    .slice(0, 50)
}

/** Values that no closed list knows, with what was chosen for them and what they look like. */
export function unrecognizedValues({
  kind,
  mapping,
  preview,
  options,
}: Pick<StoredImport, 'kind' | 'mapping' | 'preview' | 'options'>): UnrecognizedColumn[] {
  return mapping.flatMap((field, index) => {
    const rule = closedList(kind, field)
    const column = preview.values?.find((one) => one.index === index)
    if (!rule || !column) return []
    const values = column.values.flatMap(({ value, key, rows }) => {
      if (saysNothing(value, rule) || !('fault' in readValue(value, rule, noReading))) return []
      return [{ value, key, rows, target: options.values[field]?.[key] ?? null, suggestion: suggestionFor(key, rule) }]
    })
    const header = preview.columns[index]?.header ?? ''
    return values.length > 0
      ? [{ field, header, targets: targetsOf(rule), whole: column.whole, values: values.sort((a, b) => b.rows - a.rows) }]
      : []
  })
}

/** A word of the list that is part of the value, holds it, or begins like it. */
function suggestionFor(key: string, rule: ClosedList): string | null {
  if (rule.is === 'flag' || key.length < 4) return null
  const words = Object.entries(rule.options).filter(([word]) => word.length >= 4)
  const found =
    words.find(([word]) => key.includes(word)) ??
    words.find(([word]) => word.includes(key)) ??
    words.find(([word]) => word.startsWith(key.slice(0, 4)))
  return found?.[1] ?? null
}

/** Choices for fields that have no closed list, or for things that are not on it. */
export function choiceFaults(kind: ImportKind, choices: ValueChoices): FieldFault[] {
  return Object.entries(choices).flatMap(([field, values]) => {
    const rule = closedList(kind, field)
    if (!rule)
      return [
        {
          path: `options.values.${field}`,
          code: 'mapping' as const,
          message: `The field "${field}" has no closed list in this kind of file.`,
        },
      ]
    const targets = targetsOf(rule)
    return Object.entries(values).flatMap(([value, target]) =>
      target === '' || targets.includes(target)
        ? []
        : [{ path: `options.values.${field}.${value}`, code: 'mapping' as const, message: `Choose one of: ${targets.join(', ')}.` }],
    )
  })
}
