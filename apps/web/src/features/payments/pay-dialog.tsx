import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Invoice } from '@guildhall/contract/features/finance'
import { useApi } from '../../platform/api/api.tsx'
import { problemText } from '../../platform/api/problem-text.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../platform/navigation/links.tsx'
import { useMe } from '../../platform/session/session.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { useWaysToPay } from './payments-api.ts'
import classes from './payments.module.css'
import { TestMode } from './test-mode.tsx'
import { TransferDetails } from './transfer-details.tsx'

export type PayableInvoice = Pick<Invoice, 'id' | 'number' | 'balance' | 'reason' | 'person'>
/** `eventId`: the event whose page the payer comes back to; the profile unless stated. */
type Props = { invoice: PayableInvoice | null; onClose: () => void; onTransfer?: boolean; eventId?: string | undefined }

/** How an invoice is paid: on the page of the payment provider, or by bank transfer with its number. */
export function PayDialog({ invoice, onClose, onTransfer = false, eventId }: Props) {
  const money = useMoney()
  const amount = invoice ? money(invoice.balance.amount, invoice.balance.currency) : ''
  const [title, setTitle] = useState('')
  const wanted = invoice ? t`Pay ${amount}` : title
  if (title !== wanted) setTitle(wanted)
  return (
    <Dialog opened={invoice !== null} onClose={onClose} title={wanted}>
      {invoice && <Body key={invoice.id} invoice={invoice} amount={amount} onTransfer={onTransfer} eventId={eventId} />}
    </Dialog>
  )
}

type BodyProps = { invoice: PayableInvoice; amount: string; onTransfer: boolean; eventId: string | undefined }

function Body({ invoice, amount, onTransfer, eventId }: BodyProps) {
  const api = useApi()
  const ways = useWaysToPay()
  const { data: me } = useMe()
  const [chosen, setChosen] = useState<'card' | 'transfer'>(onTransfer ? 'transfer' : 'card')
  const [saves, setSaves] = useState(false)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | undefined>()
  if (ways.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (ways.isError)
    return <ProblemState problem={ways.error} title={t`The ways to pay could not be loaded`} retry={() => void ways.refetch()} />
  const { canPayOnline, isTestMode, testsCount, transfer, items } = ways.data
  const way = !canPayOnline ? 'transfer' : transfer === null ? 'card' : chosen
  const isOwn = me?.person?.id !== undefined && me.person.id === invoice.person?.id
  const number = invoice.number ?? ''
  const pay = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const { url } = await api.actions.payments.pay.call({
        invoiceId: invoice.id,
        saveCard: saves && isOwn,
        ...(eventId !== undefined && { eventId }),
      })
      window.location.assign(url)
    } catch (problem) {
      setFailure(problemText(problem))
      setBusy(false)
    }
  }
  return (
    <div className={classes['stack']}>
      <p className={classes['dim']}>{invoice.reason ? t`Invoice ${number}: ${invoice.reason}` : t`Invoice ${number}`}</p>
      {canPayOnline && transfer && (
        <SegmentedControl
          fullWidth
          aria-label={t`Way to pay`}
          value={way}
          onChange={(value) => setChosen(value === 'transfer' ? 'transfer' : 'card')}
          data={[
            { value: 'card', label: t`Card` },
            { value: 'transfer', label: t`Bank transfer` },
          ]}
        />
      )}
      {way === 'card' && (
        <>
          {isTestMode && <TestMode counts={testsCount} />}
          <p>
            <Trans>You pay on the page of our payment provider and come back here. We never see your card number.</Trans>
          </p>
          {isOwn && (
            <Checkbox
              label={items.length > 0 ? t`Save this card as well` : t`Save this card for renewals`}
              description={t`It is charged when a membership with auto-renewal is due. You can remove it at any time.`}
              checked={saves}
              onChange={(event) => setSaves(event.currentTarget.checked)}
            />
          )}
          {failure && (
            <p role="alert" className={classes['failure']}>
              {failure}
            </p>
          )}
          <Button fullWidth size="md" loading={busy} onClick={() => void pay()} data-autofocus>
            <Trans>Pay {amount} by card</Trans>
          </Button>
        </>
      )}
      {way === 'transfer' && !canPayOnline && <p>{t`Invoices cannot be paid by card here.`}</p>}
      {way === 'transfer' && transfer && <TransferDetails account={transfer} amount={amount} reference={number} />}
      {way === 'transfer' && !transfer && (
        <>
          <p>{t`The office can tell you how to pay. Mention the invoice number.`}</p>
          <ButtonLink to="/contact" variant="default">
            <Trans>Write to the office</Trans>
          </ButtonLink>
        </>
      )}
    </div>
  )
}
