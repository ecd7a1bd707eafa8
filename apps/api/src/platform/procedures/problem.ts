import { errorCatalogue } from '@guildhall/contract/errors'
import type { Problem } from '@guildhall/contract/errors'
import { fieldFault, isFilled, isReason } from '@guildhall/contract/reasons'
import type { AnyReason, Failure, FieldFault, PlainReason, Reason, ReasonParams, Said } from '@guildhall/contract/reasons'
import { ConnectionLost } from '@guildhall/db'
import { ORPCError, ValidationError } from '@orpc/server'
import { TokenError } from '../sign-in/token-error.ts'

type Code = keyof typeof errorCatalogue

/** Which rule refused, with the names and figures that its text needs; `detail` says it in English. */
export type Refusal = Said & { detail: string }
type Filled<R extends AnyReason> = R extends PlainReason ? { params?: undefined } : { params: ReasonParams<R> }
/** The same of fields of the request. */
export type FieldRefusal = { reason?: AnyReason; detail: string; params?: Problem['params']; errors: FieldFault[] }
type Data = (Refusal | FieldRefusal | { reason?: undefined }) & { current?: unknown }

/** An error of the catalogue, for places that have no procedure's `errors` at hand. */
export const problem = (code: Code, data: Data = {}) =>
  new ORPCError(code, { status: errorCatalogue[code].status, message: errorCatalogue[code].message, data, defined: true })

type More<R extends AnyReason> = Filled<R> & { detail?: string; current?: unknown }

/** What is wrong with one field: its code is the rule that refused, and its message says it all, unless `more` says otherwise. */
export function fault<R extends AnyReason>(
  path: string,
  code: R,
  message: string,
  ...[more]: R extends PlainReason ? [more?: More<R>] : [more: More<R>]
): FieldRefusal & { current?: unknown } {
  const { params, ...others }: { params?: Problem['params']; detail?: string; current?: unknown } = more ?? {}
  return {
    reason: code,
    detail: message,
    errors: [{ path, code, message, ...(params && { params }) }],
    ...(params && { params }),
    ...others,
  }
}

/** The row that was looked for; where there is none to see, the answer is NOT_FOUND. */
export function mustFind<Row>(row: Row): NonNullable<Row> {
  if (row === undefined || row === null) throw problem('NOT_FOUND')
  return row
}

/** Turns whatever was thrown into an error of the catalogue; null when it is a fault of ours. */
export function toProblem(error: unknown): ORPCError<string, unknown> | null {
  if (isOrpcError(error))
    return error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError ? fromValidation(error.cause) : known(error)
  if (error instanceof TokenError) {
    return error.kind === 'invalid'
      ? problem('UNAUTHORIZED', { reason: 'invalid_token', detail: 'Your session is over; sign in again.' })
      : problem('SERVICE_UNAVAILABLE', {
          reason: 'sign_in_service',
          detail: 'The sign-in service cannot be reached; try again in a moment.',
        })
  }
  return fromDatabase(error)
}

const isOrpcError = (error: unknown): error is ORPCError<string, unknown> => error instanceof ORPCError

const known = (error: ORPCError<string, unknown>) => (Object.hasOwn(errorCatalogue, error.code) ? error : null)

/** Malformed requests are 400; values of the right kind that break a rule are 422. */
function fromValidation(error: ValidationError) {
  const errors = error.issues.slice(0, 50).map(fieldFault)
  const malformed = errors.some(({ code }) => ['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key'].includes(code))
  const first = errors[0]
  const detail = first ? `${first.path ? `${first.path}: ` : ''}${first.message}` : 'Check what you sent.'
  return problem(malformed ? 'BAD_REQUEST' : 'UNPROCESSABLE_CONTENT', { errors, detail })
}

type PgError = { code: string; constraint?: string; message: string; column?: string; detail?: string }
const isPgError = (error: unknown): error is PgError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)

/** The database refused what our code believed was allowed. */
export const isRefusedByDatabase = (error: unknown): boolean => isPgError(error) && error.code === '42501'

const isDiskFull = (error: unknown) => error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')

// Texts that our own triggers raise say which rule they keep; the server's own are not shown.
function ruleOf({ constraint, message, detail }: PgError): FieldRefusal | undefined {
  if (!isReason(constraint) || /violates|permission denied|relation "/.test(message)) return undefined
  const params = paramsOf(constraint, detail)
  return { reason: constraint, detail: sentence(message), errors: [], ...(params && { params }) }
}

/** The names and figures come as JSON in the place of the error's detail. */
function paramsOf<R extends Reason>(reason: R, detail = ''): ReasonParams<R> | undefined {
  if (!detail.startsWith('{')) return undefined
  const params: unknown = JSON.parse(detail)
  return typeof params === 'object' && params !== null && isFilled(reason, params) ? params : undefined
}

function fromDatabase(error: unknown): ORPCError<string, unknown> | null {
  if (isDiskFull(error))
    return problem('SERVICE_UNAVAILABLE', {
      reason: 'storage',
      detail: 'There is no room for files left here. Tell those who run this installation.',
    })
  if (error instanceof ConnectionLost || !isPgError(error)) {
    const lost =
      error instanceof ConnectionLost || (error instanceof Error && error.message.includes('timeout exceeded when trying to connect'))
    return lost
      ? problem('SERVICE_UNAVAILABLE', { reason: 'database', detail: 'The database cannot be reached; try again in a moment.' })
      : null
  }
  const more = ruleOf(error)
  switch (error.code) {
    case '42501':
      return problem('FORBIDDEN', more)
    // What we signed was refused: our key or our clock is wrong, not the caller's sign-in.
    case '28000':
      return problem('SERVICE_UNAVAILABLE', { reason: 'clock', detail: 'The database does not accept us; try again in a moment.' })
    case '23P01':
      return problem(more?.reason === 'person_erased' ? 'GONE' : 'CONFLICT', more)
    case '23505':
    case '23503':
      return problem('CONFLICT', more)
    case '23514':
    case '23502':
    case '22001':
    case '22003':
    case '22007':
    case '22008':
    case '22021':
    case '22P02':
    // A character that JSON can name and a text of the database cannot hold, such as \u0000.
    case '22P05':
      return problem('UNPROCESSABLE_CONTENT', more)
    case '57014':
      return problem('SERVICE_UNAVAILABLE', { reason: 'too_slow', detail: 'This took too long; narrow it down and try again.' })
    case '40001':
    case '40P01':
    case '53100':
    case '53200':
    case '53300':
    case '55P03':
    case '57P01':
    case '57P02':
    case '57P03':
      return problem('SERVICE_UNAVAILABLE', { reason: 'database', detail: 'The database is busy; try again in a moment.' })
    default:
      return null
  }
}

const sentence = (message: string) => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`

/** The same of long work, to be kept with it. */
export function failureOf(error: { code: string; status: number; message: string; data?: unknown }): Failure {
  const { reason, params, detail } = problemBody(error, '')
  return { detail, ...(reason && { reason }), ...(params && { params }) }
}

/** The body that leaves, for any status. */
export function problemBody(error: { code: string; status: number; message: string; data?: unknown }, requestId: string): Problem {
  const data: Partial<FieldRefusal> & { current?: unknown } = typeof error.data === 'object' && error.data !== null ? error.data : {}
  return {
    type: `about:blank#${error.code}`,
    title: error.message,
    status: error.status,
    code: error.code,
    detail: data.detail ?? data.errors?.[0]?.message ?? `${error.message}.`,
    requestId,
    errors: data.errors ?? [],
    ...(data.reason ? { reason: data.reason } : {}),
    ...(data.params ? { params: data.params } : {}),
    ...(data.current === undefined ? {} : { current: data.current }),
  }
}
