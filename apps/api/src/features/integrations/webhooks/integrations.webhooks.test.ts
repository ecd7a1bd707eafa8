import type {
  MadeWebhookEndpoint,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@guildhall/contract/features/integrations.webhooks'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, vi } from 'vitest'
import { test as base } from '../../../testing.ts'
import type { Client, TestPerson, Variant } from '../../../testing.ts'
import { happen, letWait, startReceiver, startWorker, triesMade } from './integrations.webhooks.testing.ts'
import type { Receiver } from './integrations.webhooks.testing.ts'

const url = '/data/webhook-endpoints'
const match = (version: number) => ({ 'if-match': String(version) })
const within = { timeout: 20_000, interval: 30 }

type Office = {
  owner: TestPerson
  as: Client
  variant: Variant
  receiver: Receiver
  add(fields?: object): Promise<MadeWebhookEndpoint>
  get(endpointId: string): Promise<WebhookEndpoint>
  deliveries(endpointId: string, query?: string): Promise<WebhookDelivery[]>
  detail(endpointId: string, deliveryId: string): Promise<WebhookDeliveryDetail>
}
let answering: Parameters<typeof startReceiver>[0]
const test = base.extend<{ office: Office }>({
  office: async ({ variant, person }, use) => {
    answering = undefined
    const receiver = await startReceiver((response, request, nth) =>
      answering ? answering(response, request, nth) : response.writeHead(200).end('thanks'),
    )
    const owner = await person({ idpRoles: ['org-owner'] })
    const server = await variant({ OUTGOING_ALLOW: receiver.host })
    const as = server.as(owner.token)
    await use({
      ...{ owner, as, variant: server, receiver },
      async add(fields = {}) {
        const body = { name: 'Website', url: receiver.url, eventTypes: ['message.sent'], ...fields }
        const answer = await as.post(url, body, owner.proof)
        expect(answer, answer.text).toMatchObject({ status: 201 })
        return answer.body
      },
      get: async (endpointId) => (await as.get(`${url}/${endpointId}`)).body,
      deliveries: async (endpointId, query = '') => (await as.get(`${url}/${endpointId}/deliveries${query}`)).body['items'],
      detail: async (endpointId, deliveryId) => (await as.get(`${url}/${endpointId}/deliveries/${deliveryId}`)).body,
    })
    await receiver.close()
  },
})
let stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
const work = ({ variant }: Office) => {
  const worker = startWorker(variant.services)
  stops = [...stops, () => worker.stop()]
}

describe('an endpoint', () => {
  test('is made, changed, paused, resumed and removed; its secret is said once', async ({ office, admin }) => {
    const { as, owner, add, get } = office
    expect(await as.post(url, { name: 'A', url: office.receiver.url, eventTypes: ['message.sent'] })).toMatchObject({ status: 403 })
    const { endpoint, secret } = await add({ eventTypes: ['message.sent', 'message.sent', 'gift.settled'] })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(endpoint).toMatchObject({
      state: 'active',
      eventTypes: ['message.sent', 'gift.settled'],
      waiting: 0,
      dead: 0,
      secrets: [{ hint: secret.slice(-4), expiresAt: null }],
    })
    expect(endpoint.strip).toHaveLength(14)
    const listed = await as.get(url)
    expect(listed.text).not.toContain(secret.slice(6, -4))
    const { rows } = await admin.query<{ diff: string }>(
      `select diff::text from app.audit_entries where org_id = $1 and entity like 'webhook%'`,
      [owner.orgId],
    )
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/whsec|sealed|\/in/)
    expect(JSON.stringify(rows)).toContain(office.receiver.host)

    const path = `${url}/${endpoint.id}`
    const change = { name: 'New site', eventTypes: ['event.published'] }
    expect(await as.patch(path, change, { ...match(7), ...owner.proof })).toMatchObject({ status: 412 })
    expect(await as.patch(path, change, { ...match(1), ...owner.proof })).toMatchObject({ status: 200, body: { ...change, version: 2 } })
    expect(await as.post(`${path}/pause`, {}, match(2))).toMatchObject({ status: 200, body: { state: 'paused', version: 3 } })
    expect(await as.post(`${path}/resume`, {}, match(3))).toMatchObject({ status: 200, body: { state: 'active', version: 4 } })
    expect(await as.del(path, undefined, match(4))).toMatchObject({ status: 204 })
    expect(await as.get(path)).toMatchObject({ status: 404 })
    expect(await get(endpoint.id)).toMatchObject({ code: 'NOT_FOUND' })
  })

  test.for([
    ['http://hooks.example.org/in', 'not_https'],
    [`https://${['user', 'word'].join(':')}@hooks.example.org`, 'credentials_in_address'],
    ['https://hooks.example.org:25/', 'port_refused'],
    ['https://169.254.169.254/latest', 'address_refused'],
    ['https://[::ffff:127.0.0.1]/', 'address_refused'],
    ['hooks.example.org', 'not_an_address'],
  ] as const)('is refused at %s: %s', async ([address, reason], { office }) => {
    const { as, owner, add } = office
    const refusal = { status: 422, body: { errors: [{ path: 'url', code: reason }] } }
    expect(await as.post(url, { name: 'A', url: address, eventTypes: ['message.sent'] }, owner.proof)).toMatchObject(refusal)
    const { endpoint } = await add()
    expect(await as.patch(`${url}/${endpoint.id}`, { url: address }, { ...match(1), ...owner.proof })).toMatchObject(refusal)
  })

  test('is kept as it will be asked, however the address was typed', async ({ office }) => {
    const { as, owner } = office
    const typed = (address: string) => as.post(url, { name: 'A', url: address, eventTypes: ['message.sent'] }, owner.proof)
    const kept = { status: 201, body: { endpoint: { url: 'https://hooks.example.org/in' } } }
    for (const address of ['HTTPS://Hooks.Example.org/in', 'https:hooks.example.org/in', 'https:\\\\hooks.example.org\\in'])
      expect(await typed(address), address).toMatchObject(kept)
    const long = `https://hooks.example.org/${'é'.repeat(1_000)}`
    expect(await typed(long)).toMatchObject({ status: 422, body: { errors: [{ path: 'url', code: 'not_an_address' }] } })
  })

  test('is one of 50 at most', async ({ office, admin }) => {
    const { owner, as } = office
    await admin.query(
      `insert into app.webhook_endpoints (org_id, name, url, event_types) select $1, n::text, 'https://hooks.example.org', '{message.sent}' from generate_series(1, 50) n`,
      [owner.orgId],
    )
    const more = { name: 'One more', url: office.receiver.url, eventTypes: ['message.sent'] }
    expect(await as.post(url, more, owner.proof)).toMatchObject({ status: 409, body: { reason: 'webhook_limit' } })
  })
})

describe('a delivery', () => {
  test('is signed so that an independent library accepts it, also while the secret is rotated', async ({ office, chapter, admin }) => {
    const { add, as, get, owner, receiver } = office
    const { endpoint, secret } = await add({ eventTypes: ['chapter.created'] })
    work(office)
    const org = {
      id: owner.orgId,
      rootChapterId: (await admin.query<{ id: string }>('select id from app.chapters where org_id = $1', [owner.orgId])).rows[0]?.id ?? '',
    }
    const made = await chapter(org, 'Canary chapter')
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1), within)
    const [first] = receiver.received
    const headersOf = (nth: number) => {
      const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = receiver.received[nth]?.headers ?? {}
      return { 'webhook-id': String(id), 'webhook-timestamp': String(timestamp), 'webhook-signature': String(signature) }
    }
    const body = first?.body ?? ''
    expect(new Webhook(secret).verify(body, headersOf(0))).toEqual({
      id: first?.id,
      type: 'chapter.created',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: { chapterId: made, parentId: org.rootChapterId, version: 1 },
    })
    expect(first?.headers['content-type']).toBe('application/json')
    expect(() => new Webhook(secret).verify(body.replace('created', 'updated'), headersOf(0))).toThrow('No matching signature')
    await vi.waitFor(async () => expect(await get(endpoint.id)).toMatchObject({ waiting: 0 }), within)
    const [delivery] = await office.deliveries(endpoint.id)
    expect(delivery).toMatchObject({ id: first?.id, recordId: made, state: 'delivered', status: 200, attempts: 1, failure: null })
    expect(await office.detail(endpoint.id, delivery?.id ?? '')).toMatchObject({
      body,
      headers: { 'content-type': 'application/json', 'webhook-id': first?.id },
      tries: [{ status: 200, answer: 'thanks', failure: null }],
    })

    const rotated = await as.post(`${url}/${endpoint.id}/secret`, {}, { ...match(endpoint.version), ...owner.proof })
    const { secret: second, endpoint: now }: MadeWebhookEndpoint = rotated.body
    expect(now.secrets).toMatchObject([{ hint: second.slice(-4), expiresAt: null }, { hint: secret.slice(-4) }])
    await chapter(org, 'Another')
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2), within)
    const both = receiver.received[1]?.body ?? ''
    for (const known of [secret, second]) expect(new Webhook(known).verify(both, headersOf(1))).toMatchObject({ type: 'chapter.created' })
    expect(headersOf(1)['webhook-signature'].split(' ')).toHaveLength(2)
    await admin.query(`update app.webhook_secrets set expires_at = now() where org_id = $1 and expires_at is not null`, [owner.orgId])
    await chapter(org, 'Third')
    await vi.waitFor(() => expect(receiver.received).toHaveLength(3), within)
    expect(() => new Webhook(secret).verify(receiver.received[2]?.body ?? '', headersOf(2))).toThrow('No matching signature')
  })

  test('that fails is tried again under its id, byte by byte the same, and given up after the eighth try', async ({ office, admin }) => {
    const { add, owner, receiver, as, get } = office
    const { endpoint } = await add()
    answering = (response, _request, nth) => response.writeHead(nth === 9 ? 200 : 500).end('<h1>Oh\u0000 no</h1>' + 'x'.repeat(5_000))
    await happen(admin, owner.orgId, 1)
    work(office)
    const dead = async () => (await office.deliveries(endpoint.id, '?state=dead'))[0]
    const waits: number[] = []
    for (let nth = 1; nth <= 8; nth += 1) {
      await vi.waitFor(async () => expect(await triesMade(admin, owner.orgId)).toBe(nth), within)
      const [delivery] = await office.deliveries(endpoint.id)
      expect(delivery).toMatchObject({ attempts: nth, failure: 'status', status: 500 })
      if (delivery?.nextAttemptAt) waits.push((Date.parse(delivery.nextAttemptAt) - Date.now()) / 60_000)
      await letWait(admin, owner.orgId)
    }
    for (const [nth, minutes] of [1, 5, 30, 120, 300, 600, 1_440].entries()) {
      expect(waits[nth]).toBeGreaterThan(minutes * 0.85)
      expect(waits[nth]).toBeLessThan(minutes * 1.11)
    }
    expect(await dead()).toMatchObject({ state: 'dead', attempts: 8, nextAttemptAt: null })
    expect(new Set(receiver.received.map(({ id, body }) => id + body)).size).toBe(1)
    expect(await get(endpoint.id)).toMatchObject({ waiting: 0, dead: 1, failingSince: expect.any(String), lastDeliveredAt: null })
    const { tries } = await office.detail(endpoint.id, (await dead())?.id ?? '')
    expect(tries).toHaveLength(8)
    expect(tries[0]?.answer).toHaveLength(1_000)

    // What counts is when it was given up, which is two days after it happened.
    await admin.query(
      `update app.webhook_deliveries set created_at = now() - interval '2 days', given_up_at = now() - interval '1 hour' where endpoint_id = $1`,
      [endpoint.id],
    )
    const since = (hours: number) => ({ deadSince: new Date(Date.now() - hours * 3_600_000).toISOString() })
    const replay = (what: object) => as.post(`/actions/webhook-endpoints/${endpoint.id}/replay`, what)
    expect(await replay(since(0.5))).toMatchObject({ status: 200, body: { replayed: 0 } })
    expect(await replay(since(24))).toMatchObject({ status: 200, body: { replayed: 1 } })
    await vi.waitFor(
      async () => expect((await office.deliveries(endpoint.id))[0]).toMatchObject({ state: 'delivered', attempts: 9 }),
      within,
    )
    expect(new Set(receiver.received.map(({ id, body }) => id + body)).size).toBe(1)
    expect(await get(endpoint.id)).toMatchObject({ dead: 0, failingSince: null, lastDeliveredAt: expect.any(String) })
    const [replayed] = await office.deliveries(endpoint.id)
    expect(await as.post(`/actions/webhook-endpoints/${endpoint.id}/replay`, { deliveryIds: [replayed?.id] })).toMatchObject({
      body: { replayed: 1 },
    })
    await vi.waitFor(() => expect(receiver.received).toHaveLength(10), within)
  })

  test('of a test event is made also for a paused endpoint, tried once and counted nowhere', async ({ office, admin }) => {
    const { add, as, owner, receiver, get } = office
    const { endpoint } = await add()
    await as.post(`${url}/${endpoint.id}/pause`, {}, match(endpoint.version))
    await happen(admin, owner.orgId, 1)
    answering = (response) => response.writeHead(404).end()
    work(office)
    const ping = await as.post(`/actions/webhook-endpoints/${endpoint.id}/ping`, {})
    expect(ping).toMatchObject({ status: 201, body: { eventType: 'ping', state: 'waiting', recordId: null } })
    await vi.waitFor(
      async () => expect((await office.deliveries(endpoint.id, '?eventType=ping'))[0]).toMatchObject({ state: 'dead', status: 404 }),
      within,
    )
    expect(receiver.received).toHaveLength(1)
    const { waiting, dead, strip, failingSince } = await get(endpoint.id)
    expect({ waiting, dead, failingSince, counted: strip.at(-1) }).toMatchObject({
      waiting: 1,
      dead: 0,
      failingSince: null,
      counted: { delivered: 0, failed: 0 },
    })
  })
})

describe('three days', () => {
  test('without a success pause an endpoint, and those who manage it are told', async ({ office, admin, person }) => {
    const { add, as, owner, get, receiver } = office
    const { endpoint } = await add()
    // Who made it and manages webhooks no more is not told.
    const former = await person({ org: { id: owner.orgId, rootChapterId: '' }, chapterId: null })
    await admin.query('update app.webhook_endpoints set created_by = $2 where id = $1', [endpoint.id, former.accountId])
    answering = (response) => response.writeHead(503).end()
    await happen(admin, owner.orgId, 1)
    work(office)
    await vi.waitFor(async () => expect(await triesMade(admin, owner.orgId)).toBe(1), within)
    await admin.query(`update app.webhook_health set failing_since = now() - interval '73 hours' where endpoint_id = $1`, [endpoint.id])
    await letWait(admin, owner.orgId)
    await vi.waitFor(async () => expect(await get(endpoint.id)).toMatchObject({ state: 'failing', waiting: 1 }), within)
    const told = await as.get('/data/notifications')
    expect(told.body).toMatchObject({ items: [{ kind: 'webhook-failing', recordId: endpoint.id, params: { title: 'Website' } }] })
    const mails = await admin.query(`select from app.mail_messages where org_id = $1 and template = 'notification'`, [owner.orgId])
    expect(mails.rowCount).toBe(1)
    await letWait(admin, owner.orgId)
    await happen(admin, owner.orgId, 1)
    await vi.waitFor(async () => expect(await get(endpoint.id)).toMatchObject({ waiting: 2 }), within)
    answering = undefined
    const before = receiver.received.length
    const { version } = await get(endpoint.id)
    await as.post(`${url}/${endpoint.id}/resume`, {}, match(version))
    await vi.waitFor(async () => expect(await get(endpoint.id)).toMatchObject({ state: 'active', waiting: 0, failingSince: null }), within)
    expect(receiver.received.length).toBe(before + 2)
  })

  test('are what deliveries wait for a paused endpoint; a removed one goes with all it had', async ({ office, admin }) => {
    const { add, as, owner, get } = office
    const { endpoint } = await add()
    await as.post(`${url}/${endpoint.id}/pause`, {}, match(endpoint.version))
    await happen(admin, owner.orgId, 2)
    const early = startWorker(office.variant.services)
    await vi.waitFor(async () => expect(await get(endpoint.id)).toMatchObject({ waiting: 2 }), within)
    await early.stop()
    await admin.query(`update app.webhook_endpoints set paused_at = now() - interval '4 days' where id = $1`, [endpoint.id])
    await admin.query(
      `update app.webhook_deliveries set queued_at = now() - interval '73 hours' where id = (select id from app.webhook_deliveries where endpoint_id = $1 limit 1)`,
      [endpoint.id],
    )
    work(office)
    await vi.waitFor(async () => expect(await get(endpoint.id)).toMatchObject({ waiting: 1, dead: 1 }), within)
    expect(await office.deliveries(endpoint.id, '?state=dead')).toMatchObject([{ failure: 'paused' }])
    const { version } = await get(endpoint.id)
    await as.del(`${url}/${endpoint.id}`, undefined, match(version))
    for (const stop of stops.splice(0)) await stop()
    work(office)
    await vi.waitFor(async () => {
      const { rowCount } = await admin.query('select from app.webhook_endpoints where org_id = $1', [owner.orgId])
      expect(rowCount).toBe(0)
    }, within)
  })
})
