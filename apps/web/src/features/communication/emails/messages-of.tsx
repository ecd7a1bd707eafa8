import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { AudienceDefinition } from '@guildhall/contract/features/communication.audiences'
import type { Event } from '@guildhall/contract/features/events'
import type { Group } from '@guildhall/contract/features/groups'
import { Link } from '@tanstack/react-router'
import { IconMail, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useCan, useHoldsEverywhere } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { MessageStatusBadge, placeOfMessage, whenOfMessage } from './message-rows.tsx'
import { useMessages } from './messages-api.ts'
import type { MessageRow } from './messages-api.ts'
import { WriteDialog } from './write-dialog.tsx'
import classes from './emails.module.css'

/** E-mails of a chapter and those below it. */
export const ChapterMessages = ({ chapter: { id, closedOn } }: { chapter: Chapter }) => (
  <MessagesOf
    key={id}
    field="chapter"
    id={id}
    place={{ chapterId: id, groupId: null }}
    include={{ kind: 'chapter', id, below: true }}
    mayWrite={useCan('messages.write', { chapterId: id }) && !closedOn}
    none={t`Write to the members of this chapter, and see here what became of it.`}
  />
)

/** E-mails of a group. */
export const GroupMessages = ({ group: { id, archivedAt } }: { group: Group }) => (
  <MessagesOf
    key={id}
    field="group"
    id={id}
    place={{ chapterId: null, groupId: id }}
    include={{ kind: 'group', id }}
    mayWrite={useCan('messages.write', { groupId: id }) && !archivedAt}
    none={t`Write to the members of this group, and see here what became of it.`}
  />
)

/** E-mails to those who are registered for an event, besides what it tells them by itself. */
export function EventMessages({ event: { id, chapter, group, archivedAt } }: { event: Event }) {
  const everywhere = useHoldsEverywhere('messages.write')
  const inPlace = useCan('messages.write', group ? { groupId: group.id } : { chapterId: chapter?.id })
  return (
    <MessagesOf
      key={id}
      field="event"
      id={id}
      place={{ chapterId: group ? null : (chapter?.id ?? null), groupId: group?.id ?? null }}
      include={{ kind: 'event', id, statuses: ['confirmed', 'checked_in'] }}
      mayWrite={(chapter || group ? inPlace : everywhere) && !archivedAt}
      none={t`Write to the people who are registered, and see here what became of it.`}
    />
  )
}

type Props = {
  field: 'chapter' | 'group' | 'event'
  id: string
  /** Whose e-mail a new one is, and to whom it goes. */
  place: { chapterId: string | null; groupId: string | null }
  include: AudienceDefinition['include'][number]
  mayWrite: boolean
  none: string
}

function MessagesOf({ field, id, place, include, mayWrite, none }: Props) {
  const [writing, setWriting] = useState(false)
  const list = useMessages({ q: '', filter: emptyFilter, sort: '-createdAt' }, [{ or: [{ field, op: 'is', value: id }] }], true)
  const items = list.data?.items ?? []
  return (
    <Section
      title={t`E-mails`}
      actions={
        mayWrite && (
          <Button size="compact-md" leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setWriting(true)}>
            <Trans>New e-mail</Trans>
          </Button>
        )
      }
    >
      {list.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={5} />
        </Loading>
      )}
      {list.isError && <ProblemState problem={list.error} title={t`The e-mails could not be loaded`} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState icon={<IconMail size={32} stroke={1.5} />} title={t`No e-mails yet`} level={3}>
          {mayWrite && none}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className={classes['rows']} aria-label={t`E-mails`}>
          {items.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </ul>
      )}
      <ShowMore query={list} />
      <WriteDialog opened={writing} onClose={() => setWriting(false)} place={place} audience={{ include: [include], exclude: [] }} />
    </Section>
  )
}

function Row({ message }: { message: MessageRow }) {
  const { number } = useFormats()
  const at = whenOfMessage(message)
  const { left, clicked } = message.counts
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        <Link to="/communication/{-$tab}" params={{ tab: 'emails' }} search={{ message: message.id }}>
          {message.name}
        </Link>
        <span className={classes['dim']}>
          {[placeOfMessage(message), left > 0 && t`${number(clicked)} of ${number(left)} clicked`].filter(Boolean).join(' · ')}
          {at && (
            <>
              {' · '}
              <RelativeTime at={at} />
            </>
          )}
        </span>
      </span>
      <MessageStatusBadge message={message} />
    </li>
  )
}
