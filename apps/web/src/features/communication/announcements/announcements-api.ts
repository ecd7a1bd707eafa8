import type { Announcement, AnnouncementAudience, AnnouncementRow } from '@guildhall/contract/features/communication.announcements'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'

export type { Announcement, AnnouncementRow, ShownIn }
type ShownIn = { chapterId?: string; groupId?: string }

export const useAnnouncementsApi = () => useApi().data.communication.announcements

/** A timer takes no longer than that. */
const longestMs = 2_000_000_000

/** What is shown right now, to the reader or in a place. One that starts or ends by itself is noticed without a word from the server. */
export const useCurrent = (place: ShownIn = {}) =>
  useQuery({
    ...useAnnouncementsApi().current.queryOptions({ input: place }),
    refetchInterval: ({ state: { data } }) =>
      data?.nextChangeAt ? Math.min(Math.max(Date.parse(data.nextChangeAt) - Date.now(), 0) + 1_000, longestMs) : false,
  })

export const useAnnouncement = (announcementId: string | undefined) =>
  useQuery({
    ...useAnnouncementsApi().get.queryOptions({ input: { announcementId: announcementId ?? '' } }),
    enabled: announcementId !== undefined,
  })

type Reach = { chapterId: string | null; groupId: string | null; audience: AnnouncementAudience }

/** How many accounts an announcement would be addressed to; not asked while its place is not chosen. */
export const useReach = (of: Reach | undefined) =>
  useQuery({
    ...useAnnouncementsApi().reach.queryOptions({
      input: {
        audience: of?.audience ?? 'members',
        ...(of?.chapterId && { chapterId: of.chapterId }),
        ...(of?.groupId && { groupId: of.groupId }),
      },
    }),
    enabled: of !== undefined,
    placeholderData: keepPreviousData,
  })

export function useAnnouncementsChanged() {
  const api = useAnnouncementsApi()
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: api.key() })
}

/** Notes that an announcement was read, or dismissed. */
export function useRead() {
  const { read } = useAnnouncementsApi()
  const changed = useAnnouncementsChanged()
  return async (announcementId: string, dismissed = false) => {
    await read.call({ announcementId, ...(dismissed && { dismissed }) })
    await changed()
  }
}
