import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import type { Log } from '../observability/log.ts'
import type { Provider } from './provider.ts'
import { readClaims, readHeader, readRights, readUserInfo, refuseForeignClaims, timeFault } from './token-claims.ts'
import type { UserInfo, VerifiedToken } from './token-claims.ts'
import { TokenError } from './token-error.ts'

export type { UserInfo, VerifiedToken } from './token-claims.ts'

export type Tokens = {
  /** What a valid access token says; throws a TokenError. */
  verify(token: string): Promise<VerifiedToken>
  /** Whether a token may still be used; throws where that cannot be said. */
  isValid(token: string): Promise<boolean>
  /** Name and e-mail of the token's subject, null when the provider does not say within 3 seconds. */
  userInfo(caller: { bearer: string; token: VerifiedToken }): Promise<UserInfo | null>
}

const maxTokenLength = 16_384
/** A key that was withdrawn, or a token that was revoked, is noticed after this at the latest. */
const rememberMs = 60_000

export function createTokens(config: Config, provider: Provider, log: Log): Tokens {
  const seen = new LRUCache<string, Promise<VerifiedToken>>({ max: 5_000, ttl: rememberMs })
  const profiles = new LRUCache<string, Record<string, unknown>>({ max: 2_000, ttl: 5 * 60_000 })

  async function userInfoClaims(bearer: string, subject: string): Promise<Record<string, unknown>> {
    const digest = digestOf(bearer)
    const known = profiles.get(digest)
    if (known) return known
    const claims = await provider.userInfo(bearer)
    if (claims['sub'] !== subject) throw new TokenError('invalid', 'user_info_of_another')
    profiles.set(digest, claims)
    return claims
  }

  async function check(token: string): Promise<VerifiedToken> {
    const verified = config.AUTH_MODE === 'introspection' ? await introspected(token) : await signed(token)
    if (config.ROLES_FROM === 'token') return verified
    const rights = readRights(await userInfoClaims(token, verified.subject), config)
    return { ...verified, grants: rights.grants, idpOrg: verified.idpOrg ?? rights.idpOrg }
  }

  async function signed(token: string): Promise<VerifiedToken> {
    const { foreignClaims } = readHeader(token)
    const claims = await provider.readSigned(token, {
      audience: config.PROJECT_RESOURCE_ID,
      requiredClaims: ['sub', 'exp', 'iat', 'jti'],
    })
    refuseForeignClaims(claims, foreignClaims)
    return readClaims(claims, claims.iss ?? '', config)
  }

  async function introspected(token: string): Promise<VerifiedToken> {
    const claims = await provider.introspect(token)
    if (claims['active'] !== true) throw new TokenError('invalid', 'inactive')
    const issuer = config.ISSUER.replace(/\/$/, '')
    if (claims.iss !== undefined && claims.iss.replace(/\/$/, '') !== issuer) throw new TokenError('invalid', 'other_issuer')
    const audiences = [claims.aud ?? []].flat()
    if (!audiences.includes(config.PROJECT_RESOURCE_ID)) throw new TokenError('invalid', 'other_audience')
    refuseForeignClaims(claims, ['nonce', 'at_hash', 'c_hash'])
    return readClaims(claims, claims.iss ?? issuer, config)
  }

  const tokens: Tokens = {
    async verify(token) {
      if (token.length > maxTokenLength) throw new TokenError('invalid', 'too_long')
      const digest = digestOf(token)
      let checking = seen.get(digest)
      if (!checking) {
        checking = check(token)
        seen.set(digest, checking)
        // What could not be asked is asked again; a verdict stands for as long as it is remembered.
        checking.catch((error: unknown) => {
          if (!(error instanceof TokenError) || error.kind === 'unavailable') seen.delete(digest)
        })
      }
      const verified = await checking
      const fault = timeFault(verified, provider.clockAhead())
      if (fault) throw new TokenError('invalid', fault)
      return verified
    },
    async isValid(token) {
      try {
        await tokens.verify(token)
        return true
      } catch (error) {
        if (error instanceof TokenError && error.kind === 'invalid') return false
        throw error
      }
    },
    async userInfo({ bearer, token }) {
      try {
        return readUserInfo(await userInfoClaims(bearer, token.subject), config)
      } catch (error) {
        log.warn({ code: error instanceof TokenError ? error.code : 'unreadable' }, 'nothing is known of the person who signs in')
        return null
      }
    },
  }
  return tokens
}

const digestOf = (token: string) => hash('sha256', token, 'base64')
