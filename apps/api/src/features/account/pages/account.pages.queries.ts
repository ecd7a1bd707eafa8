import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Names in an invitation that can still be accepted, as far as they are known. */
export async function invitedByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string) {
  const { rows } = await sql<{ invited: string; inviter: string }>`
    select invited, inviter from app.invited_by_link(${idpOrg ?? null}, ${secretHash})`.execute(db)
  return rows[0]
}
