import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { IconHeartHandshake } from '@tabler/icons-react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { FundraisingFigures } from '@guildhall/contract/features/fundraising'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { CampaignCards } from '../campaigns/campaign-cards.tsx'
import classes from '../giving.module.css'
import { PayoutList } from '../payouts/payout-list.tsx'
import { useShares } from '../payouts/payouts-api.ts'
import { ShareTable } from '../payouts/share-table.tsx'

/** What gifts brought a chapter and those below it, its campaigns, and its share; donors only for those who read gifts. */
export function ChapterFundraising({ chapter }: { chapter: Chapter }) {
  return (
    <div className={classes['stack']}>
      <Figures chapter={chapter} />
      <Campaigns chapter={chapter} />
      <Shares chapter={chapter} />
      <PayoutList chapterId={chapter.id} />
    </div>
  )
}

function Figures({ chapter }: { chapter: Chapter }) {
  const figures = useQuery({
    ...useApi().data.fundraising.figures.queryOptions({ input: { chapterId: chapter.id } }),
    placeholderData: keepPreviousData,
  })
  if (figures.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (figures.isError)
    return <ProblemState problem={figures.error} title={t`The figures could not be loaded`} retry={() => void figures.refetch()} />
  return <Shown chapter={chapter} figures={figures.data} />
}

function Shown({ chapter, figures }: { chapter: Chapter; figures: FundraisingFigures }) {
  const money = useMoney()
  const { number } = useFormats()
  const can = useRights()
  const { currency, raised, pledged, gifts, donors, averageGift, recurring, before } = figures
  const filter = encodeURIComponent(JSON.stringify({ and: [{ or: [{ field: 'chapter', op: 'in', value: [chapter.id] }] }] }))
  const raisedStat = (
    <Stat
      label={t`Raised this year`}
      value={money(raised, currency)}
      change={t`${money(before.raised, currency)} by this day last year`}
      tone={raised >= before.raised ? 'good' : 'neutral'}
    />
  )
  return (
    <div className={classes['figures']}>
      {can('gifts.read', { chapterId: chapter.id }) ? (
        <AppLink href={`/fundraising/all/donations?filter=${filter}`} className={classes['card']}>
          {raisedStat}
        </AppLink>
      ) : (
        raisedStat
      )}
      <Stat
        label={t`Gifts`}
        value={number(gifts)}
        change={averageGift === null ? undefined : t`${money(averageGift, currency)} on average`}
      />
      <Stat label={t`Donors`} value={number(donors)} />
      <Stat label={t`Recurring`} value={money(recurring, currency)} change={t`a month`} />
      {pledged > 0 && <Stat label={t`Pledged, not paid yet`} value={money(pledged, currency)} />}
    </div>
  )
}

function Campaigns({ chapter }: { chapter: Chapter }) {
  const filter = JSON.stringify({ and: [{ or: [{ field: 'chapter', op: 'in', value: [chapter.id] }] }] })
  const campaigns = useInfiniteQuery(pagedOptions(useApi().data.fundraising.list, { filter, sort: '-createdAt', limit: 12 }))
  if (campaigns.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  }
  if (campaigns.isError)
    return <ProblemState problem={campaigns.error} title={t`The campaigns could not be loaded`} retry={() => void campaigns.refetch()} />
  const { items, total } = campaigns.data
  return (
    <Section title={t`Campaigns`} count={total}>
      {items.length === 0 ? (
        <EmptyState level={3} icon={<IconHeartHandshake size={32} stroke={1.5} />} title={t`No campaigns of this chapter`}>
          <Trans>Campaigns of the chapter and of those below it stand here.</Trans>
        </EmptyState>
      ) : (
        <>
          <CampaignCards campaigns={items} />
          <ShowMore query={campaigns} />
        </>
      )}
    </Section>
  )
}

/** Nothing where the chapter has no share. */
function Shares({ chapter }: { chapter: Chapter }) {
  const shares = useShares(chapter.id)
  const can = useRights()
  if (shares.isError)
    return <ProblemState problem={shares.error} title={t`The shares of chapters could not be loaded`} retry={() => void shares.refetch()} />
  const items = shares.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section title={t`Share of gifts`}>
      <ShareTable shares={items} seesGifts={can('gifts.read')} />
    </Section>
  )
}
