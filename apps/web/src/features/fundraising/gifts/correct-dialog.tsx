import { Checkbox, Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Gift, GiftChange } from '@guildhall/contract/features/fundraising.gifts'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useMoneyMoved } from '../../payments/payments-public.tsx'
import { useFunds } from '../fundraising-api.ts'
import classes from '../giving.module.css'
import { CampaignField } from './campaign-field.tsx'
import type { DonorValue } from './donor-box.tsx'
import { DonorField } from './donor-field.tsx'
import { allocationsOf, FundSplit, splitFault } from './fund-split.tsx'
import type { Split } from './fund-split.tsx'
import { TributeFields, tributeFault, tributeOf } from './tribute-fields.tsx'
import type { TributeValues } from './tribute-fields.tsx'

type Values = TributeValues & {
  donor: DonorValue
  campaignId: string | null
  splits: readonly Split[]
  isAnonymous: boolean
  note: string
}
type Props = { gift: Gift; opened: boolean; onClose: () => void }

/** Who gave, for what, and what is noted. The money itself is what came: it is refunded or reversed instead. */
export function CorrectDialog({ gift, opened, onClose }: Props) {
  const { update } = useApi().data.fundraising.gifts
  const moved = useMoneyMoved()
  const money = useMoney()
  const funds = useFunds()
  const { amount, currency } = gift.money
  const known = [...(funds.data?.items ?? []), ...gift.allocations.map(({ fund }) => fund)]
  const options = known.filter(({ id }, at) => known.findIndex((other) => other.id === id) === at)
  const values: Values = {
    donor: { personId: gift.donor?.id ?? null, name: gift.donor?.displayName ?? gift.donorName },
    campaignId: gift.campaign?.id ?? null,
    splits: gift.allocations.map(({ fund, amount: part }) => ({ fundId: fund.id, amount: part })),
    tributeKind: gift.tribute?.kind ?? '',
    tributeName: gift.tribute?.name ?? '',
    isAnonymous: gift.isAnonymous,
    note: gift.note,
  }
  return (
    <FormDialog<Values, void>
      opened={opened}
      onClose={onClose}
      title={t`Correct gift of ${money(amount, currency)}`}
      version={gift.version}
      values={values}
      rules={{
        donor: ({ personId, name }) => (personId === null && name.trim() === '' ? t`Enter who gave.` : null),
        splits: (splits) => splitFault(amount, splits),
        tributeName: (_, { tributeKind, tributeName }) => tributeFault({ tributeKind, tributeName }),
      }}
      fieldOf={fieldOf}
      submitLabel={<Trans>Save changes</Trans>}
      onSubmit={async (entered, sent) => {
        const change = changeOf(gift, values, entered)
        if (Object.keys(change).length === 0) return
        await update.call({ giftId: gift.id, ...change }, sent)
        await moved()
        toast.success(t`Gift corrected`)
      }}
    >
      {(form) => (
        <>
          <DonorField
            label={t`Donor`}
            value={form.values.donor}
            onChange={(donor) => form.setFieldValue('donor', donor)}
            error={form.errors['donor']}
            focused
          />
          <CampaignField
            label={<Optional>{t`Campaign`}</Optional>}
            {...(gift.campaign && { known: { value: gift.campaign.id, label: gift.campaign.name } })}
            {...form.getInputProps('campaignId')}
          />
          <FundSplit
            total={amount}
            currency={currency}
            funds={options}
            value={form.values.splits}
            onChange={(splits) => form.setFieldValue('splits', splits)}
            error={asText(form.errors['splits'])}
          />
          <TributeFields
            kind={form.values.tributeKind}
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
          {gift.receipt && (
            <p className={classes['dim']}>
              <Trans>Where the receipt says otherwise by then, another one replaces it and is mailed.</Trans>
            </p>
          )}
        </>
      )}
    </FormDialog>
  )
}

const asText = (error: unknown) => (typeof error === 'string' ? error : undefined)

function fieldOf(path: string): string {
  if (path === 'personId' || path === 'donorName') return 'donor'
  if (path.startsWith('allocations')) return 'splits'
  return path.startsWith('tribute') ? 'tributeName' : path
}

/** Only what is another now than when the dialog opened. */
function changeOf(gift: Gift, before: Values, after: Values): GiftChange {
  const changed = (...fields: (keyof Values)[]) => fields.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
  return {
    ...(changed('donor') && {
      personId: after.donor.personId,
      ...(after.donor.personId === null && { donorName: after.donor.name.trim() }),
    }),
    ...(changed('campaignId') && { campaignId: after.campaignId }),
    ...(changed('splits') && { allocations: allocationsOf(gift.money.amount, after.splits) }),
    ...(changed('tributeKind', 'tributeName') && { tribute: tributeOf(after) }),
    ...(changed('isAnonymous') && { isAnonymous: after.isAnonymous }),
    ...(changed('note') && { note: after.note.trim() }),
  }
}
