import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { MomentField } from '../../../ui/form/moment-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { audienceWords, chosenOf, optionsOf } from '../events-words.tsx'
import { newKey } from './event-values.ts'
import type { PromoValues, TicketValues } from './event-values.ts'
import { asNumber, usePart } from './form-context.ts'
import { MoreFields } from '../../../ui/form/more-fields.tsx'
import { PartRows } from '../../../ui/form/part-rows.tsx'
import classes from './event-form.module.css'

/** How many can come, and what it costs. */
export function TicketsPart() {
  const { values, set, errorOf, currency, flag, moment } = usePart(
    'capacity',
    'guestsPerPerson',
    'waitingList',
    'needsApproval',
    'showsAttendees',
    'ticketTypes',
    'timezone',
    'registrationOpensAt',
    'registrationClosesAt',
    'cancelUntil',
  )
  const zone = values.timezone
  const at = (value: string | null | undefined, path: string) => (value === undefined ? undefined : errorOf(path))
  return (
    <>
      <div className={classes['pair']}>
        <NumberInput
          label={<Optional>{t`Capacity`}</Optional>}
          placeholder={t`No limit`}
          min={1}
          max={1_000_000}
          allowDecimal={false}
          value={values.capacity ?? ''}
          onChange={(value) => set({ capacity: asNumber(value) })}
          error={errorOf('capacity')}
          data-path="capacity"
        />
        <NumberInput
          label={t`Guests per person`}
          min={0}
          max={20}
          allowDecimal={false}
          value={values.guestsPerPerson}
          onChange={(value) => set({ guestsPerPerson: asNumber(value) ?? 0 })}
          error={errorOf('guestsPerPerson')}
          data-path="guestsPerPerson"
        />
      </div>
      <Switch label={t`Waiting list once it is full`} {...flag('waitingList')} />
      <Switch label={t`Organisers approve each registration`} {...flag('needsApproval')} />
      <Switch label={t`Everybody who sees the event sees who comes`} {...flag('showsAttendees')} />
      {values.ticketTypes.length === 0 && (
        <p className={classes['note']}>
          <Trans>Registering is free. Add tickets for prices, quotas or several kinds of places.</Trans>
        </p>
      )}
      <PartRows<TicketValues>
        rows={values.ticketTypes}
        onChange={(ticketTypes) => set({ ticketTypes })}
        name={(ticket, nth) => ticket.name.trim() || t`Ticket ${nth + 1}`}
        addLabel={t`Add a ticket`}
        ordered
        make={() => ({
          key: newKey(),
          name: values.ticketTypes.length === 0 ? t`Standard` : '',
          description: '',
          amount: 0,
          currency: values.ticketTypes[0]?.currency ?? currency,
          memberPrice: null,
          quota: null,
          audience: 'everyone',
          sellsFrom: null,
          sellsUntil: null,
          minPerOrder: 1,
          maxPerOrder: 1,
        })}
      >
        {(ticket, nth, change) => {
          const path = (field: string) => `ticketTypes.${nth}.${field}`
          return (
            <>
              <div className={classes['pair']}>
                <TextInput
                  label={t`Name`}
                  maxLength={100}
                  value={ticket.name}
                  onChange={({ currentTarget }) => change({ name: currentTarget.value })}
                  error={errorOf(path('name'))}
                  data-path={path('name')}
                />
                <AmountField
                  label={t`Price`}
                  currency={ticket.currency}
                  value={ticket.amount}
                  onChange={(amount) => change({ amount })}
                  description={t`0 is free`}
                  error={ticket.amount === undefined ? undefined : errorOf(path('price.amount'))}
                />
              </div>
              <div className={classes['pair']}>
                <AmountField
                  label={<Optional>{t`Member price`}</Optional>}
                  currency={ticket.currency}
                  value={ticket.memberPrice}
                  onChange={(memberPrice) => change({ memberPrice })}
                  error={ticket.memberPrice === undefined ? undefined : errorOf(path('memberPrice'))}
                />
                <NumberInput
                  label={<Optional>{t`Quota`}</Optional>}
                  placeholder={t`No limit`}
                  min={1}
                  max={1_000_000}
                  allowDecimal={false}
                  value={ticket.quota ?? ''}
                  onChange={(value) => change({ quota: asNumber(value) })}
                  error={errorOf(path('quota'))}
                  data-path={path('quota')}
                />
              </div>
              <MoreFields label={t`More about this ticket`}>
                <Textarea
                  label={<Optional>{t`Description`}</Optional>}
                  autosize
                  maxLength={500}
                  value={ticket.description}
                  onChange={({ currentTarget }) => change({ description: currentTarget.value })}
                />
                <Select
                  label={t`For`}
                  allowDeselect={false}
                  data={optionsOf(audienceWords())}
                  value={ticket.audience}
                  onChange={(audience) => change({ audience: chosenOf(audienceWords(), audience) ?? ticket.audience })}
                />
                <div className={classes['pair']}>
                  <MomentField
                    label={<Optional>{t`On sale from`}</Optional>}
                    zone={zone}
                    value={ticket.sellsFrom}
                    onChange={(sellsFrom) => change({ sellsFrom })}
                    error={at(ticket.sellsFrom, path('sellsFrom'))}
                  />
                  <MomentField
                    label={<Optional>{t`On sale until`}</Optional>}
                    zone={zone}
                    value={ticket.sellsUntil}
                    onChange={(sellsUntil) => change({ sellsUntil })}
                    error={at(ticket.sellsUntil, path('sellsUntil'))}
                  />
                </div>
                <div className={classes['pair']}>
                  <NumberInput
                    label={t`Lowest number per order`}
                    min={1}
                    max={20}
                    allowDecimal={false}
                    value={ticket.minPerOrder}
                    onChange={(value) => change({ minPerOrder: asNumber(value) ?? 1 })}
                    error={errorOf(path('minPerOrder'))}
                    data-path={path('minPerOrder')}
                  />
                  <NumberInput
                    label={t`Highest number per order`}
                    min={1}
                    max={50}
                    allowDecimal={false}
                    value={ticket.maxPerOrder}
                    onChange={(value) => change({ maxPerOrder: asNumber(value) ?? 1 })}
                    error={errorOf(path('maxPerOrder'))}
                    data-path={path('maxPerOrder')}
                  />
                </div>
              </MoreFields>
            </>
          )
        }}
      </PartRows>
      {errorOf('ticketTypes') && (
        <p role="alert" className={classes['fault']}>
          {errorOf('ticketTypes')}
        </p>
      )}
      {values.ticketTypes.length > 0 && <PromoCodes />}
      <MoreFields label={t`Deadlines`}>
        <MomentField label={<Optional>{t`Registration opens`}</Optional>} {...moment('registrationOpensAt', zone)} />
        <MomentField label={<Optional>{t`Registration closes`}</Optional>} {...moment('registrationClosesAt', zone)} />
        <MomentField label={<Optional>{t`People cancel by themselves until`}</Optional>} {...moment('cancelUntil', zone)} />
        <p className={classes['note']}>
          <Trans>
            Unless stated, registration opens when the event is published and closes when it starts; people cancel until it starts.
          </Trans>
        </p>
      </MoreFields>
    </>
  )
}

function PromoCodes() {
  const { values, set, errorOf } = usePart('ticketTypes', 'promoCodes', 'timezone')
  const currency = values.ticketTypes[0]?.currency ?? 'EUR'
  const types = values.ticketTypes.flatMap(({ id, name }) => (id ? [{ value: id, label: name }] : []))
  return (
    <MoreFields label={t`Promo codes`} opened={values.promoCodes.length > 0}>
      <PartRows<PromoValues>
        rows={values.promoCodes}
        onChange={(promoCodes) => set({ promoCodes })}
        name={(code, nth) => code.code.trim().toUpperCase() || t`Promo code ${nth + 1}`}
        addLabel={t`Add a promo code`}
        make={() => ({
          key: newKey(),
          ...{ code: '', ticketTypeId: null, percent: 10, amount: null, usesLimit: null, validFrom: null, validUntil: null },
        })}
      >
        {(code, nth, change) => {
          const path = (field: string) => `promoCodes.${nth}.${field}`
          return (
            <>
              <div className={classes['pair']}>
                <TextInput
                  label={t`Code`}
                  maxLength={40}
                  value={code.code}
                  onChange={({ currentTarget }) => change({ code: currentTarget.value })}
                  error={errorOf(path('code'))}
                  data-path={path('code')}
                />
                <Select
                  label={t`Discount`}
                  allowDeselect={false}
                  data={[
                    { value: 'percent', label: t`Percentage` },
                    { value: 'amount', label: t`Amount` },
                  ]}
                  value={code.percent === null ? 'amount' : 'percent'}
                  onChange={(kind) =>
                    change(kind === 'amount' ? { percent: null, amount: code.amount ?? null } : { percent: 10, amount: null })
                  }
                />
              </div>
              <div className={classes['pair']}>
                {code.percent === null ? (
                  <AmountField
                    label={t`Amount off each ticket`}
                    currency={currency}
                    value={code.amount}
                    onChange={(amount) => change({ amount })}
                    error={code.amount === undefined ? undefined : (errorOf(path('amount')) ?? errorOf(path('percent')))}
                  />
                ) : (
                  <NumberInput
                    label={t`Percent off`}
                    min={1}
                    max={100}
                    allowDecimal={false}
                    suffix="%"
                    value={code.percent}
                    onChange={(value) => change({ percent: asNumber(value) ?? 1 })}
                    error={errorOf(path('percent'))}
                    data-path={path('percent')}
                  />
                )}
                <NumberInput
                  label={<Optional>{t`Uses`}</Optional>}
                  placeholder={t`No limit`}
                  min={1}
                  max={1_000_000}
                  allowDecimal={false}
                  value={code.usesLimit ?? ''}
                  onChange={(value) => change({ usesLimit: asNumber(value) })}
                  error={errorOf(path('usesLimit'))}
                  data-path={path('usesLimit')}
                />
              </div>
              <Select
                label={t`For`}
                placeholder={t`All tickets`}
                clearable
                data={types}
                value={code.ticketTypeId}
                onChange={(ticketTypeId) => change({ ticketTypeId })}
              />
              <div className={classes['pair']}>
                <MomentField
                  label={<Optional>{t`Valid from`}</Optional>}
                  zone={values.timezone}
                  value={code.validFrom}
                  onChange={(validFrom) => change({ validFrom })}
                />
                <MomentField
                  label={<Optional>{t`Valid until`}</Optional>}
                  zone={values.timezone}
                  value={code.validUntil}
                  onChange={(validUntil) => change({ validUntil })}
                  error={code.validUntil === undefined ? undefined : errorOf(path('validUntil'))}
                />
              </div>
            </>
          )
        }}
      </PartRows>
    </MoreFields>
  )
}
