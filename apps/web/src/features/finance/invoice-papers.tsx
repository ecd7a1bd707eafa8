import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconMail } from '@tabler/icons-react'
import type { InvoiceDetail, Receipt } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { PaperButton } from '../../platform/records/paper-button.tsx'
import { useMe } from '../../platform/session/session.ts'
import { PlainDate } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import rows from '../../ui/display/row-cards.module.css'
import table from '../../ui/display/small-table.module.css'
import { Section } from '../../ui/page/page.tsx'
import classes from './finance.module.css'

/** The document of an issued invoice, the mail that brings it, and the receipts of what was paid. */
export function InvoicePapers({ invoice }: { invoice: InvoiceDetail }) {
  const { data, actions } = useApi()
  const { data: me } = useMe()
  const { id, number, kind, state } = invoice
  if (number === null) return null
  const mayMail =
    kind === 'invoice' && state !== 'void' && (me?.permissions.some(({ permission }) => permission === 'finance.manage') ?? false)
  const mail = async () => {
    try {
      await data.finance.mailInvoice.call({ invoiceId: id })
      toast.success(t`Invoice ${number} is on its way`)
    } catch (failure) {
      toast.error(t`The invoice could not be mailed`, failure)
    }
  }
  return (
    <>
      <div className={classes['head']}>
        <PaperButton name={`${number}.pdf`} load={() => actions.finance.papers.invoice.call({ invoiceId: id })} />
        {mayMail && (
          <Button variant="default" leftSection={<IconMail size={16} stroke={1.5} aria-hidden />} onClick={() => void mail()}>
            <Trans>Send by e-mail</Trans>
          </Button>
        )}
      </div>
      {kind === 'invoice' && <Receipts question={{ invoiceId: id }} />}
    </>
  )
}

/** Receipts of a person or for an invoice, each with its document; nothing where there are none. */
export function Receipts({ question }: { question: { personId: string } | { invoiceId: string } }) {
  const { data, actions } = useApi()
  const receipts = useQuery(data.finance.receipts.list.queryOptions({ input: { ...question, limit: 50 } }))
  const money = useMoney()
  const items = receipts.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section title={t`Receipts`}>
      <div className={table['scroll']}>
        <table className={`${table['table']} ${rows['cards']}`} aria-label={t`Receipts`}>
          <thead>
            <tr>
              <th scope="col">{t`Number`}</th>
              <th scope="col">{t`Received`}</th>
              <th scope="col" className={table['figure']}>{t`Amount`}</th>
              <th scope="col">{t`Document`}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((receipt) => (
              <tr key={receipt.id}>
                <td className={classes['number']}>
                  {receipt.number} <ReceiptState receipt={receipt} />
                </td>
                <td className={rows['minor']} data-label={t`Received`}>
                  <PlainDate date={receipt.receivedOn} />
                </td>
                <td className={`${table['figure']} ${rows['aside']}`}>{money(receipt.amount.amount, receipt.amount.currency)}</td>
                <td className={rows['end']}>
                  <PaperButton
                    compact
                    label={t`PDF of receipt ${receipt.number}`}
                    name={`${receipt.number}.pdf`}
                    load={() => actions.finance.papers.receipt.call({ receiptId: receipt.id })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function ReceiptState({ receipt: { state } }: { receipt: Receipt }) {
  if (state === 'issued') return null
  return <StatusBadge tone="neutral">{state === 'void' ? t`Void` : t`Replaced`}</StatusBadge>
}
