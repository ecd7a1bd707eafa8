import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Optional, RecordForm } from '../../ui/form/record-form.tsx'
import { useChaptersChanged } from './chapters-api.ts'
import type { Chapter, Officer } from './chapters-api.ts'

type Props = { chapter: Chapter; officer: Officer | null; onClose: () => void }

/** Changes a term's first and last day; rights that come with the office follow these dates. */
export const EndTermDialog = ({ chapter, officer, onClose }: Props) => (
  <Dialog opened={officer !== null} onClose={onClose} title={officer && t`Term of ${officer.person.displayName}`}>
    {officer && <TermForm chapter={chapter} officer={officer} onClose={onClose} />}
  </Dialog>
)

function TermForm({ chapter, officer, onClose }: { chapter: Chapter; officer: Officer; onClose: () => void }) {
  const { positions } = useApi().data.chapters
  const changed = useChaptersChanged()
  const form = useForm({
    initialValues: { startsOn: officer.startsOn, endsOn: officer.endsOn ?? '' },
    validate: {
      startsOn: (value) => (value ? null : t`Enter the first day.`),
      endsOn: (value, { startsOn }) => (value && value < startsOn ? t`Enter a day after the first one.` : null),
    },
  })
  const send = (startsOn: string, endsOn: string | null, version: number) =>
    positions.updateHolder.call(
      { chapterId: chapter.id, positionId: officer.position.id, holderId: officer.id, startsOn, endsOn },
      { context: { ifMatch: version } },
    )
  return (
    <RecordForm
      form={form}
      submitLabel={<Trans>Save dates</Trans>}
      onCancel={onClose}
      onSubmit={async ({ startsOn, endsOn }) => {
        const saved = await send(startsOn, endsOn || null, officer.version)
        await changed()
        toast.undo(t`Term of ${officer.person.displayName} changed`, async () => {
          await send(officer.startsOn, officer.endsOn, saved.version)
          await changed()
        })
        onClose()
      }}
    >
      <TextInput type="date" label={t`First day`} autoFocus data-autofocus {...form.getInputProps('startsOn')} />
      <TextInput
        type="date"
        label={<Optional>{t`Last day`}</Optional>}
        description={t`Rights of the office end with this day`}
        {...form.getInputProps('endsOn')}
      />
    </RecordForm>
  )
}
