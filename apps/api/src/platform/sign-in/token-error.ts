/** `invalid`: this token never works. `unavailable`: the provider could not be asked; the token may be fine. */
export class TokenError extends Error {
  readonly kind: 'invalid' | 'unavailable'
  readonly code: string
  constructor(kind: 'invalid' | 'unavailable', code: string) {
    super(`token ${kind}: ${code}`)
    this.kind = kind
    this.code = code
  }
}
