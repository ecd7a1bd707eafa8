import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useMe, useToday } from '../../../platform/session/session.ts'
import { useMoney } from '../../../ui/display/money.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { MoreFields } from '../../../ui/form/more-fields.tsx'
import { Optional, RecordForm, useRecordForm } from '../../../ui/form/record-form.tsx'
import { useMoneyMoved } from '../../payments/payments-public.tsx'
import { useFunds } from '../fundraising-api.ts'
import { offlineMethodOptions } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { CampaignField, useChosenCampaign } from './campaign-field.tsx'
import { noDonor } from './donor-box.tsx'
import { DonorField } from './donor-field.tsx'
import { FundSplit } from './fund-split.tsx'
import { giftFieldOf, giftRules, newGift, rememberGift, splitsOf, startOf } from './record-gift-values.ts'
import type { GiftStart, GiftValues } from './record-gift-values.ts'
import { TributeFields } from './tribute-fields.tsx'

export type RecordGiftFormProps = GiftStart & {
  onClose: () => void
  onRecorded?: ((gift: Gift) => void) | undefined
}

/** Donor and amount suffice; everything else has what is usual. */
export function RecordGiftForm({ onClose, onRecorded, ...start }: RecordGiftFormProps) {
  const { record } = useApi().data.fundraising.gifts
  const { data: me } = useMe()
  const today = useToday()
  const moved = useMoneyMoved()
  const money = useMoney()
  const funds = useFunds().data?.items ?? []
  const element = useRef<HTMLDivElement>(null)
  const form = useRecordForm<GiftValues>(giftRules(today, funds), startOf(start, today))
  const { values } = form
  const campaign = useChosenCampaign(values.campaignId).data
  const { instalment } = start
  const currency = instalment?.currency ?? campaign?.currency ?? me?.organisation.currency ?? 'EUR'
  const splits = splitsOf(values, funds)
  const open = campaign?.fund ? [campaign.fund, ...funds.filter(({ id }) => id !== campaign.fund?.id)] : funds

  const save = async (entered: GiftValues) => {
    const gift = await record.call(newGift(entered, currency, funds, instalment?.id ?? null))
    rememberGift(entered)
    toast.success(t`Gift of ${money(gift.money.amount, gift.money.currency)} recorded`)
    void moved()
    return gift
  }
  const saveAndNext = async (entered: GiftValues) => {
    await save(entered)
    // The next cheque of the same pile: only what is its own is empty.
    form.setValues({ ...startOf({}, today), ...kept(entered), donor: noDonor })
    element.current?.querySelector<HTMLElement>('[role="combobox"]')?.focus()
  }
  return (
    <RecordForm
      form={form}
      draft={`gift-${instalment?.id ?? start.person?.id ?? start.campaign?.id ?? 'new'}`}
      fieldOf={giftFieldOf}
      submitLabel={<Trans>Record gift</Trans>}
      also={instalment ? undefined : { label: <Trans>Save and record another</Trans>, onSubmit: saveAndNext }}
      onCancel={onClose}
      onSubmit={async (entered) => {
        const gift = await save(entered)
        onClose()
        onRecorded?.(gift)
      }}
    >
      <div ref={element} className={classes['stack']}>
        {instalment ? (
          <p className={classes['dim']}>
            <Trans>
              Pays the instalment of {money(instalment.amount, instalment.currency)} pledged by {values.donor.name}.
            </Trans>
          </p>
        ) : (
          <DonorField
            label={t`Donor`}
            value={values.donor}
            onChange={(donor) => form.setFieldValue('donor', donor)}
            error={form.errors['donor']}
            focused={!start.person}
          />
        )}
        <div className={classes['pair']}>
          <AmountField
            label={t`Amount`}
            currency={currency}
            value={values.amount}
            onChange={(amount) => form.setFieldValue('amount', amount)}
            error={form.errors['amount']}
          />
          <TextInput type="date" label={t`Received on`} max={today} {...form.getInputProps('receivedOn')} />
          <NativeSelect label={t`Method`} data={offlineMethodOptions()} {...form.getInputProps('method')} />
          <TextInput
            label={<Optional>{t`Reference`}</Optional>}
            placeholder={values.method === 'cheque' ? t`Number of the cheque` : t`As on the bank statement`}
            maxLength={140}
            {...form.getInputProps('reference')}
          />
        </div>
        <CampaignField
          label={<Optional>{t`Campaign`}</Optional>}
          {...(start.campaign && { known: { value: start.campaign.id, label: start.campaign.name } })}
          disabled={instalment !== undefined}
          {...form.getInputProps('campaignId')}
        />
        {splits.length === 0 ? (
          <FundOfCampaign
            name={campaign?.fund?.name}
            onOther={() => form.setFieldValue('splits', [{ fundId: campaign?.fund?.id ?? '', amount: null }])}
          />
        ) : (
          <FundSplit
            total={values.amount}
            currency={currency}
            funds={open}
            value={splits}
            onChange={(next) => form.setFieldValue('splits', next)}
            error={typeof form.errors['splits'] === 'string' ? form.errors['splits'] : undefined}
          />
        )}
        <MoreFields label={t`Tribute, anonymity and note`} opened={values.tributeKind !== '' || values.isAnonymous || values.note !== ''}>
          <TributeFields
            kind={values.tributeKind}
            onKind={(kind) => form.setFieldValue('tributeKind', kind)}
            name={form.getInputProps('tributeName')}
          />
          <Checkbox label={t`Anonymous: the donor is not named in public`} {...form.getInputProps('isAnonymous', { type: 'checkbox' })} />
          <Textarea
            label={<Optional>{t`Note for the office`}</Optional>}
            autosize
            minRows={2}
            maxLength={500}
            {...form.getInputProps('note')}
          />
        </MoreFields>
        {values.donor.personId === null && values.donor.name.trim() !== '' && values.sendReceipt && (
          <TextInput
            type="email"
            label={<Optional>{t`E-mail of the donor`}</Optional>}
            description={t`For the receipt`}
            maxLength={254}
            autoComplete="off"
            {...form.getInputProps('donorEmail')}
          />
        )}
        <Checkbox label={t`Mail the receipt, where an address is known`} {...form.getInputProps('sendReceipt', { type: 'checkbox' })} />
      </div>
    </RecordForm>
  )
}

const kept = ({ receivedOn, method, campaignId, splits, sendReceipt }: GiftValues) => ({
  receivedOn,
  method,
  campaignId,
  splits: splits.length > 1 ? [] : splits,
  sendReceipt,
})

const FundOfCampaign = ({ name, onOther }: { name: string | undefined; onOther: () => void }) => (
  <p className={classes['dim']}>
    {name ? <Trans>All of it goes to {name}.</Trans> : <Trans>All of it goes to the fund of the campaign.</Trans>}{' '}
    <button type="button" className={classes['plain']} onClick={onOther}>
      <Trans>Other fund or several</Trans>
    </button>
  </p>
)
