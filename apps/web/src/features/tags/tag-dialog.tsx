import { NativeSelect, Radio, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { NewTag } from '@guildhall/contract/features/tags'
import type { Tag } from '@guildhall/contract/features/tags'
import type * as z from 'zod'
import { formRules } from '../../platform/api/form-rules.ts'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { FormDialog } from '../../ui/dialog/form-dialog.tsx'
import { useTagsChanged } from './tags-api.ts'
import classes from './tags.module.css'

export const audienceWords = (): Record<Tag['audience'], string> => ({ officers: t`Officers only`, members: t`All members` })

const colorWords = (): Record<Tag['color'], string> => ({
  gray: t`Grey`,
  brand: t`Brand colour`,
  green: t`Green`,
  red: t`Red`,
  amber: t`Amber`,
  blue: t`Blue`,
})

/** A tag, new or as it is. */
export function TagDialog({ edited, onClose }: { edited: Tag | 'new' | null; onClose: () => void }) {
  const { tags } = useApi().data
  const changed = useTagsChanged()
  const tag = edited === 'new' ? null : edited
  const words = audienceWords()
  return (
    <FormDialog<z.infer<typeof NewTag>, void>
      opened={edited !== null}
      onClose={onClose}
      title={tag ? t`Change tag` : t`New tag`}
      rules={formRules(NewTag)}
      values={{ name: tag?.name ?? '', color: tag?.color ?? 'gray', audience: tag?.audience ?? 'officers' }}
      submitLabel={tag ? <Trans>Save tag</Trans> : <Trans>Create tag</Trans>}
      onSubmit={async (values) => {
        const saved = tag ? await tags.update.call({ tagId: tag.id, ...values }) : await tags.create.call(values)
        await changed()
        toast.success(tag ? t`“${saved.name}” changed` : t`“${saved.name}” created`)
      }}
    >
      {(form) => (
        <>
          <TextInput label={t`Name`} autoFocus data-autofocus maxLength={60} {...form.getInputProps('name')} />
          <NativeSelect
            label={t`Colour`}
            data={Object.entries(colorWords()).map(([value, label]) => ({ value, label }))}
            {...form.getInputProps('color')}
          />
          <Radio.Group label={t`Visible to`} {...form.getInputProps('audience')}>
            <div className={classes['tight']}>
              <Radio
                value="officers"
                label={words.officers}
                description={t`People who may change members or see sensitive data about them`}
              />
              <Radio
                value="members"
                label={words.members}
                description={t`Everybody who sees the directory, including those who carry the tag`}
              />
            </div>
          </Radio.Group>
        </>
      )}
    </FormDialog>
  )
}
