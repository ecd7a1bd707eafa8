import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { useChaptersChanged } from '../chapters-api.ts'
import type { Chapter, Officer } from '../chapters-api.ts'

type Props = { chapter: Chapter; officer: Officer | null; onClose: () => void }

/** Changes a term's first and last day; rights that come with the office follow these dates. */
export function EndTermDialog({ chapter, officer, onClose }: Props) {
  const { positions } = useApi().data.chapters
  const changed = useChaptersChanged()
  return (
    <FormDialog
      opened={officer !== null}
      onClose={onClose}
      title={t`Term of ${officer?.person.displayName ?? ''}`}
      values={{ startsOn: officer?.startsOn ?? '', endsOn: officer?.endsOn ?? '' }}
      rules={{
        startsOn: (value) => (value ? null : t`Enter the first day.`),
        endsOn: (value, { startsOn }) => (value && value < startsOn ? t`Enter a day after the first one.` : null),
      }}
      version={officer?.version}
      submitLabel={<Trans>Save dates</Trans>}
      onSubmit={async ({ startsOn, endsOn }, sent) => {
        if (!officer) return
        const term = { chapterId: chapter.id, positionId: officer.position.id, holderId: officer.id }
        const { version } = await positions.updateHolder.call({ ...term, startsOn, endsOn: endsOn || null }, sent)
        await changed()
        toast.undo(t`Term of ${officer.person.displayName} changed`, async () => {
          const { startsOn: began, endsOn: ended } = officer
          await positions.updateHolder.call({ ...term, startsOn: began, endsOn: ended }, { context: { ifMatch: version } })
          await changed()
        })
      }}
    >
      {(form) => (
        <>
          <TextInput type="date" label={t`First day`} autoFocus data-autofocus {...form.getInputProps('startsOn')} />
          <TextInput
            type="date"
            label={<Optional>{t`Last day`}</Optional>}
            description={t`Rights of the office end with this day`}
            {...form.getInputProps('endsOn')}
          />
        </>
      )}
    </FormDialog>
  )
}
