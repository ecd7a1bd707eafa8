import { Alert, Button, Radio, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import '@mantine/core/styles/Radio.css'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { useToday } from '../../platform/session/session.ts'
import { useFormats } from '../../ui/display/dates.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import { usePrice } from './membership-words.tsx'
import classes from './membership.module.css'

type When = 'end' | 'now' | 'day'
type Values = { when: When; day: string; reason: string }
type Props = { left: HeldMembershipDetail | null; onClose: () => void; onKeep: (held: HeldMembershipDetail) => void }

/** Cancelling, with what it means; to let the membership end with its term is offered first. */
export function LeaveDialog({ left, onClose, onKeep }: Props) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const { day } = useFormats()
  const price = usePrice()
  const last = left?.endsOn ? day(left.endsOn) : ''
  const owed = left?.owed ? price(left.owed) : ''
  const today = useToday()
  const runs = left?.endsOn !== null && (left?.endsOn ?? '') >= today
  const decides = left?.may.change ?? false
  return (
    <FormDialog<Values, void>
      opened={left !== null}
      onClose={onClose}
      title={t`Cancel membership`}
      version={left?.version}
      rules={{ day: (entered, { when }) => (when === 'day' && entered < today ? t`Enter today or a later day.` : null) }}
      values={{ when: runs ? 'end' : 'now', day: left?.endsOn ?? today, reason: '' }}
      fieldOf={(path) => (path === 'lastDay' ? 'day' : path)}
      submitLabel={<Trans>Cancel membership</Trans>}
      onSubmit={async ({ when, day: chosen, reason }, sent) => {
        if (!left) return
        const lastDay = when === 'end' ? left.endsOn : when === 'day' ? chosen : null
        await membership.cancel.call({ membershipId: left.id, reason, ...(lastDay && { lastDay }) }, sent)
        await changed()
        toast.success(lastDay ? t`Membership ends on ${day(lastDay)}` : t`Membership cancelled`)
      }}
    >
      {(form) => (
        <>
          {left && left.autoRenew && left.may.autoRenew && left.endsOn && (
            <Alert color="blue" title={t`Only stop the renewal?`}>
              <p className={classes['answer']}>
                <Trans>With auto-renewal off, the membership runs until {last} and can still be renewed.</Trans>
              </p>
              <Button
                variant="default"
                size="compact-md"
                onClick={() => {
                  onKeep(left)
                  onClose()
                }}
              >
                <Trans>Turn auto-renewal off instead</Trans>
              </Button>
            </Alert>
          )}
          <Radio.Group label={t`Ends`} {...form.getInputProps('when')}>
            <div className={classes['choices']}>
              {runs && <Radio value="end" label={t`At the end of the term, ${last}`} />}
              {left?.may.leaveNow && <Radio value="now" label={t`Today`} />}
              {decides && <Radio value="day" label={t`On another day`} />}
            </div>
          </Radio.Group>
          {form.values.when === 'day' && <TextInput type="date" label={t`Last day`} min={today} {...form.getInputProps('day')} />}
          <ul className={classes['losses']}>
            {form.values.when === 'now' && runs && (
              <li>
                <Trans>The rest of the term until {last} is lost. It is not refunded.</Trans>
              </li>
            )}
            {left?.owed && (
              <li>
                <Trans>The unpaid invoice of {owed} is void.</Trans>
              </li>
            )}
            <li>
              <Trans>After the last day the membership no longer counts for offices and membership types that need one.</Trans>
            </li>
          </ul>
          <Textarea
            label={t`Reason (optional)`}
            description={t`Shown to officers and the treasurer.`}
            maxLength={500}
            autosize
            minRows={2}
            {...form.getInputProps('reason')}
          />
        </>
      )}
    </FormDialog>
  )
}
