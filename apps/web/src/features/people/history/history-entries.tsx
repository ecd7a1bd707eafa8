import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { Paged } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { byDay } from '../../../ui/list/by-day.ts'
import { HistoryLine } from './history-line.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import classes from '../people.module.css'
import type { HistoryEntry } from '../people-api.ts'

type Props = {
  query: UseInfiniteQueryResult<Paged<HistoryEntry>>
  /** Of a record whose page says already what the changes are about. */
  withoutSubject?: boolean
}

/** Changes by day, newest first, a page at a time. */
export function HistoryEntries({ query, withoutSubject = false }: Props) {
  const { day } = useFormats()
  const entries = query.data?.items ?? []
  return (
    <>
      {query.isPending && (
        <Loading label={t`Loading the history`}>
          <SkeletonLines count={10} />
        </Loading>
      )}
      {query.isError && entries.length === 0 && (
        <ProblemState problem={query.error} title={t`The history could not be loaded`} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && entries.length === 0 && (
        <EmptyState title={t`No changes of this kind`}>
          <Trans>Every addition, change and removal appears here, with who made it and when.</Trans>
        </EmptyState>
      )}
      <div>
        {byDay(entries, ({ at }) => localDay(at)).map(([date, ofDay]) => (
          <section key={date}>
            <h2 className={classes['day']}>{day(date)}</h2>
            {ofDay.map((entry) => (
              <HistoryLine key={entry.seq} entry={withoutSubject ? { ...entry, subject: null } : entry} />
            ))}
          </section>
        ))}
      </div>
      <ShowMore query={query}>
        <Trans>Earlier changes</Trans>
      </ShowMore>
    </>
  )
}

/** The calendar day of an instant where the reader is. */
function localDay(at: string): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
