import { plural, t } from '@lingui/core/macro'
import { reasonText } from './reason-text.ts'

export type FieldProblem = { path: string; code: string; message: string }

/**
 * What every failed call throws: the server's problem document, or a description of a network that did not answer (status 0).
 * Its message is for people: ours where we know the reason, else the server's own sentence, else one for the status.
 */
export class ApiProblem extends Error {
  readonly status: number
  readonly title: string
  readonly detail: string | undefined
  readonly code: string | undefined
  readonly errors: FieldProblem[]
  readonly requestId: string | undefined
  /** Everything else the server said, such as the current version of a changed record. */
  readonly body: Record<string, unknown>
  /** From Retry-After, when the server names a wait. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: number,
    fields: {
      title?: string | undefined
      detail?: string | undefined
      code?: string | undefined
      errors?: FieldProblem[]
      requestId?: string | undefined
      body?: Record<string, unknown>
      retryAfterSeconds?: number | undefined
    } = {},
    options?: ErrorOptions,
  ) {
    super(usedUp(fields.body) ?? reasonText(fields.body?.['reason']) ?? fields.detail ?? sentenceFor(status), options)
    this.name = 'ApiProblem'
    this.status = status
    this.title = fields.title ?? ''
    this.detail = fields.detail
    this.code = fields.code
    this.errors = fields.errors ?? []
    this.requestId = fields.requestId
    this.body = fields.body ?? {}
    this.retryAfterSeconds = fields.retryAfterSeconds
  }

  get isNetwork() {
    return this.status === 0
  }
}

export async function problemFrom(response: Response): Promise<ApiProblem> {
  const body = await readObject(response)
  const text = (name: string) => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : undefined)
  const fields: unknown = body['errors']
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiProblem(response.status, {
    title: text('title') ?? response.statusText,
    detail: text('detail'),
    code: text('code'),
    errors: Array.isArray(fields) ? fields.filter(isFieldProblem) : [],
    requestId: text('requestId') ?? response.headers.get('x-request-id') ?? undefined,
    body,
    retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
  })
}

const isFieldProblem = (value: unknown): value is FieldProblem =>
  typeof value === 'object' && value !== null && ['path', 'code', 'message'].every((name) => typeof Reflect.get(value, name) === 'string')

async function readObject(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    // A proxy's HTML page in place of our document: the status alone has to do.
    return {}
  }
}

/** What is said of a bound that is used up, with its figures; nothing for any other problem. */
function usedUp(body: Record<string, unknown> = {}): string | undefined {
  const { reason, limit } = body
  if (reason !== 'people_per_hour' || typeof limit !== 'object' || limit === null) return undefined
  const perHour: unknown = Reflect.get(limit, 'perHour')
  const seconds: unknown = Reflect.get(limit, 'againInSeconds')
  if (typeof perHour !== 'number' || typeof seconds !== 'number') return undefined
  const wait = plural(Math.max(1, Math.ceil(seconds / 60)), { one: '# minute', other: '# minutes' })
  return plural(perHour, {
    one: `Your account may read # person an hour. Try again in ${wait}.`,
    other: `Your account may read # people an hour. Try again in ${wait}.`,
  })
}

function sentenceFor(status: number): string {
  switch (status) {
    case 0:
      return t`The server could not be reached. Check your connection and try again.`
    case 401:
      return t`You are signed out.`
    case 403:
      return t`Your role does not allow this.`
    case 404:
      return t`It no longer exists, or you may not see it.`
    case 409:
      return t`It conflicts with something that already exists.`
    case 412:
      return t`Someone else has changed it.`
    case 413:
      return t`That is too large.`
    case 422:
      return t`Some of what was entered cannot be accepted.`
    case 429:
      return t`Too many requests. Wait a moment and try again.`
    default:
      return status >= 500 ? t`The server failed to answer.` : t`The request was refused.`
  }
}
