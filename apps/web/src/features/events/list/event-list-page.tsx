import { SegmentedControl } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useCan } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { listInput, useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView, Look } from '../../lists/lists-public.tsx'
import { useEvents } from '../events-api.ts'
import type { EventsSearch } from '../events-search.ts'
import { EventMonths } from './event-months-list.tsx'
import { Subscribe } from '../feeds/subscribe.tsx'

export const route = createLazyRoute('/signed-in/events')({ component: EventListPage })

const EventCalendar = lazy(async () => ({ default: (await import('./event-calendar.tsx')).EventCalendar }))
const EventTable = lazy(async () => ({ default: (await import('./event-table.tsx')).EventTable }))

const usual: Look = {
  q: '',
  filter: emptyFilter,
  sort: 'startsAt',
  columns: ['title', 'startsAt', 'status', 'host', 'place', 'seats', 'visibility'],
  layout: 'cards',
}

function EventListPage() {
  usePageTitle(t`Events`)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const mayManage = useCan('events.manage')
  const { number } = useFormats()
  const [exporting, setExporting] = useState(false)
  const go = (change: Partial<EventsSearch>, replace = false) => void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const view = useListView({
    list: 'events',
    builtIn: useBuiltIn(mayManage),
    usual,
    search,
    onSearch: (next, { replace }) => go(next, replace),
  })
  const { look } = view
  const isTable = look.layout === 'table' && mayManage
  const events = useEvents({ ...listInput(isTable ? look : { ...look, sort: byStart(look.sort) }) }, view.ready && !search.calendar)
  const { total = 0, totalIsExact = true } = events.data ?? {}
  const loading = (
    <Loading label={t`Loading`}>
      <SkeletonLines count={12} />
    </Loading>
  )
  return (
    <Page fill={isTable && !search.calendar}>
      <PageHeader
        title={t`Events`}
        meta={
          !search.calendar &&
          events.data && (
            <span role="status">{totalIsExact ? plural(total, { one: '# event', other: '# events' }) : t`${number(total)}+ events`}</span>
          )
        }
        actions={
          <>
            <SegmentedControl
              aria-label={t`Layout`}
              value={search.calendar ? 'calendar' : isTable ? 'table' : 'list'}
              onChange={(chosen) => {
                if (chosen === 'calendar') return go({ calendar: 1 })
                if (search.calendar) return go({ calendar: undefined, layout: chosen === 'table' ? 'table' : 'cards' })
                return view.set({ layout: chosen === 'table' ? 'table' : 'cards' })
              }}
              data={[
                { value: 'list', label: t`List` },
                ...(mayManage ? [{ value: 'table', label: t`Table` }] : []),
                { value: 'calendar', label: t`Calendar` },
              ]}
            />
            <Subscribe calendars={[{ kind: 'personal' }, { kind: 'organisation' }]} />
            {mayManage && (
              <ButtonLink to="/event/analytics" variant="default">
                <Trans>Analytics</Trans>
              </ButtonLink>
            )}
            {mayManage && (
              <ButtonLink to="/event/create" leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}>
                <Trans>New event</Trans>
              </ButtonLink>
            )}
          </>
        }
      />
      {search.calendar ? (
        <Suspense fallback={loading}>
          <EventCalendar search={search} go={go} />
        </Suspense>
      ) : isTable ? (
        <Suspense fallback={loading}>
          <EventTable view={view} events={events} exporting={exporting} onExporting={setExporting} />
        </Suspense>
      ) : (
        <EventMonths view={view} events={events} mayManage={mayManage} exporting={exporting} onExporting={setExporting} />
      )}
    </Page>
  )
}

/** Months follow each other, so the list by months goes by the start, one way or the other. */
const byStart = (sort: string) => (sort === '-startsAt' ? sort : 'startsAt')

const useBuiltIn = (mayManage: boolean) =>
  useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const only = (...flags: string[]) => ({
      filter: { and: flags.map((field) => ({ or: [{ field, op: 'is' as const, value: true }] })) },
    })
    return [
      { id: 'upcoming', label: t`Upcoming`, spec: only('upcoming') },
      { id: 'mine', label: t`Mine`, spec: only('mine', 'upcoming') },
      { id: 'chapters', label: t`My chapters`, spec: only('myChapters', 'upcoming') },
      ...(mayManage ? [{ id: 'drafts', label: t`Drafts`, spec: only('drafts') }] : []),
      { id: 'past', label: t`Past`, spec: { ...only('past'), sort: '-startsAt' } },
      { id: 'all', label: t`All`, spec: { sort: '-startsAt' } },
    ]
  }, [mayManage])
