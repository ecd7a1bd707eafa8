import { useNavigate } from '@tanstack/react-router'
import type { Asked } from './reports-question.ts'
import type { ReportsSearch } from './reports-search.ts'

/** Another state of the same page, in its address. */
export function useReportsMove() {
  const navigate = useNavigate()
  return (change: Partial<ReportsSearch>, { replace = false }: { replace?: boolean } = {}) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...change }), replace })
}

/** What no longer fits once something else is asked. */
export const afresh = { run: undefined, keys: undefined, of: undefined } as const

/** Asks something else: what is open belongs to the former question. */
export function useAsk() {
  const move = useReportsMove()
  return (change: Partial<Asked>, more: Partial<ReportsSearch> = {}) => move({ ...afresh, ...change, ...more })
}
