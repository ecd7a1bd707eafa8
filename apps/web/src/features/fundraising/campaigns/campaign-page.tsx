import { msg, t } from '@lingui/core/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { lazy } from 'react'
import type { ComponentType } from 'react'
import { recordId } from '../../../platform/api/no-such-record.ts'
import type { Section } from '../../../platform/navigation/sections.tsx'
import { useKnownTab } from '../../../platform/navigation/tabs.ts'
import { RecordFrame } from '../../../platform/records/record-frame.tsx'
import { RecordHistory } from '../../people/history/history-public.ts'
import { useCampaign } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'
import { AllCampaigns } from './all-campaigns.tsx'
import { CampaignHead } from './campaign-head.tsx'

export const route = createLazyRoute('/signed-in/fundraising/$campaignId/{-$tab}')({ component: CampaignPage })

type Subject = { campaign: Campaign }

/** A list of gifts, plans or pledges, narrowed to the campaign. */
function ofCampaign(load: () => Promise<ComponentType<{ campaignId?: string }>>): ComponentType<Subject> {
  const List = lazy(async () => ({ default: await load() }))
  return ({ campaign }) => <List campaignId={campaign.id} />
}
const seesGifts = ({ campaign: { may } }: Subject) => may.seeGifts
const edits = ({ campaign: { may } }: Subject) => may.edit

const tabs: readonly Section<Subject>[] = [
  {
    key: 'overview',
    label: msg`Overview`,
    order: 10,
    content: lazy(async () => ({ default: (await import('../overview/overview-tab.tsx')).OverviewTab })),
  },
  {
    key: 'donations',
    label: msg`Gifts`,
    order: 20,
    may: ({ campaign: { may } }, can) => may.seeGifts || can('gifts.record'),
    content: ofCampaign(async () => (await import('../gifts/gifts-tab.tsx')).GiftsTab),
    fill: true,
  },
  {
    key: 'donors',
    label: msg`Donors`,
    order: 30,
    may: seesGifts,
    content: ofCampaign(async () => (await import('../donors/donors-tab.tsx')).DonorsTab),
    fill: true,
  },
  {
    key: 'recurring',
    label: msg`Recurring`,
    order: 40,
    may: seesGifts,
    content: ofCampaign(async () => (await import('../plans/plans-tab.tsx')).PlansTab),
    fill: true,
  },
  {
    key: 'pledges',
    label: msg`Pledges`,
    order: 50,
    may: seesGifts,
    content: ofCampaign(async () => (await import('../pledges/pledges-tab.tsx')).PledgesTab),
    fill: true,
  },
  {
    key: 'form',
    label: msg`Giving page`,
    order: 60,
    may: edits,
    content: lazy(async () => ({ default: (await import('../form/form-tab.tsx')).FormTab })),
  },
  {
    key: 'settings',
    label: msg`Settings`,
    order: 70,
    may: edits,
    content: lazy(async () => ({ default: (await import('../settings/campaign-settings.tsx')).CampaignSettings })),
  },
  {
    key: 'history',
    label: msg`History`,
    order: 100,
    may: edits,
    content: ({ campaign }) => <RecordHistory recordId={campaign.id} />,
  },
]
const [first = '', ...others] = tabs.map(({ key }) => key)

function CampaignPage() {
  const { campaignId, tab } = route.useParams()
  return campaignId === 'all' ? <AllCampaigns tab={tab} /> : <OneCampaign campaignId={recordId(campaignId)} tab={tab} />
}

function OneCampaign({ campaignId, tab: named }: { campaignId: string; tab: string | undefined }) {
  const asked = useKnownTab(named, [first, ...others])
  return (
    <RecordFrame
      key={campaignId}
      kind="campaign"
      id={campaignId}
      to={`/fundraising/${campaignId}`}
      noun={t`Campaign`}
      failed={t`This campaign could not be loaded`}
      query={useCampaign(campaignId)}
      name={({ name }) => name}
      subject={(campaign) => ({ campaign })}
      tabs={tabs}
      asked={named === undefined ? undefined : asked}
      link={(tab, props) => (
        <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId, tab }} activeOptions={{ exact: true }} {...props} />
      )}
      header={(campaign, sections) => <CampaignHead campaign={campaign}>{sections}</CampaignHead>}
    />
  )
}
