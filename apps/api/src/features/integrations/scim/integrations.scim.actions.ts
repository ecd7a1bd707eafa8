import type { ActorDb } from '@guildhall/db'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countAttempt, placesOf } from '../../../platform/limits/attempts.ts'
import { countUse } from '../../../platform/limits/rate-limits.ts'
import { hashOf } from '../../../platform/links/signed-links.ts'
import { toProblem } from '../../../platform/procedures/problem.ts'
import { brandOf } from '../../../platform/public-pages/brand.ts'
import { isId } from '../../../platform/records/is-id.ts'
import type { Services } from '../../../platform/services.ts'
import { addPoints } from '../metrics/integrations.metrics.queries.ts'
import { groupResource, listAnswer, names, pageOf, parameter, projection, userResource } from './integrations.scim.answers.rules.ts'
import type { Resource } from './integrations.scim.answers.rules.ts'
import { providerConfig, resourceTypes, schemas } from './integrations.scim.documents.rules.ts'
import { ScimError, errorBody, notFound } from './integrations.scim.error.rules.ts'
import { groupFilter, userFilter } from './integrations.scim.filter.rules.ts'
import { readGroup, readGroupChange } from './integrations.scim.group.rules.ts'
import { changeGroup, findGroup, refuseGroup } from './integrations.scim.groups.actions.ts'
import { listGroups } from './integrations.scim.groups.queries.ts'
import { findUser, listUsers, mayKeepAccounts, noteScimUse, openScim } from './integrations.scim.queries.ts'
import { readUser, readUserChange } from './integrations.scim.user.rules.ts'
import { changeUser, createUser, patched, removeUser } from './integrations.scim.users.actions.ts'
import type { Scim } from './integrations.scim.users.actions.ts'

type Answer = { status?: number; body?: object; resource?: Resource }
type Handler = (db: ActorDb, scim: Scim, request: Asked) => Promise<Answer>
type Asked = { query: Readonly<Record<string, unknown>>; id: string; body: unknown; match: string | string[] | undefined }

const contentType = 'application/scim+json; charset=utf-8'
const largestBody = 262_144
/** Requests of a connection in an hour: a provider's first pass over some ten thousand accounts, and half as many again. */
const perHour = 30_000

/** Accounts from an identity provider: SCIM 2.0, RFC 7643 and 7644. What it asks is done as the account that owns the connection. */
export async function addScim(app: FastifyInstance, services: Services, headers: Record<string, string>): Promise<void> {
  const { config, database, log } = services
  const base = new URL('/scim/v2', config.PUBLIC_URL).href

  /** Whose the token is. Addresses that try tokens are counted where every process counts. */
  async function caller(request: FastifyRequest): Promise<Scim> {
    const [, token = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
    const opened = token === '' ? undefined : await database.withoutActor((db) => openScim(db, config.ORG_ID, hashOf(token)))
    if (!opened) throw await refusedToken(request.ip, token)
    const { accountId, state } = opened
    const wait = await countUse(database, { orgId: opened.orgId, operation: 'scim', who: opened.connectionId, perHour })
    if (wait > 0) throw Object.assign(new ScimError(429, 'Too many requests within an hour.'), { wait })
    if (state === 'paused') throw new ScimError(403, 'The connection is paused.')
    if (accountId === null) throw ownerGone()
    return { ...opened, accountId, issuer: config.ISSUER, base }
  }

  async function refusedToken(ip: string, token: string): Promise<ScimError> {
    const mayTryAgain =
      token === '' ||
      (await database.withoutActor(async (db) => {
        const brand = await brandOf(db, config.ORG_ID, null)
        return !brand || countAttempt(db, brand.orgId, 'link', placesOf(ip, config.ACTOR_KEY))
      }))
    return mayTryAgain
      ? new ScimError(401, 'The token is not valid.')
      : Object.assign(new ScimError(429, 'Too many attempts.'), { wait: 3600 })
  }

  const asOwner = <T>({ orgId, accountId, idpRoles, connectionId }: Scim, requestId: string, run: (db: ActorDb) => Promise<T>) =>
    database.asActor({ orgId, accountId, idpRoles }, run, { requestId, via: `scim:${connectionId}` })

  async function answer(request: FastifyRequest, reply: FastifyReply, handle: Handler): Promise<FastifyReply> {
    const began = performance.now()
    const scim = await caller(request)
    request.noted = { ...request.noted, operation: 'scim', organisation: scim.orgId, connection: scim.connectionId }
    try {
      const asked = askedOf(request)
      const {
        status = 200,
        body,
        resource,
      } = await asOwner(scim, request.id, async (db) => {
        if (!(await mayKeepAccounts(db, scim.connectionId))) throw ownerGone()
        const done = await handle(db, scim, asked)
        await noteScimUse(db, scim.connectionId)
        await addPoints(db, scim.connectionId, [
          { type: 'latency', value: Math.round(performance.now() - began) },
          ...(request.method === 'GET' ? [] : [{ type: 'records' as const, value: 1 }]),
        ])
        return done
      })
      return await send(request, reply, status, body, resource)
    } catch (error) {
      await asOwner(scim, request.id, (db) => addPoints(db, scim.connectionId, [{ type: 'errors', value: 1 }])).catch(() =>
        log.warn({ requestId: request.id }, 'an error of an identity provider was not counted'),
      )
      throw error
    }
  }

  function send(request: FastifyRequest, reply: FastifyReply, status: number, body?: object, resource?: Resource) {
    reply.status(status).headers(headers).header('cache-control', 'private, no-store')
    if (resource) {
      const { location, version } = resource.meta
      reply.header('etag', version)
      if (status === 201) reply.header('location', location)
      if (request.method === 'GET' && request.headers['if-none-match'] !== undefined && names(request.headers['if-none-match'], version))
        return reply.status(304).send()
    }
    const text = resource ? projection(queryOf(request)).of(resource) : body
    return text === undefined ? reply.send() : reply.type(contentType).send(JSON.stringify(text))
  }

  await app.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        ['application/scim+json', 'application/json'],
        { parseAs: 'string', bodyLimit: largestBody },
        (_request, body, done) => done(null, body.toString()),
      )
      scope.setErrorHandler((error, request, reply) => {
        const { failure, wait } = failureOf(error)
        if (failure.status >= 500) log.error({ err: error, requestId: request.id }, 'a request of an identity provider failed')
        if (failure.status === 401) reply.header('www-authenticate', 'Bearer realm="SCIM"')
        if (wait !== undefined) reply.header('retry-after', String(wait))
        return reply
          .status(failure.status)
          .headers(headers)
          .type(contentType)
          .send(JSON.stringify(errorBody(failure)))
      })
      const route = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', url: string, handle: Handler) =>
        scope.route({ method, url, schema: {}, handler: (request, reply) => answer(request, reply, handle) })

      route('GET', '/ServiceProviderConfig', async () => ({ body: providerConfig(base) }))
      route('GET', '/ResourceTypes', async () => ({ body: listAnswer(resourceTypes(base), 2, 1) }))
      route('GET', '/ResourceTypes/:id', async (_db, _scim, { id }) => ({ body: namedIn(resourceTypes(base), id) }))
      route('GET', '/Schemas', async () => ({ body: listAnswer(schemas(base), 2, 1) }))
      route('GET', '/Schemas/:id', async (_db, _scim, { id }) => ({ body: namedIn(schemas(base), id) }))

      route('GET', '/Users', async (db, { connectionId }, { query }) => {
        const { startIndex, ...page } = pageOf(query)
        const shown = projection(query)
        const { total, users } = await listUsers(db, connectionId, userFilter(parameter(query, 'filter')), page)
        return { body: listAnswer(users.map((user) => shown.of(userResource(base, user))), total, startIndex) } // prettier-ignore
      })
      route('GET', '/Users/:id', async (db, { connectionId }, { id }) => {
        const user = await findUser(db, connectionId, id)
        if (!user) throw notFound(id)
        return { resource: userResource(base, user) }
      })
      route('POST', '/Users', async (db, scim, { body }) => ({
        status: 201,
        resource: userResource(base, await createUser(db, scim, readUser(body))),
      }))
      route('PUT', '/Users/:id', async (db, scim, { id, body, match }) => {
        const values = readUser(body)
        return { resource: userResource(base, await changeUser(db, scim, id, match, () => values)) }
      })
      route('PATCH', '/Users/:id', async (db, scim, { id, body, match }) => ({
        resource: userResource(base, await changeUser(db, scim, id, match, patched(readUserChange(body)))),
      }))
      route('DELETE', '/Users/:id', async (db, scim, { id, match }) => {
        await removeUser(db, scim, id, match)
        return { status: 204 }
      })

      route('GET', '/Groups', async (db, { connectionId }, { query }) => {
        const { startIndex, offset, count } = pageOf(query)
        const shown = projection(query)
        const groups = await listGroups(db, connectionId, groupFilter(parameter(query, 'filter')), shown.has('members'))
        const page = groups.slice(offset, offset + count).map((group) => shown.of(groupResource(base, group)))
        return { body: listAnswer(page, groups.length, startIndex) }
      })
      route('GET', '/Groups/:id', async (db, scim, { id }) => ({ resource: groupResource(base, await findGroup(db, scim, id)) }))
      route('POST', '/Groups', async (db, scim, { body }) => refuseGroup(db, scim, readGroup(body)))
      for (const [method, read] of [
        ['PUT', readGroup],
        ['PATCH', readGroupChange],
      ] as const)
        // prettier-ignore
        route(method, '/Groups/:id', async (db, scim, { id, body, match }) => ({
          resource: groupResource(base, await changeGroup(db, scim, id, match, read(body))),
        }))
      route('DELETE', '/Groups/:id', async (db, scim, { id }) => {
        await findGroup(db, scim, id)
        throw new ScimError(403, 'Groups are the standard roles of the organisation; none can be removed.')
      })

      scope.route({
        method: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url: '/*',
        schema: {},
        handler: (request, reply) =>
          answer(request, reply, async () => {
            throw new ScimError(404, 'There is no such endpoint.')
          }),
      })
    },
    { prefix: '/scim/v2' },
  )
}

const ownerGone = () => new ScimError(403, 'The owner of this connection may not manage accounts any more. Choose another owner.')

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const queryOf = ({ query }: FastifyRequest): Record<string, unknown> => (isRecord(query) ? query : {})

function askedOf(request: FastifyRequest): Asked {
  const params = isRecord(request.params) ? request.params : {}
  const id = typeof params['id'] === 'string' ? params['id'] : ''
  const isOfRecord = /\/(Users|Groups)\/:id$/.test(request.routeOptions.url ?? '')
  if (isOfRecord && !isId(id)) throw notFound(id)
  return {
    query: queryOf(request),
    id: isOfRecord ? id.toLowerCase() : id,
    body: contentOf(request.body),
    match: request.headers['if-match'],
  }
}

function contentOf(body: unknown): unknown {
  if (typeof body !== 'string' || body.trim() === '') return undefined
  try {
    const content: unknown = JSON.parse(body)
    return content
  } catch {
    throw new ScimError(400, 'The body is not JSON.', 'invalidSyntax')
  }
}

function namedIn(documents: readonly { id: string }[], id: string): object {
  const found = documents.find((document) => document.id.toLowerCase() === id.toLowerCase())
  if (!found) throw notFound(id)
  return found
}

const statusOf = (error: unknown): number =>
  isRecord(error) && typeof error['statusCode'] === 'number' && error['statusCode'] < 500 ? error['statusCode'] : 500

/** Rules of the database refuse as everywhere; their reasons are told in its words. */
function failureOf(error: unknown): { failure: ScimError; wait?: number | undefined } {
  if (error instanceof ScimError) return { failure: error, ...('wait' in error && typeof error.wait === 'number' && { wait: error.wait }) }
  const known = toProblem(error)
  if (!known) {
    const status = statusOf(error)
    return { failure: new ScimError(status, status < 500 && error instanceof Error ? error.message : 'Something went wrong here.') }
  }
  const detail = isRecord(known.data) && typeof known.data['detail'] === 'string' ? known.data['detail'] : `${known.message}.`
  if (known.status === 422 || known.status === 400) return { failure: new ScimError(400, detail, 'invalidValue') }
  if (known.status === 409) return { failure: new ScimError(409, detail, 'uniqueness') }
  return { failure: new ScimError(known.status, detail), ...(known.status === 503 && { wait: 5 }) }
}
