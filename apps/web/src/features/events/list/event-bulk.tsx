import { NativeSelect, NumberInput, Textarea } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { IconArchive, IconArchiveOff, IconCalendarOff, IconCopy, IconEye, IconSend } from '@tabler/icons-react'
import type { EventBulkChange } from '@guildhall/contract/features/events'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { useRights } from '../../../platform/session/session.ts'
import type { BulkAction, BulkOf } from '../../lists/bulk-public.tsx'
import { eventVisibilityWords, optionsOf } from '../events-words.tsx'

type Action = BulkAction<EventBulkChange>

/** What can be done with the selected events. Whether each of them is the reader's to change is for the server. */
export function useEventBulk(): BulkOf<EventBulkChange> {
  const can = useRights()
  const { events } = useApi().data
  const { bulk } = useApi().actions.events
  const cache = useQueryClient()
  const stays = { why }
  const publish: Action = {
    key: 'publish',
    label: t`Publish`,
    icon: IconSend,
    title: (records) => t`Publish ${records}`,
    verb: (count) => plural(count, { one: 'Publish # event', other: 'Publish # events' }),
    done: (records) => t`${records} published`,
    change: { do: 'publish' },
    note: t`This can’t be undone.`,
    stays,
  }
  const cancel: Action = {
    key: 'cancel',
    label: t`Cancel events`,
    icon: IconCalendarOff,
    title: (records) => t`Cancel ${records}`,
    verb: (count) => plural(count, { one: 'Cancel # event', other: 'Cancel # events' }),
    done: (records) => t`${records} cancelled`,
    choose: (tell) => (
      <Textarea
        label={t`Reason`}
        description={t`Told to everybody who is registered`}
        maxLength={500}
        autosize
        minRows={2}
        onChange={({ currentTarget }) => {
          const reason = currentTarget.value.trim()
          tell(reason ? { do: 'cancel', reason } : undefined)
        }}
      />
    ),
    note: t`Registrations are cancelled, and payments refunded. Of a series, only the selected events are cancelled. This can’t be undone.`,
    stays,
  }
  const visibility: Action = {
    key: 'visibility',
    label: t`Visibility`,
    icon: IconEye,
    title: (records) => t`Change the visibility of ${records}`,
    verb: (count) => plural(count, { one: 'Change # event', other: 'Change # events' }),
    done: (records, label) => t`Visibility of ${records} is now ${label}`,
    choose: (tell) => (
      <NativeSelect
        label={t`Visibility`}
        data={[{ value: '', label: t`Choose` }, ...optionsOf(eventVisibilityWords())]}
        onChange={({ currentTarget }) => {
          const picked = optionsOf(eventVisibilityWords()).find(({ value }) => value === currentTarget.value)
          tell(picked && { do: 'visibility', visibility: picked.value }, picked?.label)
        }}
      />
    ),
    stays,
  }
  const copy: Action = {
    key: 'copy',
    label: t`Copy`,
    icon: IconCopy,
    title: (records) => t`Copy ${records}`,
    verb: (count) => plural(count, { one: 'Copy # event', other: 'Copy # events' }),
    done: (records) => t`${records} copied as drafts`,
    choose: (tell) => (
      <NumberInput
        label={t`Weeks later`}
        description={t`Copies are drafts on the same day of the week, at the same time.`}
        min={1}
        max={104}
        allowDecimal={false}
        onChange={(weeks) => tell(typeof weeks === 'number' && weeks >= 1 && weeks <= 104 ? { do: 'copy', weeks } : undefined)}
      />
    ),
    stays,
  }
  const archive: Action = {
    key: 'archive',
    label: t`Archive`,
    icon: IconArchive,
    title: (records) => t`Archive ${records}`,
    verb: (count) => plural(count, { one: 'Archive # event', other: 'Archive # events' }),
    done: (records) => t`${records} archived`,
    change: { do: 'archive' },
    stays,
  }
  const restore: Action = {
    key: 'restore',
    label: t`Restore`,
    icon: IconArchiveOff,
    title: (records) => t`Restore ${records}`,
    verb: (count) => plural(count, { one: 'Restore # event', other: 'Restore # events' }),
    done: (records) => t`${records} restored`,
    change: { do: 'restore' },
    stays,
  }
  return {
    actions: can('events.manage') ? [...(can('events.publish') ? [publish, cancel] : []), visibility, copy, archive, restore] : [],
    count: (records) => plural(records, { one: '# event', other: '# events' }),
    preview: bulk.preview.call,
    run: bulk.run.call,
    changed: () => cache.invalidateQueries({ queryKey: events.key() }),
  }
}

/** Why events stay as they are. */
function why(reason: string, count: number): string {
  const words: Record<string, string> = {
    draft: plural(count, { one: '# is a draft.', other: '# are drafts.' }),
    published: plural(count, { one: '# is already published.', other: '# are already published.' }),
    cancelled: plural(count, { one: '# is cancelled.', other: '# are cancelled.' }),
    archived: plural(count, { one: '# is archived.', other: '# are archived.' }),
    place: plural(count, { one: '# has no place yet.', other: '# have no place yet.' }),
    link: plural(count, { one: '# has no link yet.', other: '# have no link yet.' }),
    past: plural(count, { one: '# is in the past.', other: '# are in the past.' }),
    no_chapter: plural(count, { one: '# belongs to no chapter.', other: '# belong to no chapter.' }),
    no_group: plural(count, { one: '# belongs to no group.', other: '# belong to no group.' }),
  }
  return words[reason] ?? plural(count, { one: '# already up to date.', other: '# already up to date.' })
}
