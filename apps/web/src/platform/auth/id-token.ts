import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import { AuthError, refused } from './auth-error.ts'
import { authConstants } from '../../constants.ts'

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA']

export type Expected = { issuer: string; clientId: string; now: number; nonce?: string | undefined }

// Fetched when it is first needed: the signature library is no part of the first page.

/** The keys the provider publishes, fetched at most every ten minutes. */
export const providerKeys = (uri: string) =>
  createRemoteJWKSet(new URL(uri), { timeoutDuration: authConstants.requestTimeoutSeconds * 1000 })

/** Signature first, then the claims by hand: jose counts the last second of `exp` and an absent `iat` differently. */
export async function verifyIdToken(token: string, keys: JWTVerifyGetKey, expected: Expected): Promise<JWTPayload> {
  const claims = await verifySignature(token, keys)
  checkClaims(claims, expected)
  return claims
}

async function verifySignature(token: string, keys: JWTVerifyGetKey): Promise<JWTPayload> {
  try {
    if (!algorithms.includes(decodeProtectedHeader(token).alg ?? '')) throw refused('id token is signed with a refused algorithm')
    // The clock is moved to where no time claim can fail, because those are checked below with our own skew.
    const { payload } = await jwtVerify(token, keys, { algorithms, clockTolerance: Number.MAX_SAFE_INTEGER })
    return payload
  } catch (cause) {
    // Keys that could not be fetched say nothing about the token.
    if (cause instanceof AuthError || cause instanceof errors.JWKSTimeout) throw cause
    if (!(cause instanceof errors.JOSEError || cause instanceof TypeError) || isFetchFailure(cause)) throw cause
    throw refused('id token signature is not valid', cause)
  }
}

const isFetchFailure = (cause: Error) => cause instanceof TypeError && /fetch/i.test(cause.message)

export function checkClaims(claims: JWTPayload, { issuer, clientId, now, nonce }: Expected) {
  const skew = authConstants.clockSkewSeconds
  const { iss, sub, aud, azp, iat, nbf, exp } = claims
  if (iss !== issuer) throw refused('issuer in id token is not the configured one')
  if (!sub) throw refused('id token has no subject')
  const audiences = Array.isArray(aud) ? aud : [aud]
  if (!audiences.includes(clientId)) throw refused('audience in id token does not contain this client')
  if (audiences.length > 1 && azp === undefined) throw refused('id token has several audiences and no azp')
  if (azp !== undefined && azp !== clientId) throw refused('azp in id token is not this client')
  if (typeof iat !== 'number') throw refused('iat was not provided')
  if (typeof exp !== 'number') throw refused('exp was not provided')
  if (iat > now + skew) throw refused('iat is in the future')
  if (nbf !== undefined && (typeof nbf !== 'number' || nbf > now + skew)) throw refused('nbf is in the future')
  if (exp < now - skew) throw refused('exp is in the past')
  if (nonce !== undefined && claims['nonce'] !== nonce) throw refused('nonce in id token is not the one sent')
}
