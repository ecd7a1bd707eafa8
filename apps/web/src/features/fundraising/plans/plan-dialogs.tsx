import { Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { daysFrom } from '@guildhall/contract/moments'
import { useState } from 'react'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { toast } from '../../../platform/activity/toast.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { cardName } from '../../payments/payments-public.tsx'
import { donorName, perInterval } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { usePlanChanges } from './plans-api.ts'
import type { AskedPlan } from './plans-api.ts'

type Props = { asked: AskedPlan | null; onClose: () => void }

/** Whatever is asked for a recurring gift. A dialog stays drawn while it fades away. */
export function PlanDialogs({ asked, onClose }: Props) {
  const [last, setLast] = useState(asked)
  if (asked && (asked.act !== last?.act || asked.plan !== last.plan)) setLast(asked)
  if (!last) return null
  const props = { plan: last.plan, opened: asked !== null, onClose }
  switch (last.act) {
    case 'amount':
      return <AmountDialog {...props} />
    case 'pause':
      return <PauseDialog {...props} />
    case 'resume':
      return <ResumeDialog {...props} />
    case 'retry':
      return <RetryDialog {...props} />
    case 'stop':
      return <StopDialog {...props} />
  }
}

type DialogProps = { plan: Plan; opened: boolean; onClose: () => void }

function AmountDialog({ plan, opened, onClose }: DialogProps) {
  const changes = usePlanChanges(plan)
  const money = useMoney()
  const { day } = useFormats()
  const { amount: before, currency } = plan.money
  const next = plan.nextOn && day(plan.nextOn)
  return (
    <FormDialog<{ amount: number | null | undefined }, void>
      opened={opened}
      onClose={onClose}
      title={t`Change amount`}
      version={plan.version}
      values={{ amount: before }}
      rules={{ amount: (amount) => (!amount || amount < 1 ? t`Enter an amount.` : null) }}
      fieldOf={(path) => (path.startsWith('money') ? 'amount' : path)}
      submitLabel={({ amount }) => (amount ? t`Change to ${perInterval(money(amount, currency), plan.interval)}` : t`Change amount`)}
      onSubmit={async ({ amount }, sent) => {
        await changes.amount(amount ?? 0, currency, sent)
        toast.success(t`Amount changed to ${perInterval(money(amount ?? 0, currency), plan.interval)}`)
      }}
    >
      {(form) => (
        <>
          <AmountField
            label={t`Amount`}
            currency={currency}
            description={perInterval(money(before, currency), plan.interval)}
            value={form.values.amount}
            onChange={(amount) => form.setFieldValue('amount', amount)}
            error={form.errors['amount']}
          />
          <p className={classes['dim']}>{next ? t`It applies from the next gift on ${next}.` : t`It applies from the next gift.`}</p>
        </>
      )}
    </FormDialog>
  )
}

function PauseDialog({ plan, opened, onClose }: DialogProps) {
  const changes = usePlanChanges(plan)
  const tomorrow = daysFrom(useToday(), 1)
  const { day } = useFormats()
  return (
    <FormDialog<{ until: string }, void>
      opened={opened}
      onClose={onClose}
      title={t`Pause recurring gift`}
      version={plan.version}
      values={{ until: '' }}
      rules={{ until: (until) => (until !== '' && until < tomorrow ? t`Enter a day after today.` : null) }}
      submitLabel={<Trans>Pause</Trans>}
      onSubmit={async ({ until }, sent) => {
        const paused = await changes.pause(until || null, sent)
        const name = donorName(plan)
        toast.undo(until ? t`Recurring gift of ${name} paused until ${day(until)}` : t`Recurring gift of ${name} paused`, () =>
          changes.resume(paused.version),
        )
      }}
    >
      {(form) => (
        <>
          <TextInput
            type="date"
            label={<Optional>{t`Until`}</Optional>}
            description={t`Empty: until it is resumed`}
            min={tomorrow}
            {...form.getInputProps('until')}
          />
          <p className={classes['dim']}>{t`Nothing is charged while it is paused, and nothing is charged for that time afterwards.`}</p>
        </>
      )}
    </FormDialog>
  )
}

function ResumeDialog({ plan, opened, onClose }: DialogProps) {
  const changes = usePlanChanges(plan)
  const money = useMoney()
  const amount = perInterval(money(plan.money.amount, plan.money.currency), plan.interval)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Resume recurring gift?`}
      confirmLabel={t`Resume`}
      onConfirm={async () => {
        await changes.resume()
        toast.success(t`Recurring gift of ${donorName(plan)} resumed`)
      }}
    >
      {t`${amount} is charged again from the next day it is due.`}
    </ConfirmDialog>
  )
}

function RetryDialog({ plan, opened, onClose }: DialogProps) {
  const changes = usePlanChanges(plan)
  const money = useMoney()
  const amount = money(plan.money.amount, plan.money.currency)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Retry the charge now?`}
      confirmLabel={t`Charge ${amount}`}
      onConfirm={async () => {
        await changes.retry()
        toast.success(t`The card is being charged again`)
      }}
    >
      {plan.card
        ? t`${amount} is charged to ${cardName(plan.card)} of ${donorName(plan)} now instead of on the day planned.`
        : t`${amount} is charged to the card of ${donorName(plan)} now instead of on the day planned.`}
    </ConfirmDialog>
  )
}

function StopDialog({ plan, opened, onClose }: DialogProps) {
  const changes = usePlanChanges(plan)
  const money = useMoney()
  const amount = perInterval(money(plan.money.amount, plan.money.currency), plan.interval)
  return (
    <FormDialog<{ reason: string }, void>
      opened={opened}
      onClose={onClose}
      title={t`Stop recurring gift`}
      version={plan.version}
      values={{ reason: '' }}
      rules={{}}
      submitLabel={t`Stop ${amount}`}
      onSubmit={async ({ reason }, sent) => {
        await changes.stop(reason.trim(), sent)
        toast.success(t`Recurring gift of ${donorName(plan)} stopped`)
      }}
    >
      {(form) => (
        <>
          <p className={classes['dim']}>
            {t`Nothing more is charged. What was given stays given. A stopped recurring gift cannot be resumed; a new one can be started on the page of the campaign.`}
          </p>
          <Textarea
            label={<Optional>{t`Reason`}</Optional>}
            maxLength={300}
            autosize
            minRows={2}
            data-autofocus
            {...form.getInputProps('reason')}
          />
        </>
      )}
    </FormDialog>
  )
}
