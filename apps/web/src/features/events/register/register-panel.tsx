import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useMe } from '../../../platform/session/session.ts'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useZoneTimes } from '../../../ui/display/zone-times.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { PaymentReturn } from '../../payments/payments-public.tsx'
import type { Event } from '../events-api.ts'
import { registrationWords } from '../events-words.tsx'
import { OwnRegistration } from './own-registration.tsx'
import { isOver, useOwnRegistrations, useRegistrationsChanged } from './register-api.ts'
import type { Registration } from './register-api.ts'
import classes from './register.module.css'

const RegisterDialog = lazy(async () => ({ default: (await import('./register-dialog.tsx')).RegisterDialog }))
const route = getRouteApi('/signed-in/event/$eventId')

/** How the reader comes along: registering in one click or in a dialog, and from then on how things stand. */
export function RegisterPanel({ event }: { event: Event }) {
  const { register, paid, unpaid } = route.useSearch()
  const navigate = route.useNavigate()
  const { data: me } = useMe()
  const own = useOwnRegistrations(event.id)
  const [paying, setPaying] = useState(false)
  const [others, setOthers] = useState<'never' | 'open' | 'closed'>('never')
  const registered = useRegistered(event, () => setPaying(true))
  if (event.status === 'draft' || event.status === 'archived' || event.templateName !== null) return null
  if (own.isPending) {
    return (
      <Loading label={t`Loading your registration`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (own.isError)
    return <ProblemState problem={own.error} title={t`Your registration could not be loaded`} retry={() => void own.refetch()} />
  const { items } = own.data
  const hosts = items.filter(({ hostId }) => hostId === null)
  const mine = hosts.find(
    (one) => !isOver(one) && (one.id === event.mine?.registrationId || (me?.person && one.person?.id === me.person.id)),
  )
  const former = hosts.find((one) => isOver(one) && one.person !== null && one.person.id === me?.person?.id)
  const given = hosts.filter((one) => one !== mine && !isOver(one))
  const returned = paid ?? unpaid
  const opened = register === 1
  const open = (wanted: boolean) => void navigate({ search: (before) => ({ ...before, register: wanted ? 1 : undefined }), replace: true })
  const isOpen = event.registration === 'open' || event.registration === 'full'
  return (
    <>
      {returned && (
        <Suspense>
          <PaymentReturn
            key={returned}
            paymentId={returned}
            eventId={event.id}
            cameBack={paid ? 'paid' : 'unpaid'}
            onDismiss={() => void navigate({ search: (before) => ({ ...before, paid: undefined, unpaid: undefined }), replace: true })}
          />
        </Suspense>
      )}
      <section className={classes['panel']} aria-label={t`Your registration`} data-tone={toneOf(mine)}>
        {mine ? (
          <OwnRegistration
            event={event}
            registration={mine}
            guests={items.filter(({ hostId }) => hostId === mine.id)}
            paying={paying}
            onPaying={setPaying}
          />
        ) : (
          <>
            {former && <Former registration={former} />}
            <Register event={event} onOpen={() => open(true)} onRegistered={registered} />
          </>
        )}
        {given.length > 0 && (
          <ul className={classes['list']} aria-label={t`Others you registered`}>
            {given.map(({ id, name, status }) => (
              <li key={id} className={classes['person']}>
                {name} <StatusBadge tone="neutral">{registrationWords()[status]}</StatusBadge>
              </li>
            ))}
          </ul>
        )}
        {event.may.edit && isOpen && (
          <div className={classes['acts']}>
            <Button variant="subtle" size="compact-md" onClick={() => setOthers('open')}>
              <Trans>Register somebody else</Trans>
            </Button>
          </div>
        )}
      </section>
      <Suspense>
        {(opened || event.may.register) && !mine && (
          <RegisterDialog event={event} opened={opened} onClose={() => open(false)} onRegistered={registered} />
        )}
        {others !== 'never' && (
          <RegisterDialog
            event={event}
            forOthers
            opened={others === 'open'}
            onClose={() => setOthers('closed')}
            onRegistered={registered}
          />
        )}
      </Suspense>
    </>
  )
}

const toneOf = (mine: Registration | undefined) => {
  if (!mine) return undefined
  if (mine.status === 'confirmed' || mine.status === 'checked_in') return 'good'
  return mine.status === 'offered' || mine.status === 'pending_payment' ? 'act' : 'waiting'
}

/** Everything that shows seats asks anew, and the answer is said. */
function useRegistered(event: Event, onPay: () => void) {
  const changed = useRegistrationsChanged()
  const { data: me } = useMe()
  return async (registration: Registration) => {
    await changed()
    const { status, name } = registration
    const isOther = registration.source === 'organiser' && registration.person?.id !== me?.person?.id
    if (isOther) return toast.success(t`${name} is registered`)
    if (status === 'pending_payment') return onPay()
    if (status === 'waitlisted') return toast.success(t`${event.title} is full. You are on the waiting list.`)
    if (status === 'pending_approval') return toast.success(t`The organisers have your request`)
    return toast.success(t`You are registered for ${event.title}`)
  }
}

type RegisterProps = { event: Event; onOpen: () => void; onRegistered: (registration: Registration) => unknown }

function Register({ event, onOpen, onRegistered }: RegisterProps) {
  const { events } = useApi().data
  const changed = useRegistrationsChanged()
  const momentText = useZoneTimes()
  const money = useMoney()
  const [busy, setBusy] = useState(false)
  const { registration, may, oneClick, needsApproval, price, registrationClosesAt } = event
  if (!may.register) return <NotNow event={event} />
  const isFull = registration === 'full'
  const now = async () => {
    setBusy(true)
    try {
      await onRegistered(await events.registrations.create.call({ eventId: event.id }))
    } catch (problem) {
      // Registered already, on another device: the page shows the ticket.
      await changed()
      if (!(problem instanceof ApiProblem && problem.reason === 'registration_exists')) toast.error(t`You could not be registered`, problem)
    }
    setBusy(false)
  }
  const closes = registrationClosesAt && momentText(new Date(registrationClosesAt), event.timezone)
  const words = isFull ? <Trans>Join the waiting list</Trans> : needsApproval ? <Trans>Ask to register</Trans> : <Trans>Register</Trans>
  const lowest = price && money(price.amount, price.currency)
  return (
    <>
      {isFull && <p>{t`This event is full. Join the waiting list, and get an offer when a seat comes free.`}</p>}
      <div className={classes['acts']}>
        <Button size="md" loading={busy} onClick={() => (oneClick ? void now() : onOpen())}>
          {words}
        </Button>
        {oneClick && event.guestsPerPerson > 0 && !isFull && (
          <Button size="md" variant="default" onClick={onOpen}>
            <Trans>Register with guests</Trans>
          </Button>
        )}
      </div>
      {(lowest || closes) && (
        <p className={classes['hint']}>
          {[lowest && t`From ${lowest}`, closes && t`Registration closes ${closes}`].filter(Boolean).join(' · ')}
        </p>
      )}
    </>
  )
}

/** Why nobody can register now. */
function NotNow({ event }: { event: Event }): ReactNode {
  const momentText = useZoneTimes()
  const { registration, registrationOpensAt, status } = event
  if (status === 'cancelled') return <p>{t`Nobody can register for a cancelled event.`}</p>
  if (registration === 'not_yet' && registrationOpensAt)
    return <p>{t`Registration opens ${momentText(new Date(registrationOpensAt), event.timezone)}.`}</p>
  if (registration === 'full') return <p>{t`This event is full.`}</p>
  return <p>{Date.parse(event.endsAt) <= Date.now() ? t`This event is over.` : t`Registration is closed.`}</p>
}

/** What became of the last one, since it is gone from everywhere else. */
function Former({ registration: { status, cause, reason, refund, price } }: { registration: Registration }) {
  const money = useMoney()
  const back = money(refund, price.currency)
  return (
    <div role="status">
      <p className={classes['state']}>{status === 'rejected' ? t`You were not admitted` : endWords(cause)}</p>
      {reason && <p>{reason}</p>}
      {refund > 0 && <p>{t`You get ${back} back.`}</p>}
    </div>
  )
}

function endWords(cause: Registration['cause']): string {
  if (cause === 'hold_expired') return t`Your seat was released, since it was not paid in time`
  if (cause === 'offer_expired') return t`The offer of a seat has expired`
  if (cause === 'declined') return t`You declined the seat`
  if (cause === 'payment_reversed') return t`Your payment was reversed, and your seat released`
  if (cause === 'event_cancelled') return t`The event was cancelled`
  return t`Your registration is cancelled`
}
