import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import type { Pledge } from '@guildhall/contract/features/fundraising.pledges'
import { startPaymentCompanion } from '@guildhall/dev/payment-companion'
import type { PaymentCompanion } from '@guildhall/dev/payment-companion'
import { expect, vi } from 'vitest'
import { jobHandlers } from '../../../jobs.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { createServices } from '../../../platform/services.ts'
import type { Variant } from '../../../testing.ts'
import { made, match, test as base } from '../fundraising.testing.ts'
import { instalmentLink } from '../mails/fundraising.mails.queries.ts'

type Session = PaymentCompanion['state']['sessions'][number]
type Shop = {
  companion: PaymentCompanion
  byCard: Variant
  /** Sends the form of a campaign; the page that the provider opened. */
  give(slug: string, form: Record<string, string>): Promise<Session>
  /** The link in reminders of an instalment. */
  linkOf(instalmentId: string): Promise<string>
  /** The daily run. */
  day(): Promise<void>
}
const soon = { timeout: 20_000, interval: 50 }

/** Stripe's own library over HTTP to the companion, whose webhooks come back to a server that serves the organisation; jobs run in a worker. */
const test = base.extend<{ shop: Shop }>({
  shop: async ({ org, variant }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
    const server: { app?: Variant['app'] } = {}
    const relay = createServer((request, response) => {
      const chunks: Buffer[] = []
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          void server.app
            ?.inject({ method: 'POST', url: '/webhooks/stripe', headers: { ...request.headers }, payload: Buffer.concat(chunks) })
            .then((answer) => response.writeHead(answer.statusCode).end())
        })
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    const address = relay.address()
    const webhookUrl = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/webhooks/stripe`
    const companion = await startPaymentCompanion({ port: 0, dataDir, webhookUrl, disputeAfterMs: 60_000 })
    const byCard = await variant({
      ...{ STRIPE_SECRET_KEY: companion.secretKey, STRIPE_WEBHOOK_SECRET: companion.webhookSecret, STRIPE_API_URL: companion.url },
      ORG_ID: org.id,
    })
    server.app = byCard.app
    const { config, log } = byCard.services
    const url = config.WORKER_DATABASE_URL ?? config.DATABASE_URL
    const worker = createServices(config, log, url)
    const jobs = await startJobs({ url, handlers: jobHandlers(worker), log })
    await use({
      ...{ companion, byCard },
      async give(slug, form) {
        const answer = await byCard.app.inject({
          ...{ method: 'POST', url: `/public/giving/${slug}` },
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({ name: 'Kim Larsen', attempt: randomUUID(), ...form }).toString(),
        })
        expect(answer.statusCode, answer.body).toBe(200)
        const session = companion.state.sessions.find(({ id }) => answer.body.includes(id))
        if (!session) throw new Error('no page was opened')
        return session
      },
      linkOf: (instalmentId) => worker.database.withoutActor((db) => instalmentLink(db, config.ACTOR_KEY, org.id, instalmentId)),
      day: () => worker.database.withoutActor((tx) => worker.jobs.send(tx, 'giving', { org: org.id, on: '2026-01-01' })),
    })
    await jobs.stop()
    await worker.close()
    await companion.stop()
    relay.close()
    await rm(dataDir, { recursive: true, force: true })
  },
})

test('a gift is paid after a decline, told of twice, and counted once', async ({ admin, boss, shop, campaign }) => {
  const { companion } = shop
  const appeal = await campaign()
  const email = `${randomUUID()}@example.org`
  const attempt = randomUUID()
  const session = await shop.give(appeal.slug, { own: '25', email, attempt })
  // The same form once more opens the same page.
  expect((await shop.give(appeal.slug, { own: '25', email, attempt })).id).toBe(session.id)
  const gifts = async (): Promise<Gift[]> => ((await boss.get('/data/gifts')).body as { items: Gift[] }).items
  companion.desk.pay(session, 'declined')
  await vi.waitFor(async () => {
    const { rows } = await admin.query('select failure from app.payments where gift_id is not null order by id desc limit 1')
    expect(rows).toEqual([{ failure: 'declined' }])
  }, soon)
  expect(await gifts()).toMatchObject([{ status: 'pending' }])
  companion.desk.pay(session, 'pays')
  await vi.waitFor(async () => expect(await gifts()).toMatchObject([{ status: 'settled', donorName: 'Kim Larsen' }]), soon)
  await companion.events.deliver(companion.state.events.map(({ id }) => id).toReversed(), 2)
  const { body: after }: { body: { totals: { raised: number; gifts: number } } } = await boss.get(`/data/campaigns/${appeal.id}`)
  expect(after.totals).toMatchObject({ raised: 2500, gifts: 1 })
  expect(await gifts()).toHaveLength(1)
})

test('part of a gift is refunded, then all of it: receipts and totals follow; a dispute counts nothing until it is won', async ({
  boss,
  owner,
  shop,
  campaign,
}) => {
  const { companion } = shop
  const desk = shop.byCard.as(owner.token)
  const appeal = await campaign()
  const email = `${randomUUID()}@example.org`
  companion.desk.pay(await shop.give(appeal.slug, { own: '40', email }), 'pays')
  const listed = async (): Promise<Gift[]> => ((await boss.get('/data/gifts')).body as { items: Gift[] }).items
  await vi.waitFor(async () => expect(await listed()).toMatchObject([{ status: 'settled' }]), soon)
  const giftId = (await listed())[0]?.id ?? ''
  const gift = async (): Promise<Gift> => made(await boss.get(`/data/gifts/${giftId}`))
  const raised = async () => ((await boss.get(`/data/campaigns/${appeal.id}`)).body as { totals: object }).totals
  const refund = async (amount: number) => {
    const { payment } = await gift()
    const asked = await desk.post(
      `/actions/payments/${payment?.id}/refund`,
      { amount, reason: 'Asked for it' },
      { ...match(payment?.version ?? 0), ...owner.proof },
    )
    expect(asked.status, asked.text).toBe(200)
  }
  await refund(1500)
  await vi.waitFor(async () => expect(await gift()).toMatchObject({ status: 'partly_refunded', refunded: { amount: 1500 } }), soon)
  expect(await gift()).toMatchObject({
    receipts: [{ state: 'issued' }, { state: 'replaced' }],
    allocations: [{ amount: 4000, settled: 2500 }],
  })
  expect(await raised()).toMatchObject({ settled: 4000, refunded: 1500, raised: 2500, gifts: 1 })
  await refund(2500)
  await vi.waitFor(async () => expect(await gift()).toMatchObject({ status: 'refunded' }), soon)
  expect((await gift()).receipts.map(({ state }) => state)).toEqual(['void', 'replaced'])
  expect(await raised()).toMatchObject({ raised: 0, gifts: 0, donors: 0 })

  companion.desk.pay(await shop.give(appeal.slug, { own: '70', email }), 'pays')
  await vi.waitFor(async () => expect(await raised()).toMatchObject({ raised: 7000 }), soon)
  const intent = companion.state.intents.at(-1)
  if (!intent) throw new Error('nothing was paid')
  companion.desk.openDispute(intent)
  await vi.waitFor(async () => expect(await raised()).toMatchObject({ raised: 0 }), soon)
  const dispute = companion.state.disputes.at(-1)
  if (!dispute) throw new Error('no dispute')
  companion.desk.endDispute(dispute, 'won')
  await vi.waitFor(async () => expect(await raised()).toMatchObject({ raised: 7000, gifts: 1 }), soon)
})

test('a guest’s card is kept for their monthly gift at the provider, and charged when it is due', async ({
  admin,
  boss,
  org,
  shop,
  campaign,
}) => {
  const { companion } = shop
  const appeal = await campaign()
  const session = await shop.give(appeal.slug, { own: '12.50', email: `${randomUUID()}@example.org`, every: 'month' })
  expect(session).toMatchObject({ save: true, customer: expect.any(String) })
  companion.desk.pay(session, 'pays')
  const plans = async () => ((await boss.get('/data/recurring-gifts')).body as { items: unknown[] }).items
  await vi.waitFor(async () => expect(await plans()).toMatchObject([{ status: 'active', card: { last4: '4242' }, gifts: 1 }]), soon)
  // As if it had begun a month ago.
  await admin.query(`update app.gifts set due_on = due_on - 31 where org_id = $1`, [org.id])
  await admin.query(`update app.recurring_plans set started_on = started_on - 31, next_on = started_on where org_id = $1`, [org.id])
  await shop.day()
  await vi.waitFor(async () => expect(await plans()).toMatchObject([{ gifts: 2, given: { amount: 2500 }, failures: 0 }]), soon)
  const intents = companion.state.intents.filter(({ status }) => status === 'succeeded')
  expect(intents.map(({ amount, customer }) => [amount, customer])).toEqual([
    [1250, session.customer],
    [1250, session.customer],
  ])
  // A lost notice, and a job that comes twice: still one charge.
  await shop.day()
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(companion.state.intents.filter(({ status }) => status === 'succeeded')).toHaveLength(2)
})

test('an instalment has one page at the provider however often it is begun; begun the other way, the page before ends', async ({
  boss,
  campaign,
  org,
  person,
  shop,
}) => {
  const { companion, byCard } = shop
  const { sessions } = companion.state
  const member = await person({ org, email: `${randomUUID()}@example.org` })
  const appeal = await campaign()
  const said = { personId: member.personId, campaignId: appeal.id, money: { amount: 4_000, currency: 'EUR' } }
  const pledge = made<Pledge>(await boss.post('/data/pledges', { ...said, pledgedOn: '2026-01-05', firstDueOn: '2026-01-31' }))
  const instalmentId = pledge.instalments[0]?.id ?? ''
  const path = await shop.linkOf(instalmentId)
  expect(await shop.linkOf(instalmentId)).toBe(path)
  const byLink = async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await byCard.app.inject({ method: 'POST', url: path, headers, payload: '' })
    expect(answer.statusCode, answer.body).toBe(200)
    return sessions.find(({ id }) => answer.body.includes(id))
  }
  const signedIn = async () => {
    const answer = await byCard.as(member.token).post(`/actions/pledges/${pledge.id}/instalments/${instalmentId}/pay`)
    const { url } = made<{ url: string }>(answer)
    return sessions.find(({ id }) => url.includes(id))
  }
  const first = await byLink()
  expect((await byLink())?.id).toBe(first?.id)
  const second = await signedIn()
  expect((await signedIn())?.id).toBe(second?.id)
  expect(sessions.map(({ id, status }) => [id, status])).toEqual([
    [first?.id, 'expired'],
    [second?.id, 'open'],
  ])
  if (!second) throw new Error('no page was opened')
  companion.desk.pay(second, 'pays')
  await vi.waitFor(async () => {
    const { body } = await boss.get(`/data/pledges/${pledge.id}`)
    expect(body).toMatchObject({ status: 'fulfilled', paid: { amount: 4_000 }, instalments: [{ state: 'paid' }] })
  }, soon)
  const { body }: { body: { items: Gift[] } } = await boss.get('/data/gifts')
  expect(body.items).toMatchObject([{ status: 'settled', money: { amount: 4_000 } }])
})
