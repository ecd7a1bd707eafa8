import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { useCampaignMoves } from '../../../platform/api/changes.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { FormattedText } from '../../../platform/formatted-text/formatted-text.tsx'
import { usePicture } from '../../../platform/records/picture.tsx'
import { Section, TwoColumns } from '../../../ui/page/page.tsx'
import { Loading, SkeletonCards, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useCampaignOverview } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'
import { Readiness } from '../campaigns/readiness-section.tsx'
import { CampaignFigures } from './campaign-figures.tsx'
import { GoalSection } from './goal-section.tsx'
import { LatestGifts } from './latest-gifts.tsx'
import classes from './overview.module.css'

const OverviewCharts = lazy(async () => ({ default: (await import('./overview-charts.tsx')).OverviewCharts }))

/** How a campaign goes: its goal, its figures, its pictures, and who has just given. */
export function OverviewTab({ campaign }: { campaign: Campaign }) {
  const { fundraising } = useApi().data
  const cache = useQueryClient()
  const overview = useCampaignOverview(campaign.id)
  useCampaignMoves(campaign.id, () => {
    const input = { campaignId: campaign.id }
    void cache.invalidateQueries({ queryKey: fundraising.overview.key({ input }) })
    void cache.invalidateQueries({ queryKey: fundraising.get.key({ input }) })
  })
  if (overview.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonCards count={4} height={96} />
        <SkeletonLines count={8} />
      </Loading>
    )
  if (!overview.data)
    return <ProblemState problem={overview.error} title={t`The overview could not be loaded`} retry={() => void overview.refetch()} />
  const { data } = overview
  const isDraft = campaign.status === 'draft'
  return (
    <TwoColumns aside={<LatestGifts campaign={campaign} latest={data.latest} />}>
      {campaign.may.edit && isDraft && <Readiness campaign={campaign} />}
      {(!isDraft || campaign.goal !== null) && <GoalSection campaign={campaign} overview={data} />}
      {!campaign.may.edit && <About campaign={campaign} />}
      {!isDraft && (
        <>
          <CampaignFigures campaign={campaign} />
          <Suspense fallback={<SkeletonLines count={8} />}>
            <OverviewCharts campaign={campaign} overview={data} />
          </Suspense>
        </>
      )}
    </TwoColumns>
  )
}

/** What it is for; those who write it have it on the giving page. */
function About({ campaign: { summary, story, coverFileId, coverAlt } }: { campaign: Campaign }) {
  const picture = usePicture(coverFileId, 'large')
  if (summary === '' && story.content.length === 0 && coverFileId === null) return null
  return (
    <Section title={t`About`}>
      {picture && <img src={picture} alt={coverAlt} className={classes['cover']} />}
      {summary && <p className={classes['lead']}>{summary}</p>}
      {story.content.length > 0 && <FormattedText document={story} />}
    </Section>
  )
}
