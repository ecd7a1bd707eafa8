import { NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { Invoice } from '@guildhall/contract/features/finance'
import { useMoney } from '../../ui/display/money.tsx'

type Props = { invoices: readonly Invoice[]; value: string; onChange: (invoiceId: string) => void; error?: ReactNode; none?: string }

/** One of the open invoices, by number and what is open of it. */
export function InvoiceChoice({ invoices, value, onChange, error, none }: Props) {
  const money = useMoney()
  return (
    <NativeSelect
      label={t`Invoice`}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      data={[
        { value: '', label: none ?? (invoices.length === 0 ? t`No open invoices` : t`Choose an invoice`) },
        ...invoices.map(({ id, number, reason, balance }) => ({
          value: id,
          label: [number, reason, t`${money(balance.amount, balance.currency)} open`].filter(Boolean).join(' · '),
        })),
      ]}
    />
  )
}
