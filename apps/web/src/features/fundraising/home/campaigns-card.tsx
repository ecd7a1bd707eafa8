import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useMe, useToday } from '../../../platform/session/session.ts'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { CampaignLink } from '../campaigns/campaign-cards.tsx'
import { Thermometer } from '../campaigns/thermometer.tsx'
import { daysLeftText } from '../fundraising-words.tsx'
import classes from '../giving.module.css'
import { useSums } from '../person/giving-figures.tsx'

const shown = 3
const active = JSON.stringify({ and: [{ or: [{ field: 'status', op: 'in', value: ['active'] }] }] })

/** Campaigns that can be given to now, and what the reader gave this year. */
export function CampaignsCard() {
  const campaigns = useQuery(useApi().data.fundraising.list.queryOptions({ input: { filter: active, sort: 'endsOn', limit: shown } }))
  const today = useToday()
  const { data: me } = useMe()
  if (campaigns.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (campaigns.isError)
    return <ProblemState problem={campaigns.error} title={t`The campaigns could not be loaded`} retry={() => void campaigns.refetch()} />
  const { items } = campaigns.data
  return (
    <div className={classes['stack']}>
      {items.length === 0 && <p className={classes['dim']}>{t`No campaign is open now.`}</p>}
      {items.length > 0 && (
        <ul className={classes['rows']} aria-label={t`Campaigns`}>
          {items.map((campaign) => (
            <li key={campaign.id} className={classes['planRow']}>
              <div className={classes['row']}>
                <span className={classes['what']}>
                  <CampaignLink campaign={campaign} className={classes['name']} />
                  <span className={classes['dim']}>{daysLeftText(campaign, today)}</span>
                </span>
                <ButtonLink
                  to="/fundraising/$campaignId/{-$tab}"
                  params={{ campaignId: campaign.id, tab: undefined }}
                  search={{ give: 1 }}
                  size="compact-md"
                  variant="default"
                  aria-label={t`Give to ${campaign.name}`}
                >
                  <Trans>Give</Trans>
                </ButtonLink>
              </div>
              <Thermometer campaign={campaign} />
            </li>
          ))}
        </ul>
      )}
      {me?.person && <OwnYear personId={me.person.id} />}
    </div>
  )
}

/** Nothing for those who gave nothing this year. */
function OwnYear({ personId }: { personId: string }) {
  const { data } = useQuery(useApi().data.fundraising.donors.giving.queryOptions({ input: { personId } }))
  const sums = useSums()
  if (!data || data.thisYear.every(({ amount }) => amount === 0)) return null
  return (
    <div className={classes['row']}>
      <span className={classes['what']}>{t`You gave ${sums(data.thisYear)} this year.`}</span>
      <ButtonLink to="/profile" search={{ section: 'giving' }} variant="subtle" size="compact-sm">
        <Trans>My giving</Trans>
      </ButtonLink>
    </div>
  )
}
