import * as z from 'zod'
import { del, get, post } from '../base.ts'
import { Cursor, EmailAddress, Id, Instant, Limit, PersonRef, page } from '../shapes.ts'

const tag = 'Events'
const OneEvent = z.strictObject({ eventId: Id })
const done = { status: 200 as const }

export const EventInvitationState = z
  .enum(['invited', 'waiting', 'sent', 'bounced', 'not_sent', 'accepted', 'declined'])
  .describe(
    'invited: without a mail; waiting: the mail leaves within minutes, or once the event is published; bounced: could not be delivered; not_sent: the recipient gets no such mail, for example after unsubscribing; accepted: registered',
  )
export type EventInvitationState = z.infer<typeof EventInvitationState>
export const EventInvitation = z.object({
  id: Id,
  person: PersonRef.nullable().describe('Null for an e-mail address, and for somebody you do not see'),
  email: z.string().describe('Of somebody who is not among the people; empty otherwise'),
  emailRemoved: z.boolean().describe('The address was removed 30 days after the event, since they did not come'),
  state: EventInvitationState,
  mails: z.int().describe('The invitation and its reminders; 3 at most'),
  mailedAt: Instant.nullable(),
  answeredAt: Instant.nullable(),
  createdAt: Instant,
})
export type EventInvitation = z.infer<typeof EventInvitation>
export const EventInvitationCounts = z.object({
  invited: z.int().describe('All of them'),
  waiting: z.int().describe('Mails still to leave'),
  accepted: z.int(),
  declined: z.int(),
  bounced: z.int().describe('Mails that could not be delivered'),
  open: z.int().describe('Neither accepted nor declined'),
  remindable: z.int().describe('Of these, those who can be reminded now: a day after the last mail, and three mails at most'),
})
export type EventInvitationCounts = z.infer<typeof EventInvitationCounts>

export const NewEventInvitations = z
  .strictObject({
    personIds: z.array(Id).max(200).default([]),
    groupId: Id.optional().describe('Its members'),
    chapterId: Id.optional().describe('Members, alumni, advisors and friends of it and of the chapters below'),
    emails: z.array(EmailAddress).max(500).default([]).describe('Of people you see, the people are invited'),
  })
  .meta({ examples: [{ emails: ['kim@example.org'] }] })
export type NewEventInvitations = z.input<typeof NewEventInvitations>
export const EventInvitationsMade = z.object({
  invited: z.int(),
  already: z.int().describe('Were invited before'),
  registered: z.int().describe('Are registered already, and get no mail; counted in invited as well'),
})
export type EventInvitationsMade = z.infer<typeof EventInvitationsMade>

export const eventsInvitations = {
  list: get('/events/{eventId}/invitations', 'listEventInvitations', {
    needs: 'signed-in',
    tag,
    summary: 'Who is invited to an event you manage, with what they answered, the newest first',
    readsPeople: 50,
  })
    .input(OneEvent.extend({ state: EventInvitationState.optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(EventInvitation)),
  counts: get('/events/{eventId}/invitations/counts', 'countEventInvitations', {
    needs: 'signed-in',
    tag,
    summary: 'How many are invited to an event you manage, and how they answered',
  })
    .input(OneEvent)
    .output(EventInvitationCounts),
  create: post('/events/{eventId}/invitations', 'inviteToEvent', {
    ...done,
    needs: 'signed-in',
    tag,
    summary: 'Invite people, a group, a chapter or e-mail addresses to an event you manage; each once. Mails leave by themselves',
    perHour: 60,
  })
    .input(NewEventInvitations.extend(OneEvent.shape))
    .output(EventInvitationsMade),
  remind: post('/events/{eventId}/invitations/remind', 'remindEventInvitations', {
    ...done,
    needs: 'signed-in',
    tag,
    summary: 'Send the invitation again to all who have not answered: a day after the last mail, and three mails at most',
  })
    .input(OneEvent)
    .output(z.object({ reminded: z.int() })),
  revoke: del('/event-invitations/{invitationId}', 'revokeEventInvitation', {
    needs: 'signed-in',
    tag,
    summary: 'Revoke an invitation: its link ends, and an event by invitation is no longer seen; a registration stays',
  }).input(z.strictObject({ invitationId: Id })),
  decline: post('/events/{eventId}/invitation/decline', 'declineEventInvitation', {
    ...done,
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Decline an invitation; to accept one, register',
  })
    .input(OneEvent)
    .output(z.object({ answer: z.literal('declined') })),
}
