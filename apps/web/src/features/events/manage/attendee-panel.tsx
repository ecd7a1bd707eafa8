import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Event } from '@guildhall/contract/features/events'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { clientIdOf } from '../door/door-queue.ts'
import { ReasonDialog, TransferDialog } from './attendee-dialogs.tsx'
import { useLedger, useRegistration, useRegistrationsChanged } from './manage-api.ts'
import type { Registration } from './manage-api.ts'
import { answerText, causeWords, invoiceWords, RegistrationState, sourceWords } from './manage-words.tsx'
import classes from './manage.module.css'

type Props = { event: Event; registrationId: string; onClose: () => void }

/** One registration beside the list: what is known of it, what happened to it, and what can be done. */
export function AttendeePanel({ event, registrationId, onClose }: Props) {
  const registration = useRegistration(registrationId)
  return (
    <SidePanel title={registration.data?.name ?? t`Registration`} onClose={onClose} recordKey={registrationId}>
      {registration.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {registration.isError && (
        <ProblemState
          problem={registration.error}
          title={t`The registration could not be loaded`}
          retry={() => void registration.refetch()}
        />
      )}
      {registration.data && (
        <div className={classes['stack']}>
          <Acts event={event} registration={registration.data} />
          <Facts event={event} registration={registration.data} />
          {event.may.copy && <Ledger eventId={event.id} registrationId={registrationId} timezone={event.timezone} />}
        </div>
      )}
    </SidePanel>
  )
}

type Of = { event: Event; registration: Registration }
type Asked = 'cancel' | 'reject' | 'transfer'

function Acts({ event, registration }: Of) {
  const { registrations, checkIn } = useApi().data.events
  const changed = useRegistrationsChanged()
  const [asked, setAsked] = useState<Asked>()
  const [busy, setBusy] = useState(false)
  const { id: registrationId, name, may, status, ticketCode, checkIn: checkedIn } = registration
  const close = () => setAsked(undefined)
  const attempt = async (done: string, failed: string, act: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await act()
      toast.success(done)
    } catch (problem) {
      toast.error(failed, problem)
    }
    await changed()
    setBusy(false)
  }
  const approve = () =>
    attempt(t`${name} approved`, t`${name} could not be approved.`, () => registrations.approve.call({ registrationId }))
  const offer = () =>
    attempt(t`Seat offered to ${name}`, t`No seat could be offered to ${name}.`, () => registrations.offer.call({ registrationId }))
  const accept = () =>
    attempt(t`Offer accepted for ${name}`, t`The offer could not be accepted.`, () => registrations.accept.call({ registrationId }))
  const letIn = (code: string) =>
    attempt(t`${name} checked in`, t`${name} could not be checked in.`, () =>
      checkIn.scan.call({ eventId: event.id, code, clientId: clientIdOf() }),
    )
  const undo = (checkInId: string) =>
    attempt(t`Check-in of ${name} undone`, t`The check-in could not be undone.`, () => checkIn.undo.call({ checkInId }))
  return (
    <div className={classes['acts']}>
      {may.decide && (
        <Button loading={busy} onClick={() => void approve()}>
          {status === 'pending_payment' ? <Trans>Confirm without payment</Trans> : <Trans>Approve</Trans>}
        </Button>
      )}
      {may.decide && status === 'pending_approval' && (
        <Button variant="default" onClick={() => setAsked('reject')}>
          <Trans>Reject</Trans>
        </Button>
      )}
      {may.offer && (
        <Button loading={busy} onClick={() => void offer()}>
          <Trans>Offer a seat</Trans>
        </Button>
      )}
      {may.answerOffer && (
        <Button loading={busy} onClick={() => void accept()}>
          <Trans>Accept for them</Trans>
        </Button>
      )}
      {may.checkIn && status === 'confirmed' && ticketCode && (
        <Button loading={busy} onClick={() => void letIn(ticketCode)}>
          <Trans>Check in</Trans>
        </Button>
      )}
      {may.checkIn && checkedIn && (
        <Button variant="default" loading={busy} onClick={() => void undo(checkedIn.id)}>
          <Trans>Undo check-in</Trans>
        </Button>
      )}
      {may.transfer && (
        <Button variant="default" onClick={() => setAsked('transfer')}>
          <Trans>Transfer</Trans>
        </Button>
      )}
      {may.cancel && (
        <Button variant="default" color="red" onClick={() => setAsked('cancel')}>
          <Trans>Cancel registration</Trans>
        </Button>
      )}
      <ReasonDialog
        opened={asked === 'cancel'}
        onClose={close}
        title={t`Cancel the registration of ${name}`}
        submitLabel={<Trans>Cancel registration</Trans>}
        send={(reason) => registrations.cancel.call({ registrationId, reason })}
        done={t`Registration of ${name} cancelled`}
      >
        <p>
          <Trans>The seat goes to the next person on the waiting list. Guests are cancelled too.</Trans>
        </p>
      </ReasonDialog>
      <ReasonDialog
        opened={asked === 'reject'}
        onClose={close}
        title={t`Reject the registration of ${name}`}
        submitLabel={<Trans>Reject registration</Trans>}
        send={(reason) => registrations.reject.call({ registrationId, reason })}
        done={t`Registration of ${name} rejected`}
      />
      <TransferDialog registration={registration} opened={asked === 'transfer'} onClose={close} />
    </div>
  )
}

function Facts({ event, registration }: Of) {
  const money = useMoney()
  const can = useRights()
  const { momentIn } = useFormats()
  const at = (instant: string) => momentIn(event.timezone, new Date(instant))
  const { person, email, ticketType, price, invoice, refund, refundState, answers, waiting, checkIn, guests, reason, source } = registration
  const { holdUntil, offerUntil, createdAt } = registration
  return (
    <FactList>
      <Fact label={t`Status`}>
        <RegistrationState registration={registration} />
      </Fact>
      {reason && <Fact label={t`Reason`}>{reason}</Fact>}
      {person && (
        <Fact label={t`Person`}>
          <PersonLink person={person} />
        </Fact>
      )}
      {email && <Fact label={t`Email`}>{email}</Fact>}
      {ticketType && <Fact label={t`Ticket`}>{ticketType.name}</Fact>}
      {waiting && <Fact label={t`Place on the waiting list`}>{t`${waiting.position} of ${waiting.of}`}</Fact>}
      {holdUntil && <Fact label={t`Seat held until`}>{at(holdUntil)}</Fact>}
      {offerUntil && <Fact label={t`Seat offered until`}>{at(offerUntil)}</Fact>}
      {price.amount > 0 && <Fact label={t`Price`}>{money(price.amount, price.currency)}</Fact>}
      {invoice && (
        <Fact label={t`Invoice`}>
          {event.chapter ? (
            <Link
              to="/chapter/$chapterId/{-$tab}/{-$subtab}"
              params={{ chapterId: event.chapter.id, tab: 'finance', subtab: 'invoices' }}
              search={{ invoice: invoice.id }}
            >
              {invoiceWords(invoice.state)}
            </Link>
          ) : (
            invoiceWords(invoice.state)
          )}
        </Fact>
      )}
      {refund > 0 && (
        <Fact label={t`To refund`}>
          {can('finance.read') ? (
            <Link to="/account-management/{-$tab}" params={{ tab: 'refunds' }} search={{ refund: refundState ?? undefined }}>
              {money(refund, price.currency)}
            </Link>
          ) : (
            money(refund, price.currency)
          )}
        </Fact>
      )}
      {guests.length > 0 && <Fact label={t`Guests`}>{guests.map(({ name }) => name).join(', ')}</Fact>}
      {answers.map((answer) => (
        <Fact key={answer.questionId} label={answer.text}>
          {answerText(answer)}
        </Fact>
      ))}
      {checkIn && <Fact label={t`Checked in`}>{[at(checkIn.at), checkIn.by, checkIn.device].filter(Boolean).join(' · ')}</Fact>}
      <Fact label={t`Registered`}>
        {at(createdAt)} · {sourceWords()[source]}
      </Fact>
    </FactList>
  )
}

function Ledger({ eventId, registrationId, timezone }: { eventId: string; registrationId: string; timezone: string }) {
  const ledger = useLedger(eventId, registrationId)
  const { momentIn } = useFormats()
  if (!ledger.data) return null
  return (
    <Section title={t`History`}>
      <ol className={classes['lines']}>
        {ledger.data.items.map(({ entry, cause, by, at }) => (
          <li key={entry} className={classes['line']}>
            <span className={classes['what']}>
              {causeWords()[cause]}
              {by && <span className={classes['dim']}>{by}</span>}
            </span>
            <span className={classes['dim']}>{momentIn(timezone, new Date(at))}</span>
          </li>
        ))}
      </ol>
      <ShowMore query={ledger} />
    </Section>
  )
}
