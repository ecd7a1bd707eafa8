import { t } from '@lingui/core/macro'
import type { Person } from '@guildhall/contract/features/people'
import type { PersonMessage } from '@guildhall/contract/features/communication.messages'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconMail } from '@tabler/icons-react'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { deliveryWords, skipText } from './messages-words.ts'
import classes from './emails.module.css'

/** Messages to a person, as far as the reader may see them: what arrived, and why something did not. */
export function PersonMessages({ person }: { person: Person }) {
  const { messages } = useApi().data.communication
  const list = useInfiniteQuery(pagedOptions(messages.ofPerson, { personId: person.id, limit: 50 }))
  const items = list.data?.items ?? []
  return (
    <Section title={t`Messages`}>
      {list.isPending && (
        <Loading label={t`Loading messages`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {list.isError && <ProblemState problem={list.error} title={t`The messages could not be loaded`} retry={() => void list.refetch()} />}
      {list.isSuccess && items.length === 0 && (
        <EmptyState icon={<IconMail size={32} stroke={1.5} />} title={t`No messages yet`} level={3}>
          {t`E-mails of the organisation, its chapters and groups to this person stand here.`}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className={classes['rows']} aria-label={t`Messages`}>
          {items.map((message) => (
            <Row key={message.id} message={message} />
          ))}
        </ul>
      )}
      <ShowMore query={list} />
    </Section>
  )
}

function Row({ message: { messageId, subject, topic, state, skipReason, at, opened, clicked } }: { message: PersonMessage }) {
  const { label, tone } = deliveryWords()[state]
  const writes = useCan('messages.write')
  const title = subject || t`Without a subject`
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        {writes ? (
          <Link to="/communication/{-$tab}" params={{ tab: 'emails' }} search={{ message: messageId }}>
            {title}
          </Link>
        ) : (
          title
        )}
        <span className={classes['dim']}>
          {[topic, skipReason && skipText(skipReason), clicked && t`Clicked`, opened && t`Opened (indicative)`].filter(Boolean).join(' · ')}
          {' · '}
          <RelativeTime at={at} />
        </span>
      </span>
      <StatusBadge tone={tone}>{label}</StatusBadge>
    </li>
  )
}
