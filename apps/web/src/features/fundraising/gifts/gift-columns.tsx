import { t } from '@lingui/core/macro'
import type { giftsFilterFields } from '@guildhall/contract/features/fundraising.gifts'
import type { GiftRow } from '@guildhall/contract/features/fundraising.gifts'
import { daysFrom } from '@guildhall/contract/moments'
import { useMemo } from 'react'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { useToday } from '../../../platform/session/session.ts'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Label } from '../../../ui/display/status-badge.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import { methodWords } from '../../payments/payments-public.tsx'
import { CampaignLink } from '../campaigns/campaign-cards.tsx'
import { useFundraisingSources } from '../fundraising-api.ts'
import { Donor, GiftBadges, giftDay, giftStatusOptions, methodOptions, sourceName, sourceOptions } from '../giving-words.tsx'
import classes from '../giving.module.css'

/** How the list of gifts looks before anything is chosen. */
export const usualGifts = {
  q: '',
  filter: emptyFilter,
  sort: '-created',
  columns: ['donor', 'money', 'status', 'campaign', 'method', 'day', 'thankedAt'],
  layout: 'table' as const,
}

type Status = GiftRow['status']
const withStatus = (...value: Status[]) => ({ or: [{ field: 'status', op: 'in' as const, value }] })

export function useGiftViews() {
  const today = useToday()
  return useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const before = daysFrom(`${today.slice(0, 8)}01`, -1)
    return [
      { id: 'all', label: t`All`, spec: {} },
      {
        id: 'month',
        label: t`This month`,
        spec: { filter: { and: [{ or: [{ field: 'day', op: 'after', value: before }] }] }, sort: '-day' },
      },
      { id: 'pending', label: t`Pending`, spec: { filter: { and: [withStatus('pending')] } } },
      { id: 'refunded', label: t`Refunded`, spec: { filter: { and: [withStatus('refunded', 'partly_refunded')] } } },
      {
        id: 'unthanked',
        label: t`Not thanked`,
        spec: {
          filter: { and: [withStatus('settled', 'partly_refunded'), { or: [{ field: 'thanked', op: 'is', value: false }] }] },
          sort: 'day',
        },
      },
    ]
  }, [today])
}

export function useGiftColumns(): readonly TableColumn<GiftRow>[] {
  const money = useMoney()
  const formats = useFormats()
  return useMemo(() => {
    const sum = ({ amount, currency }: GiftRow['money']) => (
      <span className={classes['tabular']} data-zero={amount === 0 || undefined}>
        {money(amount, currency)}
      </span>
    )
    return [
      {
        id: 'donor',
        label: t`Donor`,
        width: 220,
        cell: (gift) => (
          <>
            <Donor of={gift} /> {gift.isAnonymous && <Label color="gray">{t`Anonymous`}</Label>}
          </>
        ),
      },
      { id: 'money', label: t`Amount`, width: 120, align: 'end', sortable: true, cell: (gift) => sum(gift.money) },
      { id: 'status', label: t`Status`, width: 140, cell: (gift) => <GiftBadges gift={gift} /> },
      {
        id: 'campaign',
        label: t`Campaign`,
        width: 200,
        priority: 2,
        cell: ({ campaign }) => campaign && <CampaignLink campaign={campaign} />,
      },
      { id: 'method', label: t`Method`, width: 130, priority: 2, cell: ({ method }) => methodWords()[method] },
      { id: 'day', label: t`Date`, width: 120, sortable: true, cell: (gift) => <PlainDate date={giftDay(gift)} /> },
      {
        id: 'thankedAt',
        label: t`Thanked`,
        width: 120,
        priority: 2,
        cell: ({ thankedAt }) => thankedAt && <RelativeTime at={thankedAt} />,
      },
      { id: 'refunded', label: t`Refunded`, width: 120, align: 'end', priority: 3, cell: (gift) => sum(gift.refunded) },
      { id: 'source', label: t`Source`, width: 140, priority: 3, cell: ({ source }) => sourceName(source) },
      { id: 'receipt', label: t`Receipt`, width: 140, priority: 3, cell: ({ receipt }) => receipt?.number },
      { id: 'chapter', label: t`Chapter`, width: 160, priority: 3, cell: ({ chapter }) => chapter?.name },
      {
        id: 'created',
        label: t`Entered`,
        width: 130,
        priority: 3,
        sortable: true,
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
    ]
    // eslint-disable-next-line react-hooks/exhaustive-deps -- how money is written follows the language, as the formats do
  }, [formats])
}

/** Within a campaign, the campaign is no question. */
export function useGiftFields(withCampaign: boolean): readonly FilterField[] {
  const { people, chapters } = useRecordSources()
  const { campaigns, funds } = useFundraisingSources()
  return useMemo(() => {
    const choice = ['in', 'notIn'] as const
    const fields: Record<keyof typeof giftsFilterFields, Omit<FilterField, 'id'>> = {
      status: { label: t`Status`, kind: 'choice', ops: choice, options: giftStatusOptions() },
      campaign: { label: t`Campaign`, kind: 'record', ...campaigns },
      fund: { label: t`Fund`, kind: 'record', ...funds },
      day: { label: t`Date`, kind: 'date', ops: ['is', 'before', 'after', 'between'] },
      money: { label: t`Amount`, kind: 'number', ops: ['is', 'before', 'after', 'between'] },
      method: { label: t`Method`, kind: 'choice', ops: choice, options: methodOptions() },
      donor: { label: t`Donor`, kind: 'record', ...people },
      thanked: { label: t`Thanked`, kind: 'yesNo' },
      recurring: { label: t`Recurring`, kind: 'yesNo' },
      anonymous: { label: t`Anonymous`, kind: 'yesNo' },
      tribute: { label: t`Tribute`, kind: 'yesNo' },
      source: { label: t`Source`, kind: 'choice', ops: choice, options: sourceOptions() },
      chapter: { label: t`Chapter (with those below)`, kind: 'record', ...chapters },
      share: { label: t`Chapter with a share`, kind: 'record', ...chapters },
      counted: { label: t`Counts in totals`, kind: 'yesNo' },
      test: { label: t`Test`, kind: 'yesNo' },
    }
    return Object.entries(fields)
      .filter(([id]) => withCampaign || id !== 'campaign')
      .map(([id, field]): FilterField => ({ id, ...field }))
  }, [people, chapters, campaigns, funds, withCampaign])
}
