import type { ThankedHow } from '@guildhall/contract/features/fundraising.gifts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { useFundraisingChanged } from '../fundraising-api.ts'

/** Gifts for which nobody has thanked yet, the oldest first. */
export const useThanks = (campaignId: string | undefined) =>
  useInfiniteQuery(pagedOptions(useApi().data.fundraising.gifts.thanks.list, { limit: 50, ...(campaignId && { campaignId }) }))

/** The draft for one gift. */
export const useDraft = (giftId: string, enabled: boolean) =>
  useQuery({
    ...useApi().data.fundraising.gifts.thanks.list.queryOptions({ input: { giftId, limit: 1 } }),
    enabled,
    staleTime: 0,
    select: ({ items }) => items[0] ?? null,
  })

type Said = { giftId: string; version: number }

export function useThank() {
  const { thanks } = useApi().data.fundraising.gifts
  const changed = useFundraisingChanged()
  return {
    mail: async ({ giftId, version }: Said, letter: { subject: string; body: string }) => {
      await thanks.mail.call({ giftId, ...letter }, { context: { ifMatch: version } })
      void changed()
    },
    note: async ({ giftId, version }: Said, how: ThankedHow) => {
      const noted = await thanks.note.call({ giftId, how }, { context: { ifMatch: version } })
      void changed()
      return noted
    },
    /** Nobody has thanked after all: the gift waits again. */
    undo: async ({ giftId, version }: Said) => {
      const waiting = await thanks.undo.call({ giftId }, { context: { ifMatch: version } })
      await changed()
      return waiting
    },
  }
}
