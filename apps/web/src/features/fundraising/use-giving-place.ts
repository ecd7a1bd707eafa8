import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { Filter } from '../../ui/filter/filter.ts'
import type { FundraisingSearch } from './fundraising-search.ts'

const here = getRouteApi('/signed-in/fundraising/$campaignId/{-$tab}')

/** The address of the tab that is open, of a campaign or of all. */
export function useGivingPlace() {
  const search = here.useSearch()
  const navigate = here.useNavigate()
  const go = useCallback(
    (change: Partial<FundraisingSearch>, { replace = false } = {}) =>
      void navigate({ search: (before) => ({ ...before, ...change }), replace }),
    [navigate],
  )
  return { search, go }
}

/** Narrows a list to one campaign. */
export const useWithinCampaign = (campaignId: string | undefined): Filter['and'] =>
  useMemo(() => (campaignId ? [{ or: [{ field: 'campaign', op: 'is' as const, value: campaignId }] }] : []), [campaignId])
