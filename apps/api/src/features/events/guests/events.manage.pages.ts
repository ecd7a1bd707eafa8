import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import { facts } from '../../../platform/public-pages/page-parts.ts'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { payRegistrationByLink } from '../../payments/payments.public.ts'
import { partyDocument, ticketCode } from '../events.tickets.rules.ts'
import type { PartyTickets } from '../events.tickets.rules.ts'
import { answerByLink, changeRegistrationByLink, registrationByLink, ticketsByLink } from './events.guests.queries.ts'
import type { ManagedRegistration } from './events.guests.queries.ts'
import { askedOf, formOfAnswers, guestStatusText, placeOf, readAnswersForm, whenOf } from './events.guests.rules.ts'
import { calendarLink, qrOf, questionField } from './events.parts.pages.ts'

/** A registration for whoever has its link, which only its address gets: the tickets, and what can be changed. */
export const manageRegistrationPage: PublicPage = {
  kind: 'link',
  purpose: 'registrations',
  async show({ db, idpOrg, secretHash, i18n, publicUrl, token, services, takesCards }) {
    const registration = await registrationByLink(db, idpOrg, secretHash)
    if (!registration) return undefined
    const tickets = await ticketsByLink(db, idpOrg, secretHash)
    return managedView({ i18n, publicUrl, registration, tickets, token, takesCards, secret: services.config.ACTOR_KEY })
  },
  async act({ db, idpOrg, secretHash, i18n, publicUrl, token, services, takesCards, form }) {
    const before = await registrationByLink(db, idpOrg, secretHash)
    if (!before) return overView(i18n)
    const shown = { i18n, publicUrl, token, takesCards, secret: services.config.ACTOR_KEY }
    const what = form.get('do')
    if (what === 'pay') {
      const pay = await payRegistrationByLink(services, db, { idpOrg, secretHash }, `${publicUrl}/public/registrations/${token}`)
      if (pay) return async () => payView(i18n, before, await pay())
    }
    let isChanged = false
    if (what === 'answer') {
      const read = readAnswersForm(i18n, before, form)
      if (read.wrong !== undefined) {
        const tickets = await ticketsByLink(db, idpOrg, secretHash)
        return { ...managedView({ ...shown, registration: before, tickets, form, told: read.wrong, isWrong: true }), status: 422 }
      }
      isChanged = await answerByLink(db, idpOrg, secretHash, read.said)
    } else if (what === 'accept' || what === 'cancel') isChanged = await changeRegistrationByLink(db, idpOrg, secretHash, what)
    const registration = await registrationByLink(db, idpOrg, secretHash)
    if (!registration) return overView(i18n)
    const told = isChanged
      ? what === 'answer'
        ? i18n._('Your answers are saved.')
        : undefined
      : i18n._('Nothing was changed. This is how your registration stands now.')
    return managedView({ ...shown, registration, tickets: await ticketsByLink(db, idpOrg, secretHash), told })
  },
  file: {
    name: 'ticket.pdf',
    type: 'application/pdf',
    async make({ db, idpOrg, secretHash, i18n, brand, services }) {
      const tickets = await ticketsByLink(db, idpOrg, secretHash)
      if (!tickets) return undefined
      const issuer = { secret: services.config.ACTOR_KEY, orgId: brand.orgId }
      return () => renderPdf(partyDocument(issuer, { brand, i18n }, tickets))
    },
  },
}

const overView = (i18n: Texts): View => ({ title: i18n._('Your registration'), body: h('p', null, i18n._('This event is over.')) })

const payView = (i18n: Texts, { title, total, currency }: ManagedRegistration, url: string): View => ({
  title,
  body: h(
    'div',
    null,
    facts([[i18n._('Amount due'), i18n.money(total, currency)]]),
    h('p', null, i18n._('You pay on the page of our payment provider and are led back here.')),
    h('p', null, h('a', { className: 'button', href: url, rel: 'noreferrer' }, i18n._('Continue to payment'))),
  ),
})

type Managed = {
  i18n: Texts
  publicUrl: string
  registration: ManagedRegistration
  tickets: PartyTickets | undefined
  token: string
  takesCards: boolean
  secret: string
  told?: string | undefined
  isWrong?: boolean
  /** What was sent, to be mended. */
  form?: URLSearchParams
}

function managedView({ i18n, publicUrl, registration, tickets, token, takesCards, secret, told, isWrong = false, form }: Managed): View {
  const { orgId, mayAccept, mayCancel, mayAnswer, mayPay, isPaying, organiser } = registration
  const money = i18n.money(registration.total, registration.currency)
  const button = (what: string, label: string) =>
    h('form', { key: what, method: 'post' }, h('button', { type: 'submit', name: 'do', value: what, className: 'button' }, label))
  return {
    title: registration.title,
    body: h(
      'div',
      null,
      told === undefined ? null : h('p', { className: 'notice', role: isWrong ? 'alert' : 'status' }, told),
      h('p', { role: 'status' }, guestStatusText(i18n, registration)),
      facts([
        [i18n._('Name'), registration.name],
        [i18n._('Ticket'), registration.ticket ?? ''],
        [i18n._('Guests'), registration.guests.map(({ name }) => name).join(', ')],
        [i18n._('When'), whenOf(i18n, registration)],
        [i18n._('Where'), registration.mode === 'online' ? i18n._('Online') : placeOf(registration)],
        ...(mayAnswer ? [] : answersAsFacts(i18n, registration)),
      ]),
      tickets && registration.link
        ? h('p', null, h('a', { href: registration.link, rel: 'noreferrer noopener' }, i18n._('Join online')))
        : null,
      tickets ? ticketsView(i18n, { secret, orgId }, tickets, token) : null,
      tickets ? h('p', null, calendarLink(i18n, { ...registration, status: registration.eventStatus }, publicUrl)) : null,
      mayPay && isPaying
        ? h('p', { role: 'status' }, i18n._('Have you just paid? It can take a minute until the payment is confirmed.'))
        : null,
      mayPay
        ? takesCards
          ? button('pay', i18n._('Pay {money} by card', { money }))
          : h(
              'p',
              null,
              i18n._('This cannot be paid by card here. {organisation} can tell you how to pay.', { organisation: organiser.name }),
            )
        : null,
      mayAccept ? button('accept', i18n._('Accept the place')) : null,
      mayAnswer ? answersForm(i18n, registration, form ?? formOfAnswers(registration)) : null,
      mayCancel ? button('cancel', mayAccept ? i18n._('Decline') : i18n._('Cancel registration')) : null,
      registration.isMember
        ? h('p', null, h('a', { href: `/event/${registration.id}` }, i18n._('Sign in to change your registration.')))
        : null,
    ),
  }
}

/** Nobody scans codes at an event that takes place online. */
const ticketsView = (i18n: Texts, issuer: { secret: string; orgId: string }, { mode, seats }: PartyTickets, token: string): ReactNode =>
  mode === 'online'
    ? null
    : h(
        'section',
        null,
        h('h2', null, i18n._('{count, plural, one {Ticket} other {Tickets}}', { count: seats.length })),
        seats.map((seat) =>
          h(
            'figure',
            { key: seat.registrationId },
            h('img', {
              ...{ className: 'code', src: qrOf(ticketCode(issuer, seat)) },
              alt: i18n._('Ticket code of {name}, to be scanned at the entrance', { name: seat.name }),
            }),
            h('figcaption', null, seat.name),
          ),
        ),
        h('p', null, h('a', { href: `/public/registrations/${token}/ticket.pdf` }, i18n._('Download PDF'))),
      )

const answersForm = (i18n: Texts, registration: ManagedRegistration, form: URLSearchParams): ReactNode => {
  const asked = askedOf(registration)
  return asked.length === 0
    ? null
    : h(
        'section',
        null,
        h('h2', null, i18n._('Answers')),
        h(
          'form',
          { method: 'post' },
          asked.map(({ id, name, guest, questions }) =>
            name === undefined
              ? questions.map((question) => questionField(i18n, form, question))
              : h(
                  'fieldset',
                  { key: id },
                  h('legend', null, name),
                  questions.map((question) => questionField(i18n, form, question, guest)),
                ),
          ),
          h('p', null, h('button', { type: 'submit', name: 'do', value: 'answer', className: 'button' }, i18n._('Save answers'))),
        ),
      )
}

const answersAsFacts = (i18n: Texts, { questions, answers }: ManagedRegistration): [string, string][] =>
  questions.map(({ id, text }) => {
    const value = answers.find(({ questionId }) => questionId === id)?.value ?? ''
    return [text, typeof value === 'boolean' ? (value ? i18n._('Yes') : i18n._('No')) : Array.isArray(value) ? value.join(', ') : value]
  })
