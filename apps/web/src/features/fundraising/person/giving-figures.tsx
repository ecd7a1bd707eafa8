import { plural, t } from '@lingui/core/macro'
import type { GivingSummary } from '@guildhall/contract/features/fundraising.donors'
import { decimalsOf, plainAmount } from '@guildhall/contract/money'
import { useMe } from '../../../platform/session/session.ts'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import classes from '../giving.module.css'

type Sums = GivingSummary['lifetime']

/** "€120.00", or several currencies one after the other; never added up. */
export function useSums() {
  const money = useMoney()
  const currency = useMe().data?.organisation.currency ?? 'EUR'
  return (sums: Sums) => (sums.length === 0 ? money(0, currency) : sums.map((sum) => money(sum.amount, sum.currency)).join(' + '))
}

/** What a person gave in all, this year and at most, and what they have promised. */
export function GivingFigures({ giving }: { giving: GivingSummary }) {
  const money = useMoney()
  const sums = useSums()
  const { day } = useFormats()
  const { lifetime, thisYear, gifts, firstOn, lastOn, largest, pledged } = giving
  return (
    <div className={classes['figures']}>
      <Stat
        label={t`Lifetime`}
        value={sums(lifetime)}
        change={firstOn ? `${plural(gifts, { one: '# gift', other: '# gifts' })}, ${t`since ${day(firstOn)}`}` : undefined}
      />
      <Stat label={t`This year`} value={sums(thisYear)} change={lastOn ? t`last gift on ${day(lastOn)}` : undefined} />
      {largest && <Stat label={t`Largest gift`} value={money(largest.amount, largest.currency)} />}
      {pledged.length > 0 && <Stat label={t`Pledged, not paid yet`} value={sums(pledged)} />}
    </div>
  )
}

/** A bar for each year, once there is more than one. */
export function GivingYears({ years }: Pick<GivingSummary, 'years'>) {
  const money = useMoney()
  const currency = useMe().data?.organisation.currency ?? 'EUR'
  if (years.length < 2) return null
  const best = years.reduce((one, other) => (other.raised > one.raised ? other : one))
  return (
    <Chart
      kind="bars"
      inOrder
      title={t`Most in ${best.year}: ${money(best.raised, currency)}`}
      summary={t`What was given in each year, less refunds.`}
      format={(value) => money(Math.round(value * 10 ** decimalsOf(currency)), currency)}
      data={{
        heading: t`Year`,
        series: [{ key: 'raised', label: t`Given (${currency})` }],
        rows: years.map(({ year, raised }) => ({
          key: String(year),
          label: String(year),
          short: String(year),
          values: { raised: Number(plainAmount(raised, currency)) },
        })),
      }}
    />
  )
}
