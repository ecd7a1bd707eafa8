import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useBooksChanged } from './finance-api.ts'
import { InvoiceStateBadge } from './finance-words.tsx'
import classes from './finance.module.css'
import { ReasonDialog } from './reason-dialog.tsx'

/** An invoice beside its list: what is charged, what was paid, and what can be done about it. */
export function InvoicePanel({ invoiceId, onClose }: { invoiceId: string; onClose: () => void }) {
  const invoice = useQuery(useApi().data.finance.invoices.get.queryOptions({ input: { invoiceId } }))
  const title = invoice.data ? titleOf(invoice.data) : t`Invoice`
  return (
    <SidePanel title={title} onClose={onClose} recordKey={invoiceId}>
      {invoice.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {invoice.isError && (
        <ProblemState problem={invoice.error} title={t`The invoice could not be loaded`} retry={() => void invoice.refetch()} />
      )}
      {invoice.data && <InvoiceBody invoice={invoice.data} />}
    </SidePanel>
  )
}

const titleOf = ({ kind, number }: InvoiceDetail) =>
  kind === 'credit_note' ? t`Credit note ${number ?? ''}` : number === null ? t`Draft invoice` : t`Invoice ${number}`

function InvoiceBody({ invoice }: { invoice: InvoiceDetail }) {
  const { invoices } = useApi().data.finance
  const changed = useBooksChanged()
  const money = useMoney()
  const [asked, setAsked] = useState<'void' | 'credit' | null>(null)
  const { total, balance, billing, may } = invoice
  const inCurrency = (amount: number) => money(amount, total.currency)
  const issue = async () => {
    try {
      const issued = await invoices.issue.call({ invoiceId: invoice.id }, { context: { ifMatch: invoice.version } })
      toast.success(t`Invoice ${issued.number ?? ''} issued`)
    } catch (failure) {
      toast.error(t`The invoice could not be issued`, failure)
    }
    await changed()
  }
  return (
    <div className={classes['stack']}>
      <div className={classes['head']}>
        <InvoiceStateBadge invoice={invoice} />
        {invoice.dueOn && (
          <span className={classes['dim']}>
            <Trans>
              Due <PlainDate date={invoice.dueOn} />
            </Trans>
          </span>
        )}
      </div>
      <div>
        <div>{billing?.name ?? invoice.person?.displayName ?? invoice.chapter?.name ?? t`Someone`}</div>
        {billing?.lines.map((line) => (
          <div key={line} className={classes['dim']}>
            {line}
          </div>
        ))}
      </div>
      {invoice.corrects && (
        <p className={classes['dim']}>
          <Trans>Corrects invoice {invoice.corrects.number ?? ''}</Trans>
        </p>
      )}
      {invoice.voidReason && (
        <p className={classes['dim']}>
          <Trans>Voided: {invoice.voidReason}</Trans>
        </p>
      )}
      <table className={classes['table']}>
        <thead>
          <tr>
            <th scope="col">{t`Line`}</th>
            <th scope="col" className={classes['money']}>{t`Amount`}</th>
          </tr>
        </thead>
        <tbody>
          {invoice.lines.map((line, place) => (
            <tr key={place}>
              <td>{line.text}</td>
              <td className={classes['money']}>{inCurrency(line.net)}</td>
            </tr>
          ))}
          <tr>
            <td>{t`Tax`}</td>
            <td className={classes['money']}>{inCurrency(invoice.lines.reduce((sum, { tax }) => sum + tax, 0))}</td>
          </tr>
          <tr>
            <th scope="row">{t`Total`}</th>
            <td className={classes['money']}>{inCurrency(total.amount)}</td>
          </tr>
          {invoice.paid.amount !== 0 && (
            <tr>
              <td>{t`Paid`}</td>
              <td className={classes['money']}>{inCurrency(invoice.paid.amount)}</td>
            </tr>
          )}
          {invoice.credited.amount !== 0 && (
            <tr>
              <td>{t`Credited`}</td>
              <td className={classes['money']}>{inCurrency(invoice.credited.amount)}</td>
            </tr>
          )}
          {invoice.kind === 'invoice' && invoice.state !== 'draft' && invoice.state !== 'void' && (
            <tr>
              <th scope="row">{t`Balance`}</th>
              <td className={classes['money']}>{inCurrency(balance.amount)}</td>
            </tr>
          )}
        </tbody>
      </table>
      {invoice.note && <p>{invoice.note}</p>}
      <div className={classes['head']}>
        {may.issue && (
          <Button onClick={() => void issue()}>
            <Trans>Issue invoice</Trans>
          </Button>
        )}
        {may.void && (
          <Button variant="default" onClick={() => setAsked('void')}>
            {invoice.state === 'draft' ? <Trans>Discard draft</Trans> : <Trans>Void</Trans>}
          </Button>
        )}
        {may.credit && (
          <Button variant="default" onClick={() => setAsked('credit')}>
            <Trans>Issue credit note</Trans>
          </Button>
        )}
      </div>
      <ReasonDialog invoice={invoice} asked={asked} onClose={() => setAsked(null)} />
    </div>
  )
}
