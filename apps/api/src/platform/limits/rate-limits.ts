import type { Database } from '@guildhall/db'
import { sql } from 'kysely'
import { problem } from '../procedures/problem.ts'
import type { VerifiedToken } from '../sign-in/token.ts'

type Use = { orgId: string; operation: string; who: string; perHour: number }

/** Counts a use in the database, where every process counts; answers the seconds to wait when it is one too many. */
export async function countUse(database: Database, { orgId, operation, who, perHour }: Use): Promise<number> {
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{ wait: number }>`select app.count_use(${orgId}, ${operation}, ${who}, ${perHour}) as wait`.execute(db)
    return rows[0]?.wait ?? 0
  })
}

/** The same for whoever holds a verified token, who may have no account yet. */
export async function countTokenUse(database: Database, token: VerifiedToken, operation: string, perHour: number): Promise<number> {
  const { issuer, subject, idpOrg } = token
  const statement = database.vouch({ use: 'find', issuer, subject, idpOrg })
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{ wait: number }>`select app.count_token_use(${statement}, ${operation}, ${perHour}) as wait`.execute(db)
    return rows[0]?.wait ?? 0
  })
}

export const tooMany = (wait: number) =>
  problem('TOO_MANY_REQUESTS', {
    reason: 'rate_limit',
    params: { againInSeconds: wait },
    detail: `That was asked for very often within an hour; try again in ${Math.max(1, Math.ceil(wait / 60))} minutes.`,
  })
