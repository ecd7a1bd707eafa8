import { plural, t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import figures from '../campaigns/figures.module.css'
import {
  activePlans,
  counted,
  donorsHref,
  giftsHref,
  openPledges,
  plansHref,
  pledgesHref,
  received,
  refunded,
} from '../campaigns/list-links.ts'
import type { Campaign } from '../fundraising-api.ts'

/** What a campaign came to; each figure leads to the list that it counts, for who may see that. */
export function CampaignFigures({ campaign }: { campaign: Campaign }) {
  const { number } = useFormats()
  const money = useMoney()
  const { id, totals, currency, may } = campaign
  const amount = (value: number) => money(value, currency)
  const linked = (href: string, figure: ReactNode) => (may.seeGifts ? <AppLink href={href}>{figure}</AppLink> : <div>{figure}</div>)
  const apart = (label: string, value: number, href: string) => (
    <div className={figures['apartOne']}>
      <dt>{label}</dt>
      <dd>{may.seeGifts ? <AppLink href={href}>{amount(value)}</AppLink> : amount(value)}</dd>
    </div>
  )
  return (
    <section className={figures['figuresBody']} aria-label={t`Figures`}>
      <div className={figures['figures']}>
        {linked(
          giftsHref(id, counted),
          <Stat
            label={t`Raised`}
            value={amount(totals.raised)}
            change={plural(totals.gifts, { one: 'From # gift', other: 'From # gifts' })}
          />,
        )}
        {linked(donorsHref(id), <Stat label={t`Donors`} value={number(totals.donors)} />)}
        {linked(
          `${giftsHref(id, counted)}&sort=-money`,
          <Stat label={t`Average gift`} value={totals.averageGift === null ? '–' : amount(totals.averageGift)} />,
        )}
        {linked(
          plansHref(id, activePlans),
          <Stat
            label={t`Recurring per month`}
            value={amount(totals.recurring)}
            change={plural(totals.recurringGifts, { one: '# recurring gift', other: '# recurring gifts' })}
          />,
        )}
      </div>
      <dl className={figures['apart']}>
        {apart(t`Settled`, totals.settled, giftsHref(id, received))}
        {apart(t`Refunded`, totals.refunded, giftsHref(id, refunded))}
        {apart(t`Pledged, not paid yet`, totals.pledged, pledgesHref(id, openPledges))}
      </dl>
    </section>
  )
}
