import { plural, t } from '@lingui/core/macro'
import type { CampaignRow } from '@guildhall/contract/features/fundraising'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import classes from './thermometer.module.css'

type Measured = Pick<CampaignRow, 'goalKind' | 'goal' | 'reached' | 'currency'>

/** What a campaign is measured by, in words: "€1,200.00", "12 gifts", "€300.00 a month". */
export function useMeasure(): (campaign: Pick<Measured, 'goalKind' | 'currency'>, value: number) => string {
  const money = useMoney()
  return ({ goalKind, currency }, value) => {
    switch (goalKind) {
      case 'amount':
        return money(value, currency)
      case 'recurring':
        return t`${money(value, currency)} a month`
      case 'gifts':
        return plural(value, { one: '# gift', other: '# gifts' })
      case 'donors':
        return plural(value, { one: '# donor', other: '# donors' })
    }
  }
}

type Props = {
  campaign: Measured
  /** Promised and not paid yet, beside what was raised; only where the goal is an amount. */
  pledged?: number
  /** In hundredths of the goal. */
  marks?: readonly { percent: number; reached: boolean }[]
  large?: boolean
}

/** How near a campaign is to its goal; without a goal, how far it has come. */
export function Thermometer({ campaign, pledged = 0, marks = [], large = false }: Props) {
  const { percent } = useFormats()
  const measure = useMeasure()
  const { goal, reached, goalKind } = campaign
  const said = measure(campaign, reached)
  if (goal === null)
    return (
      <div className={classes['meter']} data-large={large || undefined}>
        <span className={classes['words']}>
          <strong>{said}</strong>
        </span>
      </div>
    )
  const share = reached / goal
  const shown = Math.max(0, Math.min(1, share))
  const promised = goalKind === 'amount' ? Math.max(0, Math.min(1 - shown, pledged / goal)) : 0
  const aim = measure(campaign, goal)
  return (
    <div className={classes['meter']} data-large={large || undefined}>
      <span className={classes['words']}>
        <span>
          <strong>{said}</strong> <span className={classes['dim']}>{t`of ${aim}`}</span>
        </span>
        <span className={classes['percent']}>{percent(Math.floor(share * 100) / 100)}</span>
      </span>
      <div
        role="progressbar"
        aria-label={t`Progress towards the goal`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(shown * 100)}
        aria-valuetext={t`${said} of ${aim}`}
        className={classes['bar']}
      >
        <span className={classes['filled']} data-full={share >= 1 || undefined} style={{ inlineSize: `${shown * 100}%` }} />
        {promised > 0 && <span className={classes['pledged']} style={{ inlineSize: `${promised * 100}%` }} />}
        {marks.map(({ percent: at, reached: done }) => (
          <span key={at} className={classes['mark']} data-done={done || undefined} style={{ insetInlineStart: `${at}%` }} />
        ))}
      </div>
    </div>
  )
}
