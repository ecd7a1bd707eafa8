import { useMemo } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import { useHoldsEverywhere } from '../session/session.ts'
import type { Filter } from '../../ui/filter/filter.ts'

/** Narrows a list to the books of a chapter and the chapters below it; at the top of the tree, those who keep all books really see all. */
export function useBooksOf(chapter: Chapter): Filter['and'] {
  const all = useHoldsEverywhere('finance.read') && chapter.parent === null
  return useMemo(() => (all ? [] : [{ or: [{ field: 'books', op: 'is' as const, value: chapter.id }] }]), [all, chapter.id])
}
