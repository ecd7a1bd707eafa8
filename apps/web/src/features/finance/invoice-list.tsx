import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconReceipt } from '@tabler/icons-react'
import type { Invoice } from '@guildhall/contract/features/finance'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import rows from '../../ui/display/row-cards.module.css'
import table from '../../ui/display/small-table.module.css'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useInvoices } from './finance-api.ts'
import type { InvoiceQuestion } from './finance-api.ts'
import { InvoiceStateBadge } from './finance-words.tsx'
import classes from './finance.module.css'

type Props = {
  question: InvoiceQuestion
  /** Absent where all invoices are of one person. */
  withOwing?: boolean
  onOpen: (invoiceId: string) => void
}

export function InvoiceList({ question, withOwing = false, onOpen }: Props) {
  const invoices = useInvoices(question)
  const money = useMoney()
  if (invoices.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (invoices.isError)
    return <ProblemState problem={invoices.error} title={t`The invoices could not be loaded`} retry={() => void invoices.refetch()} />
  const { items } = invoices.data
  if (items.length === 0) {
    return (
      <EmptyState icon={<IconReceipt size={32} stroke={1.5} />} title={t`No invoices`}>
        <Trans>Invoices and credit notes are listed here.</Trans>
      </EmptyState>
    )
  }
  const owing = ({ billedTo }: Invoice) => billedTo ?? t`Someone`
  return (
    <>
      <div className={table['scroll']}>
        <table className={`${table['table']} ${rows['cards']}`}>
          <thead>
            <tr>
              <th scope="col">{t`Number`}</th>
              {withOwing && <th scope="col">{t`Billed to`}</th>}
              <th scope="col">{t`For`}</th>
              <th scope="col">{t`Status`}</th>
              <th scope="col">{t`Due`}</th>
              <th scope="col" className={table['figure']}>{t`Total`}</th>
              <th scope="col" className={table['figure']}>{t`Balance`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((invoice) => (
              <tr key={invoice.id}>
                <th scope="row">
                  <button type="button" className={classes['plain']} onClick={() => onOpen(invoice.id)}>
                    {invoice.number ?? t`Draft`}
                  </button>
                </th>
                {withOwing && <td className={rows['across']}>{owing(invoice)}</td>}
                <td>{invoice.reason}</td>
                <td className={rows['end']}>
                  <InvoiceStateBadge invoice={invoice} />
                </td>
                <td className={rows['minor']} data-label={invoice.dueOn ? t`Due` : undefined}>
                  {invoice.dueOn && <PlainDate date={invoice.dueOn} />}
                </td>
                <td className={`${table['figure']} ${rows['aside']}`}>{money(invoice.total.amount, invoice.total.currency)}</td>
                <td className={`${table['figure']} ${rows['minor']}`} data-label={t`Balance`}>
                  {money(invoice.balance.amount, invoice.balance.currency)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ShowMore query={invoices} />
    </>
  )
}
