import { NativeSelect } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { useHistoryWords } from '../../../platform/activity/history-words.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { byDay } from './by-day.ts'
import { HistoryLine } from './history-line.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import classes from '../people.module.css'

const pageSize = 50

/** Every change ever made to a person, newest first, by day. */
export function PersonHistory({ personId }: { personId: string }) {
  const api = useApi()
  const { day } = useFormats()
  const { onPerson } = useHistoryWords()
  const [entity, setEntity] = useState('')
  const query = useInfiniteQuery(pagedOptions(api.data.people.history, { personId, limit: pageSize, ...(entity && { entity }) }))
  const entries = query.data?.items ?? []
  return (
    <div className={classes['stack']}>
      <NativeSelect
        label={t`Show`}
        w={260}
        value={entity}
        onChange={(event) => setEntity(event.currentTarget.value)}
        data={[{ value: '', label: t`All changes` }, ...[...onPerson].map(([value, label]) => ({ value, label }))]}
      />
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
              <HistoryLine key={entry.seq} entry={entry} />
            ))}
          </section>
        ))}
      </div>
      <ShowMore query={query}>
        <Trans>Earlier changes</Trans>
      </ShowMore>
    </div>
  )
}

/** The calendar day of an instant where the reader is. */
function localDay(at: string): string {
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}
