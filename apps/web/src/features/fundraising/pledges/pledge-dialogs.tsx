import { Textarea } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useFundraisingChanged } from '../fundraising-api.ts'
import classes from '../giving.module.css'
import { nextOf } from './instalments.ts'

export type AskedPledge = { act: 'remind' | 'cancel'; pledge: Pledge }
type Props = { asked: AskedPledge | null; onClose: () => void }

/** Whatever is asked for a pledge. A dialog stays drawn while it fades away. */
export function PledgeDialogs({ asked, onClose }: Props) {
  const [last, setLast] = useState(asked)
  if (asked && (asked.act !== last?.act || asked.pledge !== last.pledge)) setLast(asked)
  if (!last) return null
  const props = { pledge: last.pledge, opened: asked !== null, onClose }
  return last.act === 'remind' ? <RemindDialog {...props} /> : <CancelDialog {...props} />
}

type DialogProps = { pledge: Pledge; opened: boolean; onClose: () => void }

function RemindDialog({ pledge, opened, onClose }: DialogProps) {
  const { remind } = useApi().data.fundraising.pledges
  const changed = useFundraisingChanged()
  const money = useMoney()
  const { day } = useFormats()
  const name = pledge.person?.displayName ?? t`The person`
  const next = nextOf(pledge)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Mail a reminder to ${name}?`}
      confirmLabel={t`Mail reminder`}
      onConfirm={async () => {
        await remind.call({ pledgeId: pledge.id }, { context: { ifMatch: pledge.version } })
        await changed()
        toast.success(t`The reminder is on its way`)
      }}
    >
      {next
        ? t`A friendly reminder of ${money(next.amount, pledge.money.currency)}, due on ${day(next.dueOn)}.`
        : t`A friendly reminder of what is due.`}
    </ConfirmDialog>
  )
}

function CancelDialog({ pledge, opened, onClose }: DialogProps) {
  const { cancel } = useApi().data.fundraising.pledges
  const changed = useFundraisingChanged()
  const money = useMoney()
  const { currency } = pledge.money
  const left = pledge.instalments.reduce((sum, { state, amount }) => (state === 'due' || state === 'overdue' ? sum + amount : sum), 0)
  return (
    <FormDialog<{ reason: string }, void>
      opened={opened}
      onClose={onClose}
      title={t`Cancel pledge`}
      version={pledge.version}
      values={{ reason: '' }}
      rules={{}}
      submitLabel={<Trans>Cancel pledge</Trans>}
      onSubmit={async ({ reason }, sent) => {
        await cancel.call({ pledgeId: pledge.id, reason: reason.trim() }, sent)
        await changed()
        toast.success(t`Pledge cancelled`)
      }}
    >
      {(form) => (
        <>
          <p className={classes['dim']}>
            {t`${money(left, currency)} is no longer expected. What was paid stays a gift. A cancelled pledge cannot be opened again.`}
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
