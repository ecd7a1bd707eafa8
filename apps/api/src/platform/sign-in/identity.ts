import type { Actor, Database } from '@guildhall/db'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { problem } from '../procedures/problem.ts'
import { createApiKeys, looksLikeKey } from './api-keys.ts'
import type { ApiKey } from './api-keys.ts'
import { rolesThatCount } from './token-claims.ts'
import type { Binding } from './token-claims.ts'
import type { Tokens, VerifiedToken } from './token.ts'

export type Account = {
  orgId: string
  accountId: string
  status: 'invited' | 'active' | 'pending_link' | 'suspended'
  tokensValidAfter: string | null
}
/** Somebody who has signed in. `roles` are those of the token that count in the account's organisation. */
export type PersonCaller = { token: VerifiedToken; account: Account | null; roles: readonly string[]; bearer: string; key: null }
/** A program with an API key, which acts as an account of its own. */
export type KeyCaller = { token: null; account: Account; roles: readonly string[]; bearer: null; key: ApiKey }
export type Caller = PersonCaller | KeyCaller

type Found = { account: Account | null; roles: string[] }

export type Identities = {
  /** The caller behind an Authorization header; throws a TokenError or a problem, or returns null when there is none. */
  identify(authorization: string | undefined): Promise<Caller | null>
  /** The same caller as their account stands now, within seconds of any change. */
  again(caller: PersonCaller): Promise<PersonCaller>
  again(caller: Caller): Promise<Caller>
  forget(token: VerifiedToken): void
  /** The same for every organisation the subject is known in. */
  forgetSubject(issuer: string, subject: string): void
}

/** How long an account's state may be remembered: a suspended account is refused everywhere after at most this long. */
const rememberMs = 3_000

export function createIdentities(database: Database, tokens: Tokens, { ORG_ID }: Pick<Config, 'ORG_ID'>): Identities {
  const keys = createApiKeys(database, { ORG_ID })
  const accounts = new LRUCache<string, { account: Account | null; binding: Binding | null }>({ max: 20_000, ttl: rememberMs })
  /** What was asked before something was forgotten may be what is to be forgotten. */
  let forgotten = 0

  async function find(token: VerifiedToken): Promise<Found> {
    const { account, binding } = await known(token)
    return { account, roles: binding ? rolesThatCount(token.grants, binding, ORG_ID) : [] }
  }

  async function known(token: VerifiedToken) {
    const key = accountKey(token)
    const remembered = accounts.get(key)
    if (remembered) return remembered
    const asked = forgotten
    const { issuer, subject, idpOrg } = token
    const statement = database.vouch({ use: 'find', issuer, subject, idpOrg })
    const found = await database.withoutActor(async (db) => {
      const { rows } = await sql<{ account: Account | null; binding: Binding }>`
        select json_build_object('idpOrg', b.idp_org_id, 'alone', b.alone) as binding,
          case when a.account_id is not null then json_build_object('orgId', a.org_id, 'accountId', a.account_id, 'status', a.status,
            'tokensValidAfter', a.tokens_valid_after) end as account
        from app.token_binding(${idpOrg}) b left join app.find_account(${statement}) a on true`.execute(db)
      return rows[0] ?? { account: null, binding: null }
    })
    // A refusal is not: the sign-in that ends it may be noted by another server, and the next question comes at once.
    if (asked === forgotten && found.account?.status === 'active') accounts.set(key, found)
    return found
  }

  async function again(caller: PersonCaller): Promise<PersonCaller>
  async function again(caller: Caller): Promise<Caller>
  async function again(caller: Caller): Promise<Caller> {
    return caller.key ? callerOf(await keys.again(caller.key)) : { ...caller, ...(await find(caller.token)) }
  }

  return {
    async identify(authorization) {
      const bearer = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization ?? '')?.[1]
      if (!bearer) return null
      if (looksLikeKey(bearer)) return callerOf(await keys.find(bearer))
      const token = await tokens.verify(bearer)
      return { token, ...(await find(token)), bearer, key: null }
    },
    again,
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

const secondOf = (instant: string) => Math.floor(Date.parse(instant) / 1000)
const maxHoldBackMs = 2_500
/** How well the provider's clock is known. */
const clockGrainMs = 200

function callerOf(key: ApiKey): KeyCaller {
  const { orgId, accountId } = key
  return { token: null, account: { orgId, accountId, status: 'active', tokensValidAfter: null }, roles: [], bearer: null, key }
}

export type PersonRefusal = 'no_account' | 'signed_out' | 'suspended' | 'pending'
export type Refusal = PersonRefusal | 'key_revoked' | 'key_expired'

/** Why the caller may not act; null when they may. */
export function refusalOf(caller: PersonCaller): PersonRefusal | null
export function refusalOf(caller: Caller): Refusal | null
export function refusalOf({ account, token, key }: Caller): Refusal | null {
  if (key) return key.revoked ? 'key_revoked' : Date.parse(key.expiresAt) <= Date.now() ? 'key_expired' : null
  if (!account) return 'no_account'
  // Times of issue have whole seconds: what was issued in that of the sign-out may have been issued before it.
  if (account.tokensValidAfter && Math.floor(token.issuedAt) <= secondOf(account.tokensValidAfter)) return 'signed_out'
  if (account.status === 'active') return null
  return account.status === 'suspended' ? 'suspended' : 'pending'
}

/**
 * How long a refusal to somebody signed out is held back: a sign-in in the very second of the sign-out is refused too, and by the end of
 * that second the renewal that follows is issued in a later one.
 */
export function holdBack({ account, token }: PersonCaller, providerAhead: number, now = Date.now()): number {
  const second = account?.tokensValidAfter ? secondOf(account.tokensValidAfter) : null
  if (second === null || Math.floor(token.issuedAt) !== second) return 0
  return Math.min(maxHoldBackMs, Math.max(0, (second + 1 - providerAhead) * 1000 + clockGrainMs - now))
}

/** The caller where somebody has to have signed in. */
export function signedIn(caller: Caller | null): PersonCaller {
  if (!caller) throw problem('UNAUTHORIZED')
  if (caller.key) throw notWithKey()
  return caller
}

export const notWithKey = () =>
  problem('FORBIDDEN', { reason: 'not_with_key', detail: 'This is for people who have signed in; no API key opens it.' })

export function actorOf(account: Account, { roles }: Pick<Caller, 'roles'>): Actor {
  return { orgId: account.orgId, accountId: account.accountId, idpRoles: roles }
}

const subjectKey = (issuer: string, subject: string) => `${JSON.stringify([issuer, subject])} `
const accountKey = ({ issuer, subject, idpOrg }: Pick<VerifiedToken, 'issuer' | 'subject' | 'idpOrg'>) =>
  subjectKey(issuer, subject) + JSON.stringify(idpOrg)
