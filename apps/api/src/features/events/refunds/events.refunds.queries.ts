import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Makes open invoices void of so many registrations that came to nothing; how many were looked at. */
export async function releaseRegistrations(db: Kysely<Schema>, orgId: string, most: number): Promise<number> {
  const { rows } = await sql<{ done: number }>`select app.release_registrations(${orgId}, ${most}) as done`.execute(db)
  return rows[0]?.done ?? 0
}

type Begun = { seen: number; refunds: string[] }
/** Notes the refunds of so many seats that were paid and are gone; the payment provider is still to be asked for them. */
export async function beginRefunds(db: Kysely<Schema>, orgId: string, most: number): Promise<Begun> {
  const { rows } = await sql<{ begun: Begun }>`select app.begin_refunds(${orgId}, ${most}) as begun`.execute(db)
  return rows[0]?.begun ?? { seen: 0, refunds: [] }
}

/** Answers the invoices whose state may have changed. */
export async function refundRegistration(db: ActorDb, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select app.refund_registration(${id}::uuid) as id`.execute(db)
  return rows.map((row) => row.id)
}
