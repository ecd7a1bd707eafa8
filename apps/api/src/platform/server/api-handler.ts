import type { AnyContractRouter, AnySchema } from '@orpc/contract'
import { JsonSchemaCoercer } from '@orpc/json-schema'
import { StandardBracketNotationSerializer, StandardOpenAPIJsonSerializer, StandardOpenAPISerializer } from '@orpc/openapi-client/standard'
import { StandardOpenAPICodec, StandardOpenAPIMatcher } from '@orpc/openapi/standard'
import { ORPCError } from '@orpc/server'
import { StandardHandler } from '@orpc/server/standard'
import type { Router } from '@orpc/server'
import { sendStandardResponse, toStandardLazyRequest } from '@orpc/standard-server-fastify'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { withinLimit } from '../limits/patience.ts'
import type { Problem } from '@guildhall/contract/errors'
import { isRefusedByDatabase, problem, problemBody, toProblem } from '../procedures/problem.ts'
import type { RequestContext } from '../procedures/context.ts'
import { recordReader } from '../procedures/record-readers.ts'
import type { Services } from '../services.ts'
import { nameRequest, requestKind, traced, traceOfCaller } from '../observability/tracing.ts'
import { savedAs } from '../files/files.ts'
import { firstFile } from '../files/uploads.ts'
import { writtenBytes } from '../procedures/written-json.ts'

const converter = new ZodToJsonSchemaConverter()
const coercer = new JsonSchemaCoercer()
const querySchemas = new WeakMap<object, ReturnType<typeof converter.convert>[1]>()

/** Query values are text on the wire; only they are turned into the numbers and booleans the schema asks for. Bodies stay strict. */
async function coerceQuery(schema: Parameters<typeof converter.convert>[0], input: unknown): Promise<unknown> {
  if (!schema) return input
  let json = querySchemas.get(schema)
  if (!json) {
    json = converter.convert(schema, { strategy: 'input' })[1]
    querySchemas.set(schema, json)
  }
  return coercer.coerce(json, input)
}

/** Contracts hold JSON's own types only, so answers leave as they are: oRPC's own serializer would copy each in search of dates and files. */
const asTheyAre = Object.assign(new StandardOpenAPIJsonSerializer(), { serialize: (data: unknown): [unknown, boolean] => [data, false] })
const serializer = new StandardOpenAPISerializer(asTheyAre, new StandardBracketNotationSerializer())

/** Nothing leaves in another shape than the contract says; what PostgreSQL has written is not read again for it. */
async function checked(schema: AnySchema | undefined, output: unknown): Promise<unknown> {
  if (!schema || writtenBytes(output) !== undefined) return output
  const result = await schema['~standard'].validate(output)
  if (result.issues) throw new Error('An answer is not what the contract says.', { cause: result.issues })
  return result.value
}

/** What features answer to each other. */
type Asked = Pick<RequestContext, 'findPeople' | 'settlements'>

/** Serves one of the two contracts below a prefix such as /data. */
export function apiHandler(
  router: Router<AnyContractRouter, RequestContext>,
  prefix: `/${string}`,
  services: Services,
  { findPeople, settlements }: Asked,
) {
  const codec = new StandardOpenAPICodec(serializer, {
    customErrorResponseBodyEncoder: ({ code, status, message, data }: ORPCError<string, unknown>) => ({ code, status, message, data }),
  })
  const standard = new StandardHandler<RequestContext>(router, new StandardOpenAPIMatcher(), codec, {
    clientInterceptors: [
      async ({ next, ...options }) => {
        const { route, inputSchema, outputSchema, meta } = options.procedure['~orpc']
        const operation = route.operationId ?? ''
        options.context.note({ operation })
        nameRequest(operation)
        // Multipart reaches only those who take files: everybody else would see an empty body.
        if (options.context.isUpload && meta['upload'] !== true)
          throw problem('UNSUPPORTED_MEDIA_TYPE', { reason: 'media_type', detail: 'Send JSON here.' })
        // Only a read takes a query; elsewhere nothing would look at it, and unknown parameters are never passed over.
        const takesQuery = route.method === 'GET' && inputSchema !== undefined
        if (options.context.hasQuery && !takesQuery) throw problem('BAD_REQUEST', { reason: 'query', detail: 'This takes no query.' })
        const input = route.method === 'GET' ? await coerceQuery(inputSchema, options.input) : options.input
        try {
          // An upload takes as long as its sender's line needs.
          const work = next({ ...options, input })
          return await checked(outputSchema, await (meta['upload'] === true ? work : withinLimit(work)))
        } catch (error) {
          if (isRefusedByDatabase(error)) services.metrics.refusedByDatabase()
          const expected = toProblem(error)
          if (expected) throw expected
          services.log.error({ err: error, requestId: options.context.requestId, operation }, 'a request failed')
          throw new ORPCError('INTERNAL_SERVER_ERROR', {
            message: 'Something went wrong here',
            data: { detail: 'This is our fault. Try again; if it stays, tell us the request id.' },
          })
        }
      },
    ],
    rootInterceptors: [
      async ({ next, ...options }) => {
        const result = await next(options)
        if (!result.matched || result.response.status < 400) return result
        const { status } = result.response
        const sentToken = options.context.header('authorization') !== undefined
        const body = problemBody(asError(result.response.body), options.context.requestId)
        return { matched: true, response: { status, headers: problemHeaders(status, sentToken, body), body } }
      },
    ],
  })

  const readRecord = recordReader(router)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const fields: Record<string, unknown> = {}
    const context: RequestContext = {
      services,
      requestId: request.id,
      ip: request.ip,
      header: (name) => {
        const value = request.headers[name]
        return Array.isArray(value) ? value[0] : value
      },
      setHeader: (name, value) => void reply.header(name, value),
      upload: () => firstFile(request),
      isUpload: request.isMultipart(),
      hasQuery: /\?./.test(request.url),
      admitted: (caller) => void (request.caller = caller),
      usedKey: (key) => void (request.usedKey = key),
      whileAllowed: (check) => void (request.stillAllowed = check),
      note: (more) => Object.assign(fields, more),
      readRecord,
      findPeople,
      settlements,
    }
    request.noted = fields
    // A bare null, number, text or list would pass for no body at all.
    if (request.body !== undefined && (typeof request.body !== 'object' || request.body === null || Array.isArray(request.body)))
      throw problem('BAD_REQUEST', { reason: 'body', detail: 'Send an object.' })
    // Its parts are read as they arrive, by the procedure.
    if (request.isMultipart()) request.body = {}
    const about = {
      kind: requestKind,
      attributes: { 'http.request.method': request.method, 'request.id': request.id },
      parent: traceOfCaller(request.headers['traceparent']),
    }
    const { matched, response } = await traced(prefix, about, () =>
      standard.handle(toStandardLazyRequest(request, reply), { prefix, context }),
    )
    if (!matched) {
      const missing = problem('NOT_FOUND', {
        reason: 'route',
        detail: `There is nothing at ${request.method} ${request.url.split('?')[0]?.slice(0, 200)}.`,
      })
      await reply.status(404).type('application/problem+json').send(problemBody(missing, request.id))
      return
    }
    // A file is saved, never shown: whatever it holds runs nowhere.
    if (response.body instanceof File) response.headers['content-disposition'] = savedAs(response.body.name)
    const bytes = writtenBytes(response.body)
    if (bytes === undefined) await sendStandardResponse(reply, response)
    else await reply.status(response.status).type('application/json').send(bytes)
  }
}

function problemHeaders(status: number, sentToken: boolean, { params }: Problem): Record<string, string> {
  // RFC 6750 section 3.1: no error code for a request that brought no token at all.
  if (status === 401) return { 'www-authenticate': sentToken ? 'Bearer error="invalid_token"' : 'Bearer' }
  if (typeof params?.['againInSeconds'] === 'number') return { 'retry-after': String(params['againInSeconds']) }
  return status === 503 ? { 'retry-after': '5' } : {}
}

// eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- what customErrorResponseBodyEncoder made, unknown to the response type
const asError = (body: unknown) => body as { code: string; status: number; message: string; data: unknown }
