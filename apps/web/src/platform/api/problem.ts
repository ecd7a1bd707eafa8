import { t } from '@lingui/core/macro'

export type FieldProblem = { path: string; code: string; message: string }

/**
 * What every failed call throws: the server's problem document, or a description of a network that did not answer (status 0).
 * Its message and those of its fields are for people: ours where we know the reason, else the server's own sentence, else one for the status.
 */
export class ApiProblem extends Error {
  readonly status: number
  readonly title: string
  /** Which rule refused. */
  readonly reason: string | undefined
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
      reason?: string | undefined
      message?: string | undefined
      code?: string | undefined
      errors?: FieldProblem[]
      requestId?: string | undefined
      body?: Record<string, unknown>
      retryAfterSeconds?: number | undefined
    } = {},
    options?: ErrorOptions,
  ) {
    super(fields.message ?? sentenceFor(status), options)
    this.name = 'ApiProblem'
    this.status = status
    this.title = fields.title ?? ''
    this.reason = fields.reason
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
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return problemOf(response.status, await readObject(response), {
    title: response.statusText,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
  })
}

type Around = { title: string; requestId?: string | undefined; retryAfterSeconds?: number | undefined }

/** A problem document in the reader's words. */
export async function problemOf(status: number, body: Record<string, unknown>, around: Around): Promise<ApiProblem> {
  const text = (name: string) => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : undefined)
  // The texts are fetched when they are first needed; where that fails, the server's own words are better than none.
  const words = await import('./reason-text.ts').catch(() => undefined)
  const fields: unknown = body['errors']
  const errors = Array.isArray(fields)
    ? fields.filter(isFieldProblem).map((field) => ({
        path: field.path,
        code: field.code,
        message: words?.reasonText(field.code, Reflect.get(field, 'params')) ?? field.message,
      }))
    : []
  const reason = text('reason')
  return new ApiProblem(status, {
    ...around,
    title: text('title') ?? around.title,
    reason,
    message: reason ? (words?.reasonText(reason, body['params']) ?? text('detail')) : errors[0]?.message,
    code: text('code'),
    errors,
    requestId: text('requestId') ?? around.requestId,
    body,
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
