import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Pool } from 'pg'
import type { Config } from '../../../platform/config.ts'
import type { Outgoing } from '../../../platform/outgoing/outgoing.ts'
import { serveLocally } from '../../../platform/server/local-server-testing.ts'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { seal } from '../connections/integrations.secrets.rules.ts'
import { startWebhooks } from './integrations.webhooks.jobs.ts'
import type { Pace } from './integrations.webhooks.jobs.ts'
import { newSecret, webhookSecretPlace } from './integrations.webhooks.rules.ts'

export type Received = { url: string; id: string; headers: IncomingHttpHeaders; body: string; at: number }
export type Receiver = {
  /** host:port, as OUTGOING_ALLOW names it. */
  host: string
  url: string
  received: Received[]
  /** Connections that were opened, whether or not anything was said. */
  connections: () => number
  close(): Promise<void>
}

type Answer = (response: ServerResponse, request: Received, nth: number) => void
const fine: Answer = (response) => response.writeHead(204).end()

/** A system that webhooks are sent to. */
export async function startReceiver(answer: Answer = fine): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const got = { url: request.url ?? '', id: String(request.headers['webhook-id']), headers: request.headers, body, at: Date.now() }
      received.push(got)
      answer(response, got, received.filter(({ id }) => id === got.id).length)
    })
  })
  server.on('connection', () => (connections += 1))
  const { host, url, close } = await serveLocally(server)
  return { host, url: `${url}/in`, received, connections: () => connections, close }
}

type More = Pace & { outgoing?: Outgoing }
/** A worker that sends webhooks until it is stopped. */
export function startWorker({ config, log }: Services, { outgoing, ...pace }: More = {}): { stop(): Promise<void> } {
  const services = createServices(config, log, config.WORKER_DATABASE_URL)
  const webhooks = startWebhooks(outgoing ? { ...services, outgoing } : services, pace)
  return {
    async stop() {
      await webhooks.stop()
      await services.close()
    },
  }
}

/** An endpoint that wants messages, whatever its address. */
export async function addEndpoint(admin: Pool, { INTEGRATIONS_KEY }: Config, orgId: string, name: string, url: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.webhook_endpoints (org_id, name, url, event_types) values ($1, $2, $3, '{message.sent}') returning id`,
    [orgId, name, url],
  )
  const id = rows[0]?.id ?? ''
  const { secret, hint } = newSecret()
  await admin.query('insert into app.webhook_secrets (org_id, endpoint_id, sealed, hint) values ($1, $2, $3, $4)', [
    orgId,
    id,
    seal(INTEGRATIONS_KEY, secret, webhookSecretPlace(id)),
    hint,
  ])
  return id
}

/** So many things that happened, for every endpoint of the organisation that wants messages. */
export const happen = (admin: Pool, orgId: string, times: number) =>
  admin.query(
    `insert into app.webhook_events (org_id, type, record_id, record_version, data)
     select $1, 'message.sent', app.uuid7(), n, jsonb_build_object('version', n) from generate_series(1, $2) n`,
    [orgId, times],
  )

export type Counts = Record<string, number>
/** Deliveries of an organisation by endpoint and state. */
export async function countDeliveries(admin: Pool, orgId: string): Promise<Counts> {
  const { rows } = await admin.query<{ what: string; n: number }>(
    `select e.name || ' ' || d.state as what, count(*)::int as n from app.webhook_deliveries d join app.webhook_endpoints e on e.org_id = d.org_id and e.id = d.endpoint_id
     where d.org_id = $1 group by 1`,
    [orgId],
  )
  return Object.fromEntries(rows.map(({ what, n }) => [what, n]))
}

/** Lets the time that deliveries wait for their next try pass. */
export const letWait = (admin: Pool, orgId: string) =>
  admin.query(`update app.webhook_deliveries set next_attempt_at = now() where org_id = $1 and state = 'waiting'`, [orgId])

/** Tries that have ended. */
export async function triesMade(admin: Pool, orgId: string): Promise<number> {
  const { rows } = await admin.query<{ n: number }>('select count(*)::int as n from app.webhook_attempts where org_id = $1', [orgId])
  return rows[0]?.n ?? 0
}
