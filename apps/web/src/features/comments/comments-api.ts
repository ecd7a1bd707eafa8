import type { Comment, CommentedType } from '@guildhall/contract/features/comments'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

export type { Comment }
export type Commented = { recordType: CommentedType; recordId: string }

/** Of a record the newest first; of a comment its answers, the oldest first. */
export const useComments = (record: Commented, parentId?: string) =>
  useInfiniteQuery(pagedOptions(useApi().data.comments.list, { ...record, limit: 20, ...(parentId && { parentId }) }))

export function useCommentsChanged() {
  const { comments } = useApi().data
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: comments.key() })
}
