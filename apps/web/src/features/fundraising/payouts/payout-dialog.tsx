import { NativeSelect, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ChapterShare, Payout } from '@guildhall/contract/features/fundraising.donors'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useFundraisingChanged } from '../fundraising-api.ts'

type Values = { of: string; amount: number | null | undefined; paidOn: string; reference: string; note: string }
type Props = { shares: readonly ChapterShare[]; opened: boolean; onClose: () => void }

const keyOf = ({ chapter, currency }: ChapterShare) => `${chapter.id} ${currency}`

/** That a chapter was paid: all that is left to it, unless less is entered. */
export function PayoutDialog({ shares, opened, onClose }: Props) {
  const { recordPayout } = useApi().data.fundraising.donors
  const changed = useFundraisingChanged()
  const money = useMoney()
  const today = useToday()
  const owed = shares.filter(({ balance }) => balance > 0)
  const [first] = owed
  const shareOf = (key: string) => owed.find((share) => keyOf(share) === key)
  return (
    <FormDialog<Values, Payout>
      opened={opened}
      onClose={onClose}
      title={t`Record payout`}
      values={{ of: first ? keyOf(first) : '', amount: first?.balance ?? null, paidOn: today, reference: '', note: '' }}
      rules={{
        of: (of) => (shareOf(of) ? null : t`Choose a chapter.`),
        amount: (amount, { of }) => {
          const share = shareOf(of)
          if (!amount || amount < 1) return t`Enter an amount.`
          return share && amount > share.balance ? t`Enter at most ${money(share.balance, share.currency)}: that is what is left.` : null
        },
        paidOn: (on) => (on === '' ? t`Enter the day it was paid.` : on > today ? t`Enter a day that is not in the future.` : null),
      }}
      fieldOf={(path) => (path.startsWith('money') ? 'amount' : path === 'chapterId' ? 'of' : path)}
      submitLabel={<Trans>Record payout</Trans>}
      onSubmit={async ({ of, amount, paidOn, reference, note }) => {
        const share = shareOf(of)
        const payout = await recordPayout.call({
          chapterId: share?.chapter.id ?? '',
          money: { amount: amount ?? 0, currency: share?.currency ?? '' },
          paidOn,
          reference: reference.trim(),
          note: note.trim(),
        })
        await changed()
        toast.success(t`Payout of ${money(payout.money.amount, payout.money.currency)} to ${payout.chapter.name} recorded`)
        return payout
      }}
    >
      {(form) => (
        <>
          <NativeSelect
            label={t`Chapter`}
            data={
              owed.length === 0
                ? [{ value: '', label: t`Nothing is left to pay out` }]
                : owed.map((share) => ({ value: keyOf(share), label: `${share.chapter.name} (${money(share.balance, share.currency)})` }))
            }
            {...form.getInputProps('of')}
            onChange={(event) => {
              const of = event.currentTarget.value
              form.setValues({ of, amount: shareOf(of)?.balance ?? null })
            }}
          />
          <AmountField
            label={t`Amount`}
            currency={shareOf(form.values.of)?.currency ?? ''}
            value={form.values.amount}
            onChange={(amount) => form.setFieldValue('amount', amount)}
            error={form.errors['amount']}
          />
          <TextInput type="date" label={t`Paid on`} max={today} {...form.getInputProps('paidOn')} />
          <TextInput label={<Optional>{t`Reference`}</Optional>} maxLength={140} {...form.getInputProps('reference')} />
          <TextInput label={<Optional>{t`Note`}</Optional>} maxLength={500} {...form.getInputProps('note')} />
        </>
      )}
    </FormDialog>
  )
}
