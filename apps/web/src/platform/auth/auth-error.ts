import { ErrorResponse, ErrorTimeout } from 'oidc-client-ts'

export type AuthErrorCode =
  | 'no_url'
  | 'popup_closed'
  | 'popup_invalid'
  | 'renew_timeout'
  | 'no_silent_redirect_uri'
  | 'no_popup_redirect_uri'
  | 'login_required'
  | 'invalid_grant'
  | 'no_access_token'
  | 'id_token'
  | 'other'

/** Sign-in shows no error text: this is for the log and for deciding what happens next. */
export class AuthError extends Error {
  readonly code: AuthErrorCode
  constructor(code: AuthErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AuthError'
    this.code = code
  }
}

/** A claim, signature or token that must not be accepted; never retried. */
export const refused = (message: string, cause?: unknown) => new AuthError('id_token', message, cause === undefined ? {} : { cause })

const texts: [pattern: RegExp, code: AuthErrorCode, message: string][] = [
  [/property authorization_endpoint|No end session endpoint/i, 'no_url', 'No url provided'],
  [/Popup closed by user/i, 'popup_closed', 'Popup window closed'],
  [/Invalid response from window/i, 'popup_invalid', 'Invalid response from popup'],
  [/No silent_redirect_uri/i, 'no_silent_redirect_uri', 'No silent_redirect_uri configured'],
  [/No popup_redirect_uri/i, 'no_popup_redirect_uri', 'No popup_redirect_uri or redirect_uri configured'],
  [/(sub|auth_time|azp) in id_token does not match|azp not in id_token|nonce in id_token|missing a subject/i, 'id_token', ''],
]

/** Gives what the library throws the names and texts of the specification's catalogue. */
export function toAuthError(cause: unknown): AuthError {
  if (cause instanceof AuthError) return cause
  if (cause instanceof ErrorTimeout) return new AuthError('renew_timeout', 'Frame window timed out', { cause })
  if (cause instanceof ErrorResponse) {
    const code = cause.error === 'invalid_grant' ? 'invalid_grant' : cause.error === 'login_required' ? 'login_required' : 'other'
    return new AuthError(code, code === 'login_required' ? 'login_required' : cause.message, { cause })
  }
  const text = cause instanceof Error ? cause.message : String(cause)
  for (const [pattern, code, message] of texts) if (pattern.test(text)) return new AuthError(code, message || text, { cause })
  return new AuthError('other', text, { cause })
}

/** The session is over and asking again cannot help. */
export const endsSession = (error: AuthError) =>
  error.code === 'invalid_grant' || error.code === 'login_required' || error.code === 'id_token'
