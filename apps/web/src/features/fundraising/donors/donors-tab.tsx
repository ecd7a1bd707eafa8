import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconHeartHandshake, IconMail } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import type { donorsFilterFields } from '@guildhall/contract/features/fundraising.donors'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { useHoldsEverywhere, useMe } from '../../../platform/session/session.ts'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { part } from '../../../ui/page/part.tsx'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import type { ListSearch } from '../../lists/list-search-public.ts'
import { RecordCard, RecordListBeside } from '../../lists/record-list-public.tsx'
import { useFundraisingSources } from '../fundraising-api.ts'
import classes from '../giving.module.css'
import { useGivingPlace, useWithinCampaign } from '../use-giving-place.ts'
import { useDonors } from './donors-api.ts'
import type { DonorRow } from './donors-api.ts'

const StatementsDialog = part(async () => (await import('./statements-dialog.tsx')).StatementsDialog)

const usual = {
  q: '',
  filter: emptyFilter,
  sort: '-lifetime',
  columns: ['person', 'lifetime', 'thisYear', 'lastYear', 'gifts', 'lastOn', 'recurring'],
  layout: 'table' as const,
}

/** Who gave, and how much: from the totals that are kept of each person. */
export function DonorsTab({ campaignId }: { campaignId?: string | undefined }) {
  const { search, go } = useGivingPlace()
  const navigate = useNavigate()
  const money = useMoney()
  const { day } = useFormats()
  const [mailing, setMailing] = useState(false)
  const within = useWithinCampaign(campaignId)
  const mayMail = useHoldsEverywhere('gifts.manage') && campaignId === undefined
  const view = useListView({
    list: 'donors',
    builtIn: useViews(),
    usual,
    search,
    onSearch: useCallback((next: ListSearch, how: { replace: boolean }) => go(next, how), [go]),
  })
  const donors = useDonors(view.look, within, view.ready)
  return (
    <>
      <RecordListBeside
        fill
        list="donors"
        view={view}
        records={donors}
        within={within}
        columns={useColumns()}
        fields={useFields(campaignId === undefined)}
        nameColumn="person"
        rowLabel={({ person }) => person.displayName}
        icon={IconHeartHandshake}
        words={{
          title: t`Donors`,
          search: t`Search donors`,
          noMatch: t`No donor matches`,
          none: t`No donors yet`,
          about: t`People who gave are listed here with what they gave.`,
          failed: t`The donors could not be loaded`,
          create: '',
        }}
        onOpen={({ person }) => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: person.id, tab: 'giving' } })}
        onNew={undefined}
        actions={
          mayMail && (
            <Button variant="default" leftSection={<IconMail size={16} stroke={1.5} aria-hidden />} onClick={() => setMailing(true)}>
              <Trans>Mail statements</Trans>
            </Button>
          )
        }
        renderCard={(donor) => (
          <RecordCard
            name={donor.person.displayName}
            onOpen={() => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: donor.person.id, tab: 'giving' } })}
            end={money(donor.lifetime.amount, donor.lifetime.currency)}
            facts={[plural(donor.gifts, { one: '# gift', other: '# gifts' }), t`last on ${day(donor.lastOn)}`].join(' · ')}
            badge={donor.isRecurring && <StatusBadge tone="good">{t`Recurring`}</StatusBadge>}
          />
        )}
      />
      {mailing && <StatementsDialog onClose={() => setMailing(false)} />}
    </>
  )
}

const useViews = () =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const segment = (value: string) => ({ filter: { and: [{ or: [{ field: 'segment', op: 'in' as const, value: [value] }] }] } })
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'notYet', label: t`Gave last year but not this year`, spec: { ...segment('notYet'), sort: '-lastOn' } },
      { id: 'lapsed', label: t`Lapsed`, spec: { ...segment('lapsed'), sort: '-lastOn' } },
      { id: 'new', label: t`New`, spec: { ...segment('new'), sort: '-firstOn' } },
      { id: 'recurring', label: t`Recurring`, spec: segment('recurring') },
    ]
  }, [])

function useColumns(): readonly TableColumn<DonorRow>[] {
  const money = useMoney()
  const formats = useFormats()
  return useMemo(() => {
    const { number } = formats
    const sum = ({ amount, currency }: DonorRow['lifetime']) => (
      <span className={classes['tabular']} data-zero={amount === 0 || undefined}>
        {money(amount, currency)}
      </span>
    )
    return [
      { id: 'person', label: t`Donor`, width: 220, cell: ({ person }) => <PersonLink person={person} /> },
      { id: 'lifetime', label: t`Lifetime`, width: 130, align: 'end', sortable: true, cell: ({ lifetime }) => sum(lifetime) },
      { id: 'thisYear', label: t`This year`, width: 120, align: 'end', sortable: true, cell: ({ thisYear }) => sum(thisYear) },
      { id: 'lastYear', label: t`Last year`, width: 120, align: 'end', cell: ({ lastYear }) => sum(lastYear) },
      { id: 'gifts', label: t`Gifts`, width: 80, align: 'end', sortable: true, priority: 2, cell: ({ gifts }) => number(gifts) },
      { id: 'firstOn', label: t`First gift`, width: 120, sortable: true, priority: 3, cell: ({ firstOn }) => <PlainDate date={firstOn} /> },
      { id: 'lastOn', label: t`Last gift`, width: 120, sortable: true, cell: ({ lastOn }) => <PlainDate date={lastOn} /> },
      { id: 'largest', label: t`Largest gift`, width: 120, align: 'end', sortable: true, priority: 3, cell: ({ largest }) => sum(largest) },
      {
        id: 'recurring',
        label: t`Recurring`,
        width: 110,
        priority: 2,
        cell: ({ isRecurring }) => isRecurring && <StatusBadge tone="good">{t`Recurring`}</StatusBadge>,
      },
      { id: 'chapter', label: t`Home chapter`, width: 160, priority: 3, cell: ({ chapter }) => chapter?.name },
    ]
    // eslint-disable-next-line react-hooks/exhaustive-deps -- how money is written follows the language, as the formats do
  }, [formats])
}

function useFields(withCampaign: boolean): readonly FilterField[] {
  const { chapters } = useRecordSources()
  const { campaigns } = useFundraisingSources()
  const currency = useMe().data?.organisation.currency ?? ''
  return useMemo(() => {
    const amount = (label: string) => ({
      label: `${label} (${currency})`,
      kind: 'number' as const,
      ops: ['is', 'before', 'after', 'between'] as const,
    })
    const date = (label: string) => ({ label, kind: 'date' as const, ops: ['is', 'before', 'after', 'between'] as const })
    const fields: Record<keyof typeof donorsFilterFields, Omit<FilterField, 'id'>> = {
      segment: {
        label: t`Segment`,
        kind: 'choice',
        ops: ['in', 'notIn'],
        options: [
          { value: 'notYet', label: t`Gave last year but not this year` },
          { value: 'lapsed', label: t`Lapsed` },
          { value: 'new', label: t`New` },
          { value: 'recurring', label: t`Recurring` },
        ],
      },
      campaign: { label: t`Gave to campaign`, kind: 'record', ...campaigns },
      lifetime: amount(t`Lifetime`),
      thisYear: amount(t`This year`),
      lastYear: amount(t`Last year`),
      largest: amount(t`Largest gift`),
      gifts: { label: t`Gifts`, kind: 'number', ops: ['is', 'before', 'after', 'between'] },
      firstOn: date(t`First gift`),
      lastOn: date(t`Last gift`),
      chapter: { label: t`Chapter and below`, kind: 'record', ...chapters },
    }
    return Object.entries(fields)
      .filter(([id]) => withCampaign || id !== 'campaign')
      .map(([id, field]): FilterField => ({ id, ...field }))
  }, [chapters, campaigns, currency, withCampaign])
}
