import { t } from '@lingui/core/macro'
import { IconRepeat } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import type { plansFilterFields } from '@guildhall/contract/features/fundraising.plans'
import type { Plan, PlanStatus } from '@guildhall/contract/features/fundraising.plans'
import { useRights } from '../../../platform/session/session.ts'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import type { ListSearch } from '../../lists/list-search-public.ts'
import { RecordCard, RecordListBeside } from '../../lists/record-list-public.tsx'
import { cardName } from '../../payments/payments-public.tsx'
import { CampaignLink } from '../campaigns/campaign-cards.tsx'
import { useFundraisingSources } from '../fundraising-api.ts'
import { Donor, donorName, intervalOptions, intervalWords, perInterval, PlanBadge, planStatusOptions } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { useGivingPlace, useWithinCampaign } from '../use-giving-place.ts'
import { PlanMenu, usePlanName } from './plan-acts.tsx'
import type { AskedPlan } from './plans-api.ts'
import { PlanDialogs } from './plan-dialogs.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { usePlanList } from './plans-api.ts'

const usual = {
  q: '',
  filter: emptyFilter,
  sort: '-created',
  columns: ['donor', 'money', 'interval', 'status', 'nextOn', 'campaign', 'given'],
  layout: 'table' as const,
}

/** Recurring gifts of a campaign or of all; failed charges have a view of their own. */
export function PlansTab({ campaignId }: { campaignId?: string | undefined }) {
  const { search, go } = useGivingPlace()
  const can = useRights()
  const money = useMoney()
  const { day } = useFormats()
  const nameOf = usePlanName()
  const [asked, setAsked] = useState<AskedPlan | null>(null)
  const within = useWithinCampaign(campaignId)
  const view = useListView({
    list: 'recurring_gifts',
    builtIn: useViews(),
    usual,
    search,
    onSearch: useCallback((next: ListSearch, how: { replace: boolean }) => go(next, how), [go]),
  })
  const open = (planId: string | undefined) => go({ open: planId })
  const menu = useCallback((plan: Plan) => <PlanMenu plan={plan} onAsk={setAsked} />, [])
  return (
    <>
      <RecordListBeside
        fill
        list="recurring_gifts"
        view={view}
        records={usePlanList(view.look, within, view.ready)}
        within={within}
        columns={useColumns()}
        fields={useFields(campaignId === undefined)}
        nameColumn="donor"
        rowLabel={nameOf}
        rowMenu={can('gifts.manage') ? menu : undefined}
        icon={IconRepeat}
        words={{
          title: t`Recurring gifts`,
          search: t`Search donors`,
          noMatch: t`No recurring gift matches`,
          none: t`No recurring gifts yet`,
          about: t`Donors start them on the page of a campaign, or when they give while signed in.`,
          failed: t`The recurring gifts could not be loaded`,
          create: '',
        }}
        onOpen={({ id }) => open(id)}
        activeId={search.open}
        onNew={undefined}
        renderCard={(plan) => (
          <RecordCard
            name={donorName(plan)}
            onOpen={() => open(plan.id)}
            end={perInterval(money(plan.money.amount, plan.money.currency), plan.interval)}
            facts={[plan.campaign?.name, plan.nextOn && day(plan.nextOn)].filter(Boolean).join(' · ')}
            badge={<PlanBadge status={plan.status} />}
          />
        )}
        panel={search.open && <PlanPanel planId={search.open} onClose={() => open(undefined)} />}
      />
      <PlanDialogs asked={asked} onClose={() => setAsked(null)} />
    </>
  )
}

const useViews = () =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const having = (...value: PlanStatus[]) => ({ filter: { and: [{ or: [{ field: 'status', op: 'in' as const, value }] }] } })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'active', label: t`Active`, spec: { ...having('active'), sort: 'nextOn' } },
      { id: 'failed', label: t`Payment failed`, spec: having('past_due') },
      { id: 'paused', label: t`Paused`, spec: having('paused') },
      { id: 'stopped', label: t`Stopped`, spec: having('cancelled', 'completed') },
    ]
  }, [])

function useColumns(): readonly TableColumn<Plan>[] {
  const money = useMoney()
  const formats = useFormats()
  return useMemo(() => {
    const { number, day } = formats
    const sum = ({ amount, currency }: Plan['money']) => (
      <span className={classes['tabular']} data-zero={amount === 0 || undefined}>
        {money(amount, currency)}
      </span>
    )
    return [
      { id: 'donor', label: t`Donor`, width: 220, cell: (plan) => <Donor of={plan} /> },
      { id: 'money', label: t`Amount`, width: 120, align: 'end', sortable: true, cell: (plan) => sum(plan.money) },
      { id: 'interval', label: t`Interval`, width: 110, cell: ({ interval }) => intervalWords()[interval] },
      {
        id: 'status',
        label: t`Status`,
        width: 210,
        cell: ({ status, retryOn }) => (
          <>
            <PlanBadge status={status} />{' '}
            {status === 'past_due' && retryOn && <span className={classes['dim']}>{t`retry ${day(retryOn)}`}</span>}
          </>
        ),
      },
      { id: 'nextOn', label: t`Next gift`, width: 120, sortable: true, cell: ({ nextOn }) => nextOn && <PlainDate date={nextOn} /> },
      {
        id: 'campaign',
        label: t`Campaign`,
        width: 200,
        priority: 2,
        cell: ({ campaign }) => campaign && <CampaignLink campaign={campaign} />,
      },
      { id: 'given', label: t`Given so far`, width: 120, align: 'end', priority: 2, cell: ({ given }) => sum(given) },
      { id: 'gifts', label: t`Gifts`, width: 80, align: 'end', priority: 3, cell: ({ gifts }) => number(gifts) },
      { id: 'fund', label: t`Fund`, width: 160, priority: 3, cell: ({ fund }) => fund.name },
      { id: 'card', label: t`Card`, width: 150, priority: 3, cell: ({ card }) => card && cardName(card) },
      {
        id: 'failures',
        label: t`Failed charges`,
        width: 120,
        align: 'end',
        priority: 3,
        cell: ({ failures }) => failures > 0 && number(failures),
      },
      { id: 'startedOn', label: t`Started`, width: 120, priority: 3, cell: ({ startedOn }) => startedOn && <PlainDate date={startedOn} /> },
    ]
    // eslint-disable-next-line react-hooks/exhaustive-deps -- how money is written follows the language, as the formats do
  }, [formats])
}

function useFields(withCampaign: boolean): readonly FilterField[] {
  const { campaigns, funds } = useFundraisingSources()
  return useMemo(() => {
    const choice = ['in', 'notIn'] as const
    const fields: Record<keyof typeof plansFilterFields, Omit<FilterField, 'id'>> = {
      status: { label: t`Status`, kind: 'choice', ops: choice, options: planStatusOptions() },
      interval: { label: t`Interval`, kind: 'choice', ops: choice, options: intervalOptions() },
      campaign: { label: t`Campaign`, kind: 'record', ...campaigns },
      fund: { label: t`Fund`, kind: 'record', ...funds },
      nextOn: { label: t`Next gift`, kind: 'date', ops: ['is', 'before', 'after', 'between'] },
      money: { label: t`Amount`, kind: 'number', ops: ['is', 'before', 'after', 'between'] },
    }
    return Object.entries(fields)
      .filter(([id]) => withCampaign || id !== 'campaign')
      .map(([id, field]): FilterField => ({ id, ...field }))
  }, [campaigns, funds, withCampaign])
}
