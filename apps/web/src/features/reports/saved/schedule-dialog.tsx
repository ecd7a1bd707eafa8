import { Checkbox, NativeSelect, Stack, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ReportCadence } from '@guildhall/contract/features/reports'
import type { ReportQuestion, ReportSchedule } from '@guildhall/contract/features/reports'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useMe, useRights } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useReportsChanged } from '../reports-api.ts'
import type { Saved } from '../reports-api.ts'
import classes from '../reports.module.css'
import { cadenceNotes, cadenceWords, formatWords } from '../words/schedule-words.ts'
import { RecipientsField } from './recipients-field.tsx'

type Format = ReportSchedule['formats'][number]
const formats: readonly Format[] = ['csv', 'pdf']

type Values = { name: string; cadence: ReportCadence; formats: Format[]; accountIds: string[] }

type Props = {
  opened: boolean
  onClose: () => void
  /** The schedule that is changed; a new one without it. */
  schedule?: ReportSchedule | undefined
  /** What a new schedule mails. A question that was not saved before is saved with it. */
  of: { saved: Saved } | { question: ReportQuestion; name: string }
  onSaved?: (saved: Saved) => void
}

/** Has a report mailed again and again, to oneself or to others. */
export function ScheduleDialog({ opened, onClose, schedule, of, onSaved }: Props) {
  const { reports } = useApi().data
  const changed = useReportsChanged()
  const { data: me } = useMe()
  // Choosing accounts takes seeing them.
  const can = useRights()
  const maySend = can('reports.share') && can('account.manage')
  const isNew = !('saved' in of)
  const values: Values = {
    name: isNew ? of.name : of.saved.name,
    cadence: schedule?.cadence ?? 'monthly',
    formats: schedule?.formats ?? ['csv', 'pdf'],
    accountIds: schedule?.recipients.map(({ accountId }) => accountId) ?? (me ? [me.account.id] : []),
  }
  const words = formatWords()
  return (
    <FormDialog
      // Whose mail it is must be known before the form begins.
      opened={opened && me !== undefined}
      onClose={onClose}
      title={schedule ? t`Change schedule` : t`Mail on a schedule`}
      values={values}
      version={schedule?.version}
      rules={{
        name: (value) => (value.trim() ? null : t`Give the report a name.`),
        formats: (value) => (value.length > 0 ? null : t`Choose at least one format.`),
        accountIds: (value) => (value.length > 0 ? null : t`Choose at least one recipient.`),
      }}
      fieldOf={(path) => path.split('.')[0] ?? path}
      submitLabel={schedule ? <Trans>Save schedule</Trans> : <Trans>Schedule report</Trans>}
      onSubmit={async ({ name, cadence, formats: chosen, accountIds }, sent) => {
        if (schedule) {
          await reports.schedules.update.call({ scheduleId: schedule.id, cadence, formats: chosen, accountIds }, sent)
          await changed()
          return undefined
        }
        const saved = isNew ? await reports.create.call({ name: name.trim(), question: of.question, sharedWith: 'me' }) : of.saved
        try {
          await reports.schedules.create.call({ reportId: saved.id, cadence, formats: chosen, accountIds })
        } catch (problem) {
          // A report that nobody asked to keep must not stay behind, or trying again would make another.
          if (isNew) await reports.remove.call({ reportId: saved.id }, { context: { ifMatch: saved.version } })
          throw problem
        }
        await changed()
        return saved
      }}
      onDone={(saved) => {
        toast.success(schedule ? t`Schedule saved` : t`${saved?.name ?? ''} will be mailed`)
        if (saved && isNew) onSaved?.(saved)
      }}
    >
      {(form) => (
        <>
          {isNew && <TextInput label={t`Name of the report`} data-autofocus maxLength={120} {...form.getInputProps('name')} />}
          <NativeSelect
            label={t`How often`}
            data={ReportCadence.options.map((value) => ({ value, label: cadenceWords()[value] }))}
            description={cadenceNotes()[form.values.cadence]}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('cadence')}
          />
          <Checkbox.Group label={t`Attached files`} {...form.getInputProps('formats')}>
            <Stack gap={8} mt={6}>
              {formats.map((format) => (
                <Checkbox key={format} value={format} label={words[format]} />
              ))}
            </Stack>
          </Checkbox.Group>
          {maySend ? (
            <RecipientsField
              value={form.values.accountIds}
              error={form.errors['accountIds']}
              known={schedule?.recipients}
              onChange={(accountIds) => form.setFieldValue('accountIds', accountIds)}
            />
          ) : (
            <p className={classes['note']}>
              <Trans>It is mailed to you.</Trans>
            </p>
          )}
          <p className={classes['note']}>
            <Trans>Each recipient is mailed the figures that they may see themselves.</Trans>
          </p>
        </>
      )}
    </FormDialog>
  )
}
