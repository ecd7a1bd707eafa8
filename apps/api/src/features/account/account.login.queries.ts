import type { Database } from '@guildhall/db'
import { sql } from 'kysely'
import type { UserInfo, VerifiedToken } from '../../platform/token.ts'

/** Notes a sign-in of a verified token; nothing for a token of an organisation that is not here. */
export async function noteLogin(database: Database, token: VerifiedToken, profile: UserInfo | null, signUp: 'invite' | 'open') {
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{ status: string }>`
      select status from app.update_account_login(${token.issuer}, ${token.subject}, ${token.idpOrg}, ${token.roles}::text[],
        ${profile?.name ?? null}, ${profile?.email ?? null}, ${profile ? profile.emailVerified : null}, ${signUp})`.execute(db)
    return rows[0]?.status ?? null
  })
}

/** An invitation that still waits for its first sign-in. */
export async function invitationOf(database: Database, orgId: string, accountId: string) {
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{ email: string; name: string; organisation: string }>`
      select email, name, organisation from app.invitation(${orgId}, ${accountId})`.execute(db)
    return rows[0]
  })
}
