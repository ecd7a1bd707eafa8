import { Button, Menu } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconChevronDown, IconQrcode } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useZoneTimes } from '../../../ui/display/zone-times.tsx'
import { PayDialog } from '../../payments/payments-public.tsx'
import type { Event } from '../events-api.ts'
import { registrationWords } from '../events-words.tsx'
import { isOver, useRegistrationsChanged } from './register-api.ts'
import type { Registration } from './register-api.ts'
import classes from './register.module.css'

const Ticket = lazy(async () => ({ default: (await import('./ticket-dialog.tsx')).TicketDialog }))
const Cancel = lazy(async () => ({ default: (await import('./change-dialogs.tsx')).CancelDialog }))
const Transfer = lazy(async () => ({ default: (await import('./change-dialogs.tsx')).TransferDialog }))
const Change = lazy(async () => ({ default: (await import('./change-dialogs.tsx')).AnswersDialog }))

type Props = {
  event: Event
  registration: Registration
  guests: readonly Registration[]
  /** Begins with the payment: right after registering. */
  paying: boolean
  onPaying: (paying: boolean) => void
}

/** Where the reader stands with an event, and what can be done about it. */
export function OwnRegistration({ event, registration, guests, paying, onPaying }: Props) {
  const { events } = useApi().data
  const changed = useRegistrationsChanged()
  const [dialog, setDialog] = useState<'ticket' | 'cancel' | 'transfer' | 'answers'>()
  const [used, setUsed] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const { status, may, waiting, holdUntil, offerUntil, ticketType } = registration
  const live = guests.filter((guest) => !isOver(guest))
  const tickets = [registration, ...live].filter(({ ticketCode }) => ticketCode !== null)
  const open = (which: NonNullable<typeof dialog>) => {
    setUsed(new Set([...used, which]))
    setDialog(which)
  }
  const close = () => setDialog(undefined)
  const accept = async () => {
    setBusy(true)
    try {
      const taken = await events.registrations.accept.call({ registrationId: registration.id })
      await changed()
      if (taken.status === 'pending_payment') onPaying(true)
      else toast.success(t`The seat is yours`)
    } catch (problem) {
      toast.error(t`The seat could not be taken`, problem)
      void changed()
    }
    setBusy(false)
  }
  const cancelWords =
    status === 'waitlisted'
      ? t`Leave waiting list`
      : status === 'offered'
        ? t`Decline`
        : status === 'pending_approval'
          ? t`Withdraw`
          : t`Cancel registration`
  const asks = may.answer && event.questions.length > 0
  return (
    <>
      <p className={classes['state']}>{status === 'confirmed' ? t`You are going` : registrationWords()[status]}</p>
      {ticketType && <p className={classes['dim']}>{ticketType.name}</p>}
      {waiting && (
        <p role="status">
          {t`Place ${waiting.position} of ${waiting.of}.`} {t`You get an offer when a seat comes free.`}
        </p>
      )}
      {status === 'pending_approval' && <p>{t`The organisers decide who comes. You hear from them.`}</p>}
      {offerUntil && (
        <p>
          <Until at={offerUntil} zone={event.timezone} words={(when) => t`A seat is free for you. Answer by ${when}.`} onEnd={changed} />
        </p>
      )}
      {holdUntil && (
        <p>
          <Until at={holdUntil} zone={event.timezone} words={(when) => t`Your seat is held until ${when}.`} onEnd={changed} />
        </p>
      )}
      {live.length > 0 && (
        <p>
          {plural(live.length, { one: 'With # guest:', other: 'With # guests:' })} {live.map(({ name }) => name).join(', ')}
        </p>
      )}
      <div className={classes['acts']}>
        {tickets.length > 0 && (
          <Button leftSection={<IconQrcode size={16} stroke={1.5} aria-hidden />} onClick={() => open('ticket')}>
            {tickets.length > 1 ? <Trans>Show tickets</Trans> : <Trans>Show ticket</Trans>}
          </Button>
        )}
        {may.answerOffer && (
          <Button loading={busy} onClick={() => void accept()}>
            <Trans>Accept seat</Trans>
          </Button>
        )}
        {status === 'pending_payment' && (
          <Pay event={event} registration={registration} guests={live} paying={paying} onPaying={onPaying} />
        )}
        {may.cancel && status !== 'confirmed' && (
          <Button variant="default" onClick={() => open('cancel')}>
            {cancelWords}
          </Button>
        )}
        {status === 'confirmed' && (may.cancel || may.transfer || asks) && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" rightSection={<IconChevronDown size={16} stroke={1.5} aria-hidden />}>
                <Trans>Change registration</Trans>
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {asks && <Menu.Item onClick={() => open('answers')}>{t`Change answers`}</Menu.Item>}
              {may.transfer && <Menu.Item onClick={() => open('transfer')}>{t`Transfer ticket`}</Menu.Item>}
              {may.cancel && <Menu.Item onClick={() => open('cancel')}>{t`Cancel registration`}</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {status === 'confirmed' && <Deadline event={event} registration={registration} />}
      <Suspense>
        {used.has('ticket') && <Ticket event={event} tickets={tickets} opened={dialog === 'ticket'} onClose={close} />}
        {used.has('cancel') && (
          <Cancel event={event} registration={registration} guests={live} opened={dialog === 'cancel'} onClose={close} />
        )}
        {used.has('transfer') && <Transfer registration={registration} opened={dialog === 'transfer'} onClose={close} />}
        {used.has('answers') && <Change event={event} registration={registration} opened={dialog === 'answers'} onClose={close} />}
      </Suspense>
    </>
  )
}

function Deadline({ event, registration }: Pick<Props, 'event' | 'registration'>) {
  const momentText = useZoneTimes()
  const until = event.cancelUntil ?? event.startsAt
  const when = momentText(new Date(until), event.timezone)
  if (registration.may.cancel) return <p className={classes['hint']}>{t`You can cancel until ${when}.`}</p>
  if (Date.parse(event.startsAt) <= Date.now()) return null
  return <p className={classes['hint']}>{t`You could cancel until ${when}. Write to the organisers.`}</p>
}

/** A moment with the time left, by the second in its last hour; once it is over, the page asks how things are. */
function Until({ at, zone, words, onEnd }: { at: string; zone: string; words: (when: string) => ReactNode; onEnd: () => unknown }) {
  const momentText = useZoneTimes()
  const end = Date.parse(at)
  const [now, setNow] = useState(() => Date.now())
  const left = Math.max(0, end - now)
  const isNear = left < 3_600_000
  const isOverNow = left === 0
  useEffect(() => {
    if (isOverNow) return
    const timer = setInterval(() => setNow(Date.now()), isNear ? 1_000 : 30_000)
    return () => clearInterval(timer)
  }, [isNear, isOverNow])
  const ask = useEffectEvent(() => void onEnd())
  useEffect(() => {
    // Asked once, when the clock runs out.
    if (isOverNow) ask()
  }, [isOverNow])
  const seconds = Math.floor(left / 1000)
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <>
      {words(momentText(new Date(at), zone))}{' '}
      {isNear && (
        <span className={classes['clock']} role="timer">
          {t`${clock} left`}
        </span>
      )}
    </>
  )
}

function Pay({ event, registration, guests, paying, onPaying }: Props) {
  const money = useMoney()
  const invoice = useQuery({
    ...useApi().data.finance.invoices.get.queryOptions({ input: { invoiceId: registration.invoice?.id ?? '' } }),
    enabled: registration.invoice !== null,
  })
  const due = [registration, ...guests].filter(({ status }) => status === 'pending_payment')
  const amount = money(invoice.data?.balance.amount ?? due.reduce((sum, { price }) => sum + price.amount, 0), registration.price.currency)
  const payable = invoice.data && invoice.data.balance.amount > 0 ? invoice.data : null
  return (
    <>
      <Button disabled={payable === null} onClick={() => onPaying(true)}>
        {t`Pay ${amount}`}
      </Button>
      <Suspense>
        <PayDialog invoice={paying ? payable : null} eventId={event.id} onClose={() => onPaying(false)} />
      </Suspense>
    </>
  )
}
