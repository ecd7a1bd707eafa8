import type { AccountStatus } from '@guildhall/contract/features/account'
import type { Database, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { hashOf } from '../../platform/links/signed-links.ts'
import type { PersonCaller } from '../../platform/sign-in/identity.ts'
import type { UserInfo, VerifiedToken } from '../../platform/sign-in/token.ts'

type SignUp = { signUp: 'invite' | 'open'; signUpRole: string }

/** Notes a sign-in of a verified token with the roles that count; `unknown` where nobody expects the person, null for a token of an organisation that is not here. */
export async function noteLogin(
  database: Database,
  { token, roles }: Pick<PersonCaller, 'token' | 'roles'>,
  profile: UserInfo | null,
  signUp: SignUp,
) {
  const statement = database.vouch({ use: 'login', ...whose(token), ...profileOf(profile), roles, ...signUp })
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{ status: AccountStatus | 'unknown' }>`select status from app.update_account_login(${statement})`.execute(db)
    return rows[0]?.status ?? null
  })
}

export type AccessRequest = { orgId: string; accountId: string; status: AccountStatus; asked: boolean }

/** Makes an account that waits for an administrator; `asked` is false when there was one before. */
export async function requestAccess(
  db: Kysely<Schema>,
  database: Database,
  token: VerifiedToken,
  profile: UserInfo | null,
  message: string,
): Promise<AccessRequest | undefined> {
  const statement = database.vouch({ use: 'request', ...whose(token), ...profileOf(profile) })
  const { rows } = await sql<AccessRequest>`
    select org_id as "orgId", account_id as "accountId", status, asked from app.request_access(${statement}, ${message})`.execute(db)
  return rows[0]
}

const whose = ({ issuer, subject, idpOrg }: Pick<VerifiedToken, 'issuer' | 'subject' | 'idpOrg'>) => ({ issuer, subject, idpOrg })
const profileOf = (profile: UserInfo | null) => profile ?? { name: null, email: null, emailVerified: null }

/** Gives the invited account of a link to a verified token; what came of it. */
export async function acceptInvitation(
  db: Kysely<Schema>,
  database: Database,
  token: VerifiedToken,
  profile: UserInfo | null,
  secret: string,
): Promise<string> {
  const statement = database.vouch({ use: 'request', ...whose(token), ...profileOf(profile) })
  const { rows } = await sql<{ outcome: string }>`select app.accept_invitation(${statement}, ${hashOf(secret)}) as outcome`.execute(db)
  return rows[0]?.outcome ?? 'invalid'
}

/** A request for access that waits, with whom a notice of it goes to. */
export async function waitingRequest(database: Database, orgId: string, accountId: string) {
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{ name: string; email: string | null; verified: boolean; message: string; organisation: string }>`
      select name, email, email_verified as verified, message, organisation from app.access_request(${orgId}, ${accountId})`.execute(db)
    return rows[0]
  })
}

/** An invitation that still waits for its first sign-in. */
export async function invitationOf(database: Database, orgId: string, accountId: string) {
  return database.withoutActor(async (db) => {
    const { rows } = await sql<{ email: string; name: string; organisation: string; until: string | null }>`
      select email, name, organisation, until from app.invitation(${orgId}, ${accountId})`.execute(db)
    return rows[0]
  })
}
