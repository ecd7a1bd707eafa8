import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { maxLineDepth } from '@guildhall/contract/features/relationships.lines'
import type { LinesSearch } from '../relationships-search.ts'

const here = getRouteApi('/signed-in/reports/parent-child')

/** The address of the report, which holds all that it shows. */
export function useLinesPlace() {
  const search = here.useSearch()
  const navigate = here.useNavigate()
  const go = useCallback(
    (change: Partial<LinesSearch>, { replace = false } = {}) => void navigate({ search: (before) => ({ ...before, ...change }), replace }),
    [navigate],
  )
  return { search, go }
}

/** A depth or a generation as an address has it; what is none counts as not said. */
export function stepsIn(text: string | undefined): number | undefined {
  const steps = Number(text)
  return text !== undefined && Number.isInteger(steps) && steps >= 1 && steps <= maxLineDepth ? steps : undefined
}
