import { t } from '@lingui/core/macro'
import type { GivingOfRow } from '@guildhall/contract/features/fundraising.donors'
import { useMemo } from 'react'
import { useMe } from '../../../platform/session/session.ts'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'

// What lists of people show of giving, for those who may read gifts.

type Row = { giving?: GivingOfRow | null | undefined }

/** All of them come with the column `giving` of the server. */
export const givingColumns = <Person extends Row>(): TableColumn<Person>[] => [
  {
    id: 'givenLifetime',
    label: t`Lifetime giving`,
    width: 140,
    priority: 3,
    align: 'end',
    cell: ({ giving }) => giving && <Sum {...giving.lifetime} />,
  },
  {
    id: 'givenThisYear',
    label: t`Given this year`,
    width: 140,
    priority: 3,
    align: 'end',
    cell: ({ giving }) => giving && giving.thisYear.amount > 0 && <Sum {...giving.thisYear} />,
  },
  { id: 'lastGiftOn', label: t`Last gift`, width: 118, priority: 3, cell: ({ giving }) => giving && <PlainDate date={giving.lastOn} /> },
]

const Sum = ({ amount, currency }: GivingOfRow['lifetime']) => useMoney()(amount, currency)

const ops = ['is', 'isNot', 'before', 'after', 'between'] as const
type Fields = Record<'givenLifetime' | 'givenThisYear' | 'lastGiftOn', Omit<FilterField, 'id'>>

/** The reference changes with the currency of the organisation only. */
export function useGivingFields(): Fields {
  const currency = useMe().data?.organisation.currency ?? ''
  return useMemo(
    () => ({
      givenLifetime: { label: t`Lifetime giving (${currency})`, kind: 'number', ops },
      givenThisYear: { label: t`Given this year (${currency})`, kind: 'number', ops },
      lastGiftOn: { label: t`Last gift`, kind: 'date' },
    }),
    [currency],
  )
}
