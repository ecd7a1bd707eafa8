import { Alert, Button, Loader } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useFundraisingChanged, useGift } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'
import { isReceived } from '../giving-words.tsx'
import classes from './give.module.css'

/** How often the server is asked, when it has the provider asked, and when it is no longer waited for. */
const every = 1_000
const askProviderAfter = 5
const askProviderEvery = 15
const patience = 60

type Props = {
  giftId: string
  /** Null where there is none: a pledge may be to a fund alone. */
  campaign: Pick<Campaign, 'name' | 'thanks'> | null
  /** Its donor has left the payment page without paying. */
  hasLeft: boolean
  onDismiss: () => void
  /** Goes on with what was typed; without it nothing was. */
  onAgain?: (() => void) | undefined
}

/** Back from the payment page. What the address says counts for nothing: the server is asked until the gift has settled or is over. */
export function GivenNotice({ giftId, campaign, hasLeft, onDismiss, onAgain }: Props) {
  const { payments } = useApi().actions
  const money = useMoney()
  const changed = useFundraisingChanged()
  const [asked, setAsked] = useState(0)
  const gift = useGift(giftId)
  const { refetch } = gift
  const status = gift.data?.status
  const paymentId = gift.data?.payment?.id
  const isWaiting = status === 'pending' && !hasLeft && asked < patience
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => {
      // A notice of the provider may be late or lost: it is asked itself.
      if (paymentId && asked >= askProviderAfter && (asked - askProviderAfter) % askProviderEvery === 0)
        void payments.check.call({ paymentId }).catch(() => undefined)
      void refetch()
      setAsked((before) => before + 1)
    }, every)
    return () => clearTimeout(timer)
  }, [isWaiting, asked, payments, paymentId, refetch])
  const isOver = status !== undefined && status !== 'pending'
  useEffect(() => {
    if (isOver) void changed()
  }, [isOver, changed])

  if (gift.isPending) return <Waiting>{t`Checking your gift…`}</Waiting>
  if (gift.isError) return <ProblemState problem={gift.error} title={t`Your gift could not be checked`} retry={() => void refetch()} />
  const { data } = gift
  const amount = money(data.money.amount, data.money.currency)
  if (isReceived(data))
    return (
      <Alert role="status" variant="light" color="green" icon={icons.thanks} title={t`Thank you`} {...closing(onDismiss)}>
        <p className={classes['lines']}>{arrivedText(amount, campaign)}</p>
        <p className={classes['dim']}>
          {data.isTest && !data.counts
            ? t`Test gift of ${amount}: no money moved, and it does not count.`
            : data.donorEmail
              ? t`${amount} received. The receipt goes to ${data.donorEmail}.`
              : t`${amount} received.`}
        </p>
      </Alert>
    )
  if (status === 'pending' && !hasLeft && isWaiting)
    return <Waiting>{t`Confirming your gift of ${amount} with the payment provider…`}</Waiting>
  if (status === 'pending' && !hasLeft)
    return (
      <Alert role="status" variant="light" color="blue" icon={icons.info} title={t`Your gift is not confirmed yet`} {...closing(onDismiss)}>
        {t`This can take a few minutes. You don’t have to stay here or give again: the receipt comes by e-mail once the gift is confirmed.`}
        <div className={classes['acts']}>
          <Button variant="default" size="compact-md" onClick={() => setAsked(askProviderAfter)}>
            <Trans>Check again</Trans>
          </Button>
        </div>
      </Alert>
    )
  if (status === 'pending' || status === 'failed' || status === 'cancelled')
    return (
      <Alert role="status" variant="light" color="blue" icon={icons.info} title={t`Nothing was charged`} {...closing(onDismiss)}>
        {!hasLeft
          ? t`Your gift of ${amount} was not completed.`
          : onAgain
            ? t`You left the payment page before your gift of ${amount} was paid. What you entered is kept.`
            : t`You left the payment page before your gift of ${amount} was paid.`}
        {onAgain && (
          <div className={classes['acts']}>
            <Button size="compact-md" onClick={onAgain}>
              <Trans>Continue giving</Trans>
            </Button>
          </div>
        )}
      </Alert>
    )
  return (
    <Alert role="status" variant="light" color="blue" icon={icons.info} title={t`This gift was given back`} {...closing(onDismiss)}>
      {t`Your gift of ${amount} no longer counts.`}
    </Alert>
  )
}

function arrivedText(amount: string, campaign: Props['campaign']): string {
  if (campaign === null) return t`Your gift of ${amount} has arrived.`
  return campaign.thanks || t`Your gift of ${amount} to ${campaign.name} has arrived.`
}

const icons = {
  thanks: <IconCheck size={20} stroke={1.5} aria-hidden />,
  info: <IconInfoCircle size={20} stroke={1.5} aria-hidden />,
}
const closing = (onClose: () => void) => ({ withCloseButton: true, closeButtonLabel: t`Dismiss`, onClose })

const Waiting = ({ children }: { children: ReactNode }) => (
  <div role="status" className={classes['waiting']}>
    <Loader size="sm" aria-hidden />
    <span>{children}</span>
  </div>
)
