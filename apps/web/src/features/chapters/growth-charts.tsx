import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import type { ChapterGrowth } from '@guildhall/contract/features/chapters'
import { Chart } from '../../ui/charts/chart.tsx'
import type { ChartRow } from '../../ui/charts/chart-data.ts'
import type { FilterCondition } from '../../ui/filter/filter.ts'
import { useFormats } from '../../ui/display/dates.tsx'

export type Growth = NonNullable<ChapterGrowth['growth']>
/** `chapterId` narrows the list behind a month; without it, it is the whole organisation. */
type Props = { growth: Growth; chapterId?: string | undefined }

/** Members at the end of each of 24 months, counted back from today. */
export function membersByMonth({ members, months, before }: Growth): number[] {
  const values = [members]
  for (const { joins, leaves } of [...before, ...months].slice(1).toReversed()) values.unshift((values[0] ?? 0) - joins + leaves)
  return values
}

export function MembersOverTimeChart({ growth, chapterId }: Props) {
  const { number, month } = useFormats()
  const openMonth = useOpenMonth(chapterId)
  const totals = membersByMonth(growth)
  const [now, past] = [totals.slice(12), totals.slice(0, 12)]
  const change = growth.members - (past.at(-1) ?? 0)
  const first = growth.before.at(-1)?.month ?? ''
  const title =
    change === 0
      ? t`As many members as ${month(first, 'long')}`
      : change > 0
        ? t`${number(change)} more members since ${month(first, 'long')}`
        : t`${number(-change)} fewer members since ${month(first, 'long')}`
  const most = Math.max(...now)
  const peak = month(growth.months[now.indexOf(most)]?.month ?? '', 'long')
  return (
    <Chart
      kind="area"
      title={title}
      summary={t`${number(growth.members)} members today; the most in twelve months were ${number(most)}, in ${peak}.`}
      data={{
        heading: t`Month`,
        series: [
          { key: 'members', label: t`Members` },
          { key: 'before', label: t`Year before`, previous: true },
        ],
        rows: useMonthRows(growth, (index) => ({ members: now[index] ?? null, before: past[index] ?? null })),
      }}
      partial
      onSelect={openMonth}
    />
  )
}

export function JoinsAndLeavesChart({ growth, chapterId }: Props) {
  const { number } = useFormats()
  const openMonth = useOpenMonth(chapterId)
  const { months, before } = growth
  const sum = (of: Growth['months'], what: 'joins' | 'leaves') => of.reduce((total, month) => total + month[what], 0)
  const [joined, left] = [number(sum(months, 'joins')), number(sum(months, 'leaves'))]
  const [joinedBefore, leftBefore] = [number(sum(before, 'joins')), number(sum(before, 'leaves'))]
  return (
    <Chart
      kind="line"
      title={t`${joined} joined and ${left} left in twelve months`}
      summary={t`In the twelve months before, ${joinedBefore} joined and ${leftBefore} left. The current month is not over yet.`}
      data={{
        heading: t`Month`,
        series: [
          { key: 'joins', label: t`Joined` },
          { key: 'leaves', label: t`Left` },
          { key: 'joinsBefore', label: t`Joined, year before`, previous: true },
        ],
        rows: useMonthRows(growth, (index) => ({
          joins: months[index]?.joins ?? null,
          leaves: months[index]?.leaves ?? null,
          joinsBefore: before[index]?.joins ?? null,
        })),
      }}
      partial
      onSelect={openMonth}
    />
  )
}

function useMonthRows({ months }: Growth, values: (index: number) => ChartRow['values']): ChartRow[] {
  const { month: nameOf } = useFormats()
  return months.map(({ month }, index) => ({
    key: month,
    label: nameOf(month, 'long'),
    short: nameOf(month, 'short'),
    values: values(index),
  }))
}

/** Opens the people who joined in a month, by the day they joined. */
function useOpenMonth(chapterId: string | undefined) {
  const navigate = useNavigate()
  return ({ key }: ChartRow) => {
    const last = new Date(Date.UTC(Number(key.slice(0, 4)), Number(key.slice(5, 7)), 0)).toISOString().slice(0, 10)
    const conditions: FilterCondition[] = [
      { field: 'joinedOn', op: 'between', value: [`${key}-01`, last] },
      ...(chapterId ? [{ field: 'chapter', op: 'in' as const, value: [chapterId] }] : []),
    ]
    void navigate({ to: '/members', search: { filter: { and: conditions.map((one) => ({ or: [one] })) } } })
  }
}
