import type { Campaign, CampaignChange } from '@guildhall/contract/features/fundraising'
import { useApi } from '../../platform/api/api.tsx'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import { useCampaignSaved } from './fundraising-api.ts'

/** A campaign with its references as a change names them. */
const flat = (campaign: Campaign) => ({
  ...campaign,
  chapterId: campaign.chapter?.id ?? null,
  fundId: campaign.fund?.id ?? null,
  fundIds: campaign.funds.map(({ id }) => id),
  shareChapterId: campaign.share?.chapter.id ?? null,
  shareBps: campaign.share?.bps ?? 0,
})

export function useCampaignEditor(campaign: Campaign) {
  const { get, update } = useApi().data.fundraising
  const saved = useCampaignSaved()
  const campaignId = campaign.id
  return useRecordEditor({
    name: campaign.name,
    record: flat(campaign),
    version: campaign.version,
    send: async (change: CampaignChange, sent) => flat(await update.call({ campaignId, ...change }, sent)),
    read: async () => {
      const now = await get.call({ campaignId })
      return { record: flat(now), version: now.version }
    },
    onSaved: saved,
  })
}
