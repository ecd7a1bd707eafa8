import { t } from '@lingui/core/macro'
import type { Plan } from '@guildhall/contract/features/fundraising.plans'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { cardName } from '../../payments/payments-public.tsx'
import { RecordHistory } from '../../people/history/history-public.ts'
import { CampaignLink } from '../campaigns/campaign-cards.tsx'
import { usePlan } from '../fundraising-api.ts'
import { GiftLines } from '../gifts/gift-lines.tsx'
import { Donor, perInterval, PlanBadge } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { PlanButtons } from './plan-acts.tsx'
import { PlanTrouble } from './plan-trouble.tsx'

/** A recurring gift beside its list. */
export function PlanPanel({ planId, onClose }: { planId: string; onClose: () => void }) {
  const plan = usePlan(planId)
  const money = useMoney()
  const title = plan.data ? perInterval(money(plan.data.money.amount, plan.data.money.currency), plan.data.interval) : t`Recurring gift`
  return (
    <SidePanel title={title} onClose={onClose} recordKey={planId}>
      {plan.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {plan.isError && (
        <ProblemState problem={plan.error} title={t`The recurring gift could not be loaded`} retry={() => void plan.refetch()} />
      )}
      {plan.data && <Body plan={plan.data} />}
    </SidePanel>
  )
}

function Body({ plan }: { plan: Plan }) {
  const money = useMoney()
  const { number } = useFormats()
  const can = useRights()
  const { card, campaign } = plan
  return (
    <div className={classes['stack']}>
      <div>
        <PlanBadge status={plan.status} />
      </div>
      <PlanTrouble plan={plan} />
      <PlanButtons plan={plan} />
      <FactList>
        <Fact label={t`Donor`}>
          <Donor of={plan} />
        </Fact>
        <Fact label={t`Campaign`}>{campaign && <CampaignLink campaign={campaign} />}</Fact>
        <Fact label={t`Fund`}>{plan.fund.name}</Fact>
        <Fact label={t`Next gift`}>{plan.nextOn && <PlainDate date={plan.nextOn} />}</Fact>
        <Fact label={t`Started`}>{plan.startedOn && <PlainDate date={plan.startedOn} />}</Fact>
        {plan.endsOn && (
          <Fact label={t`Ends`}>
            <PlainDate date={plan.endsOn} />
          </Fact>
        )}
        <Fact label={t`Card`}>{card && t`${cardName(card)}, expires ${cardMonth(card)}`}</Fact>
        <Fact label={t`Given so far`}>
          {money(plan.given.amount, plan.given.currency)} <span className={classes['dim']}>({number(plan.gifts)})</span>
        </Fact>
      </FactList>
      <Section title={t`Gifts`}>
        <GiftLines question={{ planId: plan.id }} withDonor={false} />
      </Section>
      {can('gifts.manage', { chapterId: plan.chapter?.id }) && (
        <Section title={t`History`}>
          <RecordHistory recordId={plan.id} />
        </Section>
      )}
    </div>
  )
}

/** "04/2028" */
export const cardMonth = ({ expMonth, expYear }: NonNullable<Plan['card']>) => `${String(expMonth).padStart(2, '0')}/${expYear}`
