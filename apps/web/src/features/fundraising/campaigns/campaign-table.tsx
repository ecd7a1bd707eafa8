import { t } from '@lingui/core/macro'
import type { CampaignRow } from '@guildhall/contract/features/fundraising'
import { useMemo } from 'react'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { useToday } from '../../../platform/session/session.ts'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import {
  CampaignStatusBadge,
  campaignKindOptions,
  campaignKindWords,
  campaignStatusOptions,
  campaignVisibilityWords,
  daysLeftText,
} from '../fundraising-words.tsx'
import { CampaignLink } from './campaign-cards.tsx'
import classes from './campaign-list.module.css'
import { useMeasure } from './thermometer.tsx'

export function useCampaignColumns(): readonly TableColumn<CampaignRow>[] {
  const money = useMoney()
  const measure = useMeasure()
  const { number, percent } = useFormats()
  const today = useToday()
  return useMemo(
    () => [
      { id: 'name', label: t`Name`, width: 260, sortable: true, cell: (row) => <CampaignLink campaign={row} /> },
      { id: 'status', label: t`Status`, width: 110, sortable: true, cell: (row) => <CampaignStatusBadge campaign={row} /> },
      {
        id: 'raised',
        label: t`Raised`,
        width: 130,
        align: 'end',
        sortable: true,
        cell: ({ totals, currency }) => money(totals.raised, currency),
      },
      { id: 'goal', label: t`Goal`, width: 140, align: 'end', cell: (row) => (row.goal === null ? '–' : measure(row, row.goal)) },
      {
        id: 'reached',
        label: t`Reached`,
        width: 90,
        align: 'end',
        cell: ({ goal, reached }) => (goal === null ? '–' : percent(Math.floor((reached / goal) * 100) / 100)),
      },
      { id: 'gifts', label: t`Gifts`, width: 80, align: 'end', priority: 2, cell: ({ totals }) => number(totals.gifts) },
      { id: 'donors', label: t`Donors`, width: 80, align: 'end', priority: 2, cell: ({ totals }) => number(totals.donors) },
      {
        id: 'recurring',
        label: t`Recurring per month`,
        width: 150,
        align: 'end',
        priority: 3,
        cell: ({ totals, currency }) => money(totals.recurring, currency),
      },
      {
        id: 'pledged',
        label: t`Pledged, not paid yet`,
        width: 160,
        align: 'end',
        priority: 3,
        cell: ({ totals, currency }) => money(totals.pledged, currency),
      },
      {
        id: 'refunded',
        label: t`Refunded`,
        width: 120,
        align: 'end',
        priority: 3,
        cell: ({ totals, currency }) => money(totals.refunded, currency),
      },
      {
        id: 'startsOn',
        label: t`Start`,
        width: 120,
        priority: 3,
        sortable: true,
        cell: ({ startsOn }) => startsOn && <PlainDate date={startsOn} />,
      },
      {
        id: 'endsOn',
        label: t`End`,
        width: 190,
        priority: 2,
        sortable: true,
        cell: (row) =>
          row.endsOn && (
            <>
              <PlainDate date={row.endsOn} /> <span className={classes['dim']}>{daysLeftText(row, today)}</span>
            </>
          ),
      },
      { id: 'chapter', label: t`Chapter`, width: 180, priority: 2, cell: ({ chapter }) => chapter?.name ?? t`Whole organisation` },
      { id: 'kind', label: t`Kind`, width: 140, priority: 3, cell: ({ kind }) => campaignKindWords()[kind] },
      { id: 'visibility', label: t`Visibility`, width: 220, priority: 3, cell: ({ visibility }) => campaignVisibilityWords()[visibility] },
      {
        id: 'createdAt',
        label: t`Created`,
        width: 130,
        priority: 3,
        sortable: true,
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
    ],
    [money, measure, number, percent, today],
  )
}

export function useCampaignFields(): readonly FilterField[] {
  const { chapters } = useRecordSources()
  return useMemo(
    () => [
      { id: 'name', label: t`Name`, kind: 'text' },
      { id: 'status', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: campaignStatusOptions() },
      { id: 'kind', label: t`Kind`, kind: 'choice', ops: ['in', 'notIn'], options: campaignKindOptions() },
      { id: 'chapter', label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      { id: 'raised', label: t`Raised`, kind: 'number' },
      { id: 'startsOn', label: t`Start`, kind: 'date' },
      { id: 'endsOn', label: t`End`, kind: 'date' },
      { id: 'createdAt', label: t`Created`, kind: 'date' },
      { id: 'archived', label: t`Archived`, kind: 'yesNo' },
    ],
    [chapters],
  )
}

/** A campaign in two lines, on a phone. */
export function CampaignLines({ campaign }: { campaign: CampaignRow }) {
  const money = useMoney()
  const today = useToday()
  const { totals, currency, goal, reached } = campaign
  const { percent } = useFormats()
  return (
    <>
      <span className={classes['line']}>
        <CampaignLink campaign={campaign} className={classes['name']} />
        <span>{money(totals.raised, currency)}</span>
      </span>
      <span className={`${classes['line']} ${classes['dim']}`}>
        <CampaignStatusBadge campaign={campaign} />
        <span>
          {[goal === null ? undefined : percent(Math.floor((reached / goal) * 100) / 100), daysLeftText(campaign, today)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </>
  )
}
