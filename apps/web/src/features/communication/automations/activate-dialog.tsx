import { Alert, Checkbox, NumberInput, Switch } from '@mantine/core'
import '@mantine/core/styles/Alert.css'
import '@mantine/core/styles/Checkbox.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { toast } from '../../../platform/activity/toast.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useAutomationsApi, useAutomationsChanged } from './automations-api.ts'
import type { Automation } from './automations-api.ts'

type Values = { past: boolean; days: number; endsRuns: boolean }
type Props = { opened: boolean; automation: Automation; onClose: () => void }

/** From now on; and only where it is asked for, with a count, also for what happened before. */
export function ActivateDialog({ opened, automation, onClose }: Props) {
  const api = useAutomationsApi()
  const changed = useAutomationsChanged()
  const { id: automationId, name, version, people } = automation
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Activate ${name}`}
      version={version}
      values={{ past: false, days: 30, endsRuns: false }}
      rules={{
        days: (days: number, { past }: Values) => (!past || (days >= 1 && days <= 365) ? null : t`Enter 1 to 365 days.`),
      }}
      submitLabel={<Trans>Activate</Trans>}
      onSubmit={async ({ past, days, endsRuns }, sent) => {
        await api.activate.call({ automationId, ...(past && { since: days }), endsRuns }, sent)
        await changed()
        toast.success(t`${name} activated`)
      }}
    >
      {(form) => (
        <>
          <p>
            <Trans>
              From now on, people enter when it happens to them. It runs with your rights and reaches only people whom you reach.
            </Trans>
          </p>
          {automation.trigger.on !== 'birthday' && (
            <Switch label={t`Also for what happened before`} {...form.getInputProps('past', { type: 'checkbox' })} />
          )}
          {form.values.past && (
            <>
              <NumberInput label={t`In the last days`} min={1} max={365} allowDecimal={false} {...form.getInputProps('days')} />
              <Past automationId={automationId} days={form.values.days} />
            </>
          )}
          {people.inside > 0 && (
            <Checkbox
              label={<Plural value={people.inside} one="End it for the # person in it" other="End it for the # people in it" />}
              {...form.getInputProps('endsRuns', { type: 'checkbox' })}
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

function Past({ automationId, days }: { automationId: string; days: number }) {
  const api = useAutomationsApi()
  const preview = useQuery({
    ...api.preview.queryOptions({ input: { automationId, since: days } }),
    enabled: days >= 1 && days <= 365,
  })
  if (!preview.data) return null
  const names = preview.data.people.map(({ displayName }) => displayName).join(', ')
  return (
    <Alert role="status">
      <Plural value={preview.data.total} _0="Nobody enters at once." one="# person enters at once: " other="# people enter at once: " />
      {names}
    </Alert>
  )
}
