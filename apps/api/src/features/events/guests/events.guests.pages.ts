import { plainTextOf } from '@guildhall/contract/formatted-document'
import { publicChapterPath, publicCoverPath, publicEventPath } from '@guildhall/contract/public-paths'
import { createElement as h } from 'react'
import type { ReactNode } from 'react'
import { readPicture } from '../../../platform/files/content.ts'
import { facts, textField } from '../../../platform/public-pages/page-parts.ts'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PageContext, PublicPage } from '../../../platform/public-pages/public-pages.ts'
import { isId } from '../../../platform/records/is-id.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { mailRegistrationLink, publicEvent, publicEvents, registerGuest } from './events.guests.queries.ts'
import type { PublicEvent, PublicEventFacts, PublicTicket } from './events.guests.queries.ts'
import { addressText, guestsAsked, placeOf, readAddress, readGuestForm, refusalText, whenOf } from './events.guests.rules.ts'
import { calendarLink, questionField } from './events.parts.pages.ts'

// Lists ---------------------------------------------------------------------------------------------------------------------------------

/** Public events to come of the whole organisation. */
export const publicEventsPage: PublicPage = {
  kind: 'published',
  path: 'events',
  async show({ db, idpOrg, i18n, brand }) {
    const found = await publicEvents(db, idpOrg, null)
    return found && { title: i18n._('Events of {organisation}', { organisation: brand.name }), body: eventList(i18n, found.items) }
  },
}

/** The same of a chapter with a public page, and the chapters below it. */
export const publicChapterEventsPage: PublicPage = {
  kind: 'published',
  path: 'chapters/:chapter/events',
  async show({ db, idpOrg, i18n, params }) {
    const found = await publicEvents(db, idpOrg, params['chapter'] ?? '')
    if (!found?.chapter) return undefined
    const { chapter, items } = found
    return {
      title: i18n._('Events of {organisation}', { organisation: chapter.name }),
      body: h('div', null, h('p', null, h('a', { href: publicChapterPath(chapter.code) }, chapter.name)), eventList(i18n, items)),
    }
  },
}

const eventList = (i18n: Texts, items: readonly PublicEventFacts[]) =>
  items.length === 0
    ? h('p', null, i18n._('No public events are planned.'))
    : h(
        'ul',
        { className: 'plain' },
        items.map((event) =>
          h(
            'li',
            { key: event.id },
            h('a', { href: publicEventPath(event.id) }, event.title),
            event.status === 'cancelled' ? ` (${i18n._('cancelled')})` : null,
            h('div', { className: 'quiet' }, whenOf(i18n, event)),
            h('div', { className: 'quiet' }, [placeOf(event), event.organiser.name].filter(Boolean).join(' · ')),
          ),
        ),
      )

// One event -----------------------------------------------------------------------------------------------------------------------------

/** An event that is public, or unlisted for who has its address, with a form to register where that is free. */
export const publicEventPage: PublicPage = {
  kind: 'published',
  path: 'events/:event',
  async show({ db, idpOrg, params, i18n, publicUrl, files, takesCards }) {
    const event = await found(db, idpOrg, params['event'])
    return event && eventView({ i18n, publicUrl, event, takesCards, cover: await coverOf(files, event) })
  },
  async act({ db, idpOrg, params, i18n, publicUrl, files, takesCards, form }) {
    const event = await found(db, idpOrg, params['event'])
    if (!event) return undefined
    const again = async (wrong: string): Promise<View> => ({
      ...eventView({ i18n, publicUrl, event, takesCards, cover: await coverOf(files, event), form, wrong }),
      status: 422,
    })
    if (form.get('do') === 'resend') {
      const email = readAddress(form.get('known'))
      if (email === undefined) return again(addressText(i18n))
      if (!(await mailRegistrationLink(db, idpOrg, event.id, email))) return undefined
      return sentView(
        i18n,
        event,
        i18n._('If {email} is registered for {event}, the link is on its way there.', { event: event.title, email }),
      )
    }
    const read = readGuestForm(i18n, event, form)
    if (read.wrong !== undefined) return again(read.wrong)
    const done = await registerGuest(db, idpOrg, event.id, { ...read.wanted, pays: takesCards })
    if (!done) return undefined
    if (done.refused !== undefined) return again(refusalText(i18n, done.refused, done.left ?? 0))
    const facts = { event: event.title, email: read.wanted.email ?? '' }
    return sentView(i18n, event, sentText(i18n, done, facts))
  },
}

function sentText(i18n: Texts, { pays, confirms }: { pays: boolean; confirms: boolean }, facts: { event: string; email: string }): string {
  if (pays)
    return i18n._(
      'We hold your place at {event}. Pay within 30 minutes by the link that we have sent to {email}; after that the place is released.',
      facts,
    )
  return confirms
    ? i18n._(
        'We hold your place at {event}. Accept it within an hour by the link that we have sent to {email}; after that the place is released.',
        facts,
      )
    : i18n._(
        'We have sent a mail about your registration for {event} to {email}. It has your ticket, and a link to change or cancel.',
        facts,
      )
}

/** The picture of an event that everybody may open. Messengers fetch it for the preview of a link, and take no page with a picture in it. */
export const publicEventPicture: PublicPage = {
  kind: 'picture',
  path: 'events/:event/pictures/:picture',
  async find({ db, idpOrg, params }) {
    const event = await found(db, idpOrg, params['event'])
    if (!event?.coverFileId || event.coverFileId !== params['picture']) return undefined
    return { orgId: event.orgId, pictureId: event.coverFileId }
  },
}

/** The same for everybody, so that nobody learns who is registered. */
const sentView = (i18n: Texts, event: PublicEvent, said: string): View => ({
  title: i18n._('Check your e-mail'),
  body: h(
    'div',
    { role: 'status' },
    h('p', null, said),
    h('p', null, i18n._('No mail after a few minutes? Check your spam folder, or register again with the right address.')),
    h('p', null, h('a', { href: publicEventPath(event.id) }, i18n._('Back to the event'))),
  ),
})

type Showing = Pick<PageContext, 'db' | 'files'>
const found = async (db: Showing['db'], idpOrg: string | undefined, eventId: string | undefined) =>
  eventId !== undefined && isId(eventId) ? publicEvent(db, idpOrg, eventId) : undefined

async function coverOf(files: Showing['files'], { orgId, coverFileId }: PublicEvent): Promise<string | undefined> {
  if (coverFileId === null) return undefined
  const picture = await readPicture(files, orgId, coverFileId, 'large').catch(() => undefined)
  return picture && `data:image/webp;base64,${picture.toString('base64')}`
}

type EventShown = {
  i18n: Texts
  publicUrl: string
  event: PublicEvent
  takesCards: boolean
  cover: string | undefined
  /** What was sent, to be mended. */
  form?: URLSearchParams
  wrong?: string
}

function eventView({ i18n, publicUrl, event, takesCards, cover, form = new URLSearchParams(), wrong }: EventShown): View {
  const about = plainTextOf(event.description)
  const address = publicUrl + publicEventPath(event.id)
  const picture = event.coverFileId === null ? undefined : publicUrl + publicCoverPath(event.id, event.coverFileId)
  return {
    title: event.title,
    // Search engines list what is public; an unlisted event is for who has its address.
    ...(event.visibility === 'public' ? { canonical: address, about: schemaOf(event, address, picture) } : {}),
    isUnlisted: event.visibility === 'unlisted',
    summary: event.summary,
    ...(picture && { picture: { url: picture, alt: event.coverAlt } }),
    body: h(
      'div',
      null,
      event.status === 'cancelled'
        ? h(
            'p',
            { className: 'notice', role: 'status' },
            [i18n._('This event is cancelled.'), event.cancelReason].filter(Boolean).join(' '),
          )
        : null,
      cover ? h('img', { className: 'cover', src: cover, alt: event.coverAlt }) : null,
      event.summary ? h('p', null, event.summary) : null,
      facts([
        [i18n._('When'), whenOf(i18n, event)],
        [i18n._('Where'), event.mode === 'online' ? i18n._('Online') : placeOf(event)],
        [i18n._('Organiser'), event.organiser.name],
        [i18n._('Places left'), event.capacity === null ? '' : String(Math.max(event.capacity - event.taken, 0))],
      ]),
      h('p', null, calendarLink(i18n, event, publicUrl)),
      about ? h('section', null, h('h2', null, i18n._('About')), h('p', { className: 'lines' }, about)) : null,
      programme(i18n, event),
      tickets(i18n, event),
      registering({ i18n, event, takesCards, form, wrong }),
    ),
  }
}

function programme(i18n: Texts, { programme: items, timezone, oneDay }: PublicEvent) {
  if (items.length === 0) return null
  const clock = new Intl.DateTimeFormat(i18n.locale, { ...(!oneDay && { dateStyle: 'medium' }), timeStyle: 'short', timeZone: timezone })
  return h(
    'section',
    null,
    h('h2', null, i18n._('Programme')),
    h(
      'ul',
      { className: 'plain' },
      items.map(({ title, startsAt, room, speaker, about }, at) =>
        h(
          'li',
          { key: at },
          `${clock.format(new Date(startsAt))} `,
          h('strong', null, title),
          room || speaker ? h('div', { className: 'quiet' }, [speaker, room].filter(Boolean).join(' · ')) : null,
          about ? h('div', { className: 'lines' }, about) : null,
        ),
      ),
    ),
  )
}

function tickets(i18n: Texts, { tickets: all }: PublicEvent) {
  if (all.length === 0) return null
  return h(
    'section',
    null,
    h('h2', null, i18n._('Tickets')),
    h(
      'ul',
      { className: 'plain' },
      all.map((ticket) =>
        h(
          'li',
          { key: ticket.id },
          h('strong', null, ticket.name),
          ` · ${priceText(i18n, ticket)}`,
          ticket.left === 0 ? ` · ${i18n._('Sold out')}` : null,
          ticket.audience === 'everyone' ? null : h('div', { className: 'quiet' }, i18n._('Sign in to get this ticket.')),
          ticket.description ? h('div', { className: 'quiet' }, ticket.description) : null,
        ),
      ),
    ),
  )
}

/** Where nobody can pay by card, a price is for those who sign in, unless a promo code takes it off. */
const isOffered = ({ amount, audience, onSale }: PublicTicket, takes: boolean) =>
  audience === 'everyone' && onSale && (amount === 0 || takes)
const priceText = (i18n: Texts, { amount, currency }: PublicTicket) => (amount === 0 ? i18n._('Free') : i18n.money(amount, currency))

type Registering = Pick<EventShown, 'i18n' | 'event' | 'takesCards'> & { form: URLSearchParams; wrong: string | undefined }
function registering({ i18n, event, takesCards, form, wrong }: Registering): ReactNode {
  const signIn = h('p', null, h('a', { href: `/event/${event.id}` }, i18n._('Members sign in to register.')))
  const section = (...inside: ReactNode[]) =>
    h(
      'section',
      { id: 'register' },
      h('h2', null, i18n._('Register')),
      wrong === undefined ? null : h('p', { className: 'notice', role: 'alert' }, wrong),
      ...inside,
      linkAgain(i18n, event, form),
    )
  if (event.registration === 'closed') return section(h('p', null, i18n._('Registration has closed.')))
  if (event.registration === 'not_yet') return section(h('p', null, i18n._('Registration has not opened yet.')), signIn)
  const offered = event.tickets.filter((ticket) => isOffered(ticket, takesCards || event.promoCodes))
  if (event.tickets.length > 0 && offered.length === 0) return section(signIn)
  if (event.registration === 'full' && !event.waitingList) return section(h('p', null, i18n._('This event is full.')))
  const text = (name: string, label: string, more: Record<string, unknown>) => textField(form, name, label, more)
  const guests = Array.from({ length: guestsAsked(event) }, (_, nth) => nth + 1)
  return section(
    event.registration === 'full' ? h('p', null, i18n._('This event is full. Register to join the waiting list.')) : null,
    event.needsApproval ? h('p', null, i18n._('The organiser approves each registration.')) : null,
    h(
      'form',
      { method: 'post', action: `${publicEventPath(event.id)}#register` },
      ...text('name', i18n._('Name'), { required: true, maxLength: 200, autoComplete: 'name' }),
      ...text('email', i18n._('E-mail'), { type: 'email', required: true, maxLength: 320, autoComplete: 'email' }),
      ticketChoice(i18n, form, offered),
      event.questions.map((question) => questionField(i18n, form, question)),
      guests.length > 0
        ? h(
            'details',
            { open: guests.some((nth) => form.get(`guest${nth}`)) },
            h('summary', null, i18n._('Bring guests')),
            guests.map((nth) =>
              h(
                'fieldset',
                { key: nth },
                h('legend', null, i18n._('Guest {number}', { number: nth })),
                text(`guest${nth}`, i18n._('Name of guest {number}', { number: nth }), { maxLength: 200 }),
                event.questions.filter(({ ofGuests }) => ofGuests).map((question) => questionField(i18n, form, question, nth)),
              ),
            ),
          )
        : null,
      event.promoCodes && offered.length > 0 ? text('code', i18n._('Promo code (optional)'), { maxLength: 40, autoComplete: 'off' }) : null,
      h(
        'label',
        { className: 'choice' },
        h('input', { type: 'checkbox', name: 'consent', value: 'yes', required: true, defaultChecked: form.get('consent') === 'yes' }),
        ' ',
        i18n._('{organiser} may use my details to run this event.', { organiser: event.organiser.name }),
        ' ',
        h('a', { href: '/privacy' }, i18n._('Privacy')),
      ),
      h('p', null, h('button', { type: 'submit', className: 'button' }, i18n._('Register'))),
    ),
    signIn,
  )
}

/** One that is free is no choice. */
function ticketChoice(i18n: Texts, form: URLSearchParams, offered: readonly PublicTicket[]): ReactNode {
  const [only] = offered
  if (only && offered.length === 1 && only.amount === 0) return h('input', { type: 'hidden', name: 'ticket', value: only.id })
  if (!only) return null
  return h(
    'fieldset',
    null,
    h('legend', null, i18n._('Ticket')),
    offered.map((ticket) =>
      h(
        'label',
        { key: ticket.id, className: 'choice' },
        h('input', {
          ...{ type: 'radio', name: 'ticket', value: ticket.id, required: true },
          defaultChecked: form.get('ticket') === ticket.id || offered.length === 1,
        }),
        ` ${ticket.name} · ${priceText(i18n, ticket)}`,
      ),
    ),
  )
}

/** Whoever is registered gets the link to their registration again, also once nobody registers any more. */
const linkAgain = (i18n: Texts, event: PublicEvent, form: URLSearchParams) =>
  h(
    'details',
    { open: form.get('do') === 'resend' },
    h('summary', null, i18n._('Already registered?')),
    h(
      'form',
      { method: 'post', action: `${publicEventPath(event.id)}#register` },
      h('p', null, i18n._('Get the link to your registration by mail: with it you see your ticket, change your answers or cancel.')),
      ...textField(form, 'known', i18n._('Your e-mail address'), { type: 'email', required: true, maxLength: 320, autoComplete: 'email' }),
      h('p', null, h('button', { type: 'submit', name: 'do', value: 'resend', className: 'button' }, i18n._('Send link'))),
    ),
  )

const schemaOf = (event: PublicEvent, address: string, picture: string | undefined) => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name: event.title,
  ...(event.summary && { description: event.summary }),
  startDate: event.startsAt,
  endDate: event.endsAt,
  url: address,
  ...(picture && { image: picture }),
  eventStatus: `https://schema.org/${event.status === 'cancelled' ? 'EventCancelled' : 'EventScheduled'}`,
  eventAttendanceMode: `https://schema.org/${{ online: 'Online', in_person: 'Offline', hybrid: 'Mixed' }[event.mode]}EventAttendanceMode`,
  location:
    event.mode === 'online'
      ? { '@type': 'VirtualLocation', url: address }
      : { '@type': 'Place', name: event.venueName || event.venueAddress, ...(event.venueAddress && { address: event.venueAddress }) },
  organizer: { '@type': 'Organization', name: event.organiser.name },
})
