import { t } from '@lingui/core/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { noSuchRecord, recordId } from '../../../platform/api/no-such-record.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useEvent } from '../events-api.ts'
import type { Event } from '../events-api.ts'
import { EventForm } from './event-form.tsx'
import { valuesOf } from './event-values.ts'
import { useEventDraft } from './use-draft.ts'

export const route = createLazyRoute('/signed-in/event/$eventId/edit')({ component: EventEditPage })

function EventEditPage() {
  const eventId = recordId(route.useParams().eventId)
  const query = useEvent(eventId)
  usePageTitle(query.data?.title ?? t`Edit event`)
  if (query.error instanceof ApiProblem && query.error.status === 404) throw noSuchRecord()
  if (!query.data)
    return (
      <Page>
        {query.isError ? (
          <>
            <PageHeader title={t`Edit event`} />
            <ProblemState problem={query.error} title={t`This event could not be loaded`} retry={() => void query.refetch()} />
          </>
        ) : (
          <Loading label={t`Loading`}>
            <SkeletonLines count={12} />
          </Loading>
        )}
      </Page>
    )
  if (!query.data.may.edit)
    return (
      <Page>
        <PageHeader title={query.data.title} />
        <EmptyState
          title={query.data.status === 'archived' ? t`This event is archived` : t`You cannot change this event`}
          action={
            <Link to="/event/$eventId" params={{ eventId }}>
              {t`Open the event`}
            </Link>
          }
        >
          {query.data.status === 'archived' ? t`Restore it before you change it.` : t`Ask its organisers.`}
        </EmptyState>
      </Page>
    )
  return <Editing key={eventId} event={query.data} />
}

function Editing({ event: first }: { event: Event }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  // What the form began with: it saves by itself and knows what comes back.
  const [event] = useState(first)
  const { draft, conflict } = useEventDraft({ values: valuesOf(event), event })
  const go = (change: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <EventForm
      draft={draft}
      conflict={conflict}
      preview={search.preview === 1}
      onPreview={(shown) => go({ preview: shown ? 1 : undefined })}
      publishing={search.publish === 1}
      onPublishing={(opened) => go({ publish: opened ? 1 : undefined })}
      onPublished={({ id }) => void navigate({ to: '/event/$eventId', params: { eventId: id }, search: {} })}
    />
  )
}
