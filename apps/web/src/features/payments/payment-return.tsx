import { Alert, Button, Group, Loader } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Payment } from '@guildhall/contract/features/payments'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { PayDialog } from './pay-dialog.tsx'
import type { PayableInvoice } from './pay-dialog.tsx'
import { useMoneyMoved } from './payments-api.ts'
import { failureText } from './payments-words.tsx'
import classes from './payments.module.css'

/** How often the server is asked, when it has the provider asked, and when it is no longer waited for. */
const every = 1_500
const askProviderAfter = 4
const askProviderEvery = 10
const patience = 40

type Props = { paymentId: string; eventId?: string; cameBack: 'paid' | 'unpaid'; onDismiss: () => void }

/** Back from the payment page. What the address says counts for nothing: the server is asked until the payment is settled or over. */
export function PaymentReturn({ paymentId, eventId, cameBack, onDismiss }: Props) {
  const api = useApi()
  const moved = useMoneyMoved()
  const [asked, setAsked] = useState(0)
  const payment = useQuery({ ...api.data.payments.get.queryOptions({ input: { paymentId } }), staleTime: 0 })
  const state = payment.data?.state
  const declined = payment.data?.failure === 'declined'
  const isWaiting = state === 'pending' && !declined && asked < patience
  const { refetch } = payment
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => {
      // A notice of the provider may be late or lost: it is asked itself.
      if (asked >= askProviderAfter && (asked - askProviderAfter) % askProviderEvery === 0)
        void api.actions.payments.check.call({ paymentId }).catch(() => undefined)
      void refetch()
      setAsked((before) => before + 1)
    }, every)
    return () => clearTimeout(timer)
  }, [isWaiting, asked, api, paymentId, refetch])
  const isOver = state !== undefined && state !== 'pending'
  useEffect(() => {
    if (isOver) void moved()
  }, [isOver, moved])
  if (payment.isPending) return <Waiting text={t`Checking your payment…`} />
  if (payment.isError)
    return <ProblemState problem={payment.error} title={t`Your payment could not be checked`} retry={() => void refetch()} />
  return (
    <Outcome
      payment={payment.data}
      eventId={eventId}
      cameBack={cameBack}
      isWaiting={isWaiting}
      onAgain={() => setAsked(askProviderAfter)}
      onDismiss={onDismiss}
    />
  )
}

type OutcomeProps = {
  payment: Payment
  eventId: string | undefined
  cameBack: Props['cameBack']
  isWaiting: boolean
  onAgain: () => void
  onDismiss: () => void
}

function Outcome({ payment, eventId, cameBack, isWaiting, onAgain, onDismiss }: OutcomeProps) {
  const money = useMoney()
  const { state, failure, isTest, counts, invoice } = payment
  const amount = money(payment.money.amount, payment.money.currency)
  const number = invoice?.number ?? ''
  switch (state) {
    case 'settled':
      return (
        <Notice tone="good" title={isTest ? t`Test payment of ${amount} received` : t`Payment of ${amount} received`} onDismiss={onDismiss}>
          {isTest && !counts
            ? t`No money moved, and a test payment pays no invoice: invoice ${number} is still open.`
            : isTest
              ? t`No money moved. Invoice ${number} counts as paid on this server.`
              : t`Thank you. It is recorded for invoice ${number}.`}
        </Notice>
      )
    case 'pending':
      if (failure === 'declined')
        return (
          <Notice tone="bad" title={t`Your card was declined`} onDismiss={onDismiss}>
            {t`Nothing was charged, and invoice ${number} is still open. Try again with this or another card, or pay another way.`}
            <Retry payment={payment} eventId={eventId} />
          </Notice>
        )
      if (cameBack === 'unpaid')
        return (
          <Notice tone="info" title={t`You have not paid yet`} onDismiss={onDismiss}>
            {t`You left the payment page before the payment was completed. Invoice ${number} over ${amount} is still open.`}
            <Retry payment={payment} eventId={eventId} />
          </Notice>
        )
      if (isWaiting) return <Waiting text={t`Confirming your payment of ${amount} with the payment provider…`} />
      return (
        <Notice tone="info" title={t`Your payment is not confirmed yet`} onDismiss={onDismiss}>
          {t`This can take a few minutes. You don’t have to stay here, and you don’t have to pay again: the invoice shows as paid once the payment is confirmed.`}
          <Group mt="sm">
            <Button variant="default" size="compact-md" onClick={onAgain}>
              <Trans>Check again</Trans>
            </Button>
          </Group>
        </Notice>
      )
    case 'failed':
    case 'cancelled':
      return (
        <Notice tone="bad" title={t`The payment was not completed`} onDismiss={onDismiss}>
          {failureText(failure ?? 'expired')}
          <Retry payment={payment} eventId={eventId} />
        </Notice>
      )
    case 'disputed':
      return (
        <Notice tone="bad" title={t`This payment is disputed`} onDismiss={onDismiss}>
          {t`Your bank has withdrawn ${amount} again. If you did not ask for that, contact your bank.`}
        </Notice>
      )
    case 'partly_refunded':
    case 'refunded':
      return (
        <Notice tone="info" title={t`This payment was refunded`} onDismiss={onDismiss}>
          {t`${money(payment.refunded.amount, payment.refunded.currency)} of ${amount} was given back.`}
        </Notice>
      )
    case 'reversed':
      return (
        <Notice tone="info" title={t`This payment was reversed`} onDismiss={onDismiss}>
          {t`It was recorded by mistake.`}
        </Notice>
      )
  }
}

const looks = {
  good: { color: 'green', icon: <IconCheck size={20} stroke={1.5} aria-hidden /> },
  bad: { color: 'red', icon: <IconAlertTriangle size={20} stroke={1.5} aria-hidden /> },
  info: { color: 'blue', icon: <IconInfoCircle size={20} stroke={1.5} aria-hidden /> },
}

type NoticeProps = { tone: keyof typeof looks; title: string; onDismiss: () => void; children: ReactNode }

const Notice = ({ tone, title, onDismiss, children }: NoticeProps) => (
  <Alert
    variant="light"
    {...looks[tone]}
    title={title}
    role={tone === 'bad' ? 'alert' : 'status'}
    withCloseButton
    closeButtonLabel={t`Dismiss`}
    onClose={onDismiss}
  >
    {children}
  </Alert>
)

const Waiting = ({ text }: { text: string }) => (
  <div role="status" className={classes['waiting']}>
    <Loader size="sm" aria-hidden />
    <span>{text}</span>
  </div>
)

/** The invoice as it is now: what was open may have changed. */
function Retry({ payment: { invoice }, eventId }: { payment: Payment; eventId: string | undefined }) {
  const [paying, setPaying] = useState<{ onTransfer: boolean } | null>(null)
  const found = useQuery({
    ...useApi().data.finance.invoices.get.queryOptions({ input: { invoiceId: invoice?.id ?? '' } }),
    enabled: invoice !== null,
  })
  const payable: PayableInvoice | undefined = found.data && found.data.balance.amount > 0 ? found.data : undefined
  if (!payable) return null
  return (
    <Group mt="sm" gap="xs">
      <Button size="compact-md" onClick={() => setPaying({ onTransfer: false })}>
        <Trans>Try again</Trans>
      </Button>
      <Button variant="default" size="compact-md" onClick={() => setPaying({ onTransfer: true })}>
        <Trans>Pay another way</Trans>
      </Button>
      <PayDialog eventId={eventId} invoice={paying && payable} onTransfer={paying?.onTransfer ?? false} onClose={() => setPaying(null)} />
    </Group>
  )
}
