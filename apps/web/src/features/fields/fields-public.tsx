import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { fieldPrefix } from '@guildhall/contract/features/fields'
import type { FieldChange, FieldValues, RecordType } from '@guildhall/contract/features/fields'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import type { FilterField } from '../../ui/filter/filter.ts'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { FieldInput } from './field-input.tsx'
import { FieldValueText } from './field-value.tsx'
import { useFields, useListFields } from './fields-api.ts'
import type { Field } from './fields-api.ts'

export { BulkField } from './bulk-field.tsx'
export { FieldSections } from './field-facts.tsx'
export { useFields, useListFields } from './fields-api.ts'

const name = ({ key }: Field) => `${fieldPrefix}${key}`
const sortable = ({ type }: Field) => type !== 'choices' && type !== 'person'

/** Columns of a list whose rows carry the values of the fields that were asked for. */
function useFieldColumns<Row extends { fields?: FieldValues | undefined }>(recordType: RecordType): readonly TableColumn<Row>[] {
  const fields = useListFields(recordType)
  return useMemo(
    () =>
      fields.map((field): TableColumn<Row> => ({
        id: name(field),
        label: field.label,
        width: 150,
        priority: 3,
        sortable: sortable(field),
        ...(field.type === 'number' && { align: 'end' as const }),
        cell: (row) => <FieldValueText field={field} value={row.fields?.[field.key]} />,
      })),
    [fields],
  )
}

/** What a list can be filtered by besides its own fields. */
function useFieldFilters(recordType: RecordType): readonly FilterField[] {
  const fields = useListFields(recordType)
  const { people } = useRecordSources()
  return useMemo(() => {
    const of = (field: Field): Omit<FilterField, 'id' | 'label'> => {
      switch (field.type) {
        case 'number':
        case 'date':
          return { kind: field.type }
        case 'flag':
          return { kind: 'yesNo', ops: ['is', 'empty', 'notEmpty'] }
        case 'choice':
        case 'choices':
          return { kind: 'choice', options: field.choices.map(({ id, label }) => ({ value: id, label })) }
        case 'person':
          return { kind: 'record', ...people }
        case 'text':
        case 'url':
          return { kind: 'text' }
      }
    }
    return fields.map((field): FilterField => ({ id: name(field), label: field.label, ...of(field) }))
  }, [fields, people])
}

/** What a list can be sorted by besides its own fields, by the names that the server knows. */
export function useFieldSorts(recordType: RecordType): Readonly<Record<string, string>> {
  const fields = useListFields(recordType)
  return useMemo(() => Object.fromEntries(fields.filter(sortable).map((field) => [name(field), field.label])), [fields])
}

/** Columns and filters of a list, with those of the organisation behind its own. */
export function useListWithFields<Row extends { fields?: FieldValues | undefined }>(
  recordType: RecordType,
  own: { columns: readonly TableColumn<Row>[]; fields: readonly FilterField[] },
) {
  const [columns, fields] = [useFieldColumns<Row>(recordType), useFieldFilters(recordType)]
  return {
    columns: useMemo(() => [...own.columns, ...columns], [own.columns, columns]),
    fields: useMemo(() => [...own.fields, ...fields], [own.fields, fields]),
  }
}

/** What a list asks the server for, so that its rows carry the values that its columns show. */
export function fieldColumns(shown: readonly string[]): { columns?: string } {
  const asked = shown.filter((column) => column.startsWith(fieldPrefix))
  return asked.length > 0 ? { columns: asked.join(',') } : {}
}

type InputsProps = { recordType: RecordType; values: FieldChange; onChange: (values: FieldChange) => void; requiredOnly?: boolean }

/** Fields of the form of a new record. */
export function FieldInputs({ recordType, values, onChange, requiredOnly = false }: InputsProps) {
  return useFields(recordType)
    .filter(({ reach, required }) => reach !== 'own' && (!requiredOnly || required))
    .map((field) => (
      <FieldInput
        key={field.id}
        field={field}
        value={values[field.key]}
        onChange={(given) => onChange({ ...values, [field.key]: given })}
      />
    ))
}

/** What the form still misses, as a sentence; nothing when all is there. */
export function useMissingField(recordType: RecordType): (values: FieldChange) => string | undefined {
  const fields = useFields(recordType)
  return (values) => {
    const missing = fields.find(({ key, required, reach }) => required && reach !== 'own' && (values[key] ?? null) === null)
    return missing && t`Enter a value for “${missing.label}”.`
  }
}

/** Before anything is entered. */
export const noFields: FieldChange = {}
