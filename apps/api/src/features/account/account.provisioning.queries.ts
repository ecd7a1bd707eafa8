import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { isCurrent } from '../../platform/lists/json-refs.ts'
import { insertInvitation } from './account.accounts.queries.ts'
import { endGrant, insertGrant } from './account.grants.queries.ts'

// What an identity provider does to accounts by itself, as the account that owns its connection: the same policies and guards decide.

/** An account that is opened by its verified address, or by whom the provider says; nobody is mailed, and it does not expire. */
export async function insertProvisioned(db: ActorDb, orgId: string, account: { email: string; name: string }): Promise<string> {
  const accountId = await insertInvitation(db, orgId, { ...account, personId: null })
  await db.updateTable('app.accounts').set({ invited_until: null }).where('id', '=', accountId).execute()
  return accountId
}

export async function renameAccount(db: ActorDb, accountId: string, name: string): Promise<void> {
  await db.updateTable('app.accounts').set({ name }).where('id', '=', accountId).where('name', '<>', name).execute()
}

/** Suspended, or as before its suspension; whether that changed anything. Nothing else that hangs on the account changes. */
export async function setSuspended(db: ActorDb, accountId: string, isSuspended: boolean): Promise<boolean> {
  const change = db.updateTable('app.accounts').where('id', '=', accountId)
  const { numUpdatedRows } = await (
    isSuspended
      ? change.set({ status: 'suspended' }).where('status', '<>', 'suspended')
      : change.set({ status: sql<'active'>`case when subject is null then 'invited' else 'active' end` }).where('status', '=', 'suspended')
  ).executeTakeFirst()
  return numUpdatedRows > 0n
}

type Giver = { orgId: string; accountId: string }

/** A role in the whole organisation from today on, for those of the accounts that do not hold it yet. */
export async function giveRole(db: ActorDb, giver: Giver, roleId: string, accountIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`select a.id from app.accounts a where a.id = any (${[...accountIds]}::uuid[])
    and not exists (select from app.grants g where ${isHeld(roleId)} and g.account_id = a.id)`.execute(db)
  for (const { id } of rows) await insertGrant(db, giver, { accountId: id, roleId, scopeKind: 'org' })
}

export async function removeRole(db: ActorDb, roleId: string, accountIds: readonly string[]): Promise<void> {
  const { rows } = await sql<{
    id: string
  }>`select g.id from app.grants g where ${isHeld(roleId)} and g.account_id = any (${[...accountIds]}::uuid[])`.execute(db)
  for (const { id } of rows) await endGrant(db, id)
}

const isHeld = (roleId: string) => sql`g.role_id = ${roleId} and g.scope_kind = 'org' and ${isCurrent('g')}`
