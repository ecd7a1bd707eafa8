import type {
  MadeWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
  WebhookEventType,
  WebhookFailure,
} from '@guildhall/contract/features/integrations.webhooks'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'

export type { MadeWebhookEndpoint, WebhookDelivery, WebhookDeliveryDetail, WebhookEndpoint, WebhookEventType, WebhookFailure }
export type DeliveryFilter = { state?: WebhookDelivery['state'] | undefined; eventType?: WebhookEventType | undefined }

const soonMs = 20_000
const rereadMs = 2_000

/** Whether a delivery is about to be sent: whoever looks sees what became of it. */
const isDueSoon = ({ state, nextAttemptAt }: Pick<WebhookDelivery, 'state' | 'nextAttemptAt'>) =>
  state === 'waiting' &&
  nextAttemptAt !== null &&
  Date.parse(nextAttemptAt) - Date.now() < soonMs &&
  Date.now() - Date.parse(nextAttemptAt) < soonMs

export const useEndpoints = () => useQuery(useApi().data.integrations.webhooks.list.queryOptions({ input: {} }))

export const useEndpoint = (endpointId: string) => useQuery(useApi().data.integrations.webhooks.get.queryOptions({ input: { endpointId } }))

export const useDeliveries = (endpointId: string, { state, eventType }: DeliveryFilter) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.integrations.webhooks.deliveries, {
      endpointId,
      limit: 50,
      ...(state && { state }),
      ...(eventType && { eventType }),
    }),
    refetchInterval: ({ state: { data } }) => (data?.pages.some(({ items }) => items.some(isDueSoon)) ? rereadMs : false),
  })

export const useDelivery = (endpointId: string, deliveryId: string) =>
  useQuery({
    ...useApi().data.integrations.webhooks.delivery.queryOptions({ input: { endpointId, deliveryId } }),
    refetchInterval: ({ state: { data } }) => (data && isDueSoon(data) ? rereadMs : false),
  })

export function useWebhooksChanged() {
  const webhooks = useApi().data.integrations.webhooks.key()
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: webhooks })
}
