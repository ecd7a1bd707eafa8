import { plural, t } from '@lingui/core/macro'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useWebhooksChanged } from './webhooks-api.ts'

type Wanted = { deliveryIds: string[] } | { deadSince: string }

/** Sends deliveries again under their ids. */
export function useReplay(endpointId: string) {
  const { replay } = useApi().actions.integrations.webhooks
  const changed = useWebhooksChanged()
  return async (wanted: Wanted) => {
    try {
      const { replayed } = await replay.call({ endpointId, ...wanted })
      await changed()
      toast.success(plural(replayed, { 0: 'Nothing to replay', one: '# delivery is sent again', other: '# deliveries are sent again' }))
    } catch (failure) {
      toast.error(t`The deliveries could not be replayed.`, failure)
    }
  }
}
