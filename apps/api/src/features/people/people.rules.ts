import { PeopleColumn, PeopleSort } from '@guildhall/contract/features/people'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { readSort } from '../../platform/lists/sort.ts'

export type PeopleOrder = { by: PeopleSort; descending: boolean }

export const readOrder = (sort: string | undefined): PeopleOrder => readSort(sort, PeopleSort.options, 'name')

/** Reads `columns`: names from the allow-list, separated by commas. */
export function readColumns(columns: string | undefined): PeopleColumn[] {
  const names = new Set(
    (columns ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
  return [...names].map((name) => {
    const column = PeopleColumn.safeParse(name)
    if (column.success) return column.data
    throw problem(
      'BAD_REQUEST',
      fault('columns', 'unknown_field', `There is no further column “${name}”; use any of ${PeopleColumn.options.join(', ')}.`, {
        reason: 'columns',
      }),
    )
  })
}

/** E.164 where the number says its country, else as it was written: a local number without a country is still a number. */
export function normalPhone(written: string): string {
  const international = written.replace(/^00(?=[1-9])/, '+')
  const parsed = international.startsWith('+') ? parsePhoneNumberFromString(international) : undefined
  return parsed?.isValid() ? parsed.number : written.replace(/\s+/g, ' ')
}
