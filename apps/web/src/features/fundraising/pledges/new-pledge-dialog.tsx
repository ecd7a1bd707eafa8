import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PersonPicker } from '../../../platform/records/record-pickers.tsx'
import { useMe, useToday } from '../../../platform/session/session.ts'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { Optional, RecordForm, useRecordForm } from '../../../ui/form/record-form.tsx'
import { useFunds, useFundraisingChanged } from '../fundraising-api.ts'
import { CampaignField, useChosenCampaign } from '../gifts/campaign-field.tsx'
import { usualFund } from '../gifts/record-gift-values.ts'
import { intervalOptions } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { InstalmentPreview } from './instalment-preview.tsx'
import { mostInstalments } from './instalments.ts'

type Values = {
  personId: string | null
  campaignId: string | null
  fundId: string
  amount: number | null | undefined
  pledgedOn: string
  firstDueOn: string
  instalments: string
  interval: string
  note: string
}
type Ref<Named extends string> = { id: string } & Record<Named, string>
type FormProps = {
  person?: Ref<'displayName'> | undefined
  campaign?: Ref<'name'> | undefined
  onClose: () => void
  onCreated?: ((pledge: Pledge) => void) | undefined
}

/** What somebody promises to give, and when. */
export const NewPledgeDialog = ({ opened, ...form }: FormProps & { opened: boolean }) => (
  <Dialog opened={opened} onClose={form.onClose} title={t`New pledge`}>
    {opened && <PledgeForm {...form} />}
  </Dialog>
)

const intervalOf = (value: string): GiftInterval => GiftInterval.options.find((known) => known === value) ?? 'month'
/** What stands there that is no number of instalments comes to none. */
const countOf = (text: string) => {
  const count = /^\s*\d+\s*$/.test(text) ? Number(text) : 0
  return count <= mostInstalments ? count : 0
}

function PledgeForm({ person, campaign: known, onClose, onCreated }: FormProps) {
  const { create } = useApi().data.fundraising.pledges
  const { data: me } = useMe()
  const changed = useFundraisingChanged()
  const money = useMoney()
  const today = useToday()
  const funds = useFunds().data?.items ?? []
  const form = useRecordForm<Values>(
    {
      personId: (id) => (id ? null : t`Choose who pledges.`),
      amount: (amount) => (!amount || amount < 1 ? t`Enter an amount.` : null),
      pledgedOn: (on) => (on === '' ? t`Enter the day of the pledge.` : null),
      firstDueOn: (on) => (on === '' ? t`Enter the day the first instalment is due.` : null),
      instalments: (text) => (countOf(text) > 0 ? null : t`Enter a number from 1 to ${mostInstalments}.`),
    },
    {
      ...{ personId: person?.id ?? null, campaignId: known?.id ?? null, fundId: '', amount: null, pledgedOn: today },
      ...{ firstDueOn: today, instalments: '1', interval: 'month', note: '' },
    },
  )
  const { values } = form
  const campaign = useChosenCampaign(values.campaignId).data
  const currency = campaign?.currency ?? me?.organisation.currency ?? 'EUR'
  const count = countOf(values.instalments)
  return (
    <RecordForm
      form={form}
      draft={`pledge-${person?.id ?? known?.id ?? 'new'}`}
      fieldOf={(path) => (path.startsWith('money') ? 'amount' : path)}
      submitLabel={<Trans>Save pledge</Trans>}
      onCancel={onClose}
      onSubmit={async (entered) => {
        const fund = entered.fundId || (entered.campaignId === null ? usualFund(funds) : '')
        const pledge = await create.call({
          ...{ personId: entered.personId ?? '', campaignId: entered.campaignId, fundId: fund || null },
          ...{ money: { amount: entered.amount ?? 0, currency }, pledgedOn: entered.pledgedOn, firstDueOn: entered.firstDueOn },
          ...{ instalments: countOf(entered.instalments), interval: intervalOf(entered.interval), note: entered.note.trim() },
        })
        void changed()
        toast.success(t`Pledge of ${money(pledge.money.amount, pledge.money.currency)} saved`)
        onClose()
        onCreated?.(pledge)
      }}
    >
      <PersonPicker
        label={t`Person`}
        autoFocus={!person}
        {...(person && { known: { value: person.id, label: person.displayName } })}
        {...form.getInputProps('personId')}
      />
      <div className={classes['pair']}>
        <AmountField
          label={t`Amount`}
          currency={currency}
          value={values.amount}
          onChange={(amount) => form.setFieldValue('amount', amount)}
          error={form.errors['amount']}
        />
        <TextInput type="date" label={t`Pledged on`} {...form.getInputProps('pledgedOn')} />
      </div>
      <div className={classes['pair']}>
        <TextInput label={t`Instalments`} inputMode="numeric" maxLength={2} {...form.getInputProps('instalments')} />
        {count > 1 && <NativeSelect label={t`Interval`} data={intervalOptions()} {...form.getInputProps('interval')} />}
        <TextInput type="date" label={count > 1 ? t`First due on` : t`Due on`} {...form.getInputProps('firstDueOn')} />
      </div>
      {values.amount ? (
        <InstalmentPreview
          amount={values.amount}
          currency={currency}
          instalments={count}
          firstDueOn={values.firstDueOn}
          interval={intervalOf(values.interval)}
        />
      ) : null}
      <CampaignField
        label={<Optional>{t`Campaign`}</Optional>}
        {...(known && { known: { value: known.id, label: known.name } })}
        {...form.getInputProps('campaignId')}
      />
      <NativeSelect
        label={t`Fund`}
        data={[
          ...(values.campaignId === null ? [] : [{ value: '', label: campaign?.fund?.name ?? t`Fund of the campaign` }]),
          ...funds.filter(({ id }) => id !== campaign?.fund?.id).map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.getInputProps('fundId')}
        value={values.fundId || (values.campaignId === null ? usualFund(funds) : '')}
      />
      <Textarea label={<Optional>{t`Note`}</Optional>} autosize minRows={2} maxLength={500} {...form.getInputProps('note')} />
    </RecordForm>
  )
}
