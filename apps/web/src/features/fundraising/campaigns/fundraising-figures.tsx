import { Select } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { useCan, useToday } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { useFigures } from '../fundraising-api.ts'
import type { FundraisingFigures as Figures } from '../fundraising-api.ts'
import classes from './figures.module.css'
import {
  activePlans,
  between,
  counted,
  donorsHref,
  giftsHref,
  notYet,
  openPledges,
  plansHref,
  pledgesHref,
  received,
  refunded,
} from './list-links.ts'
import { daysOf, periodOptions } from './periods.ts'
import type { Period } from './periods.ts'

type Props = { period: Period; onPeriod: (period: Period) => void }

/** What all campaigns came to in a period, beside the one before. */
export function FundraisingFigures({ period, onPeriod }: Props) {
  const days = daysOf(period, useToday())
  const figures = useFigures(days)
  const { day } = useFormats()
  return (
    <section className={classes['figuresPart']} aria-label={t`Figures`}>
      <div className={classes['figuresHead']}>
        <Select
          aria-label={t`Period`}
          size="xs"
          className={classes['period'] ?? ''}
          allowDeselect={false}
          data={periodOptions()}
          value={period}
          onChange={(value) => onPeriod(periodOptions().find((option) => option.value === value)?.value ?? 'year')}
        />
        <span className={classes['dim']}>{t`${day(days.since)} to ${day(days.until)}, compared with the same days a year earlier`}</span>
      </div>
      {figures.isError && !figures.data ? (
        <ProblemState problem={figures.error} title={t`The figures could not be loaded`} retry={() => void figures.refetch()} />
      ) : figures.data ? (
        <div data-stale={figures.isPlaceholderData || undefined} className={classes['figuresBody']}>
          <Shown figures={figures.data} period={period} {...days} />
        </div>
      ) : (
        <Loading label={t`Loading`}>
          <SkeletonCards count={5} height={94} />
        </Loading>
      )}
    </section>
  )
}

type ShownProps = { figures: Figures; period: Period; since: string; until: string }

function Shown({ figures, period, since, until }: ShownProps) {
  const { number, percent } = useFormats()
  const money = useMoney()
  const change = useChange()
  const { before, currency } = figures
  const within = between('day', since, until)
  const average = before.gifts > 0 ? Math.round(before.raised / before.gifts) : null
  const amount = (value: number) => money(value, currency)
  const donors = period === 'last' ? { field: 'lastYear', op: 'after' as const, value: 0 } : between('lastOn', since, until)
  return (
    <>
      <div className={classes['figures']}>
        <Linked to={giftsHref(undefined, within, counted)}>
          <Stat label={t`Raised`} value={amount(figures.raised)} {...change(figures.raised, before.raised, amount)} />
        </Linked>
        <Linked to={donorsHref(undefined, donors)}>
          <Stat label={t`Donors`} value={number(figures.donors)} {...change(figures.donors, before.donors, number)} />
        </Linked>
        <Linked to={`${giftsHref(undefined, within, counted)}&sort=-money`}>
          <Stat
            label={t`Average gift`}
            value={figures.averageGift === null ? '–' : amount(figures.averageGift)}
            {...change(figures.averageGift, average, amount)}
          />
        </Linked>
        <Linked to={plansHref(undefined, activePlans)}>
          <Stat label={t`Recurring per month`} value={amount(figures.recurring)} {...change(figures.recurring, before.recurring, amount)} />
        </Linked>
        <Linked to={donorsHref(undefined, notYet)}>
          <Stat
            label={t`Donor retention`}
            value={figures.retained === null ? '–' : percent(figures.retained)}
            {...retention(figures.retained, before.retained, percent)}
          />
        </Linked>
      </div>
      <dl className={classes['apart']}>
        <Apart label={t`Gifts`} value={number(figures.gifts)} to={giftsHref(undefined, within, counted)} />
        <Apart label={t`Settled`} value={amount(figures.settled)} to={giftsHref(undefined, within, received)} />
        <Apart label={t`Refunded`} value={amount(figures.refunded)} to={giftsHref(undefined, within, refunded)} />
        <Apart label={t`Pledged, not paid yet`} value={amount(figures.pledged)} to={pledgesHref(undefined, openPledges)} />
      </dl>
    </>
  )
}

/** How far a figure is above or below that of the period before. */
function useChange() {
  const { percent } = useFormats()
  return (now: number | null, then: number | null, words: (value: number) => string) => {
    if (now === null || then === null) return {}
    if (then === 0) return { change: now === 0 ? t`As before` : t`None before` }
    const share = now / then - 1
    const sign = share > 0 ? '+' : ''
    const tone = share > 0 ? ('good' as const) : share < 0 ? ('bad' as const) : ('neutral' as const)
    return { change: now === then ? t`As before` : t`${sign}${percent(share)} from ${words(then)}`, tone }
  }
}

function retention(now: number | null, then: number | null, percent: (share: number) => string) {
  if (then === null) return {}
  const tone = now === null || now === then ? ('neutral' as const) : now > then ? ('good' as const) : ('bad' as const)
  return { change: t`${percent(then)} the year before`, tone }
}

/** A figure leads to the list that it counts, for who may see that. */
export function Linked({ to, children }: { to: string; children: ReactNode }) {
  const mayOpen = useCan('gifts.read')
  return mayOpen ? <AppLink href={to}>{children}</AppLink> : <div>{children}</div>
}

export function Apart({ label, value, to }: { label: string; value: string; to: string }) {
  const mayOpen = useCan('gifts.read')
  return (
    <div className={classes['apartOne']}>
      <dt>{label}</dt>
      <dd>{mayOpen ? <AppLink href={to}>{value}</AppLink> : value}</dd>
    </div>
  )
}
