import { Checkbox, Stack, Switch, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useReportsChanged } from '../reports-api.ts'
import type { Saved } from '../reports-api.ts'

type Props = {
  opened: boolean
  onClose: () => void
  question: ReportQuestion
  /** What it is called unless its maker says otherwise. */
  name: string
  onSaved: (saved: Saved) => void
}

/** Keeps a question with all its filters, for oneself or for the organisation. */
export function SaveDialog({ opened, onClose, question, name, onSaved }: Props) {
  const { reports } = useApi().data
  const changed = useReportsChanged()
  const mayShare = useCan('reports.share')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Save report`}
      values={{ name, shared: false, home: false }}
      rules={{ name: (value) => (value.trim() ? null : t`Give the report a name.`) }}
      submitLabel={<Trans>Save report</Trans>}
      onSubmit={async ({ name: entered, shared, home }) => {
        const made = await reports.create.call({ name: entered.trim(), question, sharedWith: shared ? 'organisation' : 'me' })
        const saved = home ? await reports.place.call({ reportId: made.id, isOnHome: true }) : made
        await changed(saved)
        return saved
      }}
      onDone={(saved) => {
        toast.success(t`${saved.name} saved`)
        onSaved(saved)
      }}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} data-autofocus maxLength={120} {...form.getInputProps('name')} />
          <Stack gap={12}>
            {mayShare && (
              <Switch
                label={t`Share with the organisation`}
                description={t`Everybody who may see reports can open it. Each sees the figures they have the right to.`}
                {...form.getInputProps('shared', { type: 'checkbox' })}
              />
            )}
            <Checkbox label={t`Show on my home page`} {...form.getInputProps('home', { type: 'checkbox' })} />
          </Stack>
        </>
      )}
    </FormDialog>
  )
}

/** Another name for a saved report. */
export function RenameDialog({ opened, onClose, saved }: { opened: boolean; onClose: () => void; saved: Saved }) {
  const { update } = useApi().data.reports
  const changed = useReportsChanged()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Rename report`}
      values={{ name: saved.name }}
      rules={{ name: (value) => (value.trim() ? null : t`Give the report a name.`) }}
      version={saved.version}
      submitLabel={<Trans>Rename report</Trans>}
      onSubmit={async ({ name }, sent) => changed(await update.call({ reportId: saved.id, name: name.trim() }, sent))}
    >
      {(form) => <TextInput label={t`Name`} data-autofocus maxLength={120} {...form.getInputProps('name')} />}
    </FormDialog>
  )
}
