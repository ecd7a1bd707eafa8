import { CheckInResult } from '@guildhall/contract/features/events'
import type { RosterEntry, Scan, ScanAnswer } from '@guildhall/contract/features/events'
import type { ActorDb } from '@guildhall/db'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import {
  checkIn as letIn,
  eventOfCheckIn,
  findScanned,
  findStanding,
  rosterQuery,
  standingQuery,
  undoCheckIn,
} from '../events.registrations.queries.ts'
import { readTicketCode, ticketCode } from '../events.tickets.rules.ts'

const { events } = data

type Issuing = { actor: { orgId: string }; services: { config: { ACTOR_KEY: string } } }
const issuerOf = ({ actor, services }: Issuing) => ({ secret: services.config.ACTOR_KEY, orgId: actor.orgId })

export const checkIn = events.checkIn.router({
  roster: events.checkIn.roster.handler(async ({ input, context }) => {
    const { counts, mayCheckIn, asOf } = await readOne(context, standingQuery(input.eventId))
    if (!mayCheckIn) throw problem('FORBIDDEN')
    const issuer = issuerOf(context)
    const rows = await context.read(rosterQuery(input.eventId, { after: input.after, since: input.since, limit: input.limit }))
    const items: RosterEntry[] = rows.map(({ item: { ticketVersion, ...item } }) => ({
      ...item,
      code: ticketCode(issuer, { registrationId: item.id, version: ticketVersion }),
    }))
    return { items, counts, asOf }
  }),

  scan: events.checkIn.scan.handler(({ input: { eventId, ...scan }, context }) =>
    context.inTx(async (db) => {
      await mustCheckIn(db, eventId)
      return scanned(db, issuerOf(context), eventId, scan)
    }),
  ),

  sync: events.checkIn.sync.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustCheckIn(db, input.eventId)
      const items: ScanAnswer[] = []
      for (const scan of input.scans) items.push(await scanned(db, issuerOf(context), input.eventId, scan))
      return { items, counts: mustFind(await findStanding(db, input.eventId)).counts }
    }),
  ),

  undo: events.checkIn.undo.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const eventId = mustFind(await eventOfCheckIn(db, input.checkInId))
      await mustCheckIn(db, eventId)
      await undoCheckIn(db, input.checkInId)
      return { counts: mustFind(await findStanding(db, eventId)).counts }
    }),
  ),
})

async function mustCheckIn(db: ActorDb, eventId: string): Promise<void> {
  if (!mustFind(await findStanding(db, eventId)).mayCheckIn) throw problem('FORBIDDEN')
}

type Issuer = Parameters<typeof readTicketCode>[0]
async function scanned(db: ActorDb, issuer: Issuer, eventId: string, { code, ...scan }: Scan): Promise<ScanAnswer> {
  const nothing = { clientId: scan.clientId, checkInId: null, registration: null, first: null }
  const ticket = readTicketCode(issuer, code)
  if (!ticket) return { ...nothing, result: 'invalid' }
  const done = await letIn(db, eventId, ticket.registrationId, { ...scan, ticketVersion: ticket.version })
  const result = CheckInResult.parse(done.result)
  if (done.registrationId === undefined) return { ...nothing, result }
  return { ...nothing, result, checkInId: done.checkInId ?? null, ...(await findScanned(db, done.registrationId, done.checkInId)) }
}
