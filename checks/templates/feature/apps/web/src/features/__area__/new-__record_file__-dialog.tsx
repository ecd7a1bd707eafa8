import { Select, Textarea, TextInput } from '@mantine/core'
import { New__Record__ } from '@guildhall/contract/features/__area__'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../platform/api/api.tsx'
import { formRules } from '../../platform/api/form-rules.ts'
import { ChapterPicker } from '../../platform/records/record-pickers.tsx'
import { noRecord } from '../../platform/records/record-sources.ts'
import { useHoldsEverywhere } from '../../platform/session/session.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { Optional } from '../../ui/form/record-form.tsx'
import { use__Area__Changed } from './__area__-api.ts'
import { statusOptions } from './__area__-words.tsx'

export function New__Record__Dialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { create } = useApi().data.__area__
  const changed = use__Area__Changed()
  const navigate = useNavigate()
  const everywhere = useHoldsEverywhere('__area__.manage')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`New __record_words__`}
      draft="new-__record_file__"
      rules={formRules(New__Record__)}
      values={{ name: '', status: 'planned' as const, chapterId: noRecord, description: '' }}
      submitLabel={<Trans>Create __record_words__</Trans>}
      onSubmit={async (values) => {
        const record = await create.call(values)
        await changed()
        toast.success(t`${record.name} created`)
        return record
      }}
      onDone={({ id }) => navigate({ to: '/__record_url__/$__record__Id/{-$tab}', params: { __record__Id: id } })}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} autoFocus data-autofocus {...form.getInputProps('name')} />
          <Select label={t`Status`} data={statusOptions()} allowDeselect={false} {...form.getInputProps('status')} />
          <ChapterPicker
            label={everywhere ? <Optional>{t`Chapter`}</Optional> : t`Chapter`}
            description={everywhere ? t`Leave empty for the whole organisation` : t`One of the chapters that you look after`}
            {...form.getInputProps('chapterId')}
          />
          <Textarea label={<Optional>{t`Description`}</Optional>} autosize minRows={3} {...form.getInputProps('description')} />
        </>
      )}
    </FormDialog>
  )
}
