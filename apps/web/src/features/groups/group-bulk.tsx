import { NativeSelect } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { IconArchive, IconArchiveOff, IconBuildingCommunity, IconEye, IconForms, IconTag, IconTagOff } from '@tabler/icons-react'
import type { GroupBulkChange } from '@guildhall/contract/features/groups'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ChapterPicker } from '../../platform/records/record-pickers.tsx'
import { useRights } from '../../platform/session/session.ts'
import { BulkField, useListFields } from '../fields/fields-public.tsx'
import type { BulkAction, BulkOf } from '../lists/bulk-public.tsx'
import { BulkTag } from '../tags/tags-public.tsx'
import { useGroupsChanged } from './groups-api.ts'
import { visibilityOptions } from './groups-words.tsx'

/** What can be done with the selected groups. Whether each of them is the reader's to change is for the server. */
export function useGroupBulk(archived: boolean): BulkOf<GroupBulkChange> {
  const can = useRights()
  const { bulk } = useApi().actions.groups
  const actions: BulkAction<GroupBulkChange>[] = [
    {
      key: 'tag',
      label: t`Tag`,
      icon: IconTag,
      title: (groups) => t`Tag ${groups}`,
      verb: (count) => plural(count, { one: 'Tag # group', other: 'Tag # groups' }),
      done: (groups, tag) => t`${groups} tagged “${tag}”`,
      choose: (tell) => <BulkTag onChange={(tag) => tell(tag && { do: 'tag', tagId: tag.id }, tag?.name)} />,
    },
    {
      key: 'untag',
      label: t`Remove tag`,
      icon: IconTagOff,
      title: (groups) => t`Remove a tag from ${groups}`,
      verb: (count) => plural(count, { one: 'Untag # group', other: 'Untag # groups' }),
      done: (groups, tag) => t`“${tag}” removed from ${groups}`,
      choose: (tell) => <BulkTag mayMake={false} onChange={(tag) => tell(tag && { do: 'untag', tagId: tag.id }, tag?.name)} />,
    },
    {
      key: 'chapter',
      label: t`Chapter`,
      icon: IconBuildingCommunity,
      title: (groups) => t`Change the chapter of ${groups}`,
      verb: (count) => plural(count, { one: 'Change # group', other: 'Change # groups' }),
      done: (groups) => t`Chapter of ${groups} changed`,
      choose: (tell) => <BulkChapter onChange={(chapterId) => tell(chapterId ? { do: 'chapter', chapterId } : undefined)} />,
    },
    {
      key: 'visibility',
      label: t`Visibility`,
      icon: IconEye,
      title: (groups) => t`Change the visibility of ${groups}`,
      verb: (count) => plural(count, { one: 'Change # group', other: 'Change # groups' }),
      done: (groups, visibility) => t`Visibility of ${groups} is now ${visibility}`,
      choose: (tell) => (
        <NativeSelect
          label={t`Visibility`}
          data={[{ value: '', label: t`Choose` }, ...visibilityOptions()]}
          onChange={(event) => {
            const picked = visibilityOptions().find(({ value }) => value === event.currentTarget.value)
            tell(picked && { do: 'visibility', visibility: picked.value }, picked?.label)
          }}
        />
      ),
    },
    archived
      ? {
          key: 'restore',
          label: t`Restore`,
          icon: IconArchiveOff,
          title: (groups) => t`Restore ${groups}`,
          verb: (count) => plural(count, { one: 'Restore # group', other: 'Restore # groups' }),
          done: (groups) => t`${groups} restored`,
          change: { do: 'restore' },
        }
      : {
          key: 'archive',
          label: t`Archive`,
          icon: IconArchive,
          title: (groups) => t`Archive ${groups}`,
          verb: (count) => plural(count, { one: 'Archive # group', other: 'Archive # groups' }),
          done: (groups) => t`${groups} archived`,
          change: { do: 'archive' },
          note: t`An archived group keeps its history and accepts no new members.`,
        },
  ]
  const field: BulkAction<GroupBulkChange> = {
    key: 'field',
    label: t`Field`,
    icon: IconForms,
    title: (groups) => t`Change a field of ${groups}`,
    verb: (count) => plural(count, { one: 'Change # group', other: 'Change # groups' }),
    done: (groups, label) => t`“${label}” of ${groups} changed`,
    choose: (tell) => <BulkField recordType="groups" onChange={tell} />,
  }
  const fields = useListFields('groups').length > 0 ? [field] : []
  return {
    actions: can('groups.manage') ? [...actions, ...fields] : [],
    count: (groups) => plural(groups, { one: '# group', other: '# groups' }),
    preview: bulk.preview.call,
    run: bulk.run.call,
    changed: useGroupsChanged(),
  }
}

function BulkChapter({ onChange }: { onChange: (chapterId: string | null) => void }) {
  const [chapterId, setChapterId] = useState<string | null>(null)
  return (
    <ChapterPicker
      label={t`Chapter`}
      value={chapterId}
      onChange={(picked) => {
        setChapterId(picked)
        onChange(picked)
      }}
    />
  )
}
