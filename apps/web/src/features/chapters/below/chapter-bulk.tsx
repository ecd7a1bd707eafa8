import { NativeSelect } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { IconForms, IconStatusChange, IconTag, IconTagOff } from '@tabler/icons-react'
import type { ChapterBulkChange } from '@guildhall/contract/features/chapters'
import { useApi } from '../../../platform/api/api.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { BulkField, useListFields } from '../../fields/fields-public.tsx'
import type { BulkAction, BulkOf } from '../../lists/bulk-public.tsx'
import { BulkTag } from '../../tags/tags-public.tsx'
import { useChaptersChanged } from '../chapters-api.ts'
import { statusOptions } from '../chapters-words.tsx'

/** What can be done with the selected chapters. Whether each of them is the reader's to change is for the server. */
export function useChapterBulk(): BulkOf<ChapterBulkChange> {
  const can = useRights()
  const { bulk } = useApi().actions.chapters
  const tagging: BulkAction<ChapterBulkChange>[] = [
    {
      key: 'tag',
      label: t`Tag`,
      icon: IconTag,
      title: (chapters) => t`Tag ${chapters}`,
      verb: (count) => plural(count, { one: 'Tag # chapter', other: 'Tag # chapters' }),
      done: (chapters, tag) => t`${chapters} tagged “${tag}”`,
      choose: (tell) => <BulkTag onChange={(tag) => tell(tag && { do: 'tag', tagId: tag.id }, tag?.name)} />,
    },
    {
      key: 'untag',
      label: t`Remove tag`,
      icon: IconTagOff,
      title: (chapters) => t`Remove a tag from ${chapters}`,
      verb: (count) => plural(count, { one: 'Untag # chapter', other: 'Untag # chapters' }),
      done: (chapters, tag) => t`“${tag}” removed from ${chapters}`,
      choose: (tell) => <BulkTag mayMake={false} onChange={(tag) => tell(tag && { do: 'untag', tagId: tag.id }, tag?.name)} />,
    },
  ]
  const status: BulkAction<ChapterBulkChange> = {
    key: 'status',
    label: t`Status`,
    icon: IconStatusChange,
    title: (chapters) => t`Change the status of ${chapters}`,
    verb: (count) => plural(count, { one: 'Change # chapter', other: 'Change # chapters' }),
    done: (chapters, label) => t`Status of ${chapters} is now ${label}`,
    choose: (tell) => (
      <NativeSelect
        label={t`New status`}
        data={[{ value: '', label: t`Choose` }, ...statusOptions()]}
        onChange={(event) => {
          const picked = statusOptions().find(({ value }) => value === event.currentTarget.value)
          tell(picked && { do: 'status', status: picked.value }, picked?.label)
        }}
      />
    ),
  }
  const field: BulkAction<ChapterBulkChange> = {
    key: 'field',
    label: t`Field`,
    icon: IconForms,
    title: (chapters) => t`Change a field of ${chapters}`,
    verb: (count) => plural(count, { one: 'Change # chapter', other: 'Change # chapters' }),
    done: (chapters, label) => t`“${label}” of ${chapters} changed`,
    choose: (tell) => <BulkField recordType="chapters" onChange={tell} />,
  }
  const fields = useListFields('chapters').length > 0 ? [field] : []
  return {
    actions: [...(can('chapters.edit') ? [...tagging, ...fields] : []), ...(can('chapters.manage') ? [status] : [])],
    count: (chapters) => plural(chapters, { one: '# chapter', other: '# chapters' }),
    preview: bulk.preview.call,
    run: bulk.run.call,
    changed: useChaptersChanged(),
  }
}
