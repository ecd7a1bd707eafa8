import type { Campaign, FundraisingFigures } from '@guildhall/contract/features/fundraising'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { useIsTold } from '../../platform/api/changes.ts'
import { pagedOptions } from '../../platform/api/paged.ts'
import { named } from '../../platform/records/record-sources.ts'
import type { Filter, Option } from '../../ui/filter/filter.ts'
import { listInput } from '../lists/lists-public.tsx'

export type { Campaign, FundraisingFigures }

type Look = { q: string; filter: Filter; sort: string }

export const useCampaigns = (look: Look, enabled: boolean) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.fundraising.list, listInput(look)), enabled })

export const useCampaign = (campaignId: string) => useQuery(useApi().data.fundraising.get.queryOptions({ input: { campaignId } }))

/** Asked anew now and then where nobody tells of new gifts. */
export function useCampaignOverview(campaignId: string) {
  const isTold = useIsTold()
  return useQuery({
    ...useApi().data.fundraising.overview.queryOptions({ input: { campaignId } }),
    refetchInterval: isTold ? false : 30_000,
  })
}

export const useFigures = (period: { since?: string; until?: string }) =>
  useQuery({ ...useApi().data.fundraising.figures.queryOptions({ input: period }), placeholderData: keepPreviousData })

export const useFunds = (archived = false) =>
  useQuery(useApi().data.fundraising.funds.list.queryOptions({ input: archived ? { archived } : {} }))

export const useFundraisingSettings = () => useQuery(useApi().data.fundraising.settings.get.queryOptions())

export const useGift = (giftId: string, enabled = true) =>
  useQuery({ ...useApi().data.fundraising.gifts.get.queryOptions({ input: { giftId } }), enabled })

export const usePlan = (planId: string | null | undefined) =>
  useQuery({ ...useApi().data.fundraising.plans.get.queryOptions({ input: { planId: planId ?? '' } }), enabled: Boolean(planId) })

/** After gifts, pledges, funds or plans have changed: whatever shows them or counts them is asked anew. */
export function useFundraisingChanged() {
  const { fundraising, account, home } = useApi().data
  const cache = useQueryClient()
  return useCallback(
    () => Promise.all([fundraising.key(), account.audit.key(), home.key()].map((queryKey) => cache.invalidateQueries({ queryKey }))),
    [fundraising, account, home, cache],
  )
}

/** Puts a campaign as it was answered in place of the one shown, and has every list asked anew. */
export function useCampaignSaved() {
  const { fundraising, account } = useApi().data
  const cache = useQueryClient()
  return useCallback(
    (campaign: Campaign) => {
      cache.setQueryData(fundraising.get.queryKey({ input: { campaignId: campaign.id } }), campaign)
      return Promise.all(
        [fundraising.list.key(), fundraising.overview.key(), account.audit.key()].map((queryKey) => cache.invalidateQueries({ queryKey })),
      )
    },
    [fundraising, account, cache],
  )
}

type Source = { search: (query: string, signal: AbortSignal) => Promise<Option[]>; names: (ids: string[]) => Promise<Option[]> }

/** Campaigns and funds for pickers and filters; the references never change. */
export function useFundraisingSources(): { campaigns: Source; funds: Source } {
  const { fundraising } = useApi().data
  const cache = useQueryClient()
  return useMemo(() => {
    // All there are, at most 500: they are searched here.
    const funds = async (archived: boolean) => {
      const { items } = await cache.query({
        ...fundraising.funds.list.queryOptions({ input: archived ? { archived } : {} }),
        staleTime: 60_000,
      })
      return items.map(({ id, name, chapter }) => ({ value: id, label: name, hint: chapter?.name }))
    }
    return {
      campaigns: {
        search: async (q, signal) => {
          const { items } = await fundraising.list.call({ ...(q && { q, sort: 'match' }), limit: 20 }, { signal })
          return items.map(({ id, name, chapter }) => ({ value: id, label: name, hint: chapter?.name }))
        },
        names: named(async (campaignId) => {
          const campaign = await cache.query({ ...fundraising.get.queryOptions({ input: { campaignId } }), staleTime: 60_000 })
          return campaign.name
        }),
      },
      funds: {
        search: async (q) => {
          const wanted = q.trim().toLocaleLowerCase()
          return (await funds(false)).filter(({ label }) => label.toLocaleLowerCase().includes(wanted)).slice(0, 20)
        },
        names: named(async (fundId) => {
          const known = [...(await funds(false)), ...(await funds(true))]
          return known.find(({ value }) => value === fundId)?.label ?? ''
        }),
      },
    }
  }, [fundraising, cache])
}
