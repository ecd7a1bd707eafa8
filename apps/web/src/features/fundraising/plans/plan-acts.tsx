import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { useRights } from '../../../platform/session/session.ts'
import { useMoney } from '../../../ui/display/money.tsx'
import { donorName, isRunning, perInterval } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { RowMenu } from '../row-menu.tsx'
import { PlanDialogs } from './plan-dialogs.tsx'
import type { AskedPlan, PlanAct } from './plans-api.ts'

const actWords = (): Record<PlanAct, string> => ({
  amount: t`Change amount`,
  pause: t`Pause`,
  resume: t`Resume`,
  retry: t`Retry now`,
  stop: t`Stop`,
})

/** A retry charges a card at once: the office’s to ask for. */
function usePlanActs() {
  const can = useRights()
  return (plan: Plan): PlanAct[] => {
    const { status, may, chapter } = plan
    if (!isRunning(plan)) return []
    const acts: PlanAct[] = []
    if (status === 'past_due' && can('gifts.manage', { chapterId: chapter?.id })) acts.push('retry')
    if (may.change) acts.push(...(status === 'paused' ? (['resume', 'amount'] as const) : (['amount', 'pause'] as const)))
    if (may.stop) acts.push('stop')
    return acts
  }
}

/** "€20.00 a month from Ada Byron" */
export function usePlanName() {
  const money = useMoney()
  return (plan: Plan) => t`${perInterval(money(plan.money.amount, plan.money.currency), plan.interval)} from ${donorName(plan)}`
}

export function PlanMenu({ plan, onAsk }: { plan: Plan; onAsk: (asked: AskedPlan) => void }) {
  const acts = usePlanActs()(plan)
  const name = usePlanName()(plan)
  const words = actWords()
  if (acts.length === 0) return null
  return (
    <RowMenu label={t`Actions for ${name}`}>
      {acts.map((act) => (
        <Menu.Item key={act} {...(act === 'stop' && { color: 'red' })} onClick={() => onAsk({ act, plan })}>
          {words[act]}
        </Menu.Item>
      ))}
    </RowMenu>
  )
}

/** The same as buttons, with their dialogs. */
export function PlanButtons({ plan }: { plan: Plan }) {
  const [asked, setAsked] = useState<AskedPlan | null>(null)
  const acts = usePlanActs()(plan)
  const words = actWords()
  return (
    <>
      {acts.length > 0 && (
        <div className={classes['tools']}>
          {acts.map((act) => (
            <Button
              key={act}
              size="compact-md"
              variant={act === 'retry' || act === 'resume' ? 'filled' : 'default'}
              {...(act === 'stop' && { color: 'red' })}
              onClick={() => setAsked({ act, plan })}
            >
              {words[act]}
            </Button>
          ))}
        </div>
      )}
      <PlanDialogs asked={asked && { ...asked, plan }} onClose={() => setAsked(null)} />
    </>
  )
}
