import { problem } from '../procedures/problem.ts'
import type { Services } from '../services.ts'
import type { PersonCaller } from './identity.ts'
import { TokenError } from './token-error.ts'

/** The header that carries the id token of the latest sign-in. */
export const proofHeader = 'sign-in-proof'

/** How long after signing in somebody may do what needs a recent sign-in, in seconds. */
const maxAge = 600
/** How far ahead of the provider's clock a sign-in may be, in seconds. */
const maxAhead = 60

/**
 * Refuses who has not signed in within ten minutes: a renewal goes on for a day without anybody at the keyboard. The time stands in the
 * access token, where the provider puts it there, or in an id token of the same person that the caller sends along.
 */
export async function mustBeRecent(
  { config, provider }: Services,
  { token, account }: PersonCaller,
  proof: string | undefined,
): Promise<void> {
  // Stamped by the provider, so judged by its clock.
  const now = Date.now() / 1000 + provider.clockAhead()
  const signedOutAt = account?.tokensValidAfter ? Date.parse(account.tokensValidAfter) / 1000 : 0
  const isRecent = (at: number) => at >= now - maxAge && at <= now + maxAhead && at > signedOutAt
  if (token.signedInAt !== null && isRecent(token.signedInAt)) return
  if (proof === undefined) throw tooLongAgo()
  const claims = await readProof(proof)
  if (claims === null || claims.sub !== token.subject || claims.iss !== token.issuer) throw tooLongAgo()
  const at = claims['auth_time']
  if (typeof at !== 'number') {
    throw problem('FORBIDDEN', {
      reason: 'sign_in_time_unknown',
      detail: 'The id token carries no auth_time, so nobody can tell when you signed in. The identity provider has to send it.',
    })
  }
  if (!isRecent(at)) throw tooLongAgo()

  /** Null for a token that proves nothing; a provider that cannot be asked is said as such. */
  async function readProof(sent: string) {
    const clients = [config.CLIENT_ID, ...config.API_CLIENT_IDS]
    try {
      const read = await provider.readSigned(sent, { audience: clients, requiredClaims: ['sub', 'iat', 'exp'] })
      // A token for several audiences was made for the one that it names.
      return [read['azp'], read['client_id']].every((client) => client === undefined || clients.some((one) => one === client)) ? read : null
    } catch (error) {
      if (error instanceof TokenError && error.kind === 'invalid') return null
      throw error
    }
  }
}

const tooLongAgo = () =>
  problem('FORBIDDEN', {
    reason: 'recent_sign_in',
    detail: 'This needs a sign-in within the last ten minutes. Sign in again, and send its id token as Sign-In-Proof.',
  })
