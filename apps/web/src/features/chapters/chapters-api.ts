import type { FieldChange } from '@guildhall/contract/features/fields'
import type { Sent } from '../../ui/dialog/form-dialog.tsx'
import type {
  Chapter,
  ChapterChange,
  ChapterMember,
  ChapterNode,
  ChapterRow,
  Officer,
  Position,
} from '@guildhall/contract/features/chapters'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import type { Filter } from '../../ui/filter/filter.ts'
import { fieldColumns } from '../fields/fields-public.tsx'
import { listInput } from '../lists/lists-public.tsx'

export type { Chapter, ChapterMember, ChapterNode, ChapterRow, Officer, Position }

export const useChapter = (chapterId: string) => useQuery(useApi().data.chapters.get.queryOptions({ input: { chapterId } }))

export const useChapterGrowth = (chapterId: string, enabled: boolean) =>
  useQuery({ ...useApi().data.chapters.growth.queryOptions({ input: { chapterId } }), enabled })

export const useChapterTree = (closed = false) =>
  useQuery({
    ...useApi().data.chapters.tree.queryOptions({ input: closed ? { closed } : {} }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

type Question = { q: string; filter: Filter; sort: string }
/** Chapters as the address asks for them, of those that the page is about. */
export const useChapterList = ({ q, filter, sort }: Question, columns: readonly string[], within: Filter['and'], enabled: boolean) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.chapters.list, {
      ...listInput({ q, sort, filter: { and: [...filter.and, ...within] } }),
      ...fieldColumns(columns),
    }),
    enabled,
  })

export type Roster = { chapterId: string; q: string; subtree: boolean; kind: ChapterMember['kind'] | undefined; when: 'current' | 'former' }

export const useRoster = ({ chapterId, q, subtree, kind, when }: Roster) =>
  useInfiniteQuery(
    pagedOptions(useApi().data.chapters.members, {
      chapterId,
      when,
      limit: 100,
      ...(q && { q }),
      ...(subtree && { subtree }),
      ...(kind && { kind }),
    }),
  )

export const useOfficers = (chapterId: string, when: 'current' | 'upcoming' | 'history') =>
  useInfiniteQuery(pagedOptions(useApi().data.chapters.officers, { chapterId, when, limit: 100 }, { keepsRows: false }))

export const usePositions = (chapterId: string, enabled: boolean) =>
  useQuery({ ...useApi().data.chapters.positions.list.queryOptions({ input: { chapterId } }), enabled })

/** Everything about chapters is read again after a change: roll-ups reach up and down the tree. */
export function useChaptersChanged() {
  const api = useApi()
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: api.data.chapters.key() }),
      cache.invalidateQueries({ queryKey: api.data.home.key() }),
    ])
}

export function useChapterEditor(chapter: Chapter) {
  const { chapters } = useApi().data
  const changed = useChaptersChanged()
  const chapterId = chapter.id
  return useRecordEditor({
    name: chapter.name,
    record: chapter,
    version: chapter.version,
    send: (change: ChapterChange, sent) => chapters.update.call({ chapterId, ...change }, sent),
    read: async () => {
      const record = await chapters.get.call({ chapterId })
      return { record, version: record.version }
    },
    onSaved: changed,
  })
}

/** Reads and saves fields of the organisation of a chapter. */
export function useChapterFields(chapterId: string) {
  const { chapters } = useApi().data
  const changed = useChaptersChanged()
  return {
    save: async (fields: FieldChange, sent: Sent) => {
      const saved = await chapters.update.call({ chapterId, fields }, sent)
      void changed()
      return saved
    },
    read: () => chapters.get.call({ chapterId }),
  }
}
