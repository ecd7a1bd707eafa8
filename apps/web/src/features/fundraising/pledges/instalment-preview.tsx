import { t } from '@lingui/core/macro'
import type { GiftInterval } from '@guildhall/contract/features/fundraising.gifts'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import classes from '../giving.module.css'
import { instalmentsOf } from './instalments.ts'

type Props = { amount: number; currency: string; instalments: number; firstDueOn: string; interval: GiftInterval }

/** What becomes due when, before it is saved; the first few and the last of many. */
export function InstalmentPreview({ currency, ...plan }: Props) {
  const money = useMoney()
  if (plan.instalments < 2 || !/^\d{4}-\d\d-\d\d$/.test(plan.firstDueOn)) return null
  const all = instalmentsOf(plan)
  const shown = all.length > 6 ? [...all.slice(0, 4), ...all.slice(-1)] : all
  const total = money(plan.amount, currency)
  return (
    <div className={classes['preview']} aria-live="polite">
      <strong>{t`${all.length} instalments, ${total} in all`}</strong>
      <ol className={classes['rows']} aria-label={t`Instalments`}>
        {shown.map(({ dueOn, amount }, nth) => (
          <li key={dueOn} className={classes['tools']} value={nth === shown.length - 1 ? all.length : nth + 1}>
            <PlainDate date={dueOn} />
            <span className={classes['tabular']}>{money(amount, currency)}</span>
            {shown.length < all.length && nth === shown.length - 2 && <span className={classes['dim']}>…</span>}
          </li>
        ))}
      </ol>
    </div>
  )
}
