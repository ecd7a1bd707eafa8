import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import type {
  MembershipLeaving,
  MembershipOpenTo,
  MembershipPeriod,
  MembershipType,
  NewMembershipType,
} from '@guildhall/contract/features/membership'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { useMembershipsChanged } from '../membership-api.ts'
import classes from '../membership.module.css'
import { openToWords, periodWords } from '../membership-words.tsx'
import { TypePreview } from './type-preview.tsx'

type Values = {
  name: string
  description: string
  period: MembershipPeriod
  months: number | string
  startsMonth: string
  startsDay: number | string
  rolloverDays: number | string
  price: number | null | undefined
  graceDays: number | string
  renewalDays: number | string
  needsApproval: boolean
  chapterShare: number | string
  openTo: MembershipOpenTo
  leaving: MembershipLeaving
  questions: string
}

const valuesOf = (type: MembershipType | null): Values => ({
  name: type?.name ?? '',
  description: type?.description ?? '',
  period: type?.period ?? 'rolling',
  months: type?.months ?? 12,
  startsMonth: String(type?.startsMonth ?? 1),
  startsDay: type?.startsDay ?? 1,
  rolloverDays: type?.rolloverDays ?? 0,
  price: type ? type.price.amount : null,
  graceDays: type?.graceDays ?? 30,
  renewalDays: type?.renewalDays ?? 30,
  needsApproval: type?.needsApproval ?? true,
  chapterShare: (type?.chapterShareBps ?? 0) / 100,
  openTo: type?.openTo ?? 'everyone',
  leaving: type?.leaving ?? 'any_time',
  questions: (type?.questions ?? []).join('\n'),
})

/** What is sent: fields that the period does not have are empty. */
const sentOf = (values: Values, currency: string): NewMembershipType => ({
  name: values.name,
  description: values.description,
  period: values.period,
  months: values.period === 'lifetime' ? null : values.period === 'fixed' ? 12 : Number(values.months),
  startsMonth: values.period === 'fixed' ? Number(values.startsMonth) : null,
  startsDay: values.period === 'fixed' ? Number(values.startsDay) : null,
  rolloverDays: values.period === 'fixed' ? Number(values.rolloverDays) : 0,
  price: { amount: values.price ?? 0, currency },
  graceDays: Number(values.graceDays),
  renewalDays: Number(values.renewalDays),
  needsApproval: values.needsApproval,
  chapterShareBps: Math.round(Number(values.chapterShare) * 100),
  openTo: values.openTo,
  leaving: values.period === 'lifetime' ? 'any_time' : values.leaving,
  questions: values.questions
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean),
})

export type TypeDialogProps = { edited: MembershipType | 'new' | null; currency: string; onClose: () => void }

export function TypeDialog({ edited, currency, onClose }: TypeDialogProps) {
  const { types } = useApi().data.membership
  const changed = useMembershipsChanged()
  const { i18n } = useLingui()
  const type = edited === 'new' ? null : edited
  const paidIn = type?.price.currency ?? currency
  const monthName = new Intl.DateTimeFormat(i18n.locale, { month: 'long', timeZone: 'UTC' })
  const months = Array.from({ length: 12 }, (_, index) => ({
    value: String(index + 1),
    label: monthName.format(new Date(Date.UTC(2026, index, 1))),
  }))
  const words = { period: periodWords(), openTo: openToWords() }
  return (
    <FormDialog<Values, MembershipType>
      opened={edited !== null}
      onClose={onClose}
      size="lg"
      title={type ? t`Change membership type` : t`New membership type`}
      version={type?.version}
      rules={{
        name: (name) => (name.trim() === '' ? t`Enter a name.` : null),
        price: (price) => (price === undefined || price === null ? t`Enter a price, or 0 for a free membership.` : null),
        months: (entered, { period }) =>
          period === 'rolling' && !(Number(entered) >= 1) ? t`Enter the number of months in a term.` : null,
      }}
      values={valuesOf(type)}
      fieldOf={(path) => (path.startsWith('price') ? 'price' : path === 'chapterShareBps' ? 'chapterShare' : path)}
      submitLabel={type ? <Trans>Save membership type</Trans> : <Trans>Create membership type</Trans>}
      onSubmit={async (values, sent) => {
        const rules = sentOf(values, paidIn)
        const saved = type ? await types.update.call({ typeId: type.id, ...rules }, sent) : await types.create.call(rules)
        await changed()
        toast.success(type ? t`“${saved.name}” changed` : t`“${saved.name}” created`)
        return saved
      }}
    >
      {(form) => (
        <div className={classes['stack']}>
          <TextInput label={t`Name`} autoFocus data-autofocus maxLength={100} {...form.getInputProps('name')} />
          <Textarea label={t`Description`} maxLength={500} autosize minRows={2} {...form.getInputProps('description')} />
          <AmountField
            label={t`Price of one term`}
            currency={paidIn}
            value={form.values.price}
            onChange={(amount) => form.setFieldValue('price', amount)}
            error={form.errors['price']}
          />
          <NativeSelect
            label={t`Period`}
            data={Object.entries(words.period).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('period')}
          />
          {form.values.period === 'rolling' && (
            <NumberInput label={t`Months in a term`} min={1} max={120} allowDecimal={false} {...form.getInputProps('months')} />
          )}
          {form.values.period === 'fixed' && (
            <>
              <NativeSelect label={t`Start month`} data={months} {...form.getInputProps('startsMonth')} />
              <NumberInput label={t`Start day`} min={1} max={28} allowDecimal={false} {...form.getInputProps('startsDay')} />
              <NumberInput
                label={t`Rollover (days)`}
                description={t`People who join this many days before the next year starts get that year too.`}
                min={0}
                max={366}
                allowDecimal={false}
                {...form.getInputProps('rolloverDays')}
              />
            </>
          )}
          {form.values.period !== 'lifetime' && (
            <>
              <NumberInput label={t`Grace period (days)`} min={0} max={180} allowDecimal={false} {...form.getInputProps('graceDays')} />
              <NumberInput
                label={t`Renewal window (days)`}
                description={t`Members can renew this many days before their term ends.`}
                min={0}
                max={180}
                allowDecimal={false}
                {...form.getInputProps('renewalDays')}
              />
            </>
          )}
          <NumberInput label={t`Chapter share (%)`} min={0} max={100} decimalScale={2} suffix="%" {...form.getInputProps('chapterShare')} />
          <NativeSelect
            label={t`Open to`}
            data={Object.entries(words.openTo).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('openTo')}
          />
          {form.values.period !== 'lifetime' && (
            <NativeSelect
              label={t`Members can leave`}
              data={[
                { value: 'any_time', label: t`At any time` },
                { value: 'end_of_term', label: t`At the end of a term` },
              ]}
              {...form.getInputProps('leaving')}
            />
          )}
          <Checkbox label={t`Approval needed`} {...form.getInputProps('needsApproval', { type: 'checkbox' })} />
          <Textarea
            label={t`Questions`}
            description={t`One per line, up to 5. People who apply answer them.`}
            autosize
            minRows={2}
            {...form.getInputProps('questions')}
          />
          {type && <TypePreview type={type} rules={() => sentOf(form.values, paidIn)} />}
        </div>
      )}
    </FormDialog>
  )
}
