import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import type { InvoiceDetail } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { inOrder, openTo } from '../../platform/navigation/sections.tsx'
import { useSlot } from '../../platform/navigation/slots.tsx'
import { ChapterLink, PersonLink } from '../../platform/records/record-links.tsx'
import { useRights } from '../../platform/session/session.ts'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { RecordHistory } from '../people/history/history-public.ts'
import { CreditDialog } from './credit-dialog.tsx'
import { DraftDialog } from './draft-dialog.tsx'
import { useBooksChanged } from './finance-api.ts'
import { InvoiceStateBadge } from './finance-words.tsx'
import table from '../../ui/display/small-table.module.css'
import classes from './finance.module.css'
import { VoidDialog } from './void-dialog.tsx'
import { InvoicePapers } from './invoice-papers.tsx'

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

type Asked = 'edit' | 'void' | 'credit'

function InvoiceBody({ invoice }: { invoice: InvoiceDetail }) {
  const { invoices } = useApi().data.finance
  const changed = useBooksChanged()
  const [asked, setAsked] = useState<Asked>()
  const parts = openTo(inOrder(useSlot('invoiceParts')), { invoice }, useRights())
  const { i18n } = useLingui()
  const { billing, may } = invoice
  const issue = async () => {
    try {
      const issued = await invoices.issue.call({ invoiceId: invoice.id }, { context: { ifMatch: invoice.version } })
      toast.success(t`Invoice ${issued.number ?? ''} issued`)
    } catch (failure) {
      toast.error(t`The invoice could not be issued`, failure)
    }
    await changed()
  }
  const close = () => setAsked(undefined)
  return (
    <div className={classes['stack']}>
      <Headline invoice={invoice} />
      {(may.edit || may.issue || may.void || may.credit) && (
        <div className={classes['acts']}>
          {may.issue && (
            <Button onClick={() => void issue()}>
              <Trans>Issue invoice</Trans>
            </Button>
          )}
          {may.edit && (
            <Button variant="default" onClick={() => setAsked('edit')}>
              <Trans>Edit draft</Trans>
            </Button>
          )}
          {may.credit && (
            <Button variant="default" onClick={() => setAsked('credit')}>
              <Trans>Issue credit note</Trans>
            </Button>
          )}
          {may.void && (
            <Button variant="default" onClick={() => setAsked('void')}>
              {invoice.state === 'draft' ? <Trans>Discard draft</Trans> : <Trans>Void</Trans>}
            </Button>
          )}
        </div>
      )}
      <dl className={classes['facts']}>
        <Fact label={t`Billed to`}>
          {invoice.person ? (
            <PersonLink person={invoice.person} />
          ) : invoice.chapter ? (
            <ChapterLink chapter={invoice.chapter} />
          ) : (
            (invoice.billedTo ?? t`Someone`)
          )}
          {billing?.lines.map((line) => (
            <div key={line} className={classes['dim']}>
              {line}
            </div>
          ))}
        </Fact>
        <Fact label={t`For`}>{invoice.reason}</Fact>
        {invoice.issuedOn && (
          <Fact label={t`Issued`}>
            <PlainDate date={invoice.issuedOn} />
          </Fact>
        )}
        {invoice.kind === 'invoice' && (
          <Fact label={t`Due`}>{invoice.dueOn ? <PlainDate date={invoice.dueOn} /> : t`The usual days after issuing`}</Fact>
        )}
        {invoice.paidOn && (
          <Fact label={t`Paid on`}>
            <PlainDate date={invoice.paidOn} />
          </Fact>
        )}
        {invoice.corrects && <Fact label={t`Corrects invoice`}>{invoice.corrects.number ?? ''}</Fact>}
        {invoice.voidReason && <Fact label={t`Voided`}>{invoice.voidReason}</Fact>}
      </dl>
      <Lines invoice={invoice} />
      {invoice.note && <p>{invoice.note}</p>}
      <InvoicePapers invoice={invoice} />
      <Credits invoice={invoice} />
      {parts.map(({ key, label, content: Content }) => (
        <Section key={key} title={i18n._(label)}>
          <Suspense fallback={<SkeletonLines count={2} />}>
            <Content invoice={invoice} />
          </Suspense>
        </Section>
      ))}
      {may.seeHistory && (
        <Section title={t`History`}>
          <RecordHistory recordId={invoice.id} />
        </Section>
      )}
      <VoidDialog invoice={invoice} opened={asked === 'void'} onClose={close} />
      <DraftDialog invoice={invoice} opened={asked === 'edit'} onClose={close} />
      <CreditDialog invoice={invoice} opened={asked === 'credit'} onClose={close} />
    </div>
  )
}

/** The amount that matters first: what is still to be paid, or what the whole came to. */
function Headline({ invoice }: { invoice: InvoiceDetail }) {
  const money = useMoney()
  const { total, balance, paid } = invoice
  const isOpen = invoice.kind === 'invoice' && balance.amount > 0
  return (
    <div className={classes['head']}>
      <div>
        <div className={classes['amount']}>{money(isOpen ? balance.amount : total.amount, total.currency)}</div>
        {isOpen && balance.amount !== total.amount && (
          <div className={classes['dim']}>{t`of ${money(total.amount, total.currency)} still open`}</div>
        )}
        {balance.amount < 0 && paid.amount > 0 && (
          <div className={classes['dim']}>{t`${money(-balance.amount, total.currency)} paid too much`}</div>
        )}
      </div>
      <InvoiceStateBadge invoice={invoice} />
    </div>
  )
}

const Fact = ({ label, children }: { label: string; children: ReactNode }) => (
  <>
    <dt className={classes['dim']}>{label}</dt>
    <dd>{children}</dd>
  </>
)

function Lines({ invoice }: { invoice: InvoiceDetail }) {
  const money = useMoney()
  const { total, balance, lines } = invoice
  const inCurrency = (amount: number) => money(amount, total.currency)
  const net = lines.reduce((sum, line) => sum + line.net, 0)
  const rates = [...new Set(lines.filter(({ tax }) => tax !== 0).map(({ taxBps }) => taxBps))].toSorted((one, other) => one - other)
  const sum = (label: ReactNode, amount: number, isStrong = false) => (
    <tr>
      {isStrong ? <th scope="row">{label}</th> : <td>{label}</td>}
      <td className={table['figure']}>{isStrong ? <strong>{inCurrency(amount)}</strong> : inCurrency(amount)}</td>
    </tr>
  )
  return (
    <table className={table['table']}>
      <thead>
        <tr>
          <th scope="col">{t`Line`}</th>
          <th scope="col" className={table['figure']}>{t`Amount`}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>
              {line.text}
              {line.share && line.share.amount !== 0 && (
                <div
                  className={classes['dim']}
                >{t`${inCurrency(line.share.amount)} of it for ${line.share.chapter?.name ?? t`a chapter`}`}</div>
              )}
              {line.credited.net !== 0 && <div className={classes['dim']}>{t`${inCurrency(line.credited.net)} credited`}</div>}
            </td>
            <td className={table['figure']}>{inCurrency(line.net)}</td>
          </tr>
        ))}
        {rates.length > 0 && sum(t`Net`, net)}
        {rates.map((bps) => (
          <tr key={bps}>
            <td>
              {lines.find(({ taxBps, taxNote }) => taxBps === bps && taxNote)?.taxNote ?? t`Tax`} {bps / 100}%
            </td>
            <td className={table['figure']}>
              {inCurrency(lines.filter(({ taxBps }) => taxBps === bps).reduce((of, { tax }) => of + tax, 0))}
            </td>
          </tr>
        ))}
        {sum(t`Total`, total.amount, true)}
        {invoice.paid.amount !== 0 && sum(t`Paid`, -invoice.paid.amount)}
        {invoice.credited.amount !== 0 && sum(t`Credited`, -invoice.credited.amount)}
        {invoice.kind === 'invoice' && invoice.state !== 'draft' && invoice.state !== 'void' && sum(t`Balance`, balance.amount, true)}
      </tbody>
    </table>
  )
}

function Credits({ invoice: { credits, total } }: { invoice: InvoiceDetail }) {
  const money = useMoney()
  if (credits.length === 0) return null
  return (
    <Section title={t`Credit notes`} count={credits.length}>
      <ul className={classes['plainList']}>
        {credits.map((credit) => (
          <li key={credit.id} className={classes['cardLine']}>
            <span>
              {credit.number ?? ''}{' '}
              {credit.issuedOn && (
                <span className={classes['dim']}>
                  <PlainDate date={credit.issuedOn} />
                </span>
              )}
            </span>
            <span className={classes['tabular']}>{money(credit.total, total.currency)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
