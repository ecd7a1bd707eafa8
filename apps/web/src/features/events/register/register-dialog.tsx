import { Button, Input, Radio, SegmentedControl, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconPlus } from '@tabler/icons-react'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useZoneTimes } from '../../../ui/display/zone-times.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import type { Event } from '../events-api.ts'
import { QuestionFields } from './question-fields.tsx'
import { usePrice } from './register-api.ts'
import type { Registration } from './register-api.ts'
import { atField, firstValues, newGuest, registerRules, requestOf, soldOut, ticketsFor, waits } from './register-values.ts'
import type { RegisterValues } from './register-values.ts'
import classes from './register.module.css'

type Form = UseFormReturnType<RegisterValues>
type Props = {
  event: Event
  opened: boolean
  onClose: () => void
  onRegistered: (registration: Registration) => unknown
  forOthers?: boolean
}

/** What registering for an event asks: for whom, which ticket, questions, guests and a code, and what it comes to. What was typed is kept. */
export function RegisterDialog({ event, opened, onClose, onRegistered, forOthers = false }: Props) {
  const { events } = useApi().data
  return (
    <FormDialog<RegisterValues, Registration>
      opened={opened}
      onClose={onClose}
      size="lg"
      title={forOthers ? t`Register somebody else` : t`Register for ${event.title}`}
      draft={`register ${event.id} ${forOthers ? 'others' : 'me'}`}
      values={{ ...firstValues(event), ...(forOthers && { who: 'person' as const }) }}
      rules={registerRules(event)}
      fieldOf={(path) => path.split('.')[0] ?? path}
      submitLabel={(values) => <SubmitLabel event={event} values={values} />}
      onSubmit={async (values) => {
        try {
          return await events.registrations.create.call(requestOf(event, values))
        } catch (problem) {
          throw atField(problem)
        }
      }}
      onDone={onRegistered}
    >
      {(form) => <Fields event={event} form={form} forOthers={forOthers} />}
    </FormDialog>
  )
}

function SubmitLabel({ event, values }: { event: Event; values: RegisterValues }) {
  const total = useTotal(event, values)
  if (event.needsApproval && !event.may.edit) return <Trans>Ask to register</Trans>
  if (waits(event, values.ticketTypeId)) return <Trans>Join the waiting list</Trans>
  return total.amount > 0 && values.who === 'me' ? <Trans>Continue to payment</Trans> : <Trans>Register</Trans>
}

/** What it comes to: by the event where it says so, else by the server, which knows codes and other people's memberships. */
function useTotal(event: Event, values: RegisterValues) {
  const { who, personId, name, ticketTypeId, guests } = values
  const [promoCode] = useDebouncedValue(values.promoCode.trim(), 500)
  const ticket = event.ticketTypes.find(({ id }) => id === ticketTypeId)
  const whom = who === 'person' && personId ? { personId } : who === 'other' ? { name: name.trim() || '-' } : {}
  const asks = ticket !== undefined && (promoCode !== '' || (who === 'person' && personId !== null))
  const price = usePrice(
    { eventId: event.id, guests: guests.length, ...(ticketTypeId && { ticketTypeId }), ...whom, ...(promoCode && { promoCode }) },
    asks,
  )
  const own = who === 'me' ? (ticket?.myPrice ?? 0) : (ticket?.price.amount ?? 0)
  const usual = { price: own, guestPrice: ticket?.price.amount ?? 0, currency: ticket?.price.currency ?? '' }
  const { price: mine, guestPrice, currency } = (asks && price.data) || usual
  return {
    ...{ ticket, mine, guestPrice, currency },
    amount: mine + guests.length * guestPrice,
    before: usual.price + guests.length * usual.guestPrice,
    codeFault: promoCode !== '' && price.isError ? problemText(price.error) : undefined,
    codeApplies: promoCode !== '' && price.isSuccess,
    isSettling: asks && (price.isPending || promoCode !== values.promoCode.trim()),
  }
}

function Fields({ event, form, forOthers }: { event: Event; form: Form; forOthers: boolean }) {
  const { values } = form
  const tickets = ticketsFor(event)
  const total = useTotal(event, values)
  const costs = tickets.some(({ price }) => price.amount > 0)
  return (
    <>
      {forOthers && <Whom form={form} />}
      {tickets.length > 0 && <TicketChoice event={event} form={form} />}
      <QuestionFields
        questions={event.questions}
        answers={values.answers}
        faultOf={(id) => form.errors[`answers.${id}`]}
        onChange={(answers) => form.setFieldValue('answers', answers)}
      />
      {form.errors['answers'] && <Input.Error role="alert">{form.errors['answers']}</Input.Error>}
      {(event.guestsPerPerson > 0 || values.guests.length > 0) && <Guests event={event} form={form} />}
      {costs && (
        <TextInput
          label={<Optional>{t`Promo code`}</Optional>}
          autoComplete="off"
          maxLength={40}
          description={total.codeApplies ? t`This code is applied.` : undefined}
          {...form.getInputProps('promoCode')}
          error={form.errors['promoCode'] ?? total.codeFault}
        />
      )}
      {costs && total.ticket && <Total event={event} total={total} guests={values.guests.length} />}
      {waits(event, values.ticketTypeId) && (
        <p className={classes['hint']} role="status">
          {t`There is no free seat at the moment. You join the waiting list, and get an offer when a seat comes free.`}
        </p>
      )}
      {event.needsApproval && !event.may.edit && (
        <p className={classes['hint']}>{t`The organisers decide who comes. You hear from them.`}</p>
      )}
    </>
  )
}

function Whom({ form }: { form: Form }) {
  const { who } = form.values
  return (
    <>
      <SegmentedControl
        aria-label={t`Who comes`}
        value={who}
        onChange={(value) => form.setFieldValue('who', value === 'other' ? 'other' : 'person')}
        data={[
          { value: 'person', label: t`A member` },
          { value: 'other', label: t`Somebody without a record` },
        ]}
      />
      {who === 'person' && <PersonPicker label={t`Person`} {...form.getInputProps('personId')} />}
      {who === 'other' && (
        <>
          <TextInput label={t`Name`} maxLength={200} {...form.getInputProps('name')} />
          <TextInput type="email" label={<Optional>{t`Email`}</Optional>} maxLength={320} {...form.getInputProps('email')} />
        </>
      )}
    </>
  )
}

function TicketChoice({ event, form }: { event: Event; form: Form }) {
  const money = useMoney()
  const momentText = useZoneTimes()
  const priced = (amount: number, currency: string) => (amount === 0 ? t`Free` : money(amount, currency))
  return (
    <Radio.Group label={t`Ticket`} {...form.getInputProps('ticketTypeId')}>
      <div className={classes['tickets']}>
        {ticketsFor(event).map((ticket) => {
          const { id, name, description, price, myPrice, onSale, sellsFrom, audience } = ticket
          const later = sellsFrom !== null && Date.parse(sellsFrom) > Date.now()
          const closed = !onSale && !event.may.edit
          const gone = soldOut(ticket)
          const notes = [
            description,
            audience === 'members' && t`Members only`,
            audience === 'chapter' && t`People of the chapter only`,
            closed && (later ? t`On sale from ${momentText(new Date(sellsFrom), event.timezone)}` : t`No longer on sale`),
            gone && (event.waitingList ? t`Sold out. You can join the waiting list.` : t`Sold out`),
          ].filter(Boolean)
          const isMemberPrice = myPrice < price.amount && form.values.who === 'me'
          return (
            <div key={id} className={classes['ticket']}>
              <Radio
                value={id}
                disabled={closed || (gone && !event.waitingList)}
                label={name}
                description={notes.length > 0 ? notes.join(' · ') : undefined}
              />
              <span className={classes['price']}>
                <strong>{priced(isMemberPrice ? myPrice : price.amount, price.currency)}</strong>
                {isMemberPrice && (
                  <span className={classes['dim']}>{t`Member price, instead of ${priced(price.amount, price.currency)}`}</span>
                )}
              </span>
            </div>
          )
        })}
      </div>
    </Radio.Group>
  )
}

function Guests({ event, form }: { event: Event; form: Form }) {
  const { guests } = form.values
  const most = event.may.edit ? 20 : event.guestsPerPerson
  const questions = event.questions.filter(({ ofGuests }) => ofGuests)
  return (
    <div className={classes['guests']}>
      {guests.map((guest, nth) => {
        const place = nth + 1
        return (
          <fieldset key={nth} className={classes['guest']}>
            <legend>{t`Guest ${place}`}</legend>
            <TextInput label={t`Name of guest ${place}`} maxLength={200} {...form.getInputProps(`guests.${nth}.name`)} />
            <TextInput
              type="email"
              label={<Optional>{t`Email of guest ${place}`}</Optional>}
              maxLength={320}
              {...form.getInputProps(`guests.${nth}.email`)}
            />
            <QuestionFields
              questions={questions}
              answers={guest.answers}
              faultOf={(id) => form.errors[`guests.${nth}.answers.${id}`]}
              onChange={(answers) => form.setFieldValue(`guests.${nth}.answers`, answers)}
            />
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              className={classes['remove'] ?? ''}
              onClick={() => form.removeListItem('guests', nth)}
            >
              {t`Remove guest ${place}`}
            </Button>
          </fieldset>
        )
      })}
      {form.errors['guests'] && <Input.Error role="alert">{form.errors['guests']}</Input.Error>}
      {guests.length < most && (
        <Button
          variant="default"
          size="compact-md"
          className={classes['remove'] ?? ''}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => form.insertListItem('guests', newGuest())}
        >
          <Trans>Add guest</Trans>
        </Button>
      )}
    </div>
  )
}

function Total({ event, total, guests }: { event: Event; total: ReturnType<typeof useTotal>; guests: number }) {
  const money = useMoney()
  const { ticket, mine, guestPrice, currency, amount, before, isSettling } = total
  return (
    <dl className={classes['total']} aria-live="polite" aria-busy={isSettling}>
      {guests > 0 && (
        <>
          <div>
            <dt>{ticket?.name ?? event.title}</dt>
            <dd>{money(mine, currency)}</dd>
          </div>
          <div>
            <dt>{t`Guests (${guests})`}</dt>
            <dd>{money(guests * guestPrice, currency)}</dd>
          </div>
        </>
      )}
      <div className={classes['sum']}>
        <dt>{t`Total`}</dt>
        <dd>
          {amount < before && <s className={classes['dim']}>{money(before, currency)}</s>} {money(amount, currency)}
        </dd>
      </div>
    </dl>
  )
}
