import { t } from '@lingui/core/macro'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { cardName } from '../../payments/payments-public.tsx'
import { perInterval, PlanBadge } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { PlanButtons } from './plan-acts.tsx'
import { PlanTrouble } from './plan-trouble.tsx'
import { usePlans } from './plans-api.ts'

/** The recurring gifts of one person, with what can be done about each; nothing where there are none. */
export function PersonPlans({ personId }: { personId: string }) {
  const plans = usePlans({ personId })
  if (plans.isError)
    return <ProblemState problem={plans.error} title={t`The recurring gifts could not be loaded`} retry={() => void plans.refetch()} />
  const items = plans.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section title={t`Recurring gifts`} count={plans.data?.total}>
      <ul className={classes['rows']} aria-label={t`Recurring gifts`}>
        {items.map((plan) => (
          <li key={plan.id} className={classes['planRow']}>
            <PlanLine plan={plan} />
          </li>
        ))}
      </ul>
      <ShowMore query={plans} />
    </Section>
  )
}

function PlanLine({ plan }: { plan: Plan }) {
  const money = useMoney()
  const { day } = useFormats()
  const { status, nextOn, card, campaign, fund } = plan
  return (
    <>
      <div className={classes['row']}>
        <span className={classes['what']}>
          <span className={classes['name']}>{campaign?.name ?? fund.name}</span>
          <span className={classes['dim']}>
            {[status === 'active' && nextOn && t`next on ${day(nextOn)}`, card && cardName(card)].filter(Boolean).join(' · ')}
          </span>
        </span>
        <PlanBadge status={status} />
        <span className={classes['sum']}>{perInterval(money(plan.money.amount, plan.money.currency), plan.interval)}</span>
      </div>
      <PlanTrouble plan={plan} />
      <PlanButtons plan={plan} />
    </>
  )
}
