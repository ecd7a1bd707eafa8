import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { DuesRate } from '@guildhall/contract/features/finance'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { AmountField } from '../../ui/form/amount-field.tsx'
import { useBooksChanged } from './finance-api.ts'
import { chargedToWords, periodWords } from './finance-words.tsx'

/** A rate that is changed, a new one of the chapter, or one of the whole organisation that is to be another in the chapter. */
export type EditedRate = { change: DuesRate } | { override: DuesRate } | 'new'
type Values = {
  name: string
  chargedTo: DuesRate['chargedTo']
  period: DuesRate['period']
  price: number | null | undefined
  dueDays: number | string
  chapterShare: number | string
}
type Props = { chapter: Chapter; edited: EditedRate | null; currency: string; onClose: () => void }

export function RateDialog({ chapter, edited, currency, onClose }: Props) {
  const { rates } = useApi().data.finance
  const changed = useBooksChanged()
  const rate = edited === null || edited === 'new' ? null : 'change' in edited ? edited.change : edited.override
  const isChange = edited !== null && edited !== 'new' && 'change' in edited
  const paidIn = rate?.price.currency ?? currency
  const title = isChange ? t`Change dues rate` : rate ? t`Own rate for ${chapter.name}` : t`New dues rate`
  return (
    <FormDialog<Values, DuesRate>
      opened={edited !== null}
      onClose={onClose}
      title={title}
      version={isChange ? rate?.version : undefined}
      values={{
        name: rate?.name ?? '',
        chargedTo: rate?.chargedTo ?? 'person',
        period: rate?.period ?? 'year',
        price: rate ? rate.price.amount : null,
        dueDays: rate?.dueDays ?? 30,
        chapterShare: (rate?.chapterShareBps ?? 0) / 100,
      }}
      rules={{
        name: (name) => (name.trim() === '' ? t`Enter a name.` : null),
        price: (price) => (price === undefined || price === null ? t`Enter an amount.` : null),
      }}
      fieldOf={(path) => (path.startsWith('price') ? 'price' : path === 'chapterShareBps' ? 'chapterShare' : path)}
      submitLabel={isChange ? <Trans>Save rate</Trans> : <Trans>Create rate</Trans>}
      onSubmit={async ({ name, chargedTo, period, price, dueDays, chapterShare }, sent) => {
        const facts = {
          name: name.trim(),
          chargedTo,
          period,
          price: { amount: price ?? 0, currency: paidIn },
          dueDays: Number(dueDays),
          chapterShareBps: Math.round(Number(chapterShare) * 100),
        }
        const saved =
          isChange && rate
            ? await rates.update.call({ rateId: rate.id, ...facts }, sent)
            : await rates.create.call({ ...facts, chapterId: chapter.id, ...(rate && { overridesId: rate.id }) })
        await changed()
        toast.success(isChange ? t`“${saved.name}” changed` : t`“${saved.name}” created`)
        return saved
      }}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} maxLength={100} data-autofocus {...form.getInputProps('name')} />
          <AmountField
            label={t`Amount`}
            currency={paidIn}
            value={form.values.price}
            onChange={(amount) => form.setFieldValue('price', amount)}
            error={form.errors['price']}
          />
          <NativeSelect
            label={t`Charged to`}
            data={Object.entries(chargedToWords()).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('chargedTo')}
          />
          <NativeSelect
            label={t`Period`}
            data={Object.entries(periodWords()).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('period')}
          />
          <NumberInput label={t`Due after (days)`} min={0} max={365} allowDecimal={false} {...form.getInputProps('dueDays')} />
          <NumberInput label={t`Chapter share (%)`} min={0} max={100} decimalScale={2} suffix="%" {...form.getInputProps('chapterShare')} />
        </>
      )}
    </FormDialog>
  )
}
