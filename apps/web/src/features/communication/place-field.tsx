import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import { useHoldsEverywhere, useMe } from '../../platform/session/session.ts'
import type { Option } from '../../ui/filter/filter.ts'
import { RecordPicker } from '../../ui/form/record-picker.tsx'

/** Where a record of communication belongs: a chapter with those below it, a group, or with neither the whole organisation. */
export type Place = { chapterId: string | null; groupId: string | null }

type Props = {
  label: ReactNode
  value: Place
  onChange: (place: Place) => void
  description?: ReactNode
  error?: ReactNode
  disabled?: boolean
  /** Without groups, for what belongs to chapters and the organisation only. */
  groups?: boolean
}

const permission = 'messages.write'
const everywhere = 'organisation'
const writable = JSON.stringify({ and: [{ or: [{ field: 'messages', op: 'is', value: true }] }] })
const each = 10

const keyOf = ({ chapterId, groupId }: Place, all: boolean): string | null =>
  groupId ? `group ${groupId}` : chapterId ? `chapter ${chapterId}` : all ? everywhere : null
function placeOf(key: string | null): Place {
  const [kind, id = null] = (key ?? '').split(' ')
  return { chapterId: kind === 'chapter' ? id : null, groupId: kind === 'group' ? id : null }
}

/** One of the places that the reader writes messages for, found by typing. */
export function PlaceField({ value, onChange, groups: withGroups = true, ...field }: Props) {
  const all = useHoldsEverywhere(permission)
  const { data } = useApi()
  const { chapters, groups } = useRecordSources()
  const source = useMemo(() => {
    const of = async (kind: 'chapter' | 'group', ids: string[]): Promise<Option[]> =>
      (await (kind === 'chapter' ? chapters : groups).names(ids)).map(({ value: id, label }) => ({ value: `${kind} ${id}`, label }))
    return {
      search: async (q: string, signal: AbortSignal): Promise<Option[]> => {
        const asked = { ...(q && { q }), filter: writable, limit: each }
        const [inChapters, inGroups] = await Promise.all([
          data.chapters.list.call(asked, { signal }),
          withGroups ? data.groups.list.call(asked, { signal }) : { items: [] },
        ])
        const whole = t`Whole organisation`
        return [
          ...(all && whole.toLowerCase().includes(q.toLowerCase()) ? [{ value: everywhere, label: whole }] : []),
          ...inChapters.items.map(({ id, name, code }) => ({ value: `chapter ${id}`, label: name, hint: code })),
          ...inGroups.items.map(({ id, name, chapter }) => ({
            value: `group ${id}`,
            label: name,
            hint: chapter ? t`Group of ${chapter.name}` : t`Group`,
          })),
        ]
      },
      names: async (keys: string[]): Promise<Option[]> => {
        const ids = (kind: 'chapterId' | 'groupId') => keys.flatMap((key) => placeOf(key)[kind] ?? [])
        return [
          ...(keys.includes(everywhere) ? [{ value: everywhere, label: t`Whole organisation` }] : []),
          ...(await of('chapter', ids('chapterId'))),
          ...(await of('group', ids('groupId'))),
        ]
      },
    }
  }, [data, chapters, groups, all, withGroups])
  return (
    <RecordPicker
      {...field}
      {...source}
      clearable={false}
      placeholder={withGroups ? t`Choose a chapter or a group` : t`Choose a chapter`}
      value={keyOf(value, all)}
      onChange={(key) => onChange(placeOf(key))}
    />
  )
}

/** What a new record belongs to at first: the organisation, or the only place that its writer has. */
export function useUsualPlace(): Place {
  const held = useMe().data?.permissions.find((one) => one.permission === permission)
  const none: Place = { chapterId: null, groupId: null }
  if (!held || held.everywhere || held.chapters.length + held.groups.length !== 1) return none
  return { chapterId: held.chapters[0] ?? null, groupId: held.groups[0] ?? null }
}

/** For the rules of a form with the fields of a place, as that of `chapterId`. */
export function usePlaceRule(groups = true) {
  const all = useHoldsEverywhere(permission)
  return (_: unknown, { chapterId, groupId }: { chapterId: string | null; groupId?: string | null }): string | null =>
    all || chapterId || groupId ? null : groups ? t`Choose a chapter or a group.` : t`Choose a chapter.`
}
