import { Button, NativeSelect, Progress } from '@mantine/core'
import '@mantine/core/styles/Progress.css'
import { EventInvitationState } from '@guildhall/contract/features/events.invitations'
import type { EventInvitation, EventInvitationCounts } from '@guildhall/contract/features/events.invitations'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { PersonLink } from '../../../platform/records/record-links.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import type { Event } from '../events-api.ts'
import classes from '../messages/messages.module.css'
import { invitationWords } from './invitations-words.ts'

const InviteDialog = lazy(async () => ({ default: (await import('./invite-dialog.tsx')).InviteDialog }))
/** Mails leave every minute; nobody tells the page of it, so it asks. */
const everyMs = 10_000

/** Who is invited, how they answered, and what can be done about those who did not; for those who run the event. */
export function InvitationsSection({ event }: { event: Event }) {
  const { invitations } = useApi().data.events
  const [state, setState] = useState<EventInvitationState>()
  const [dialog, setDialog] = useState<'invite' | 'remind'>()
  const counts = useQuery({
    ...invitations.counts.queryOptions({ input: { eventId: event.id } }),
    refetchInterval: ({ state: { data } }) => (data && data.waiting > 0 ? everyMs : false),
  })
  const list = useInfiniteQuery(pagedOptions(invitations.list, { eventId: event.id, limit: 50, ...(state && { state }) }))
  const items = list.data?.items ?? []
  const canInvite = event.may.edit && event.status !== 'cancelled' && Date.parse(event.startsAt) > Date.now()
  const words = invitationWords()
  return (
    <Section
      title={t`Invitations`}
      actions={
        canInvite && (
          <>
            {counts.data && counts.data.remindable > 0 && (
              <Button variant="default" size="compact-md" onClick={() => setDialog('remind')}>
                <Trans>Remind</Trans>
              </Button>
            )}
            <Button size="compact-md" onClick={() => setDialog('invite')}>
              <Trans>Invite</Trans>
            </Button>
          </>
        )
      }
    >
      {counts.data && counts.data.invited > 0 && <Counts counts={counts.data} isDraft={event.status === 'draft'} />}
      {counts.data && counts.data.invited > 0 && (
        <NativeSelect
          label={t`Show`}
          value={state ?? ''}
          onChange={({ currentTarget }) => setState(EventInvitationState.options.find((one) => one === currentTarget.value))}
          data={[
            { value: '', label: t`All invitations` },
            ...EventInvitationState.options.map((value) => ({ value, label: words[value].label })),
          ]}
        />
      )}
      {list.isPending && (
        <Loading label={t`Loading invitations`}>
          <SkeletonLines />
        </Loading>
      )}
      {list.isError && (
        <ProblemState problem={list.error} title={t`The invitations could not be loaded`} retry={() => void list.refetch()} />
      )}
      {list.isSuccess && items.length === 0 && (
        <EmptyState title={state ? t`No such invitations` : t`Nobody is invited yet`} level={3}>
          {state
            ? t`Choose another state above.`
            : canInvite
              ? t`Invite people, a group, a chapter or a list of e-mail addresses. They accept or decline by mail.`
              : t`Invitations are sent before the event begins.`}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className={classes['rows']}>
          {items.map((invitation) => (
            <InvitationRow key={invitation.id} invitation={invitation} canRevoke={event.may.edit} />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="default" size="compact-md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
      <Suspense>{dialog === 'invite' && <InviteDialog event={event} opened onClose={() => setDialog(undefined)} />}</Suspense>
      <RemindDialog event={event} people={counts.data?.remindable ?? 0} opened={dialog === 'remind'} onClose={() => setDialog(undefined)} />
    </Section>
  )
}

function Counts({ counts, isDraft }: { counts: EventInvitationCounts; isDraft: boolean }) {
  const { number } = useFormats()
  const { invited, waiting, accepted, declined, bounced } = counts
  return (
    <>
      <p className={classes['dim']}>
        {[
          t`${number(invited)} invited`,
          t`${number(accepted)} accepted`,
          t`${number(declined)} declined`,
          t`${number(invited - accepted - declined)} without an answer`,
          bounced > 0 && t`${number(bounced)} bounced`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {waiting > 0 && (
        <div role="status">
          <p className={classes['dim']}>
            {isDraft
              ? plural(waiting, { one: '# mail leaves once the event is published', other: '# mails leave once the event is published' })
              : plural(waiting, { one: '# mail is being sent', other: '# mails are being sent' })}
          </p>
          {!isDraft && <Progress value={(100 * (invited - waiting)) / invited} aria-label={t`Mails sent`} />}
        </div>
      )}
    </>
  )
}

function useInvitationsChanged() {
  const { invitations } = useApi().data.events
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: invitations.key() })
}

function InvitationRow({ invitation, canRevoke }: { invitation: EventInvitation; canRevoke: boolean }) {
  const { invitations } = useApi().data.events
  const changed = useInvitationsChanged()
  const [revoking, setRevoking] = useState(false)
  const { person, email, emailRemoved, state, mails, mailedAt, answeredAt, id } = invitation
  const { label, tone } = invitationWords()[state]
  const name = person?.displayName ?? (email || (emailRemoved ? t`Address removed` : t`Somebody you do not see`))
  const at = answeredAt ?? mailedAt
  return (
    <li className={classes['row']}>
      <div className={classes['what']}>
        <span className={classes['name']}>{person ? <PersonLink person={person} /> : name}</span>
        <span className={classes['dim']}>
          {mails > 1 && `${plural(mails, { one: '# mail', other: '# mails' })} · `}
          {at && <RelativeTime at={at} />}
        </span>
      </div>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {canRevoke && (
        <Button variant="default" size="compact-md" aria-label={t`Revoke invitation of ${name}`} onClick={() => setRevoking(true)}>
          <Trans>Revoke</Trans>
        </Button>
      )}
      <ConfirmDialog
        opened={revoking}
        onClose={() => setRevoking(false)}
        title={t`Revoke the invitation of ${name}?`}
        confirmLabel={<Trans>Revoke invitation</Trans>}
        onConfirm={async () => {
          await invitations.revoke.call({ invitationId: id })
          await changed()
          toast.success(t`Invitation revoked`)
        }}
      >
        <Trans>The link in the mail stops working. A registration that was made stays.</Trans>
      </ConfirmDialog>
    </li>
  )
}

function RemindDialog({ event, people, opened, onClose }: { event: Event; people: number; opened: boolean; onClose: () => void }) {
  const { invitations } = useApi().data.events
  const changed = useInvitationsChanged()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Remind those who have not answered?`}
      confirmLabel={<Trans>Send reminders</Trans>}
      onConfirm={async () => {
        const { reminded } = await invitations.remind.call({ eventId: event.id })
        await changed()
        toast.success(plural(reminded, { one: '# person is reminded', other: '# people are reminded' }))
      }}
    >
      {plural(people, {
        one: '# person gets the invitation again. Nobody gets more than three mails, or two within a day.',
        other: '# people get the invitation again. Nobody gets more than three mails, or two within a day.',
      })}
    </ConfirmDialog>
  )
}
