import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { PledgeBadge } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { nextOf } from './instalments.ts'
import { PayButton } from './pay-button.tsx'
import { PledgePanel } from './pledge-panel.tsx'
import { usePledges } from './pledges-api.ts'

/** The pledges of one person; each opens beside the page. Nothing where there are none. */
export function PersonPledges({ personId }: { personId: string }) {
  const pledges = usePledges({ personId })
  const money = useMoney()
  const { day } = useFormats()
  const [shown, setShown] = useState<string>()
  if (pledges.isError)
    return <ProblemState problem={pledges.error} title={t`The pledges could not be loaded`} retry={() => void pledges.refetch()} />
  const items = pledges.data?.items ?? []
  if (items.length === 0) return null
  return (
    <div className={classes['beside']}>
      <Section title={t`Pledges`} count={pledges.data?.total} className={classes['wide']}>
        <ul className={classes['rows']} aria-label={t`Pledges`}>
          {items.map((pledge) => {
            const next = nextOf(pledge)
            const amount = money(pledge.money.amount, pledge.money.currency)
            return (
              <li key={pledge.id} className={classes['row']}>
                <span className={classes['what']}>
                  <span className={classes['name']}>{pledge.campaign?.name ?? pledge.fund.name}</span>
                  <span className={classes['dim']}>
                    {[t`${money(pledge.paid.amount, pledge.paid.currency)} paid`, pledge.nextDueOn && t`next due ${day(pledge.nextDueOn)}`]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <PledgeBadge status={pledge.status} overdue={pledge.overdue.amount} />
                {next && <PayButton pledge={pledge} instalment={next} isMain={next.state === 'overdue'} />}
                <button
                  type="button"
                  className={`${classes['plain']} ${classes['sum']}`}
                  aria-label={t`Pledge of ${amount}`}
                  onClick={() => setShown(pledge.id)}
                >
                  {amount}
                </button>
              </li>
            )
          })}
        </ul>
        <ShowMore query={pledges} />
      </Section>
      {shown && <PledgePanel pledgeId={shown} onClose={() => setShown(undefined)} />}
    </div>
  )
}
