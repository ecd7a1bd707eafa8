import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Event } from '@guildhall/contract/features/events'
import type { TicketDocument } from '../../platform/pdf/documents.ts'
import type { Brand } from '../../platform/public-pages/brand.ts'
import { colorsOf } from '../../platform/public-pages/colors.ts'
import type { Texts } from '../../platform/texts/texts.ts'

/** What a QR code says: which registration, at which version of its ticket, and that we said so. */
type Ticket = { registrationId: string; version: number }
type Issuer = { secret: string; orgId: string }

const signatureBytes = 12
const sign = ({ secret, orgId }: Issuer, payload: Buffer) =>
  createHmac('sha256', secret).update('ticket|').update(orgId).update('|').update(payload).digest().subarray(0, signatureBytes)

export function ticketCode(issuer: Issuer, { registrationId, version }: Ticket): string {
  const payload = Buffer.alloc(18)
  payload.write(registrationId.replaceAll('-', ''), 0, 'hex')
  payload.writeUInt16BE(version % 65_536, 16)
  return Buffer.concat([payload, sign(issuer, payload)]).toString('base64url')
}

/** Undefined for what is no ticket of this organisation. */
export function readTicketCode(issuer: Issuer, code: string): Ticket | undefined {
  const bytes = Buffer.from(code.trim(), 'base64url')
  if (bytes.length !== 18 + signatureBytes) return undefined
  const payload = bytes.subarray(0, 18)
  if (!timingSafeEqual(bytes.subarray(18), sign(issuer, payload))) return undefined
  const hex = payload.subarray(0, 16).toString('hex')
  const registrationId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  return { registrationId, version: payload.readUInt16BE(16) }
}

/** What is printed of an event. */
type TicketEvent = Pick<Event, 'title' | 'mode' | 'startsAt' | 'endsAt' | 'timezone'> & { venue: Pick<Event['venue'], 'name' | 'address'> }
type Printed = { brand: Brand; i18n: Texts; event: TicketEvent; ticket: string | null; seats: { name: string; code: string }[] }

/** Tickets on paper, a page each: what for, when by the clocks of the place, where, and whose it is. */
export function ticketDocument({ brand, i18n, event, ticket, seats }: Printed): TicketDocument {
  const place = [event.venue.name, ...event.venue.address.split('\n')].filter(Boolean)
  return {
    kind: 'ticket',
    language: i18n.language,
    organisation: brand.name,
    ...colorsOf(brand.brandColor),
    title: event.title,
    facts: [
      { term: i18n._('When'), value: whenOf(i18n.locale, event) },
      ...(event.mode === 'online' ? [{ term: i18n._('Where'), value: i18n._('Online') }] : []),
      ...(event.mode !== 'online' && place.length > 0 ? [{ term: i18n._('Where'), value: place.join(', ') }] : []),
      ...(ticket === null ? [] : [{ term: i18n._('Ticket'), value: ticket }]),
    ],
    tickets: seats,
    note: i18n._('Show this code at the entrance.'),
  }
}

/** The tickets of somebody and of their guests without an address of their own. */
export type PartyTickets = Omit<TicketEvent, 'venue'> & {
  venueName: string
  venueAddress: string
  ticket: string | null
  seats: (Ticket & { name: string })[]
}
export const partyDocument = (issuer: Issuer, { brand, i18n }: Pick<Printed, 'brand' | 'i18n'>, party: PartyTickets): TicketDocument =>
  ticketDocument({
    brand,
    i18n,
    event: { ...party, venue: { name: party.venueName, address: party.venueAddress } },
    ticket: party.ticket,
    seats: party.seats.map((seat) => ({ name: seat.name, code: ticketCode(issuer, seat) })),
  })

function whenOf(locale: string, { startsAt, endsAt, timezone }: Pick<Event, 'startsAt' | 'endsAt' | 'timezone'>): string {
  const day = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' } as const
  const format = new Intl.DateTimeFormat(locale, { ...day, hour: 'numeric', minute: '2-digit', timeZone: timezone })
  const place = timezone.slice(timezone.lastIndexOf('/') + 1).replaceAll('_', ' ')
  return `${format.formatRange(new Date(startsAt), new Date(endsAt))} (${place})`
}
