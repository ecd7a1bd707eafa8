import { withinLimit } from '../../../platform/limits/patience.ts'
import type { MailAttachment } from '../../../platform/mail/mail-content.ts'
import type { Writing } from '../../../platform/mail/templates.ts'
import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import { brandOf } from '../../../platform/public-pages/brand.ts'
import { ticketsOf } from '../guests/events.guests.queries.ts'
import { partyDocument } from '../events.tickets.rules.ts'

/** Well within the time that a worker has for a mail. */
const patienceMs = 45_000

type Asking = Pick<Writing<unknown>, 'i18n' | 'organisation' | 'database' | 'config' | 'log'>

/**
 * The tickets of a registration, made while its mail leaves: in the reader's language, with a page for each guest without an address. A mail without
 * its ticket is better than none, and the ticket is on the page that the mail links to. Nobody scans codes at an event online.
 */
export async function ticketAttachments({ i18n, organisation, database, config, log }: Asking, registration: string) {
  try {
    const [tickets, brand] = await database.withoutActor(async (db) => [
      await ticketsOf(db, organisation.id, registration),
      await brandOf(db, undefined, organisation.id),
    ])
    if (!tickets || !brand || tickets.mode === 'online') return []
    const issuer = { secret: config.ACTOR_KEY, orgId: organisation.id }
    const content = await withinLimit(renderPdf(partyDocument(issuer, { brand, i18n }, tickets)), patienceMs)
    return [{ name: 'ticket.pdf', contentType: 'application/pdf', content }] satisfies MailAttachment[]
  } catch (error) {
    log.warn({ err: error, registration }, 'a ticket could not be attached to its mail')
    return []
  }
}
