import { renderPdf } from '../../platform/pdf/render-pdf.ts'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { actions } from '../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../platform/public-pages/brand.ts'
import { registrationsBulk } from './attendees/events.attendees.bulk.public.ts'
import { findEvent } from './events.queries.ts'
import { eventsBulk } from './list/events.bulk.public.ts'
import { coded } from './events.registrations.data.ts'
import { findRegistration } from './events.registrations.queries.ts'
import { ticketDocument } from './events.tickets.rules.ts'

const { events } = actions
const { bulk } = events.registrations

export const eventsActions = events.router({
  bulk: {
    preview: events.bulk.preview.handler(({ input, context }) => eventsBulk.preview(context, input)),
    run: events.bulk.run.handler(({ input, context }) => eventsBulk.run(context, input)),
  },
  /** In the organisation's language and by the clocks of the place, laid out outside the transaction that reads what it says. */
  printTicket: events.printTicket.handler(async ({ input: { registrationId }, context }) => {
    const { registration, event, brand, i18n } = await context.inTx(async (db) => {
      const found = coded(context, mustFind(await findRegistration(db, registrationId)))
      return { registration: found, event: mustFind(await findEvent(db, found.event.id)), ...(await letterheadOf(db, context.actor.orgId)) }
    })
    if (registration.ticketCode === null)
      throw problem('CONFLICT', { reason: 'ticket_none', detail: 'There is a ticket once the registration is confirmed.' })
    const seats = [{ name: registration.name, code: registration.ticketCode }]
    const document = await renderPdf(ticketDocument({ brand, i18n, event, ticket: registration.ticketType?.name ?? null, seats }))
    return new File([new Uint8Array(document)], 'ticket.pdf', { type: 'application/pdf' })
  }),
  registrations: {
    bulk: {
      preview: bulk.preview.handler(({ input, context }) => registrationsBulk.preview(context, input)),
      run: bulk.run.handler(({ input, context }) => registrationsBulk.run(context, input)),
    },
  },
})
