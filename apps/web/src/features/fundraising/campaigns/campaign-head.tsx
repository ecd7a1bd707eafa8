import { t } from '@lingui/core/macro'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { usePicture } from '../../../platform/records/picture.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { DetailHeader } from '../../../ui/page/detail-header.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { campaignKindWords, CampaignStatusBadge, daysLeftText } from '../fundraising-words.tsx'
import { useGivingPlace } from '../use-giving-place.ts'
import { CampaignActs } from './campaign-acts.tsx'

const GivenNotice = lazy(async () => ({ default: (await import('../give/given-notice.tsx')).GivenNotice }))

/** What a campaign is, and what the reader may do with it. */
export function CampaignHead({ campaign, children }: { campaign: Campaign; children: ReactNode }) {
  const { search, go } = useGivingPlace()
  const today = useToday()
  const { day } = useFormats()
  const { startsOn, chapter, kind } = campaign
  const days = startsOn !== null && startsOn > today ? t`Starts ${day(startsOn)}` : daysLeftText(campaign, today)
  return (
    <>
      <DetailHeader
        name={campaign.name}
        square
        avatarSrc={usePicture(campaign.coverFileId)}
        status={<CampaignStatusBadge campaign={campaign} />}
        facts={[chapter?.name ?? t`Whole organisation`, campaignKindWords()[kind], ...(days ? [days] : [])]}
        actions={<CampaignActs campaign={campaign} />}
      >
        {children}
      </DetailHeader>
      {search.given && (
        <Suspense>
          <GivenNotice
            key={search.given}
            giftId={search.given}
            campaign={campaign}
            hasLeft={search.cancelled === 1}
            onDismiss={() => go({ given: undefined, cancelled: undefined }, { replace: true })}
            onAgain={() => go({ give: 1 })}
          />
        </Suspense>
      )}
    </>
  )
}
