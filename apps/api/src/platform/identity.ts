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
  forget(token: VerifiedToken): void
}

/** How long an account's state may be remembered: a suspended account is refused everywhere after at most this long. */
const rememberMs = 3_000

export function createIdentities(database: Database, tokens: Tokens): Identities {
  const accounts = new LRUCache<string, { account: Account | null }>({ max: 20_000, ttl: rememberMs })

  async function findAccount(token: VerifiedToken): Promise<Account | null> {
    const key = accountKey(token)
    const known = accounts.get(key)
    if (known) return known.account
    const account = await database.withoutActor(async (db) => {
      const { rows } = await sql<Account>`
        select org_id as "orgId", account_id as "accountId", status, tokens_valid_after as "tokensValidAfter"
        from app.find_account(${token.issuer}, ${token.subject}, ${token.idpOrg})`.execute(db)
      return rows[0] ?? null
    })
    accounts.set(key, { account })
    return account
  }

  return {
    async identify(authorization) {
      const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1]
      if (!bearer) return null
      const token = await tokens.verify(bearer)
      return { token, account: await findAccount(token), bearer }
    },
    forget: (token) => void accounts.delete(accountKey(token)),
  }
}

export function actorOf(account: Account, token: VerifiedToken): Actor {
  return { orgId: account.orgId, accountId: account.accountId, idpRoles: token.roles }
}

const accountKey = (token: VerifiedToken) => JSON.stringify([token.issuer, token.subject, token.idpOrg])
