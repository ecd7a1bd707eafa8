import { t } from '@lingui/core/macro'
import type { DuesOfRow } from '@guildhall/contract/features/finance'
import { useMoney } from '../../../ui/display/money.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'

// What lists of people show of dues, for those who may read finance.

type Row = { dues?: DuesOfRow | null | undefined }

export const duesColumn = <Person extends Row>(): TableColumn<Person> => ({
  id: 'dues',
  label: t`Dues`,
  width: 164,
  priority: 3,
  cell: ({ dues }) => dues && <Dues {...dues} />,
})

function Dues({ state, open }: DuesOfRow) {
  const money = useMoney()
  if (state === 'paid') return <StatusBadge tone="good">{t`Paid`}</StatusBadge>
  const owed = open.map(({ amount, currency }) => money(amount, currency)).join(' + ')
  return (
    <>
      {owed} {state === 'overdue' && <StatusBadge tone="bad">{t`Overdue`}</StatusBadge>}
    </>
  )
}

export const duesField = (): Omit<FilterField, 'id'> => ({
  label: t`Dues`,
  kind: 'choice',
  ops: ['in', 'notIn'],
  options: [
    { value: 'open', label: t`Open` },
    { value: 'overdue', label: t`Overdue` },
    { value: 'paid', label: t`Paid` },
  ],
})
