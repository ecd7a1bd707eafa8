import { withoutHidden } from '@guildhall/contract/text-rules'
import { decodeProtectedHeader } from 'jose'
import type { JWTPayload } from 'jose'
import type { Config } from '../config.ts'
import { TokenError } from './token-error.ts'

/** What a verified access token says; nothing in it comes from the browser. */
export type VerifiedToken = {
  issuer: string
  subject: string
  /** The person's organisation at the provider, null when the provider knows none. */
  idpOrg: string | null
  grants: RoleGrant[]
  issuedAt: number
  /** When the person signed in, null where the token does not say. */
  signedInAt: number | null
  notBefore: number
  expiresAt: number
}

/** A role as the provider tells of it: with the organisations there that granted it, null where the claim names none. */
export type RoleGrant = { role: string; organisations: readonly string[] | null }

export type UserInfo = { name: string | null; email: string | null; emailVerified: boolean }

const tolerance = 30
const maxIssuedAhead = 60

/** An id token of the same issuer carries the project in its audience too, so it is told apart by what only id tokens carry. */
const idTokenClaims = ['nonce', 'at_hash', 'c_hash', 'auth_time', 'amr']
/** RFC 9068 allows the others in an access token that names its type. */
const alwaysIdTokenClaims = ['nonce', 'at_hash', 'c_hash']

/** Refuses what its header shows to be no access token, before anything is verified; answers the claims that none may carry. */
export function readHeader(token: string): { foreignClaims: readonly string[] } {
  let type: string | undefined
  try {
    type = decodeProtectedHeader(token)
      .typ?.toLowerCase()
      .replace(/^application\//, '')
  } catch {
    throw new TokenError('invalid', 'not_a_jwt')
  }
  if (type !== undefined && type !== 'jwt' && type !== 'at+jwt') throw new TokenError('invalid', 'wrong_type')
  return { foreignClaims: type === 'at+jwt' ? alwaysIdTokenClaims : idTokenClaims }
}

export function refuseForeignClaims(claims: JWTPayload, foreign: readonly string[]): void {
  if (foreign.some((claim) => Object.hasOwn(claims, claim))) throw new TokenError('invalid', 'not_an_access_token')
}

/** What an access token says whose origin is certain. `clients` are those whose people may come in. */
export function readClaims(claims: JWTPayload, issuer: string, config: Config): VerifiedToken {
  const { sub, exp, iat, nbf } = claims
  for (const name of ['client_id', 'azp']) {
    const client = claims[name]
    if (client !== undefined && client !== null && client !== config.CLIENT_ID && !isAmong(client, config.API_CLIENT_IDS)) {
      throw new TokenError('invalid', 'other_client')
    }
  }
  if (typeof sub !== 'string' || !/^[^\p{Cc}\p{Cs}]{1,255}$/u.test(sub)) throw new TokenError('invalid', 'subject')
  if (!isTime(iat) || !isTime(exp) || (nbf !== undefined && !isTime(nbf))) throw new TokenError('invalid', 'times')
  const signedInAt = isTime(claims['auth_time']) ? claims['auth_time'] : null
  return { issuer, subject: sub, ...readRights(claims, config), issuedAt: iat, signedInAt, notBefore: nbf ?? 0, expiresAt: exp }
}

/** Roles and organisation, from an access token or from user info. */
export function readRights(claims: Record<string, unknown>, config: Config): Pick<VerifiedToken, 'idpOrg' | 'grants'> {
  const org = claimAt(claims, config.ORG_CLAIM)
  return {
    idpOrg: typeof org === 'string' && org !== '' && org.length <= 255 ? org : null,
    grants: readGrants(claimAt(claims, rolesClaim(config))),
  }
}

/** The name of the claim with the roles, the project filled in. */
export const rolesClaim = ({ ROLES_CLAIM, PROJECT_RESOURCE_ID }: Config) => ROLES_CLAIM.replaceAll('{project}', PROJECT_RESOURCE_ID)

/** A claim by its name or, as Keycloak nests them, by a path such as resource_access.guildhall.roles. */
export function claimAt(claims: Record<string, unknown>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let found: unknown = claims
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = Reflect.get(found, part)
  }
  return found
}

/** The claim is an object keyed by role whose values are keyed by granting organisation, a list of such objects, or a list of names. */
export function readGrants(claim: unknown): RoleGrant[] {
  const parts: unknown[] = Array.isArray(claim) ? claim : [claim]
  const granted = new Map<string, string[] | null>()
  for (const part of parts.slice(0, 200)) {
    if (typeof part === 'string' && !granted.has(part)) granted.set(part, null)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) continue
    for (const [role, organisations] of Object.entries<unknown>({ ...part })) {
      if (typeof organisations !== 'object' || organisations === null || Array.isArray(organisations)) continue
      granted.set(role, [...(granted.get(role) ?? []), ...Object.keys(organisations)])
    }
  }
  return [...granted]
    .filter(([role]) => /^[a-z][a-z0-9_-]{0,59}$/.test(role))
    .map(([role, organisations]) => ({ role, organisations }))
    .sort((a, b) => (a.role < b.role ? -1 : 1))
    .slice(0, 50)
}

/** The organisation here that a token belongs to: its id at the provider, if it is bound to one, and whether it is the only one. */
export type Binding = { idpOrg: string | null; alone: boolean }

/**
 * The roles that count in an organisation: those granted by the organisation at the provider that it is bound to, and by ORG_ID where that is
 * set. Where neither is known, nobody can say whether a grant was ours. A role that names no granting organisation counts only where the
 * provider serves a single one.
 */
export function rolesThatCount(grants: readonly RoleGrant[], { idpOrg, alone }: Binding, orgId: string | undefined): string[] {
  const ours = [idpOrg ?? [], orgId ?? []].flat()
  return grants.flatMap(({ role, organisations }) => {
    const counts =
      organisations === null ? alone && orgId === undefined : ours.length > 0 && ours.every((one) => organisations.includes(one))
    return counts ? [role] : []
  })
}

/** Why a token does not hold now, null when it does; `ahead` is how far the provider's clock is ahead of ours. */
export function timeFault({ issuedAt, notBefore, expiresAt }: VerifiedToken, ahead: number, now = Date.now() / 1000): string | null {
  const faults = [now, now + ahead].map((time) => {
    if (expiresAt + tolerance <= time) return 'expired'
    if (issuedAt > time + maxIssuedAhead) return 'issued_in_future'
    return notBefore > time + tolerance ? 'not_yet' : null
  })
  // By our clock or by the provider's own: a machine whose clock is off by minutes must not sign everybody out.
  return faults.includes(null) ? null : (faults[0] ?? null)
}

export function readUserInfo(claims: Record<string, unknown>, config: Config): UserInfo {
  return {
    name: textOf(claimAt(claims, config.NAME_CLAIM), 200),
    email: addressOf(claimAt(claims, config.EMAIL_CLAIM)),
    // Exactly true: text that says so, or nothing at all, proves no address.
    emailVerified: claimAt(claims, config.EMAIL_VERIFIED_CLAIM) === true,
  }
}

/** What the provider says somebody is called was typed by that person: it is held to the rule of our own texts. */
const textOf = (value: unknown, length: number) =>
  typeof value === 'string'
    ? withoutHidden(
        value
          .toWellFormed()
          .replace(/\p{Cc}+/gu, ' ')
          .trim()
          .slice(0, length)
          .toWellFormed(),
      )
        .normalize('NFC')
        .trim() || null
    : null

/** An address is kept as it is or not at all: half of one is somebody else's. */
const addressOf = (value: unknown) =>
  typeof value === 'string' && value.length <= 320 && /^[^\s\p{Cc}\p{Cs}@]+@[^\s\p{Cc}\p{Cs}@]+$/u.test(value) ? value : null

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isAmong = (value: unknown, list: readonly string[]) => typeof value === 'string' && list.includes(value)
