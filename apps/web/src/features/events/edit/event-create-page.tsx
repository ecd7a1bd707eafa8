import { Select } from '@mantine/core'
import { clockIn, daysFrom, momentAt } from '@guildhall/contract/moments'
import { t } from '@lingui/core/macro'
import { createLazyRoute, Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useMe, useRights } from '../../../platform/session/session.ts'
import type { Me } from '@guildhall/contract/features/account'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useEventTemplates } from '../events-api.ts'
import { EventForm } from './event-form.tsx'
import { newValues } from './event-values.ts'
import classes from './event-form.module.css'
import { useEventDraft } from './use-draft.ts'

export const route = createLazyRoute('/signed-in/event/create')({ component: EventCreatePage })

function EventCreatePage() {
  const search = route.useSearch()
  const { data: me } = useMe()
  const can = useRights()
  // The address of a draft, opened anew: it goes on where drafts are edited.
  const [opened] = useState(search.draft)
  usePageTitle(t`New event`)
  if (opened) return <Navigate to="/event/$eventId/edit" params={{ eventId: opened }} replace />
  if (!me)
    return (
      <Page>
        <Loading label={t`Loading`}>
          <SkeletonLines count={12} />
        </Loading>
      </Page>
    )
  if (!can('events.manage'))
    return (
      <Page>
        <PageHeader title={t`New event`} />
        <EmptyState
          title={t`You cannot create events`}
        >{t`Ask an administrator of your chapter for the role of an event manager.`}</EmptyState>
      </Page>
    )
  return <NewEvent me={me} chapterId={search.chapter} groupId={search.group} />
}

function NewEvent({ me, chapterId, groupId }: { me: Me; chapterId: string | undefined; groupId: string | undefined }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [values] = useState(() => startOf(me, chapterId, groupId))
  const go = (change: Partial<typeof search>) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const { draft, conflict } = useEventDraft({ values, onCreated: ({ id }) => go({ draft: id }) })
  const { event } = draft.use()
  return (
    <EventForm
      draft={draft}
      conflict={conflict}
      above={!event && <Templates />}
      preview={search.preview === 1}
      onPreview={(shown) => go({ preview: shown ? 1 : undefined })}
      publishing={search.publish === 1}
      onPublishing={(opened) => go({ publish: opened ? 1 : undefined })}
      onPublished={({ id }) => void navigate({ to: '/event/$eventId', params: { eventId: id }, search: {}, replace: true })}
    />
  )
}

/** Where an event begins: a week from today at seven in the evening, held by the own chapter where that is the reader's to run. */
function startOf(me: Me, chapterId: string | undefined, groupId: string | undefined) {
  const { timezone } = me.organisation
  const reach = me.permissions.find(({ permission }) => permission === 'events.manage')
  const home = me.person?.homeChapter?.id
  const own = reach?.everywhere ? undefined : (reach?.chapters.find((id) => id === home) ?? reach?.chapters[0])
  return newValues({
    startsAt: momentAt(timezone, daysFrom(clockIn(timezone, new Date()).date, 7), '19:00').at,
    timezone,
    chapterId: chapterId ?? own ?? null,
    groupId: groupId ?? (!reach?.everywhere && !own ? (reach?.groups[0] ?? null) : null),
  })
}

function Templates() {
  const { events } = useApi().data
  const { data } = useEventTemplates()
  const navigate = route.useNavigate()
  if (!data || data.items.length === 0) return null
  const begin = async (eventId: string | null) => {
    const template = data.items.find(({ id }) => id === eventId)
    if (!template) return
    try {
      const made = await events.copy.call({ eventId: template.id })
      void navigate({ to: '/event/$eventId/edit', params: { eventId: made.id }, search: {}, replace: true })
    } catch (problem) {
      toast.error(t`The template could not be used.`, problem)
    }
  }
  return (
    <Select
      className={classes['template'] ?? ''}
      label={t`Begin with a template`}
      placeholder={t`Choose a template`}
      searchable
      data={data.items.map(({ id, templateName }) => ({ value: id, label: templateName }))}
      onChange={(id) => void begin(id)}
    />
  )
}
