import { createHash } from 'node:crypto'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Whom a notice goes to, each by a name that says nothing: addresses do not travel in jobs, and a request never sees them. */
export async function administratorKeys(db: Kysely<Schema>, orgId: string): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`select k as key from app.contact_recipient_keys(${orgId}) k`.execute(db)
  return rows.map(({ key }) => key)
}

/** The same with their addresses; for the worker. */
export async function administrators(db: Kysely<Schema>, orgId: string): Promise<{ key: string; address: string }[]> {
  const { rows } = await sql<{ address: string }>`select r as address from app.contact_recipients(${orgId}) r`.execute(db)
  return rows.map(({ address }) => ({ key: createHash('sha256').update(address).digest('hex').slice(0, 16), address }))
}
