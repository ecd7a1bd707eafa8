import type { MetadataService, UserProfile } from 'oidc-client-ts'
import { refused } from './auth-error.ts'
import { authConstants } from '../../constants.ts'

/** Claims of the protocol itself, of no use to a reader of the profile. */
const protocolOnly = new Set(['nbf', 'jti', 'auth_time', 'nonce', 'acr', 'amr', 'azp', 'at_hash', 'c_hash', 'sid'])

type Claims = Record<string, unknown>

/** A different subject is always refused; any other failure is the caller's to judge. */
export async function fetchUserInfo(metadata: MetadataService, accessToken: string, sub: string | undefined): Promise<Claims> {
  const endpoint = await metadata.getUserInfoEndpoint()
  const answer = await fetch(endpoint, {
    headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
    signal: AbortSignal.timeout(authConstants.requestTimeoutSeconds * 1000),
  })
  if (!answer.ok) throw new Error(`user info endpoint answered ${answer.status}`)
  const claims: unknown = await answer.json()
  if (!isClaims(claims) || claims['sub'] !== sub) throw refused('subject of user info is not the one of the id token')
  return claims
}

const isClaims = (value: unknown): value is Claims => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Five claims come from the id token, the rest from the newest answer. Replaced, never merged: a role taken away at the
 * provider must not survive inside an older answer.
 */
export function profileFrom(idToken: object, info: Claims): UserProfile {
  const asked = withoutProtocol(info).filter(([name]) => !isFixed(name))
  return { ...blankProfile, ...Object.fromEntries(withoutProtocol(idToken)), ...Object.fromEntries(asked) }
}

/** What must stay of a profile when everything else is read anew. */
export const fixedClaims = (profile: UserProfile) => Object.fromEntries(Object.entries(profile).filter(([name]) => isFixed(name)))

export const blankProfile: UserProfile = { iss: '', sub: '', aud: '', exp: 0, iat: 0 }

const isFixed = (name: string) => Object.hasOwn(blankProfile, name)
const withoutProtocol = (claims: object) => Object.entries(claims).filter(([name]) => !protocolOnly.has(name))
