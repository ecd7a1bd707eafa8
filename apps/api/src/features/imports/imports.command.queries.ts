import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Accounts of an e-mail address, for the operator's command that acts as one of them. */
export async function accountsByEmail(db: Kysely<Schema>, email: string): Promise<{ orgId: string; accountId: string }[]> {
  const { rows } = await sql<{ orgId: string; accountId: string }>`
    select org_id as "orgId", account_id as "accountId" from app.accounts_by_email(${email})`.execute(db)
  return rows
}
