import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useApi } from '../../platform/api/api.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useCommentsChanged } from './comments-api.ts'
import type { Comment } from './comments-api.ts'

/** Takes a comment out of sight, for a reason that everybody can read. */
export function HideDialog({ comment, opened, onClose }: { comment: Comment; opened: boolean; onClose: () => void }) {
  const { hide } = useApi().data.comments
  const changed = useCommentsChanged()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Hide comment`}
      values={{ reason: '' }}
      rules={{ reason: (reason) => (reason.trim() === '' ? t`Enter a reason.` : null) }}
      version={comment.version}
      submitLabel={<Trans>Hide comment</Trans>}
      onSubmit={async ({ reason }, sent) => {
        await hide.call({ commentId: comment.id, reason }, sent)
        await changed()
      }}
    >
      {(form) => (
        <TextInput
          label={t`Reason`}
          description={t`Shown in place of the comment`}
          maxLength={300}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      )}
    </FormDialog>
  )
}
