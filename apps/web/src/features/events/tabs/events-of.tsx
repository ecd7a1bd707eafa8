import { SegmentedControl } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { Group } from '@guildhall/contract/features/groups'
import { IconCalendarEvent, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { listInput } from '../../lists/lists-public.tsx'
import { useEvents } from '../events-api.ts'
import type { Calendar } from '../feeds/feeds-api.ts'
import { Subscribe } from '../feeds/subscribe.tsx'
import { EventRows } from '../list/event-rows.tsx'

export const ChapterEvents = ({ chapter }: { chapter: Chapter }) => (
  <EventsOf key={chapter.id} field="chapter" id={chapter.id} calendar={{ kind: 'chapter', chapterId: chapter.id, name: chapter.name }} start={{ chapter: chapter.id }} mayManage={useCan('events.manage', { chapterId: chapter.id })} />
) // prettier-ignore

export const GroupEvents = ({ group }: { group: Group }) => (
  <EventsOf key={group.id} field="group" id={group.id} calendar={{ kind: 'group', groupId: group.id, name: group.name }} start={{ group: group.id }} mayManage={useCan('events.manage', { groupId: group.id }) && group.archivedAt === null} />
) // prettier-ignore

type Which = 'upcoming' | 'past' | 'drafts'
type Props = {
  field: 'chapter' | 'group'
  id: string
  calendar: Calendar
  start: { chapter: string } | { group: string }
  mayManage: boolean
}

/** Events that a chapter with those below it, or a group, holds. */
function EventsOf({ field, id, calendar, start, mayManage }: Props) {
  const [which, setWhich] = useState<Which>('upcoming')
  const filter = { and: [{ or: [{ field, op: 'is' as const, value: id }] }, { or: [{ field: which, op: 'is' as const, value: true }] }] }
  const events = useEvents({ ...listInput({ q: '', filter, sort: which === 'past' ? '-startsAt' : 'startsAt' }), limit: 50 })
  const { items = [] } = events.data ?? {}
  const labels: Record<Which, string> = { upcoming: t`Upcoming`, past: t`Past`, drafts: t`Drafts` }
  const none: Record<Which, string> = { upcoming: t`No upcoming events`, past: t`No past events`, drafts: t`No drafts` }
  const keys: Which[] = mayManage ? ['upcoming', 'past', 'drafts'] : ['upcoming', 'past']
  return (
    <Section title={t`Events`}>
      <ListBar
        end={
          <>
            <Subscribe calendars={[calendar]} />
            {mayManage && (
              <ButtonLink to="/event/create" search={start} leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}>
                <Trans>New event</Trans>
              </ButtonLink>
            )}
          </>
        }
      >
        <SegmentedControl
          aria-label={t`Which events`}
          value={which}
          onChange={(chosen) => setWhich(keys.find((key) => key === chosen) ?? 'upcoming')}
          data={keys.map((key) => ({ value: key, label: labels[key] }))}
        />
      </ListBar>
      {events.isError && !events.data ? (
        <ProblemState problem={events.error} title={t`The events could not be loaded`} retry={() => void events.refetch()} />
      ) : !events.data ? (
        <Loading label={t`Loading`}>
          <SkeletonCards height={78} />
        </Loading>
      ) : items.length === 0 ? (
        <EmptyState icon={<IconCalendarEvent size={32} stroke={1.5} />} title={none[which]} />
      ) : (
        <>
          <EventRows events={items} label={labels[which]} stale={events.isPlaceholderData} />
          <ShowMore query={events} />
        </>
      )}
    </Section>
  )
}
