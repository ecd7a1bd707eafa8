import '@mantine/core/styles/Chip.css'
import { Chip } from '@mantine/core'
import type { Person } from '@guildhall/contract/features/people'
import type { TimelineCategory } from '@guildhall/contract/features/timeline'
import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useSlot } from '../../platform/navigation/slots.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { byDay } from '../../ui/list/by-day.ts'
import { ShowMore } from '../../ui/list/show-more.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import classes from './timeline.module.css'

/** What happened to a person, newest first, by day; each feature has the texts for its own entries. */
export function PersonActivity({ person }: { person: Person }) {
  const personId = person.id
  const { day } = useFormats()
  const { i18n } = useLingui()
  const texts = useSlot('timelineTexts').toSorted((one, other) => one.order - other.order)
  const [category, setCategory] = useState<TimelineCategory>()
  const list = useApi().data.timeline.ofPerson
  // Whatever was done on another page of the person shows at once.
  const query = useInfiniteQuery({ ...pagedOptions(list, { personId, limit: 50, ...(category && { category }) }), staleTime: 0 })
  const entries = query.data?.items ?? []
  return (
    <div className={classes['stack']}>
      <Chip.Group value={category ?? 'all'} onChange={(chosen) => setCategory(texts.find((one) => one.category === chosen)?.category)}>
        <div role="radiogroup" aria-label={t`Kind of activity`} style={{ display: 'flex', flexWrap: 'wrap', gap: 8 }}>
          <Chip value="all">
            <Trans>All</Trans>
          </Chip>
          {texts
            .filter(({ may }) => may?.(person) ?? true)
            .map((one) => (
              <Chip key={one.category} value={one.category}>
                {i18n._(one.label)}
              </Chip>
            ))}
        </div>
      </Chip.Group>
      {query.isPending && (
        <Loading label={t`Loading the activity`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {query.isError && entries.length === 0 && (
        <ProblemState problem={query.error} title={t`The activity could not be loaded`} retry={() => void query.refetch()} />
      )}
      {query.isSuccess && entries.length === 0 && (
        <EmptyState title={category ? t`No activity of this kind` : t`No activity yet`}>
          <Trans>Chapters and groups joined or left, terms of office, comments and more appear here.</Trans>
        </EmptyState>
      )}
      <Suspense
        fallback={
          <Loading label={t`Loading the activity`}>
            <SkeletonLines count={8} />
          </Loading>
        }
      >
        <div className={classes['days']} data-stale={query.isPlaceholderData || undefined}>
          {byDay(entries, ({ on }) => on).map(([date, ofDay]) => (
            <section key={date}>
              <h2 className={classes['day']}>{day(date)}</h2>
              <ul className={classes['days']}>
                {ofDay.map((entry) => {
                  const Entry = texts.find(({ kinds }) => kinds.some((kind) => kind === entry.kind))?.entry
                  return <li key={`${entry.kind} ${entry.id}`}>{Entry && <Entry entry={entry} />}</li>
                })}
              </ul>
            </section>
          ))}
        </div>
      </Suspense>
      <ShowMore query={query}>
        <Trans>Earlier activity</Trans>
      </ShowMore>
    </div>
  )
}
