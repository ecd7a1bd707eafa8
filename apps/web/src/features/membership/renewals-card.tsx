import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import classes from './membership.module.css'

/** How many memberships end soon, are in their grace period, and have lapsed this month. */
export function RenewalsCard({ home }: { home: { chapter: { id: string } | null } }) {
  const { number } = useFormats()
  const chapter = home.chapter ? { chapterId: home.chapter.id } : {}
  const figures = useQuery(useApi().data.membership.figures.queryOptions({ input: chapter }))
  if (figures.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (figures.isError)
    return <ProblemState problem={figures.error} title={t`The renewals could not be loaded`} retry={() => void figures.refetch()} />
  const { ending, grace, lapsed } = figures.data
  const count = (found: number) => (found > 10_000 ? `${number(10_000)}+` : number(found))
  return (
    <dl className={classes['figures']}>
      {[[t`End within 30 days`, ending] as const, [t`In grace period`, grace] as const, [t`Lapsed this month`, lapsed] as const].map(
        ([label, found]) => (
          <div key={label} className={classes['figure']}>
            <dt>{label}</dt>
            <dd>{count(found)}</dd>
          </div>
        ),
      )}
    </dl>
  )
}
