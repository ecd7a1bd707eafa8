import { randomUUID } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import fastifyMultipart from '@fastify/multipart'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import { accountData } from './features/account/account.data.ts'
import { chaptersActions } from './features/chapters/chapters.actions.ts'
import { chaptersData } from './features/chapters/chapters.data.ts'
import { fieldsData } from './features/fields/fields.data.ts'
import { financeActions } from './features/finance/finance.actions.ts'
import { filesActions } from './features/files/files.actions.ts'
import { filesData } from './features/files/files.data.ts'
import { addFileDownloads } from './features/files/files.downloads.actions.ts'
import { commentsData } from './features/comments/comments.data.ts'
import { groupsActions } from './features/groups/groups.actions.ts'
import { groupsData } from './features/groups/groups.data.ts'
import { homeData } from './features/home/home.data.ts'
import { importsActions } from './features/imports/imports.actions.ts'
import { importsData } from './features/imports/imports.data.ts'
import { notesData } from './features/notes/notes.data.ts'
import { notificationsData } from './features/notifications/notifications.data.ts'
import { recordingsData } from './features/recordings/recordings.data.ts'
import { siteActions } from './features/site/site.actions.ts'
import { siteData } from './features/site/site.data.ts'
import { timelineData } from './features/timeline/timeline.data.ts'
import { membershipData } from './features/membership/membership.data.ts'
import { financeData } from './features/finance/finance.data.ts'
import { listsActions } from './features/lists/lists.actions.ts'
import { listsData } from './features/lists/lists.data.ts'
import { tagsData } from './features/tags/tags.data.ts'
import { paymentsActions } from './features/payments/payments.actions.ts'
import { paymentsData } from './features/payments/payments.data.ts'
import { addMailWebhooks } from './platform/mail/feedback/mail-webhooks.ts'
import { addPaymentWebhooks } from './features/payments/payments.webhooks.actions.ts'
import { peopleActions } from './features/people/people.actions.ts'
import { findPeople } from './features/people/list/people.search.public.ts'
import { peopleData } from './features/people/people.data.ts'
import { addApiDocs } from './platform/server/api-docs.ts'
import { apiHandler } from './platform/server/api-handler.ts'
import { addBackchannelLogout } from './platform/sign-in/backchannel-logout.ts'
import { limitConnections } from './platform/limits/connections.ts'
import { publicPages } from './public-pages.ts'
import { addMessageLinks } from './features/communication/sending/communication.links.pages.ts'
import { addPublicPages } from './platform/public-pages/public-pages.ts'
import { publicConfig } from './platform/server/public-config.ts'
import { securityHeaders } from './platform/server/headers.ts'
import { addHealth } from './platform/server/health.ts'
import { limitBodyTime, readJsonBodies } from './platform/limits/body-limits.ts'
import { noteKeyUses } from './platform/server/key-requests.ts'
import { endForRevoked } from './platform/server/open-answers.ts'
import { problem, problemBody, toProblem } from './platform/procedures/problem.ts'
import { shedOverload } from './platform/limits/shedding.ts'
import { actions, data } from './platform/procedures/procedures.ts'
import { settlements } from './settlements.ts'
import type { Services } from './platform/services.ts'
import { serveWebApp } from './platform/server/web-app.ts'
import { communicationActions } from './features/communication/communication.actions.ts'
import { communicationData } from './features/communication/communication.data.ts'
import { eventsActions } from './features/events/events.actions.ts'
import { eventsData } from './features/events/events.data.ts'
import { addScim } from './features/integrations/scim/integrations.scim.actions.ts'
import { addCalendarFeeds } from './features/events/feeds/events.feeds.actions.ts'
import { fundraisingActions } from './features/fundraising/fundraising.actions.ts'
import { fundraisingData } from './features/fundraising/fundraising.data.ts'
import { reportsActions } from './features/reports/reports.actions.ts'
import { reportsData } from './features/reports/reports.data.ts'
import { integrationsActions } from './features/integrations/integrations.actions.ts'
import { integrationsData } from './features/integrations/integrations.data.ts'
import { relationshipsActions } from './features/relationships/relationships.actions.ts'
import { relationshipsData } from './features/relationships/relationships.data.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Fields for this request's log line. */
    noted?: Record<string, unknown>
  }
}

const dataRouter = data.router({
  account: accountData,
  home: homeData,
  chapters: chaptersData,
  groups: groupsData,
  comments: commentsData,
  timeline: timelineData,
  notes: notesData,
  site: siteData,
  people: peopleData,
  finance: financeData,
  membership: membershipData,
  lists: listsData,
  tags: tagsData,
  notifications: notificationsData,
  fields: fieldsData,
  recordings: recordingsData,
  imports: importsData,
  files: filesData,
  payments: paymentsData,
  events: eventsData,
  communication: communicationData,
  fundraising: fundraisingData,
  reports: reportsData,
  relationships: relationshipsData,
  integrations: integrationsData,
})
const actionsRouter = actions.router({
  site: siteActions,
  people: peopleActions,
  chapters: chaptersActions,
  events: eventsActions,
  finance: financeActions,
  groups: groupsActions,
  lists: listsActions,
  imports: importsActions,
  files: filesActions,
  payments: paymentsActions,
  communication: communicationActions,
  fundraising: fundraisingActions,
  relationships: relationshipsActions,
  reports: reportsActions,
  integrations: integrationsActions,
})

/** Assembles the HTTP application; starting and stopping is server.ts. */
export async function createApp(services: Services): Promise<FastifyInstance> {
  const { config, log, metrics } = services
  const headers = securityHeaders(config)
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    // Anybody may claim to ask for somebody else; only a proxy of ours is believed.
    trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
    bodyLimit: 1_048_576,
    // Of an upload over a slow line; other bodies have less than a minute (body-limits.ts).
    requestTimeout: 30 * 60_000,
    connectionTimeout: 75_000,
    keepAliveTimeout: 72_000,
    http: { headersTimeout: 6_000, connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384 },
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: false,
    // An address that cannot be read meets no hook.
    frameworkErrors: (_error, request, reply) => {
      const body = problemBody(problem('BAD_REQUEST', { reason: 'address', detail: 'This address cannot be read.' }), request.id)
      reply.raw.writeHead(400, { ...headers.data, 'content-type': 'application/problem+json' }).end(JSON.stringify(body))
    },
  })
  await app.register(fastifyCompress, { global: true, threshold: 1024, encodings: ['br', 'gzip'], brotliOptions: { params: { 1: 4 } } })

  await app.register(fastifyMultipart)
  readJsonBodies(app)
  limitBodyTime(app)

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (request.url.length > 8_192) throw problem('BAD_REQUEST', { reason: 'address', detail: 'This address is too long.' })
  })
  limitConnections(app)
  await shedOverload(app, services)
  app.addHook('onSend', async (request, reply) => {
    // Whatever nobody gave headers to, errors above all, is data: nothing in it runs or is framed.
    if (isApiPath(request.url) || !reply.hasHeader('x-content-type-options')) reply.headers(headers.data)
    if (isApiPath(request.url)) {
      if (reply.statusCode >= 400) reply.header('content-type', 'application/problem+json')
    }
  })
  app.addHook('onResponse', async (request, reply) => {
    // The address of a public page may be a secret: a link opens it to whoever has it.
    const path = request.url.startsWith('/public/') ? (request.routeOptions.url ?? '/public/*') : (request.url.split('?')[0] ?? '')
    const operation = request.noted?.['operation']
    metrics.answered(typeof operation === 'string' ? operation : undefined, reply.statusCode, reply.elapsedTime / 1_000)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...request.noted,
      },
      'request',
    )
  })
  app.setErrorHandler(async (error, request, reply) => {
    const expected = toProblem(error)
    if (expected) return reply.status(expected.status).type('application/problem+json').send(problemBody(expected, request.id))
    const status = statusOf(error)
    if (status === 500) log.error({ err: error, requestId: request.id }, 'a request failed')
    const code = { 400: 'BAD_REQUEST', 413: 'PAYLOAD_TOO_LARGE', 415: 'UNSUPPORTED_MEDIA_TYPE' }[status] ?? 'INTERNAL_SERVER_ERROR'
    const message = error instanceof Error && status < 500 ? error.message : 'Something went wrong here'
    return reply.status(status).type('application/problem+json').send(problemBody({ code, status, message }, request.id))
  })

  endForRevoked(app, services)
  noteKeyUses(app, services)
  // Streams would keep the server from closing; whoever follows connects again, to a server that stays.
  app.addHook('preClose', async () => services.changes.stop())
  const dataApi = apiHandler(dataRouter, '/data', services, { findPeople, settlements })
  const actionsApi = apiHandler(actionsRouter, '/actions', services, { findPeople, settlements })
  app.all('/data/*', dataApi)
  app.all('/actions/*', actionsApi)
  app.get('/config.json', async (_request, reply) =>
    reply.headers(headers.common).header('cache-control', 'no-cache').send(publicConfig(config)),
  )
  addFileDownloads(app, services, headers.data)
  addHealth(app, services)
  await addBackchannelLogout(app, services, headers.data)
  await addPaymentWebhooks(app, services, headers.data)
  await addMailWebhooks(app, services, headers.data)
  addCalendarFeeds(app, services, headers.data)
  await addScim(app, services, headers.data)
  addMessageLinks(app, services, headers.data)
  await addPublicPages(app, services, publicPages, headers)
  addApiDocs(app, headers)
  if (config.WEB_DIST) await serveWebApp(app, config.WEB_DIST, headers)
  return app
}

const isApiPath = (url: string) => /^\/(data|actions|healthz|readyz)([/?]|$)/.test(url)

function statusOf(error: unknown): number {
  if (error instanceof Error) {
    if ('statusCode' in error && typeof error.statusCode === 'number') return error.statusCode
    if ('status' in error && typeof error.status === 'number') return error.status
  }
  return 500
}
