import { NativeSelect } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import type { FieldBulkChange } from '@guildhall/contract/features/fields'
import { useState } from 'react'
import type { BulkChange as Change } from '@guildhall/contract/features/people'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import type { Option } from '../../../ui/filter/filter.ts'
import { BulkField } from '../../fields/fields-public.tsx'
import { BulkTag } from '../../tags/tags-public.tsx'
import classes from '../people.module.css'
import { lifecycleWords } from '../../../platform/records/lifecycle-badge.tsx'
import { affiliationOptions, isAffiliationKind, isSettable, lifecycleOptions } from '../people-words.tsx'

export type BulkKind = Exclude<Change['do'], FieldBulkChange['do']> | 'field'

/** What exactly is to be done with the selected people. */
export function BulkChoice({ kind, onChange }: { kind: BulkKind; onChange: (change: Change | undefined, label?: string) => void }) {
  const { chapters, groups } = useRecordSources()
  const [picked, setPicked] = useState<Option | null>(null)
  const [membership, setMembership] = useState<'member' | 'alumni' | 'advisor' | 'friend' | 'applicant'>('member')
  switch (kind) {
    case 'archive':
    case 'stopAutoRenew':
    case 'renew':
      return null
    case 'field':
      return <BulkField recordType="people" onChange={onChange} />
    case 'tag':
    case 'untag':
      return <BulkTag mayMake={kind === 'tag'} onChange={(tag) => onChange(tag && { do: kind, tagId: tag.id }, tag?.name ?? '')} />
    case 'addToGroup':
      return (
        <ComboboxPicker
          autoFocus
          label={t`Group`}
          value={picked}
          search={groups.search}
          onChange={(group) => {
            setPicked(group)
            onChange(group ? { do: 'addToGroup', groupId: group.value } : undefined, group?.label ?? '')
          }}
        />
      )
    case 'lifecycle':
      return (
        <NativeSelect
          autoFocus
          data-autofocus
          label={t`New status`}
          data={[{ value: '', label: t`Choose` }, ...lifecycleOptions().map(({ value, label }) => ({ value, label }))]}
          onChange={(event) => {
            const lifecycle = event.currentTarget.value
            onChange(
              isSettable(lifecycle) ? { do: 'lifecycle', lifecycle } : undefined,
              isSettable(lifecycle) ? lifecycleWords()[lifecycle] : '',
            )
          }}
        />
      )
    case 'affiliate': {
      const tell = (chapter: Option | null, as: typeof membership) =>
        onChange(chapter ? { do: 'affiliate', chapterId: chapter.value, kind: as } : undefined, chapter?.label ?? '')
      return (
        <div className={classes['pair']}>
          <ComboboxPicker
            autoFocus
            label={t`Chapter`}
            value={picked}
            search={chapters.search}
            onChange={(chapter) => {
              setPicked(chapter)
              tell(chapter, membership)
            }}
          />
          <NativeSelect
            label={t`As`}
            value={membership}
            data={affiliationOptions().map(({ value, label }) => ({ value, label }))}
            onChange={(event) => {
              const as = event.currentTarget.value
              if (!isAffiliationKind(as)) return
              setMembership(as)
              tell(picked, as)
            }}
          />
        </div>
      )
    }
  }
}

export function titleOf(kind: BulkKind, people: string): string {
  switch (kind) {
    case 'tag':
      return t`Tag ${people}`
    case 'untag':
      return t`Remove a tag from ${people}`
    case 'addToGroup':
      return t`Add ${people} to a group`
    case 'lifecycle':
      return t`Change the status of ${people}`
    case 'affiliate':
      return t`Add ${people} to a chapter`
    case 'field':
      return t`Change a field of ${people}`
    case 'archive':
      return t`Archive ${people}`
    case 'stopAutoRenew':
      return t`Turn off auto-renewal of ${people}`
    case 'renew':
      return t`Create renewal invoices for ${people}`
  }
}

export function verbOf(kind: BulkKind, changed: number): string {
  switch (kind) {
    case 'tag':
      return plural(changed, { one: 'Tag # person', other: 'Tag # people' })
    case 'untag':
      return plural(changed, { one: 'Untag # person', other: 'Untag # people' })
    case 'archive':
      return plural(changed, { one: 'Archive # person', other: 'Archive # people' })
    case 'renew':
      return plural(changed, { one: 'Invoice # person', other: 'Invoice # people' })
    case 'lifecycle':
    case 'stopAutoRenew':
    case 'field':
      return plural(changed, { one: 'Change # person', other: 'Change # people' })
    case 'addToGroup':
    case 'affiliate':
      return plural(changed, { one: 'Add # person', other: 'Add # people' })
  }
}

export function doneText(kind: BulkKind, people: string, label: string): string {
  switch (kind) {
    case 'tag':
      return t`${people} tagged “${label}”`
    case 'untag':
      return t`“${label}” removed from ${people}`
    case 'addToGroup':
    case 'affiliate':
      return t`${people} added to ${label}`
    case 'lifecycle':
      return t`Status of ${people} is now ${label}`
    case 'field':
      return t`“${label}” of ${people} changed`
    case 'archive':
      return t`${people} archived`
    case 'stopAutoRenew':
      return t`Auto-renewal of ${people} turned off`
    case 'renew':
      return t`Renewal invoices for ${people} created`
  }
}
