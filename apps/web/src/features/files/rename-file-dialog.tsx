import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useFileActs } from './files-api.ts'
import type { StoredFile } from './files-api.ts'

/** A new name for a file; its ending follows from what it is. */
export function RenameFileDialog({ file, onClose }: { file: StoredFile | null; onClose: () => void }) {
  const { rename } = useFileActs()
  return (
    <FormDialog
      opened={file !== null}
      onClose={onClose}
      title={t`Rename ${file?.name ?? ''}`}
      values={{ name: file?.name.replace(/\.[^.]+$/, '') ?? '' }}
      rules={{ name: (name) => (name.trim() === '' ? t`Enter a name.` : null) }}
      version={file?.version}
      submitLabel={t`Rename`}
      onSubmit={async ({ name }, { context }) => file && rename(file, name, context)}
    >
      {(form) => <TextInput label={t`Name`} maxLength={190} data-autofocus {...form.getInputProps('name')} />}
    </FormDialog>
  )
}
