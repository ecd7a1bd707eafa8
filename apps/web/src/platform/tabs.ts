import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'

/**
 * The tab an address names, or the first one. An unknown name is replaced in the address without a history entry, so that a
 * link with an old or mistyped tab still arrives.
 */
export function useKnownTab<Tab extends string>(
  named: string | undefined,
  known: readonly [Tab, ...Tab[]],
  param: 'tab' | 'subtab' = 'tab',
): Tab {
  const navigate = useNavigate()
  const tab = known.find((candidate) => candidate === named)
  const unknown = named !== undefined && tab === undefined
  useEffect(() => {
    if (unknown) void navigate({ to: '.', params: (before: object) => ({ ...before, [param]: undefined }), search: true, replace: true })
  }, [unknown, navigate, param])
  return tab ?? known[0]
}
