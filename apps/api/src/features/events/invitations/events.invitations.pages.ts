import { NewRegistration } from '@guildhall/contract/features/events'
import { plainTextOf } from '@guildhall/contract/formatted-document'
import { createElement as h } from 'react'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { faultOfAnswers } from '../events.registrations.rules.ts'
import { questionField } from '../guests/events.parts.pages.ts'
import { answersOf, nameFault, placeOf, refusalText, whenOf } from '../guests/events.guests.rules.ts'
import { answerInvitationByLink, invitationByLink } from './events.invitations.queries.ts'
import type { InvitationRefusal, LinkedInvitation } from './events.invitations.queries.ts'

/** An event for somebody who is invited to it and has no account: what it is, and both answers. */
export const eventInvitationPage: PublicPage = {
  kind: 'link',
  purpose: 'event-invitations',
  async show({ db, idpOrg, secretHash, i18n }) {
    const invitation = await invitationByLink(db, idpOrg, secretHash)
    return invitation && invitationView(i18n, invitation)
  },
  async act({ db, idpOrg, secretHash, i18n, form }) {
    const before = await invitationByLink(db, idpOrg, secretHash)
    if (!before) return gone(i18n)
    const again = (told: string): View => ({ ...invitationView(i18n, before, { form, told, isWrong: true }), status: 422 })
    const isAccepted = form.get('do') === 'accept'
    if (!isAccepted && form.get('do') !== 'decline') return again(i18n._('Check what you have entered.'))
    const read = isAccepted ? readAccept(i18n, before, form) : { wanted: {} }
    if (read.wrong !== undefined) return again(read.wrong)
    const done = await answerInvitationByLink(db, idpOrg, secretHash, { isAccepted, wanted: read.wanted })
    if (!done) return gone(i18n)
    if (done.refused !== undefined) return again(refused(i18n, done.refused))
    const after = await invitationByLink(db, idpOrg, secretHash)
    return after
      ? invitationView(i18n, after, {
          told: isAccepted ? acceptedText(i18n, after) : i18n._('You have declined. Thank you for your answer.'),
        })
      : gone(i18n)
  },
}

const gone = (i18n: Texts): View => ({ title: i18n._('Invitation'), body: h('p', null, i18n._('This invitation is no longer valid.')) })
const refused = (i18n: Texts, reason: InvitationRefusal) =>
  reason === 'event_invitation_registered'
    ? i18n._('You are registered. Use the link in the mail about your registration to cancel it.')
    : refusalText(i18n, reason, 0)

function acceptedText(i18n: Texts, { status }: LinkedInvitation): string {
  if (status === 'waitlisted') return i18n._('You are on the waiting list.')
  if (status === 'pending_approval') return i18n._('Your registration is pending approval.')
  return i18n._('You are registered. We have sent you a mail about your registration.')
}

type Read = { wanted: Record<string, unknown>; wrong?: undefined } | { wrong: string }
function readAccept(i18n: Texts, { questions }: LinkedInvitation, form: URLSearchParams): Read {
  const ticket = form.get('ticket')
  const name = (form.get('name') ?? '').trim()
  const wrongName = nameFault(i18n, name)
  if (wrongName !== undefined) return { wrong: wrongName }
  const read = NewRegistration.pick({ name: true, answers: true, ticketTypeId: true })
    .required({ name: true })
    .safeParse({ name, answers: answersOf(form, questions), ...(ticket && { ticketTypeId: ticket }) })
  if (!read.success) return { wrong: i18n._('Check what you have entered.') }
  const wrong = faultOfAnswers(questions, read.data.answers, 'answers')
  if (!wrong) return { wanted: read.data }
  const open = questions.find(({ text }) => wrong.params?.['question'] === text)
  return { wrong: open ? i18n._('Answer “{question}”.', { question: open.text }) : i18n._('Choose one of the options.') }
}

type Shown = { form?: URLSearchParams; told?: string; isWrong?: boolean }
function invitationView(
  i18n: Texts,
  invitation: LinkedInvitation,
  { form = new URLSearchParams(), told, isWrong = false }: Shown = {},
): View {
  const { title, status, summary, description, organiser, registration, answer, cancelReason } = invitation
  const about = plainTextOf(description)
  const isOver = registration === 'closed'
  return {
    title,
    isUnlisted: true,
    body: h(
      'div',
      null,
      told === undefined ? null : h('p', { className: 'notice', role: isWrong ? 'alert' : 'status' }, told),
      cancelReason ? h('p', { className: 'notice' }, i18n._('This event is cancelled.'), ' ', cancelReason) : null,
      summary ? h('p', null, summary) : null,
      h(
        'dl',
        null,
        h('dt', null, i18n._('When')),
        h('dd', null, whenOf(i18n, invitation)),
        h('dt', null, i18n._('Where')),
        h('dd', null, invitation.mode === 'online' ? i18n._('Online') : placeOf(invitation)),
        h('dt', null, i18n._('Organiser')),
        h('dd', null, organiser.name),
      ),
      about ? h('section', null, h('h2', null, i18n._('About')), h('p', { className: 'lines' }, about)) : null,
      h(
        'section',
        null,
        h('h2', null, i18n._('Your answer')),
        status === null && answer === 'declined' && told === undefined ? h('p', null, i18n._('You have declined.')) : null,
        status !== null && told === undefined ? h('p', null, acceptedText(i18n, invitation)) : null,
        isOver && status === null ? h('p', null, i18n._('Registration has closed.')) : null,
        status === null && !isOver ? accepting(i18n, invitation, form) : null,
        isOver || (answer === 'declined' && status === null) ? null : decline(i18n, status !== null),
      ),
    ),
  }
}

const decline = (i18n: Texts, isRegistered: boolean) =>
  h(
    'form',
    { method: 'post' },
    h(
      'button',
      { type: 'submit', name: 'do', value: 'decline', className: 'button' },
      isRegistered ? i18n._('Cancel registration') : i18n._('Decline'),
    ),
  )

function accepting(
  i18n: Texts,
  { id, name, tickets, questions, registration, needsApproval, waitingList }: LinkedInvitation,
  form: URLSearchParams,
) {
  const signIn = h('p', null, h('a', { href: `/event/${id}` }, i18n._('Members sign in to register.')))
  const free = tickets.filter((ticket) => ticket.free)
  if (registration === 'not_yet') return h('p', null, i18n._('Registration has not opened yet.'))
  if (tickets.length > 0 && free.length === 0) return signIn
  if (registration === 'full' && !waitingList) return h('p', null, i18n._('This event is full.'))
  return h(
    'form',
    { method: 'post' },
    registration === 'full' ? h('p', null, i18n._('This event is full. Register to join the waiting list.')) : null,
    needsApproval ? h('p', null, i18n._('The organiser approves each registration.')) : null,
    h('label', { htmlFor: 'name' }, i18n._('Name')),
    h('input', { id: 'name', name: 'name', required: true, maxLength: 200, autoComplete: 'name', defaultValue: form.get('name') ?? name }),
    free.length > 1
      ? h(
          'fieldset',
          null,
          h('legend', null, i18n._('Ticket')),
          free.map((ticket) =>
            h(
              'label',
              { key: ticket.id, className: 'choice' },
              h('input', {
                type: 'radio',
                name: 'ticket',
                value: ticket.id,
                required: true,
                defaultChecked: form.get('ticket') === ticket.id,
              }),
              ` ${ticket.name}`,
            ),
          ),
        )
      : free.map((ticket) => h('input', { key: ticket.id, type: 'hidden', name: 'ticket', value: ticket.id })),
    questions.map((question) => questionField(i18n, form, question)),
    h('p', null, h('button', { type: 'submit', name: 'do', value: 'accept', className: 'button' }, i18n._('Accept'))),
  )
}
