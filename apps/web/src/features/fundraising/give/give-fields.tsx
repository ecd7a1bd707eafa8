import { Checkbox, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { feeToCover } from '@guildhall/contract/gift-fees'
import { t } from '@lingui/core/macro'
import { useId } from 'react'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney, useRoundMoney } from '../../../ui/display/money.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { MoreFields } from '../../../ui/form/more-fields.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { intervalOptions, tributeWords } from '../giving-words.tsx'
import classes from './give.module.css'
import type { Fees, GiveFaults, GiveValues, Offer } from './give-values.ts'

type Props = {
  offer: Offer
  fees: Fees
  values: GiveValues
  onChange: (change: Partial<GiveValues>) => void
  faults?: GiveFaults
}

/** The fields with which somebody gives: how much, how often, for what. */
export function GiveFields({ offer, fees, values, onChange, faults = {} }: Props) {
  const money = useMoney()
  const { percent } = useFormats()
  const { allowsRecurring, allowsCoverFees, fund, funds, share, currency } = offer
  const fee = values.amount ? feeToCover(values.amount, fees) : 0
  return (
    <>
      {allowsRecurring && (
        <SegmentedControl
          fullWidth
          aria-label={t`How often`}
          value={values.interval ?? 'once'}
          onChange={(chosen) => onChange({ interval: intervalOptions().find(({ value }) => value === chosen)?.value ?? null })}
          data={[{ value: 'once', label: t`Once` }, ...intervalOptions()]}
        />
      )}
      <Amounts offer={offer} values={values} onChange={onChange} fault={faults.amount} />
      {funds.length > 0 && (
        <Select
          label={t`For`}
          allowDeselect={false}
          data={[...(fund ? [fund] : []), ...funds].map(({ id, name }) => ({ value: id, label: name }))}
          value={values.fundId ?? fund?.id ?? null}
          onChange={(id) => onChange({ fundId: id === fund?.id ? null : id })}
        />
      )}
      {allowsCoverFees && fee > 0 && (
        <Checkbox
          label={t`Add ${money(fee, currency)} to cover the card fee`}
          description={t`Your whole gift then goes where you mean it to.`}
          checked={values.coverFee}
          onChange={({ currentTarget }) => onChange({ coverFee: currentTarget.checked })}
        />
      )}
      <Checkbox
        label={t`Give anonymously`}
        description={t`Your name is not shown in public. The office knows it, for the receipt.`}
        checked={values.isAnonymous}
        onChange={({ currentTarget }) => onChange({ isAnonymous: currentTarget.checked })}
      />
      <MoreFields label={t`Dedication and message`} opened={values.tributeKind !== null || values.message !== ''}>
        <Select
          label={<Optional>{t`Dedicate this gift`}</Optional>}
          clearable
          placeholder={t`To nobody`}
          data={[
            { value: 'honour', label: tributeWords().honour },
            { value: 'memory', label: tributeWords().memory },
          ]}
          value={values.tributeKind}
          onChange={(kind) => onChange({ tributeKind: kind === 'honour' || kind === 'memory' ? kind : null })}
        />
        {values.tributeKind !== null && (
          <TextInput
            label={t`Name`}
            maxLength={150}
            value={values.tributeName}
            onChange={({ currentTarget }) => onChange({ tributeName: currentTarget.value })}
            error={faults.tributeName}
          />
        )}
        <Textarea
          label={<Optional>{t`Message`}</Optional>}
          autosize
          minRows={2}
          maxLength={500}
          value={values.message}
          onChange={({ currentTarget }) => onChange({ message: currentTarget.value })}
          error={faults.message}
        />
      </MoreFields>
      {share && <p className={classes['note']}>{t`${percent(share.bps / 10_000)} of each gift goes to ${share.chapter.name}.`}</p>}
    </>
  )
}

type AmountsProps = Pick<Props, 'offer' | 'values' | 'onChange'> & { fault: string | undefined }

/** Amounts to choose from, with what each makes possible, and one's own. */
function Amounts({ offer: { suggested, currency }, values, onChange, fault }: AmountsProps) {
  const round = useRoundMoney()
  const name = useId()
  const own = (
    <AmountField
      label={suggested.length > 0 ? t`Your amount` : t`Amount`}
      currency={currency}
      value={values.amount}
      onChange={(amount) => onChange({ amount })}
      error={fault}
    />
  )
  if (suggested.length === 0) return own
  return (
    <fieldset className={classes['amounts']}>
      <legend className={classes['legend']}>{t`Amount`}</legend>
      <div className={classes['chips']}>
        {suggested.map(({ amount, words }, nth) => (
          <label key={nth} className={classes['chip']}>
            <input
              type="radio"
              name={name}
              checked={!values.isOwn && values.amount === amount}
              onChange={() => onChange({ amount, isOwn: false })}
            />
            <span className={classes['chipAmount']}>{round(amount, currency)}</span>{' '}
            {words && <span className={classes['chipWords']}>{words}</span>}
          </label>
        ))}
        <label className={classes['chip']}>
          <input type="radio" name={name} checked={values.isOwn} onChange={() => onChange({ amount: null, isOwn: true })} />
          <span className={classes['chipAmount']}>{t`Other amount`}</span>
        </label>
      </div>
      {values.isOwn && own}
      {!values.isOwn && fault && (
        <p role="alert" className={classes['fault']}>
          {fault}
        </p>
      )}
    </fieldset>
  )
}
