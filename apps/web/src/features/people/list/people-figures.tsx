import { t } from '@lingui/core/macro'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { MonthBars, StackedBar } from '../../../ui/page/figures.tsx'
import type { Filter } from '../../../ui/filter/filter.ts'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from '../people.module.css'
import { usePeopleSummary } from '../people-api.ts'
import { lifecycleWords } from '../../../platform/records/lifecycle-badge.tsx'

type Props = { q: string; filter: Filter; onFilter: (filter: Filter) => void }

/** What the list comes to: its status mix and who joined when; a click narrows the list down to it. */
export function PeopleFigures({ q, filter, onFilter }: Props) {
  const summary = usePeopleSummary({ q, filter })
  const words = lifecycleWords()
  const narrow = (field: string, op: 'in' | 'between', value: string[]) =>
    onFilter({
      and: [...filter.and.filter(({ or }) => !or.every((one) => one.field === field)), { or: [{ field, op, value }] }],
    })
  if (summary.isError)
    return <ProblemState problem={summary.error} title={t`The figures could not be counted`} retry={() => void summary.refetch()} />
  if (!summary.data) {
    return (
      <Loading label={t`Counting`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  const { lifecycles, joins } = summary.data
  return (
    <div className={classes['figures']}>
      <StackedBar
        label={t`By status`}
        parts={lifecycles.map(({ lifecycle, people }) => ({
          key: lifecycle,
          label: words[lifecycle],
          value: people,
          onSelect: () => narrow('lifecycle', 'in', [lifecycle]),
        }))}
      />
      <MonthBars
        label={t`Joined in the last twelve months`}
        months={joins.map(({ month, people }) => ({
          month,
          value: people,
          onSelect: () => narrow('joinedOn', 'between', [`${month}-01`, lastDayOf(month)]),
        }))}
      />
    </div>
  )
}

const lastDayOf = (month: string) => {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
