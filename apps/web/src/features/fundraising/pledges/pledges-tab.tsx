import { t } from '@lingui/core/macro'
import { IconCalendarDollar } from '@tabler/icons-react'
import { useCallback, useMemo } from 'react'
import type { pledgesFilterFields } from '@guildhall/contract/features/fundraising.pledges'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { useRights } from '../../../platform/session/session.ts'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import type { ListSearch } from '../../lists/list-search-public.ts'
import { RecordCard, RecordListBeside } from '../../lists/record-list-public.tsx'
import { CampaignLink } from '../campaigns/campaign-cards.tsx'
import { useFundraisingSources } from '../fundraising-api.ts'
import { useChosenCampaign } from '../gifts/campaign-field.tsx'
import { PledgeBadge, pledgeStatusOptions } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { useGivingPlace, useWithinCampaign } from '../use-giving-place.ts'
import { NewPledgeDialog } from './new-pledge-dialog.tsx'
import { PledgePanel } from './pledge-panel.tsx'
import { usePledgeList } from './pledges-api.ts'

const usual = {
  q: '',
  filter: emptyFilter,
  sort: '-created',
  columns: ['person', 'money', 'paid', 'overdue', 'status', 'nextDueOn', 'campaign'],
  layout: 'table' as const,
}

const nameOf = ({ person }: Pledge) => person?.displayName ?? t`Someone`

/** What people promised to a campaign or to any. */
export function PledgesTab({ campaignId }: { campaignId?: string | undefined }) {
  const { search, go } = useGivingPlace()
  const can = useRights()
  const money = useMoney()
  const { day } = useFormats()
  const within = useWithinCampaign(campaignId)
  const campaign = useChosenCampaign(campaignId ?? null).data
  const view = useListView({
    list: 'pledges',
    builtIn: useViews(),
    usual,
    search,
    onSearch: useCallback((next: ListSearch, how: { replace: boolean }) => go(next, how), [go]),
  })
  const open = (pledgeId: string | undefined) => go({ open: pledgeId })
  const mayAdd = can('gifts.manage')
  return (
    <>
      <RecordListBeside
        fill
        list="pledges"
        view={view}
        records={usePledgeList(view.look, within, view.ready)}
        within={within}
        columns={useColumns()}
        fields={useFields(campaignId === undefined)}
        nameColumn="person"
        rowLabel={(pledge) => t`${money(pledge.money.amount, pledge.money.currency)} pledged by ${nameOf(pledge)}`}
        icon={IconCalendarDollar}
        words={{
          title: t`Pledges`,
          search: t`Search people`,
          noMatch: t`No pledge matches`,
          none: t`No pledges yet`,
          about: t`What people promise to give, at once or in instalments, is listed here until it is paid.`,
          failed: t`The pledges could not be loaded`,
          create: t`New pledge`,
        }}
        onOpen={({ id }) => open(id)}
        activeId={search.open}
        onNew={mayAdd ? () => go({ new: 1 }) : undefined}
        renderCard={(pledge) => (
          <RecordCard
            name={nameOf(pledge)}
            onOpen={() => open(pledge.id)}
            end={money(pledge.money.amount, pledge.money.currency)}
            facts={pledge.nextDueOn ? t`next due ${day(pledge.nextDueOn)}` : pledge.campaign?.name}
            badge={<PledgeBadge status={pledge.status} overdue={pledge.overdue.amount} />}
          />
        )}
        panel={search.open && <PledgePanel pledgeId={search.open} onClose={() => open(undefined)} />}
      />
      <NewPledgeDialog
        opened={search.new === 1 && mayAdd}
        campaign={campaign}
        onClose={() => go({ new: undefined }, { replace: true })}
        onCreated={({ id }) => open(id)}
      />
    </>
  )
}

const useViews = () =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const status = (...value: string[]) => ({ or: [{ field: 'status', op: 'in' as const, value }] })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'open', label: t`Open`, spec: { filter: { and: [status('open')] }, sort: 'nextDueOn' } },
      {
        id: 'overdue',
        label: t`Overdue`,
        spec: { filter: { and: [{ or: [{ field: 'overdue', op: 'is', value: true }] }] }, sort: 'nextDueOn' },
      },
      { id: 'fulfilled', label: t`Fulfilled`, spec: { filter: { and: [status('fulfilled')] } } },
      { id: 'cancelled', label: t`Cancelled`, spec: { filter: { and: [status('cancelled')] } } },
    ]
  }, [])

function useColumns(): readonly TableColumn<Pledge>[] {
  const money = useMoney()
  const formats = useFormats()
  return useMemo(() => {
    const { number } = formats
    const sum = ({ amount, currency }: Pledge['money']) => (
      <span className={classes['tabular']} data-zero={amount === 0 || undefined}>
        {money(amount, currency)}
      </span>
    )
    return [
      {
        id: 'person',
        label: t`Person`,
        width: 220,
        cell: (pledge) => (pledge.person ? <PersonLink person={pledge.person} /> : nameOf(pledge)),
      },
      { id: 'money', label: t`Amount`, width: 120, align: 'end', sortable: true, cell: (pledge) => sum(pledge.money) },
      { id: 'paid', label: t`Paid`, width: 120, align: 'end', cell: ({ paid }) => sum(paid) },
      { id: 'overdue', label: t`Overdue`, width: 120, align: 'end', priority: 2, cell: ({ overdue }) => sum(overdue) },
      {
        id: 'status',
        label: t`Status`,
        width: 120,
        cell: ({ status, overdue }) => <PledgeBadge status={status} overdue={overdue.amount} />,
      },
      {
        id: 'nextDueOn',
        label: t`Next due`,
        width: 120,
        sortable: true,
        cell: ({ nextDueOn }) => nextDueOn && <PlainDate date={nextDueOn} />,
      },
      {
        id: 'campaign',
        label: t`Campaign`,
        width: 200,
        priority: 2,
        cell: ({ campaign }) => campaign && <CampaignLink campaign={campaign} />,
      },
      { id: 'fund', label: t`Fund`, width: 160, priority: 3, cell: ({ fund }) => fund.name },
      {
        id: 'instalments',
        label: t`Instalments`,
        width: 110,
        align: 'end',
        priority: 3,
        cell: ({ instalments }) => number(instalments.length),
      },
      { id: 'pledgedOn', label: t`Pledged on`, width: 120, priority: 3, cell: ({ pledgedOn }) => <PlainDate date={pledgedOn} /> },
      { id: 'note', label: t`Note`, width: 200, priority: 3, cell: ({ note }) => note },
    ]
    // eslint-disable-next-line react-hooks/exhaustive-deps -- how money is written follows the language, as the formats do
  }, [formats])
}

function useFields(withCampaign: boolean): readonly FilterField[] {
  const { campaigns, funds } = useFundraisingSources()
  return useMemo(() => {
    const fields: Record<keyof typeof pledgesFilterFields, Omit<FilterField, 'id'>> = {
      status: { label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: pledgeStatusOptions() },
      overdue: { label: t`Overdue`, kind: 'yesNo' },
      campaign: { label: t`Campaign`, kind: 'record', ...campaigns },
      fund: { label: t`Fund`, kind: 'record', ...funds },
      nextDueOn: { label: t`Next due`, kind: 'date', ops: ['is', 'before', 'after', 'between'] },
      money: { label: t`Amount`, kind: 'number', ops: ['is', 'before', 'after', 'between'] },
    }
    return Object.entries(fields)
      .filter(([id]) => withCampaign || id !== 'campaign')
      .map(([id, field]): FilterField => ({ id, ...field }))
  }, [campaigns, funds, withCampaign])
}
