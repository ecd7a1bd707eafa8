import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { Section } from '../../ui/page/page.tsx'
import { PayDialog } from './pay-dialog.tsx'
import type { PayableInvoice } from './pay-dialog.tsx'
import { useOpenInvoices } from './payments-api.ts'
import classes from './payments.module.css'

/** What the reader owes, the oldest first. Nothing to pay is nothing to show. */
export function OwnOpenInvoices({ personId }: { personId: string }) {
  const invoices = useOpenInvoices(personId)
  const money = useMoney()
  const [paying, setPaying] = useState<PayableInvoice | null>(null)
  if (invoices.isPending) return null
  if (invoices.isError)
    return <ProblemState problem={invoices.error} title={t`Your open invoices could not be loaded`} retry={() => void invoices.refetch()} />
  const open = invoices.data.filter(({ kind, balance }) => kind === 'invoice' && balance.amount > 0)
  return (
    <>
      {open.length > 0 && (
        <Section title={t`To pay`} count={open.length}>
          <ul className={classes['rows']}>
            {open.map((invoice) => {
              const amount = money(invoice.balance.amount, invoice.balance.currency)
              const number = invoice.number ?? ''
              return (
                <li key={invoice.id} className={classes['row']}>
                  <div className={classes['what']}>
                    <span className={classes['name']}>{invoice.reason || t`Invoice ${number}`}</span>
                    <span className={classes['dim']}>
                      {invoice.reason && <>{t`Invoice ${number}`} · </>}
                      {invoice.dueOn && (
                        <Trans>
                          Due <PlainDate date={invoice.dueOn} />
                        </Trans>
                      )}
                      {invoice.paid.amount > 0 && (
                        <>
                          {' '}
                          ·{' '}
                          {t`${money(invoice.paid.amount, invoice.paid.currency)} of ${money(invoice.total.amount, invoice.total.currency)} paid`}
                        </>
                      )}
                    </span>
                  </div>
                  {invoice.overdue && <StatusBadge tone="bad">{t`Overdue`}</StatusBadge>}
                  <span className={classes['sum']}>{amount}</span>
                  <Button aria-label={t`Pay invoice ${number}`} onClick={() => setPaying(invoice)}>
                    <Trans>Pay</Trans>
                  </Button>
                </li>
              )
            })}
          </ul>
        </Section>
      )}
      <PayDialog invoice={paying} onClose={() => setPaying(null)} />
    </>
  )
}
