import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { GiftRow } from '@guildhall/contract/features/fundraising.gifts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { Donor, GiftBadges } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { GiftMenu, useGiftName } from './gift-acts.tsx'
import type { AskedGift } from './gift-acts.tsx'
import { GiftDialogs } from './gift-dialogs.tsx'
import { useGifts } from './gifts-api.ts'

const shown = 8

/** The latest gifts with what can be done about them; nothing for those who may not see donors. */
export const RecentGifts = ({ campaignId }: { campaignId?: string | undefined }) =>
  useCan('gifts.read') ? <Latest campaignId={campaignId} /> : null

function Latest({ campaignId }: { campaignId: string | undefined }) {
  const gifts = useGifts(campaignId ? { campaignId } : {}, shown)
  const [asked, setAsked] = useState<AskedGift | null>(null)
  const tab = { campaignId: campaignId ?? 'all', tab: 'donations' }
  const items = gifts.data?.items.slice(0, shown) ?? []
  return (
    <Section
      title={t`Latest gifts`}
      actions={
        items.length > 0 && (
          <ButtonLink to="/fundraising/$campaignId/{-$tab}" params={tab} variant="subtle" size="compact-sm">
            <Trans>All gifts</Trans>
          </ButtonLink>
        )
      }
    >
      {gifts.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={5} />
        </Loading>
      )}
      {gifts.isError && <ProblemState problem={gifts.error} title={t`The gifts could not be loaded`} retry={() => void gifts.refetch()} />}
      {gifts.isSuccess && items.length === 0 && <p className={classes['dim']}>{t`No gifts yet. They stand here as soon as they come.`}</p>}
      {items.length > 0 && (
        <ul className={classes['rows']} aria-label={t`Latest gifts`}>
          {items.map((gift) => (
            <Row key={gift.id} gift={gift} withCampaign={campaignId === undefined} onAsk={setAsked} />
          ))}
        </ul>
      )}
      <GiftDialogs asked={asked} onClose={() => setAsked(null)} />
    </Section>
  )
}

type RowProps = { gift: GiftRow; withCampaign: boolean; onAsk: (asked: AskedGift) => void }

function Row({ gift, withCampaign, onAsk }: RowProps) {
  const money = useMoney()
  const name = useGiftName()(gift)
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        <span className={classes['name']}>
          <Donor of={gift} />
        </span>
        <span className={classes['dim']}>
          {gift.receivedOn ? <PlainDate date={gift.receivedOn} /> : <RelativeTime at={gift.settledAt ?? gift.createdAt} />}
          {withCampaign && gift.campaign && <> · {gift.campaign.name}</>}
        </span>
      </span>
      {gift.status !== 'settled' && <GiftBadges gift={gift} />}
      <Link
        to="/fundraising/$campaignId/{-$tab}"
        params={{ campaignId: 'all', tab: 'donations' }}
        search={{ open: gift.id }}
        className={classes['sum']}
        aria-label={name}
      >
        {money(gift.money.amount, gift.money.currency)}
      </Link>
      <GiftMenu gift={gift} onAsk={onAsk} />
    </li>
  )
}
