import { SegmentedControl, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import type { Event } from '../events-api.ts'
import { QuestionFields } from './question-fields.tsx'
import { useRegistrationsChanged } from './register-api.ts'
import type { Registration } from './register-api.ts'
import { answerFaults, answersOf, isAddress } from './register-values.ts'
import type { Answers } from './register-values.ts'
import classes from './register.module.css'

type Props = { event: Event; registration: Registration; opened: boolean; onClose: () => void }

/** Says what goes back, to whom the seat goes, and that guests leave as well. */
export function CancelDialog({ event, registration, opened, onClose, guests }: Props & { guests: readonly Registration[] }) {
  const { events } = useApi().data
  const changed = useRegistrationsChanged()
  const money = useMoney()
  const { status, price } = registration
  const isWaiting = status === 'waitlisted' || status === 'pending_approval'
  const isOffer = status === 'offered'
  const paid = [registration, ...guests].filter((one) => one.status === 'confirmed' && one.invoice?.state === 'paid')
  const back = paid.reduce((sum, one) => sum + one.price.amount, 0)
  const amount = money(back, price.currency)
  const title = isOffer ? t`Decline this seat?` : status === 'waitlisted' ? t`Leave the waiting list?` : t`Cancel your registration?`
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={title}
      danger
      confirmLabel={isOffer ? t`Decline seat` : status === 'waitlisted' ? t`Leave waiting list` : t`Cancel registration`}
      onConfirm={async () => {
        await events.registrations.cancel.call({ registrationId: registration.id })
        await changed()
        toast.success(isOffer ? t`Seat declined` : status === 'waitlisted' ? t`You left the waiting list` : t`Registration cancelled`)
      }}
    >
      <div className={classes['list']}>
        {isWaiting && <p>{t`You lose your place. If you register again, you start at the end.`}</p>}
        {!isWaiting && (
          <p>{event.waitingList ? t`The seat goes to the next person on the waiting list.` : t`The seat is free for somebody else.`}</p>
        )}
        {guests.length > 0 && (
          <p>
            <Plural value={guests.length} one="Your guest is cancelled as well." other="Your # guests are cancelled as well." />
          </p>
        )}
        {back > 0 && <p>{t`You get ${amount} back.`}</p>}
        {status === 'pending_payment' && <p>{t`You have not been charged.`}</p>}
      </div>
    </ConfirmDialog>
  )
}

type Recipient = { who: 'person' | 'other'; personId: string | null; name: string; email: string }

/** Gives the ticket to somebody else. */
export function TransferDialog({ registration, opened, onClose }: Omit<Props, 'event'>) {
  const { events } = useApi().data
  const changed = useRegistrationsChanged()
  const seesPeople = useCan('people.directory')
  return (
    <FormDialog<Recipient, Registration>
      opened={opened}
      onClose={onClose}
      title={t`Transfer ticket`}
      draft={`transfer ${registration.id}`}
      values={{ who: seesPeople ? 'person' : 'other', personId: null, name: '', email: '' }}
      rules={({ who, personId, name, email }) => ({
        ...(who === 'person' && !personId && { personId: t`Choose a person.` }),
        ...(who === 'other' && name.trim() === '' && { name: t`Enter a name.` }),
        ...(who === 'other' &&
          email.trim() !== '' &&
          !isAddress(email.trim()) && { email: t`Enter an e-mail address such as kim@example.org.` }),
      })}
      submitLabel={<Trans>Transfer ticket</Trans>}
      onSubmit={async ({ who, personId, name, email }) => {
        const to = who === 'person' && personId ? { personId } : { name: name.trim(), ...(email.trim() !== '' && { email: email.trim() }) }
        const given = await events.registrations.transfer.call({ registrationId: registration.id, ...to })
        await changed()
        toast.success(t`Ticket transferred to ${given.name}`)
        return given
      }}
    >
      {(form) => (
        <>
          <p>{t`Your code stops working, and they get a new one. What was paid stays paid.`}</p>
          {seesPeople && (
            <SegmentedControl
              aria-label={t`Who comes`}
              value={form.values.who}
              onChange={(who) => form.setFieldValue('who', who === 'person' ? 'person' : 'other')}
              data={[
                { value: 'person', label: t`A member` },
                { value: 'other', label: t`Somebody without a record` },
              ]}
            />
          )}
          {form.values.who === 'person' ? (
            <PersonPicker label={t`Person`} {...form.getInputProps('personId')} />
          ) : (
            <>
              <TextInput label={t`Name`} maxLength={200} {...form.getInputProps('name')} />
              <TextInput type="email" label={<Optional>{t`Email`}</Optional>} maxLength={320} {...form.getInputProps('email')} />
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

export function AnswersDialog({ event, registration, opened, onClose }: Props) {
  const { events } = useApi().data
  const changed = useRegistrationsChanged()
  const questions = event.questions.filter(({ ofGuests }) => registration.hostId === null || ofGuests)
  const answers: Answers = Object.fromEntries(registration.answers.map(({ questionId, value }) => [questionId, value]))
  return (
    <FormDialog<{ answers: Answers }, Registration>
      opened={opened}
      onClose={onClose}
      title={t`Change answers`}
      draft={`answers ${registration.id}`}
      values={{ answers }}
      rules={(values) => answerFaults(questions, values.answers)}
      fieldOf={(path) => path.split('.')[0] ?? path}
      submitLabel={<Trans>Save answers</Trans>}
      onSubmit={async (values) => {
        const saved = await events.registrations.answer.call({
          registrationId: registration.id,
          answers: answersOf(questions, values.answers),
        })
        await changed()
        toast.success(t`Answers saved`)
        return saved
      }}
    >
      {(form) => (
        <QuestionFields
          questions={questions}
          answers={form.values.answers}
          faultOf={(id) => form.errors[`answers.${id}`]}
          onChange={(next) => form.setFieldValue('answers', next)}
        />
      )}
    </FormDialog>
  )
}
