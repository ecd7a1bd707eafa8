import { randomInt } from 'node:crypto'
import type { Database } from '@guildhall/db'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { hashOf } from '../links/signed-links.ts'
import { problem } from '../procedures/problem.ts'

/** A key that was sent with a request, whether or not it may still be used. */
export type ApiKey = {
  id: string
  orgId: string
  accountId: string
  perMinute: number
  expiresAt: string
  revoked: boolean
  /** By which it is found again: no process keeps a key. */
  hash: string
}

/** How long what is known of a key may be remembered: a revoked one is refused everywhere after at most this long. */
const rememberMs = 3_000
/** Letters and digits only, so that a double click selects all of it, and programs that look for secrets know it. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const shownLength = 8
/** 32 of 62 signs: 190 bits. */
const secretLength = 32

const isKey = /^ghk_[0-9A-Za-z]{40}$/

/** A new key, its beginning, and the hash by which it is found. */
export function newApiKey(): { secret: string; prefix: string; secretHash: string } {
  const signs = Array.from({ length: shownLength + secretLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  const secret = `ghk_${signs}`
  return { secret, prefix: secret.slice(0, 'ghk_'.length + shownLength), secretHash: hashOf(secret) }
}

/** Whether a bearer means to be a key; access tokens begin otherwise. */
export const looksLikeKey = (bearer: string) => bearer.startsWith('ghk_')

export type ApiKeys = {
  /** The key behind a bearer; refuses what is none. */
  find(bearer: string): Promise<ApiKey>
  /** The same key as it stands now, within seconds of any change; one that is gone counts as revoked. */
  again(key: ApiKey): Promise<ApiKey>
}

export function createApiKeys(database: Database, { ORG_ID }: Pick<Config, 'ORG_ID'>): ApiKeys {
  const known = new LRUCache<string, { key: ApiKey | null }>({ max: 5_000, ttl: rememberMs })

  async function byHash(secretHash: string): Promise<ApiKey | null> {
    const remembered = known.get(secretHash)
    if (remembered) return remembered.key
    const statement = database.vouch({ use: 'key', hash: secretHash, idpOrg: ORG_ID ?? null })
    const key = await database.withoutActor(async (db) => {
      const { rows } = await sql<{ key: ApiKey }>`
        select json_build_object('id', k.id, 'orgId', k.org_id, 'accountId', k.account_id, 'perMinute', k.per_minute, 'expiresAt', k.expires_at,
          'revoked', k.revoked, 'hash', ${secretHash}::text) as key
        from app.find_api_key(${statement}) k`.execute(db)
      return rows[0]?.key ?? null
    })
    known.set(secretHash, { key })
    return key
  }

  return {
    async find(bearer) {
      const key = isKey.test(bearer) ? await byHash(hashOf(bearer)) : null
      if (!key) throw problem('UNAUTHORIZED', { reason: 'key_unknown', detail: 'There is no such API key.' })
      return key
    },
    again: async (key) => (await byHash(key.hash)) ?? { ...key, revoked: true },
  }
}
