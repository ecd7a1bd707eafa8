import type { FieldChange } from '@guildhall/contract/features/fields'
import type { Sent } from '../../ui/dialog/form-dialog.tsx'
import type { Group, GroupChange, GroupMember, GroupRow, MembershipInGroup } from '@guildhall/contract/features/groups'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import type { Filter } from '../../ui/filter/filter.ts'
import { fieldColumns } from '../fields/fields-public.tsx'
import { listInput } from '../lists/lists-public.tsx'

export type { Group, GroupMember, GroupRow, MembershipInGroup }
export type Question = { q: string; filter: Filter; sort: string }

export const useGroups = (question: Question, columns: readonly string[], enabled: boolean) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.groups.list, { ...listInput(question), ...fieldColumns(columns) }), enabled })

export const useGroup = (groupId: string) => useQuery(useApi().data.groups.get.queryOptions({ input: { groupId } }))

export const useGroupMembers = (groupId: string, q: string, status: 'active' | 'requested' | 'invited' | 'former', enabled: boolean) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.groups.members.list, { groupId, status, limit: 100, ...(q && { q }) }), enabled })

/** People with a title, over all groups whose roster may be seen; the text is looked for in title, person and group. */
export const useTitles = (q: string) =>
  useInfiniteQuery(pagedOptions(useApi().data.groups.memberships, { titled: true, limit: 100, ...(q && { q }) }))

export function useGroupsChanged() {
  const api = useApi()
  const cache = useQueryClient()
  return () =>
    Promise.all([api.data.groups, api.data.people, api.data.home].map((part) => cache.invalidateQueries({ queryKey: part.key() })))
}

export function useGroupEditor(group: Group) {
  const { groups } = useApi().data
  const changed = useGroupsChanged()
  const groupId = group.id
  return useRecordEditor({
    name: group.name,
    record: group,
    version: group.version,
    send: (change: GroupChange, sent) => groups.update.call({ groupId, ...change }, sent),
    read: async () => {
      const record = await groups.get.call({ groupId })
      return { record, version: record.version }
    },
    onSaved: changed,
  })
}

/** Reads and saves fields of the organisation of a group. */
export function useGroupFields(groupId: string) {
  const { groups } = useApi().data
  const changed = useGroupsChanged()
  return {
    save: async (fields: FieldChange, sent: Sent) => {
      const saved = await groups.update.call({ groupId, fields }, sent)
      void changed()
      return saved
    },
    read: () => groups.get.call({ groupId }),
  }
}
