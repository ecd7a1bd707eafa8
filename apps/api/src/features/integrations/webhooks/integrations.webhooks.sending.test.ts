import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import type { AddressInfo, Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, vi } from 'vitest'
import type { Pool } from 'pg'
import { createOutgoing } from '../../../platform/outgoing/outgoing.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Variant } from '../../../testing.ts'
import { fanOut } from './integrations.webhook-deliveries.queries.ts'
import { holdWebhooks } from './integrations.webhooks.jobs.ts'
import { addEndpoint, countDeliveries, happen, letWait, startReceiver, startWorker } from './integrations.webhooks.testing.ts'
import type { Receiver } from './integrations.webhooks.testing.ts'

const within = { timeout: 60_000, interval: 50 }
const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

type Stage = {
  orgId: string
  /** The same product, which may send to these receivers. */
  reaching(hosts: string[]): Promise<Variant['services']>
  add(name: string, address: string): Promise<string>
  receive: typeof startReceiver
}
const test = base.extend<{ stage: Stage }>({
  stage: async ({ variant, organisation, admin, api }, use) => {
    const { id: orgId } = await organisation()
    await use({
      orgId,
      reaching: async (hosts) => (await variant({ OUTGOING_ALLOW: hosts.join(',') })).services,
      add: (name, address) => addEndpoint(admin, api.services.config, orgId, name, address),
      async receive(answer) {
        const receiver = await startReceiver(answer)
        stops.push(() => receiver.close())
        return receiver
      },
    })
  },
})
const work = (services: Variant['services'], more: Parameters<typeof startWorker>[1] = {}) => {
  const worker = startWorker(services, more)
  stops.unshift(() => worker.stop())
}
const idsOf = ({ received }: Receiver) => new Set(received.map(({ id }) => id))

/** A system that speaks no HTTP. */
async function startGarbage(): Promise<{ host: string; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('\u0000\u0001 220 mail.example ESMTP\r\n\r\n<<<'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => new Promise((resolve) => server.close(resolve)))
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

/** Lets all waiting pass, again and again, until every delivery has ended. */
async function untilEnded(admin: Pool, orgId: string, expected: Record<string, number>) {
  await vi.waitFor(async () => {
    await letWait(admin, orgId)
    expect(await countDeliveries(admin, orgId)).toEqual(expected)
  }, within)
}

describe('receivers', () => {
  test('that are down, redirect, never answer, answer garbage or come back: each delivery arrives or is given up', async ({
    stage,
    admin,
  }) => {
    const fine = await stage.receive()
    const flaky = await stage.receive((response, _request, nth) => response.writeHead(nth === 1 ? 500 : 200).end())
    const inner = await stage.receive()
    const redirecting = await stage.receive((response) => response.writeHead(302, { location: inner.url }).end())
    const talkative = await stage.receive((response) => response.writeHead(200).end('x'.repeat(2_000_000)))
    const silent = await stage.receive(() => undefined)
    const down = await stage.receive()
    await down.close()
    const garbage = await startGarbage()
    const services = await stage.reaching([fine, flaky, inner, redirecting, talkative, silent, down, garbage].map(({ host }) => host))
    for (const [name, { host }] of Object.entries({ fine, flaky, redirecting, talkative, silent, down, garbage }))
      await stage.add(name, `http://${host}/in`)
    work(services, { timeoutMs: 500 })
    await happen(admin, stage.orgId, 2)
    await untilEnded(admin, stage.orgId, {
      ...{ 'fine delivered': 2, 'flaky delivered': 2, 'talkative delivered': 2 },
      ...{ 'redirecting dead': 2, 'silent dead': 2, 'down dead': 2, 'garbage dead': 2 },
    })
    expect([fine.received.length, flaky.received.length, redirecting.received.length, inner.connections()]).toEqual([2, 4, 16, 0])
    const { rows } = await admin.query<{ name: string; failure: string }>(
      `select distinct e.name, d.failure from app.webhook_deliveries d join app.webhook_endpoints e on e.id = d.endpoint_id where d.org_id = $1 and d.state = 'dead' order by 1`,
      [stage.orgId],
    )
    expect(rows).toEqual([
      { name: 'down', failure: 'unreachable' },
      { name: 'garbage', failure: 'unreachable' },
      { name: 'redirecting', failure: 'redirected' },
      { name: 'silent', failure: 'too_slow' },
    ])
  })

  test('of which one is slow: no other waits for it', async ({ stage, admin }) => {
    const fast = await stage.receive()
    const slow = await stage.receive((response) => setTimeout(() => response.writeHead(200).end(), 1_000))
    const services = await stage.reaching([fast.host, slow.host])
    await stage.add('fast', fast.url)
    await stage.add('slow', slow.url)
    await happen(admin, stage.orgId, 2_000)
    work(services)
    await vi.waitFor(() => expect(idsOf(fast).size).toBe(2_000), within)
    expect(idsOf(slow).size).toBeLessThan(1_000)
    expect(fast.received).toHaveLength(2_000)
  })
})

describe('workers', () => {
  test('beside each other send each delivery once', async ({ stage, admin }) => {
    const receivers = await Promise.all([stage.receive(), stage.receive()])
    const services = await stage.reaching(receivers.map(({ host }) => host))
    for (const [nth, { url }] of receivers.entries()) await stage.add(`r${nth}`, url)
    for (let worker = 0; worker < 3; worker += 1) work(services)
    for (let round = 0; round < 5; round += 1) await happen(admin, stage.orgId, 100)
    await vi.waitFor(
      async () => expect(await countDeliveries(admin, stage.orgId)).toEqual({ 'r0 delivered': 500, 'r1 delivered': 500 }),
      within,
    )
    expect(receivers.map((receiver) => [receiver.received.length, idsOf(receiver).size])).toEqual([
      [500, 500],
      [500, 500],
    ])
  })

  test('that have more to send than places for it leave to others what they cannot begin in time', async ({ stage, admin }) => {
    const answer: Parameters<typeof startReceiver>[0] = (response) => setTimeout(() => response.writeHead(200).end(), 100)
    const receivers = await Promise.all([stage.receive(answer), stage.receive(answer)])
    const services = await stage.reaching(receivers.map(({ host }) => host))
    for (const [nth, { url }] of receivers.entries()) await stage.add(`r${nth}`, url)
    await happen(admin, stage.orgId, 8)
    work(services, { places: 1, batchMs: 200, leaseMs: 600 })
    await vi.waitFor(
      async () => expect(await countDeliveries(admin, stage.orgId)).toEqual({ 'r0 delivered': 8, 'r1 delivered': 8 }),
      within,
    )
    expect(receivers.map(({ received }) => received.length)).toEqual([8, 8])
    const { rows } = await admin.query<{ attempts: number }>('select distinct attempts from app.webhook_deliveries where org_id = $1', [
      stage.orgId,
    ])
    expect(rows).toEqual([{ attempts: 1 }])
  })

  test('that are killed lose nothing, and what is sent twice has its id', async ({ stage, admin }) => {
    const receiver = await stage.receive((response) => setTimeout(() => response.writeHead(200).end(), 20))
    const services = await stage.reaching([receiver.host])
    const endpointId = await stage.add('r', receiver.url)
    await happen(admin, stage.orgId, 600)
    for (let kill = 1; kill <= 3; kill += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', workerProgram], {
        env: { ...process.env, CONFIG: JSON.stringify(services.config) },
        stdio: 'ignore',
      })
      const died = new Promise((resolve) => child.once('exit', resolve))
      await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(kill * 100), within)
      child.kill('SIGKILL')
      await died
      const left = await admin.query('select lane from app.webhook_health where endpoint_id = $1 and lane_until > now()', [endpointId])
      expect(left.rowCount).toBe(1)
      // Others wait until the lease has ended.
      await admin.query('update app.webhook_health set lane_until = now() where endpoint_id = $1', [endpointId])
    }
    work(services)
    await vi.waitFor(async () => expect(await countDeliveries(admin, stage.orgId)).toEqual({ 'r delivered': 600 }), within)
    expect(idsOf(receiver).size).toBe(600)
    // At most what was in hand at each kill.
    expect(receiver.received.length).toBeLessThan(600 + 3 * 128)
    const bodies = new Map(receiver.received.map(({ id, body }) => [id, body]))
    expect(receiver.received.every(({ id, body }) => bodies.get(id) === body)).toBe(true)
  })

  test('that die at every try of a delivery give it up in the end', async ({ stage, admin }) => {
    const receiver = await stage.receive()
    const services = await stage.reaching([receiver.host])
    await stage.add('r', receiver.url)
    await happen(admin, stage.orgId, 1)
    await admin.query(
      `with e as (update app.webhook_events set fanned_at = now() where org_id = $1 returning org_id, id, type)
       insert into app.webhook_deliveries (org_id, endpoint_id, event_id, event_type, attempts, begun, held_by)
         select e.org_id, w.id, e.id, e.type, 20, 20, app.uuid7() from e join app.webhook_endpoints w on w.org_id = e.org_id`,
      [stage.orgId],
    )
    work(services)
    await vi.waitFor(async () => expect(await countDeliveries(admin, stage.orgId)).toEqual({ 'r dead': 1 }), within)
    expect(receiver.received).toEqual([])
  })
})

test('what waited before a backup that was restored is kept for a hand to send', async ({ stage, admin }) => {
  const receiver = await stage.receive()
  const services = await stage.reaching([receiver.host])
  await stage.add('r', receiver.url)
  const worker = createServices(services.config, services.log, services.config.WORKER_DATABASE_URL)
  stops.push(() => worker.close())
  const fan = () => worker.database.withoutActor((db) => fanOut(db, 500))
  await happen(admin, stage.orgId, 2)
  await vi.waitFor(async () => {
    await fan()
    expect(await countDeliveries(admin, stage.orgId)).toEqual({ 'r waiting': 2 })
  }, within)
  // Not yet a delivery.
  await happen(admin, stage.orgId, 1)
  await holdWebhooks(worker, new Date(Date.now() + 1_000))
  await fan()
  expect(await countDeliveries(admin, stage.orgId)).toEqual({ 'r dead': 3 })
  const { rows } = await admin.query('select distinct failure from app.webhook_deliveries where org_id = $1', [stage.orgId])
  expect(rows).toEqual([{ failure: 'restored' }])
})

const moduleAt = (path: string) => JSON.stringify(fileURLToPath(new URL(path, import.meta.url)))
const workerProgram = `
  const { createServices } = await import(${moduleAt('../../../platform/services.ts')})
  const { createLog } = await import(${moduleAt('../../../platform/observability/log.ts')})
  const { startWebhooks } = await import(${moduleAt('./integrations.webhooks.jobs.ts')})
  const config = JSON.parse(process.env.CONFIG)
  startWebhooks(createServices(config, createLog('silent'), config.WORKER_DATABASE_URL))
  setInterval(() => undefined, 1000)`

describe('addresses of the inner network', () => {
  test('are never connected to, whatever they are written as and whatever their name says the second time', async ({ stage, admin }) => {
    const inner = await stage.receive()
    const port = new URL(inner.url).port
    const services = await stage.reaching([])
    const written = [
      ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '[64:ff9b::7f00:1]', '0.0.0.0'],
      ...['10.0.0.7', '192.168.1.1', '172.16.0.1', '169.254.169.254', '100.64.0.1', '[fe80::1]', '[fc00::1]', 'localhost', 'printer.local'],
      ...['hostile.example', 'rebinding.example', 'mapped.example'],
    ]
    for (const host of written) {
      await stage.add(`https ${host}`, `https://${host}:${port}/in`)
      await stage.add(`http ${host}`, `http://${host}:${port}/in`)
    }
    const numbers: Record<string, string[]> = {
      'mapped.example': ['::ffff:127.0.0.1'],
      'rebinding.example': ['127.0.0.1', '93.184.216.34'],
    }
    const lookup = (name: string) => {
      const known = numbers[name] ?? []
      // The one that names two numbers tells them in turn; the first is what it is asked for now.
      const address = known.length > 1 ? known.shift() : known[0]
      return Promise.resolve([{ address: address ?? '127.0.0.1', family: address?.includes(':') ? 6 : 4 }])
    }
    const outgoing = createOutgoing({ allowed: [], userAgent: 'Guildhall/test', lookup })
    stops.push(() => outgoing.close())
    await happen(admin, stage.orgId, 1)
    work(services, { outgoing })
    await vi.waitFor(async () => {
      const { rows } = await admin.query<{ n: number }>(
        'select count(distinct delivery_id)::int as n from app.webhook_attempts where org_id = $1',
        [stage.orgId],
      )
      expect(rows[0]?.n).toBe(written.length * 2)
    }, within)
    const { rows } = await admin.query<{ failure: string; answer: string }>(
      'select distinct failure, answer from app.webhook_attempts where org_id = $1 order by 1',
      [stage.orgId],
    )
    expect(rows).toEqual([
      { failure: 'address_refused', answer: '' },
      { failure: 'not_https', answer: '' },
    ])
    expect(inner.connections()).toBe(0)
  })
})
