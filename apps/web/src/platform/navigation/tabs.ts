import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { createStore } from '../store.ts'

/** What an address named in vain, and the path that stands in its place: the frame says so there. */
export const missingSection = createStore<{ name: string; path: string } | undefined>(undefined)

/**
 * The tab an address names, or the first one. An unknown name is replaced in the address without a history entry, so that a
 * link with an old or mistyped tab still arrives, and the frame says so.
 */
export function useKnownTab<Tab extends string>(
  named: string | undefined,
  known: readonly [Tab, ...Tab[]],
  param: 'tab' | 'subtab' = 'tab',
): Tab {
  const navigate = useNavigate()
  const router = useRouter()
  const tab = known.find((candidate) => candidate === named)
  const unknown = named !== undefined && tab === undefined
  useEffect(() => {
    if (!unknown) return
    // What stood below an unknown tab must not be taken for a tab.
    const gone = param === 'tab' ? { tab: undefined, subtab: undefined } : { subtab: undefined }
    void navigate({ to: '.', params: (before: object) => ({ ...before, ...gone }), search: true, replace: true }).then(() =>
      missingSection.set({ name: named, path: router.state.location.pathname }),
    )
  }, [unknown, named, navigate, router, param])
  return tab ?? known[0]
}
