import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCalendarEvent, IconDownload } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { FilterChips } from '../../../ui/filter/filter-chips.tsx'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { SavedViewTabs } from '../../../ui/list/saved-view-tabs.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { ExportDialog, LostView } from '../../lists/lists-public.tsx'
import type { useListView } from '../../lists/lists-public.tsx'
import type { useEvents } from '../events-api.ts'
import { exportColumns, useEventFields } from './event-fields.ts'
import { EventRows } from './event-rows.tsx'

const OwnPastEvents = lazy(async () => ({ default: (await import('../tabs/person-events.tsx')).OwnPastEvents }))

export type EventListProps = {
  view: ReturnType<typeof useListView>
  events: ReturnType<typeof useEvents>
  exporting: boolean
  onExporting: (opened: boolean) => void
}

/** Events month by month, for everybody. */
export function EventMonths({ view, events, mayManage, exporting, onExporting }: EventListProps & { mayManage: boolean }) {
  const fields = useEventFields()
  const mayShare = useCan('views.share')
  const { look, base, set, tabs } = view
  const { items = [], total = 0, totalIsExact = true } = events.data ?? {}
  const label = tabs.views.find(({ id }) => id === tabs.current)?.label ?? t`Events`
  return (
    <>
      <SavedViewTabs {...tabs} canShare={mayShare} />
      {view.lost && <LostView tabs={tabs} />}
      <ListBar end={mayManage && <ExportEvents onClick={() => onExporting(true)} />}>
        <SearchField label={t`Search events`} value={look.q} onChange={(q) => set({ q }, { replace: true })} />
        <FilterChips fields={fields} value={look.filter} onChange={(filter) => set({ filter })} />
      </ListBar>
      {events.isError && !events.data ? (
        <ProblemState problem={events.error} title={t`The events could not be loaded`} retry={() => void events.refetch()} />
      ) : !events.data ? (
        <Loading label={t`Loading`}>
          <SkeletonCards height={78} />
        </Loading>
      ) : items.length === 0 ? (
        <NoEvents
          view={tabs.current}
          narrowed={look.q !== base.q || JSON.stringify(look.filter) !== JSON.stringify(base.filter)}
          mayManage={mayManage}
          onClear={() => set({ q: base.q, filter: base.filter })}
        />
      ) : (
        <>
          <EventRows events={items} label={label} stale={events.isPlaceholderData} />
          <ShowMore query={events} />
        </>
      )}
      {tabs.current === 'mine' && (
        <Suspense fallback={<SkeletonCards height={78} />}>
          <OwnPastEvents />
        </Suspense>
      )}
      {mayManage && (
        <ExportDialog
          opened={exporting}
          onClose={() => onExporting(false)}
          list="events"
          columns={exportColumns(look.columns)}
          sort={look.sort}
          selection={{ all: { ...(look.q && { q: look.q }), filter: look.filter }, except: [] }}
          total={total}
          totalIsExact={totalIsExact}
        />
      )}
    </>
  )
}

export const ExportEvents = ({ onClick }: { onClick: () => void }) => (
  <Button variant="default" leftSection={<IconDownload size={16} stroke={1.5} aria-hidden />} onClick={onClick}>
    <Trans>Export</Trans>
  </Button>
)

type NoEventsProps = { view: string; narrowed: boolean; mayManage: boolean; onClear: () => void }

function NoEvents({ view, narrowed, mayManage, onClear }: NoEventsProps) {
  const icon = <IconCalendarEvent size={32} stroke={1.5} />
  if (narrowed)
    return (
      <EmptyState
        icon={icon}
        title={t`No event matches`}
        action={
          <Button variant="default" onClick={onClear}>
            <Trans>Clear search and filters</Trans>
          </Button>
        }
      />
    )
  return (
    <EmptyState
      icon={icon}
      title={noneWords()[view] ?? t`No event matches`}
      action={mayManage && view !== 'past' && <ButtonLink to="/event/create">{t`New event`}</ButtonLink>}
    >
      {view === 'upcoming' && t`Meetings, trainings and celebrations stand here as soon as they are published.`}
      {view === 'mine' && t`Events you are registered for, or help to run.`}
      {view === 'drafts' && t`Events that are not published yet. Only organisers see them.`}
    </EmptyState>
  )
}

const noneWords = (): Partial<Record<string, string>> => ({
  upcoming: t`No upcoming events`,
  mine: t`You have no upcoming events`,
  chapters: t`No upcoming events in your chapters`,
  drafts: t`No drafts`,
  past: t`No past events`,
  all: t`No events yet`,
})
