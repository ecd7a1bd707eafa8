import type { Note } from '@guildhall/contract/features/notes'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

export type { Note }

/** Pinned ones first, then the newest; or those that can be restored. */
export const useNotes = (personId: string, deleted: boolean) =>
  useInfiniteQuery(pagedOptions(useApi().data.notes.list, { personId, limit: 10, ...(deleted && { deleted }) }))

export const useNoteVersions = (noteId: string) => useQuery(useApi().data.notes.versions.queryOptions({ input: { noteId } }))

export function useNotesChanged() {
  const { notes } = useApi().data
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: notes.key() })
}
