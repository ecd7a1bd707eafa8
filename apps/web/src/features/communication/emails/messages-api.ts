import type { Message, MessageReport, MessageRow } from '@guildhall/contract/features/communication.messages'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import type { Filter } from '../../../ui/filter/filter.ts'
import { listInput } from '../../lists/lists-public.tsx'

export type { Message, MessageReport, MessageRow }

type Look = { q: string; filter: Filter; sort: string }

export const useMessages = ({ q, filter, sort }: Look, within: Filter['and'], enabled: boolean) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.communication.messages.list, listInput({ q, sort, filter: { and: [...filter.and, ...within] } })),
    enabled,
  })

/** While mails leave, the counts are read again; a message that is about to leave is looked at until it does. */
const everyMs = { sending: 2_000, scheduled: 5_000 } as const
/** What was sent is counted a moment later. */
const settlesMs = 60_000
function pauseOf(message: Pick<Message, 'status' | 'finishedAt'> | undefined): number | false {
  if (message?.status === 'sending' || message?.status === 'scheduled') return everyMs[message.status]
  return message?.finishedAt && Date.now() - Date.parse(message.finishedAt) < settlesMs ? everyMs.sending : false
}

export const useMessage = (messageId: string) =>
  useQuery({
    ...useApi().data.communication.messages.get.queryOptions({ input: { messageId } }),
    refetchInterval: ({ state }) => pauseOf(state.data),
  })

export const useMessageReport = (message: Message) =>
  useQuery({
    ...useApi().data.communication.messages.report.queryOptions({ input: { messageId: message.id } }),
    refetchInterval: () => pauseOf(message),
  })

/** Topics that a message can have. */
export function useTopicNames() {
  const { data } = useQuery(useApi().data.communication.topics.list.queryOptions({ input: {} }))
  return useMemo(() => (data?.items ?? []).filter(({ archivedAt }) => archivedAt === null), [data])
}

/** Templates to begin with, by name. */
export const useTemplates = () => useQuery(useApi().data.communication.templates.list.queryOptions({ input: { limit: 100 } }))

/** Whatever shows messages reads them again; the message that came back is shown at once. */
export function useMessagesChanged() {
  const { communication } = useApi().data
  const client = useQueryClient()
  return useCallback(
    (message?: Message) => {
      if (message) client.setQueryData(communication.messages.get.queryKey({ input: { messageId: message.id } }), message)
      return Promise.all(
        [
          communication.messages.list,
          communication.messages.report,
          communication.messages.overview,
          communication.messages.deliveries,
        ].map((part) => client.invalidateQueries({ queryKey: part.key() })),
      )
    },
    [client, communication],
  )
}
