import { Button, Group, NativeSelect } from '@mantine/core'
import { Plural, Trans } from '@lingui/react/macro'
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ComponentProps } from 'react'
import type { BulkRequest } from '@guildhall/contract/features/people'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { ComboboxPicker } from '../../../ui/form/combobox-picker.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { Option } from '../../../ui/filter/filter.ts'
import classes from '../people.module.css'
import { affiliationOptions, isAffiliationKind, isSettable, lifecycleOptions, lifecycleWords } from '../people-words.tsx'
import { TagPicker } from '../../tags/tags-public.tsx'
import { useBulkRun } from './use-bulk-run.ts'

type Request = z.infer<typeof BulkRequest>
type Change = Request['change']
export type BulkKind = Change['do']

type Props = {
  kind: BulkKind | undefined
  selection: Request['selection']
  count: number
  countIsExact: boolean
  onClose: () => void
  onDone: () => void
}

/** Chooses what to do, shows what it would come to, does it. Everything here can be undone. */
export function BulkDialog(props: Props) {
  const { kind, count, countIsExact, onClose } = props
  const { number } = useFormats()
  const shown = countIsExact ? plural(count, { one: '# person', other: '# people' }) : t`${number(count)}+ people`
  return (
    <Dialog opened={kind !== undefined} onClose={onClose} title={kind && titleOf(kind, shown)}>
      {kind && <Body key={kind} {...props} kind={kind} />}
    </Dialog>
  )
}

function Body({ kind, selection, onClose, onDone }: Props & { kind: BulkKind }) {
  const api = useApi()
  const run = useBulkRun()
  const [change, setChange] = useState<Change | undefined>(kind === 'archive' ? { do: 'archive' } : undefined)
  const [label, setLabel] = useState('')
  const preview = useQuery({
    ...api.actions.people.bulk.preview.queryOptions({ input: { selection, change: change ?? { do: 'archive' } } }),
    enabled: change !== undefined,
    staleTime: 0,
    gcTime: 0,
  })
  const counts = change && preview.data
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const go = async () => {
    if (!change || !counts) return
    setBusy(true)
    setFailure(undefined)
    try {
      await run({ selection, change }, (changed) => doneText(change, changed, label))
      onDone()
      onClose()
    } catch (problem) {
      setFailure(problemText(problem))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes['stack']}
      onSubmit={(event) => {
        event.preventDefault()
        void go()
      }}
    >
      <Choice
        kind={kind}
        onChange={(next, name) => {
          setChange(next)
          setLabel(name)
        }}
      />
      {kind === 'archive' && (
        <p>
          <Trans>Archived people leave every list and can be restored for 30 days.</Trans>
        </p>
      )}
      <div role="status" className={classes['tight']}>
        {change && preview.isPending && <Trans>Counting…</Trans>}
        {counts && <Counts {...counts} />}
      </div>
      {(failure ?? (change && preview.isError)) && <p role="alert">{failure ?? problemText(preview.error)}</p>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" loading={busy} disabled={!counts || counts.changed === 0}>
          {counts ? verbOf(kind, counts.changed) : <Trans>Continue</Trans>}
        </Button>
      </Group>
    </form>
  )
}

function Choice({ kind, onChange }: { kind: BulkKind; onChange: (change: Change | undefined, label: string) => void }) {
  const { chapters, groups } = useRecordSources()
  const [picked, setPicked] = useState<Option | null>(null)
  const [tag, setTag] = useState<ComponentProps<typeof TagPicker>['value']>(null)
  const [membership, setMembership] = useState<'member' | 'alumni' | 'advisor' | 'friend' | 'applicant'>('member')
  switch (kind) {
    case 'archive':
      return null
    case 'tag':
    case 'untag':
      return (
        <div className={classes['tight']}>
          <TagPicker
            autoFocus
            value={tag}
            mayMake={kind === 'tag'}
            onChange={(chosen) => {
              setTag(chosen)
              onChange(chosen ? { do: kind, tagId: chosen.id } : undefined, chosen?.name ?? '')
            }}
          />
          <AppLink href="/account-management/tags" className={classes['dim']}>{t`Manage tags`}</AppLink>
        </div>
      )
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

type CountsProps = { changed: number; unchanged: number; refused: number; sample: readonly { id: string; displayName: string }[] }

function Counts({ changed, unchanged, refused, sample }: CountsProps) {
  const { list, number } = useFormats()
  const names = sample.map(({ displayName }) => displayName)
  const rest = changed - names.length
  return (
    <>
      <p>
        <Plural value={changed} _0="Nobody would change." one="# person would change." other="# people would change." />
        {unchanged > 0 && (
          <>
            {' '}
            <Plural value={unchanged} one="# already up to date." other="# already up to date." />
          </>
        )}
        {refused > 0 && (
          <>
            {' '}
            <Plural value={refused} one="# is not yours to change and stays." other="# are not yours to change and stay." />
          </>
        )}
      </p>
      {names.length > 0 && <p className={classes['dim']}>{list(rest > 0 ? [...names, t`${number(rest)} more`] : names)}</p>}
    </>
  )
}

function titleOf(kind: BulkKind, people: string): string {
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
    case 'archive':
      return t`Archive ${people}`
  }
}

function verbOf(kind: BulkKind, changed: number): string {
  switch (kind) {
    case 'tag':
      return plural(changed, { one: 'Tag # person', other: 'Tag # people' })
    case 'untag':
      return plural(changed, { one: 'Untag # person', other: 'Untag # people' })
    case 'archive':
      return plural(changed, { one: 'Archive # person', other: 'Archive # people' })
    case 'lifecycle':
      return plural(changed, { one: 'Change # person', other: 'Change # people' })
    case 'addToGroup':
    case 'affiliate':
      return plural(changed, { one: 'Add # person', other: 'Add # people' })
  }
}

function doneText(change: Change, changed: number, label: string): string {
  const people = plural(changed, { one: '# person', other: '# people' })
  switch (change.do) {
    case 'tag':
      return t`${people} tagged “${label}”`
    case 'untag':
      return t`“${label}” removed from ${people}`
    case 'addToGroup':
    case 'affiliate':
      return t`${people} added to ${label}`
    case 'lifecycle':
      return t`Status of ${people} is now ${label}`
    case 'archive':
      return t`${people} archived`
  }
}
