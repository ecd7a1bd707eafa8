import type { ProcedureMeta } from '@guildhall/contract/base'
import type { Actor, Database } from '@guildhall/db'
import { sql } from 'kysely'
import { statement } from '../records/statement.ts'
import { problem } from './problem.ts'

/** The header that names the person for whom the caller acts. */
export const actingHeader = 'acting-for'

/**
 * The person for whom the caller acts in a request; undefined for themselves. What is open to everybody has no actor, so that it makes no difference there.
 * Refuses what nobody does for somebody else.
 */
export function actsFor(header: string | undefined, { needs, whileActing }: Partial<ProcedureMeta>): string | undefined {
  if (header === undefined || needs === 'public') return undefined
  // An empty or doubled one too: who believes to act for somebody must not act for themselves.
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(header))
    throw problem('BAD_REQUEST', { reason: 'acting_for', detail: 'Acting-For must hold the id of one person.' })
  if (!whileActing)
    throw problem('FORBIDDEN', { reason: 'not_while_acting', detail: 'This is not open to you while you act for somebody else.' })
  return needs === 'token' ? undefined : header.toLowerCase()
}

/** Whether they may today, which the database decides; it asks again in every transaction. */
export async function mayActFor(database: Database, actor: Actor, personId: string): Promise<boolean> {
  const { orgId, accountId, idpRoles } = actor
  const [row] = await database.read(
    { orgId, accountId, idpRoles },
    statement(sql<{ may: boolean }>`select app.may_act_for(${personId}::uuid) as may`),
  )
  return row?.may ?? false
}

export const actingNotAllowed = () =>
  problem('FORBIDDEN', { reason: 'acting_not_allowed', detail: 'You may not act for this person, or not any more.' })
