import { t } from '@lingui/core/macro'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { useCampaignSaved } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'

/** Moves of a campaign that can be undone; starting one cannot, and asks first. */
export function useCampaignMoves(campaign: Campaign) {
  const { fundraising } = useApi().data
  const saved = useCampaignSaved()
  const { id: campaignId, name, status } = campaign
  const at = (version: number) => ({ context: { ifMatch: version } })
  const shown = async (answer: Promise<Campaign>) => {
    const now = await answer
    await saved(now)
    return now
  }
  const move = (to: 'active' | 'paused' | 'ended', version: number) => shown(fundraising.move.call({ campaignId, status: to }, at(version)))
  const restore = (version: number) => shown(fundraising.restore.call({ campaignId }, at(version)))

  const attempt = (failed: string, act: () => Promise<unknown>) => () =>
    void act().catch((problem: unknown) => toast.error(failed, problem))

  return {
    pause: attempt(t`${name} could not be paused.`, async () => {
      const now = await move('paused', campaign.version)
      toast.undo(t`${name} paused: it takes no gifts online`, () => move('active', now.version))
    }),
    resume: attempt(t`${name} could not be resumed.`, async () => {
      const before = status === 'ended' ? 'ended' : 'paused'
      const now = await move('active', campaign.version)
      toast.undo(t`${name} takes gifts again`, () => move(before, now.version))
    }),
    end: attempt(t`${name} could not be ended.`, async () => {
      const now = await move('ended', campaign.version)
      toast.undo(t`${name} ended`, async () => {
        const again = await move('active', now.version)
        if (status === 'paused') await move('paused', again.version)
      })
    }),
    archive: attempt(t`${name} could not be archived.`, async () => {
      const now = await shown(fundraising.archive.call({ campaignId }, at(campaign.version)))
      toast.undo(t`${name} archived`, () => restore(now.version))
    }),
    restore: attempt(t`${name} could not be restored.`, () => restore(campaign.version)),
  }
}
