import { useRights } from '../../../platform/session/session.ts'
import { part } from '../../../ui/page/part.tsx'
import { useGivingPlace } from '../use-giving-place.ts'
import { GiftList } from './gift-list.tsx'

const GiftBatch = part(async () => (await import('../batch/gift-batch.tsx')).GiftBatch)

/** Gifts of a campaign or of all, or, with `batch=1`, the grid in which many are entered at once. */
export function GiftsTab({ campaignId }: { campaignId?: string | undefined }) {
  const { search, go } = useGivingPlace()
  const can = useRights()
  if (search.batch === 1 && can('gifts.record')) return <GiftBatch campaignId={campaignId} onClose={() => go({ batch: undefined })} />
  return <GiftList campaignId={campaignId} />
}
