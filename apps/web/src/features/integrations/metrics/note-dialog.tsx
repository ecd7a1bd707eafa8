import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useMe } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { MomentField } from '../../../ui/form/moment-field.tsx'
import { useMetricsChanged } from './metric-api.ts'

type Values = { text: string; at: string | null | undefined }
type Props = { connectionId: string; opened: boolean; onClose: () => void }

/** A note on the metrics of a connection, such as "New list". */
export function NoteDialog({ connectionId, opened, onClose }: Props) {
  const { metrics } = useApi().data.integrations
  const changed = useMetricsChanged()
  const zone = useMe().data?.organisation.timezone ?? 'UTC'
  return (
    <FormDialog<Values, { id: string }>
      opened={opened}
      onClose={onClose}
      title={t`New note`}
      values={{ text: '', at: new Date().toISOString() }}
      rules={{
        text: (text) => (text.trim() === '' ? t`Enter a note.` : null),
        at: (at) => (at ? null : t`Enter a day and a time.`),
      }}
      submitLabel={<Trans>Add note</Trans>}
      onSubmit={async ({ text, at }) => {
        const added = await metrics.annotate.call({ connectionId, text: text.trim(), at: at ?? new Date().toISOString() })
        await changed()
        return added
      }}
      onDone={() => toast.success(t`Note added`)}
    >
      {(form) => (
        <>
          <TextInput label={t`Note`} maxLength={200} {...form.getInputProps('text')} />
          <MomentField
            label={t`When`}
            zone={zone}
            value={form.values.at}
            onChange={(at) => form.setFieldValue('at', at)}
            error={form.errors['at']}
          />
        </>
      )}
    </FormDialog>
  )
}
