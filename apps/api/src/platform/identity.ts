import type { Actor, Database } from '@guildhall/db'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Tokens, VerifiedToken } from './token.ts'

export type Account = {
  orgId: string
  accountId: string
  status: 'invited' | 'active' | 'pending_link' | 'suspended'
  tokensValidAfter: string | null
}
export type Caller = { token: VerifiedToken; account: Account | null; bearer: string }

export type Identities = {
  /** The caller behind an Authorization header; throws a TokenError, or returns null when there is none. */
  identify(authorization: string | undefined): Promise<Caller | null>
  /** The same caller as their account stands now, within seconds of any change. */
  again(caller: Caller): Promise<Caller>
  forget(token: VerifiedToken): void
  /** The same for every organisation the subject is known in. */
  forgetSubject(issuer: string, subject: string): void
}

/** How long an account's state may be remembered: a suspended account is refused everywhere after at most this long. */
const rememberMs = 3_000

export function createIdentities(database: Database, tokens: Tokens): Identities {
  const accounts = new LRUCache<string, { account: Account | null }>({ max: 20_000, ttl: rememberMs })
  /** What was asked before something was forgotten may be what is to be forgotten. */
  let forgotten = 0

  async function findAccount(token: VerifiedToken): Promise<Account | null> {
    const key = accountKey(token)
    const known = accounts.get(key)
    if (known) return known.account
    const asked = forgotten
    const { issuer, subject, idpOrg } = token
    const statement = database.vouch({ use: 'find', issuer, subject, idpOrg })
    const account = await database.withoutActor(async (db) => {
      const { rows } = await sql<Account>`
        select org_id as "orgId", account_id as "accountId", status, tokens_valid_after as "tokensValidAfter"
        from app.find_account(${statement})`.execute(db)
      return rows[0] ?? null
    })
    if (asked === forgotten) accounts.set(key, { account })
    return account
  }

  return {
    async identify(authorization) {
      const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1]
      if (!bearer) return null
      const token = await tokens.verify(bearer)
      return { token, account: await findAccount(token), bearer }
    },
    again: async (caller) => ({ ...caller, account: await findAccount(caller.token) }),
    forget(token) {
      forgotten++
      accounts.delete(accountKey(token))
    },
    forgetSubject(issuer, subject) {
      forgotten++
      for (const key of accounts.keys()) if (key.startsWith(subjectKey(issuer, subject))) accounts.delete(key)
    },
  }
}

export type Refusal = 'no_account' | 'signed_out' | 'suspended' | 'pending'

/** Why the caller may not act; null when they may. */
export function refusalOf({ account, token }: Caller): Refusal | null {
  if (!account) return 'no_account'
  if (account.tokensValidAfter && token.issuedAt * 1000 < Date.parse(account.tokensValidAfter)) return 'signed_out'
  if (account.status === 'active') return null
  return account.status === 'suspended' ? 'suspended' : 'pending'
}

export function actorOf(account: Account, token: VerifiedToken): Actor {
  return { orgId: account.orgId, accountId: account.accountId, idpRoles: token.roles }
}

const subjectKey = (issuer: string, subject: string) => `${JSON.stringify([issuer, subject])} `
const accountKey = ({ issuer, subject, idpOrg }: Pick<VerifiedToken, 'issuer' | 'subject' | 'idpOrg'>) =>
  subjectKey(issuer, subject) + JSON.stringify(idpOrg)
