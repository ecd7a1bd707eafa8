import * as z from 'zod/mini'

const Problem = z.object({
  title: z.optional(z.string()),
  detail: z.nullish(z.string()),
  code: z.nullish(z.string()),
  errors: z.optional(z.array(z.object({ path: z._default(z.union([z.string(), z.array(z.union([z.string(), z.number()]))]), ''), code: z._default(z.string(), ''), message: z.string() }))),
  requestId: z.nullish(z.string()),
})

export type FieldProblem = { path: string; code: string; message: string }

/** What every failed call throws: the server's problem document, or a description of a network that did not answer (status 0). */
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
    super(fields.detail ?? fields.title ?? `status ${status}`, options)
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
  const parsed = Problem.safeParse(body)
  const known = parsed.success ? parsed.data : {}
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new ApiProblem(response.status, {
    title: known.title ?? response.statusText,
    detail: known.detail ?? undefined,
    code: known.code ?? undefined,
    errors: (known.errors ?? []).map(({ path, ...rest }) => ({ ...rest, path: Array.isArray(path) ? path.join('.') : path })),
    requestId: known.requestId ?? response.headers.get('x-request-id') ?? undefined,
    body,
    retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
  })
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? { ...body } : {}
  } catch {
    // A proxy's HTML page in place of our document: the status alone has to do.
    return {}
  }
}
