import type { Chapter, ChapterChange, ChapterMember, ChapterNode, Officer, Position } from '@guildhall/contract/features/chapters'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

export type { Chapter, ChapterMember, ChapterNode, Officer, Position }

export const useChapter = (chapterId: string) => useQuery(useApi().data.chapters.get.queryOptions({ input: { chapterId } }))

export const useChapterTree = (closed = false) =>
  useQuery({
    ...useApi().data.chapters.tree.queryOptions({ input: closed ? { closed } : {} }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
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

export function useChangeChapter(chapter: Pick<Chapter, 'id' | 'version'>) {
  const api = useApi()
  const changed = useChaptersChanged()
  return useMutation({
    mutationFn: (change: ChapterChange) =>
      api.data.chapters.update.call({ chapterId: chapter.id, ...change }, { context: { ifMatch: chapter.version } }),
    onSettled: changed,
  })
}
