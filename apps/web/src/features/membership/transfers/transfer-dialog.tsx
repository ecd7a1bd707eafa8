import { Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Transfer } from '@guildhall/contract/features/membership'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useMembershipsChanged } from '../membership-api.ts'

type Values = { toChapterId: string | null; movesOn: string; note: string }
/** `person` is whom an officer moves; without one, the reader asks for themselves. */
type Props = { opened: boolean; onClose: () => void; person?: { id: string; displayName: string } }

/** A request to move to another chapter; what was typed is kept when it is left. */
export function TransferDialog({ opened, onClose, person }: Props) {
  const { transfers } = useApi().data.membership
  const changed = useMembershipsChanged()
  const today = useToday()
  return (
    <FormDialog<Values, Transfer>
      opened={opened}
      onClose={onClose}
      title={person ? t`Transfer ${person.displayName}` : t`Transfer to another chapter`}
      draft={`transfer-${person?.id ?? 'mine'}`}
      rules={{
        toChapterId: (chapter) => (chapter ? null : t`Choose a chapter.`),
        movesOn: (day) => (day === '' ? t`Enter a day.` : null),
      }}
      values={{ toChapterId: null, movesOn: today, note: '' }}
      submitLabel={person ? <Trans>Request transfer</Trans> : <Trans>Ask for transfer</Trans>}
      onSubmit={async ({ toChapterId, movesOn, note }) => {
        const made = await transfers.request.call({ ...(person && { personId: person.id }), toChapterId: toChapterId ?? '', movesOn, note })
        await changed()
        toast.success(
          made.state === 'completed' ? t`Transfer completed` : made.state === 'approved' ? t`Transfer approved` : t`Transfer requested`,
        )
        return made
      }}
    >
      {(form) => (
        <>
          <p>
            <Trans>
              Officers of both chapters approve it. Chapter and membership then change on the transfer date; invoices that are already
              issued stay as they are.
            </Trans>
          </p>
          <ChapterPicker label={t`New chapter`} data-autofocus {...form.getInputProps('toChapterId')} />
          <TextInput type="date" label={t`Transfer date`} {...form.getInputProps('movesOn')} />
          <Textarea label={t`Message to the officers`} maxLength={1000} autosize minRows={2} {...form.getInputProps('note')} />
        </>
      )}
    </FormDialog>
  )
}
