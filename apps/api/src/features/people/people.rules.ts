import type { Field } from '@guildhall/contract/features/fields'
import { PeopleColumn, PeopleSort } from '@guildhall/contract/features/people'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { columnKey, fieldNamed, sortable } from '../fields/fields.public.ts'

/** `field`: of the organisation, instead of `by`. */
export type PeopleOrder = { by: PeopleSort; field?: Field; descending: boolean }

export function readOrder(sort: string | undefined, fields: readonly Field[] = []): PeopleOrder {
  const descending = sort?.startsWith('-') ?? false
  const field = fieldNamed(fields.filter(sortable), sort?.slice(descending ? 1 : 0) ?? '')
  return field ? { by: 'name', field, descending } : readSort(sort, PeopleSort.options, 'name')
}

/** `fields`: keys of fields of the organisation. */
export type PeopleColumns = { further: PeopleColumn[]; fields: string[] }

/** Reads `columns`: names from the allow-list and fields of the organisation, separated by commas. */
export function readColumns(columns: string | undefined): PeopleColumns {
  const names = new Set(
    (columns ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
  const read: PeopleColumns = { further: [], fields: [] }
  for (const name of names) {
    const column = PeopleColumn.safeParse(name)
    const field = columnKey(name)
    if (column.success) read.further.push(column.data)
    else if (field !== undefined) read.fields.push(field)
    else throw unknownColumn(name)
  }
  return read
}

const unknownColumn = (name: string) =>
  problem(
    'BAD_REQUEST',
    fault('columns', 'columns', `There is no further column “${name}”; use any of ${PeopleColumn.options.join(', ')}.`),
  )

/** E.164 where the number says its country, else as it was written: a local number without a country is still a number. */
export function normalPhone(written: string): string {
  const international = written.replace(/^00(?=[1-9])/, '+')
  const parsed = international.startsWith('+') ? parsePhoneNumberFromString(international) : undefined
  return parsed?.isValid() ? parsed.number : written.replace(/\s+/g, ' ')
}
