import { sql } from 'kysely'
import type { Pool } from 'pg'
import { expect } from 'vitest'
import { PaymentProviderError } from '../../../platform/payments/payment-provider.ts'
import type { PaymentProvider, ProviderPayout } from '../../../platform/payments/payment-provider.ts'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { TestOrganisation, Variant } from '../../../testing.ts'
import { memoryProvider } from '../../payments/payments.testing.ts'
import { countFigures } from './integrations.figures.jobs.ts'

type Counting = { product: Variant; worker: Services; count(more?: Partial<Services>, now?: Date): Promise<void> }
const test = base.extend<{ counting: Counting }>({
  counting: async ({ variant }, use) => {
    const product = await variant({ SMTP_URL: 'smtp://localhost:2525' })
    const { config, log } = product.services
    const worker = createServices(config, log, config.WORKER_DATABASE_URL)
    await use({
      ...{ product, worker },
      count: async (more = {}, now = new Date()) =>
        countFigures({ ...worker, ...more }, () => now)({}, { signal: new AbortController().signal, id: '' }),
    })
    await worker.close()
  },
})

const figures = async (admin: Pool, org: TestOrganisation, connector: string) => {
  const { rows } = await admin.query<{ type: string; total: number; measured: number }>(
    `select m.type, sum(m.total)::float8 as total, sum(m.measured)::int as measured from app.metric_hours m join app.connections c on c.org_id = m.org_id and c.id = m.connection_id
     where c.org_id = $1 and c.connector = $2 group by 1 order by 1`,
    [org.id, connector],
  )
  return Object.fromEntries(rows.map(({ type, total, measured }) => [type, [total, measured]]))
}
const connection = async (admin: Pool, org: TestOrganisation, connector: string) =>
  (
    await admin.query(`select name, state, failure ->> 'reason' as reason from app.connections where org_id = $1 and connector = $2`, [
      org.id,
      connector,
    ])
  ).rows as object[]

test('the mail server is a connection with what became of mail, counted again when more is known', async ({
  counting,
  admin,
  organisation,
  person,
}) => {
  const org = await organisation()
  const mail = (state: string, hours: number) =>
    admin.query(
      `insert into app.mail_messages (org_id, template, address, essential, state, created_at, handed_at, settled_at, outcome) values ($1, 'invitation', 'a@example.org', true, $2, now() - make_interval(hours => $3),
       now() - make_interval(hours => $3), now() - make_interval(hours => $3), '') returning id`,
      [org.id, state, hours],
    )
  const { rows } = await mail('sent', 3)
  await mail('sent', 3)
  await mail('failed', 5)
  await mail('sent', 24 * 60)
  await counting.count()
  expect(await figures(admin, org, 'smtp')).toEqual({ sent: [3, 3], errors: [1, 1] })
  expect(await connection(admin, org, 'smtp')).toEqual([{ name: 'Mail server', state: 'connected', reason: null }])
  await admin.query(`update app.mail_messages set bounced_at = now(), bounce = 'hard' where org_id = $1 and id = $2`, [
    org.id,
    (rows[0] as { id: string }).id,
  ])
  await admin.query(`delete from app.mail_messages where org_id = $1 and state = 'failed'`, [org.id])
  await counting.count()
  await counting.count()
  expect(await figures(admin, org, 'smtp')).toEqual({ sent: [3, 3], bounces: [1, 1] })

  // Seen by who writes messages, connected and disconnected by nobody.
  const writer = counting.product.as((await person({ org, grants: [{ role: 'communications' }] })).token)
  const { body } = await writer.get('/data/connections')
  expect(body).toMatchObject({ items: [{ connector: 'smtp', may: { manage: false } }] })
  const boss = counting.product.as((await person({ org, idpRoles: ['org-owner'] })).token)
  const [mine] = ((await boss.get('/data/connections')).body as { items: { id: string; version: number }[] }).items
  expect(await boss.post(`/data/connections/${mine?.id}/disconnect`, {}, { 'if-match': `"${mine?.version}"` })).toMatchObject({
    status: 409,
    body: { reason: 'connection_by_itself' },
  })
  expect(await boss.post('/actions/connections', { connector: 'stripe', name: 'Mine' })).toMatchObject({
    status: 409,
    body: { reason: 'connection_by_itself' },
  })
})

test('the payment provider is a connection while there is one, with its money by hour', async ({ counting, admin, organisation }) => {
  const org = await organisation()
  const payment = async (state: string, amount: number, hours: number, more: { failure?: string; currency?: string } = {}) => {
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.payments (org_id, method, provider, provider_ref, kind, amount, currency, refunded_amount, state, settled_at, received_on, created_at, failure, counts)
       values ($1, 'card', 'stripe', gen_random_uuid()::text, 'checkout', $3::bigint, $6, case when $2 = 'refunded' then $3::bigint else 0 end, $2, case when $2 in ('settled', 'refunded') then now() - make_interval(hours => $4) end,
         case when $2 in ('settled', 'refunded') then current_date end, now() - make_interval(hours => $4), $5, true) returning id`,
      [org.id, state, amount, hours, more.failure ?? null, more.currency ?? 'EUR'],
    )
    return rows[0]?.id ?? ''
  }
  await payment('settled', 2500, 4)
  await payment('settled', 9900, 4, { currency: 'USD' })
  const back = await payment('refunded', 1000, 30)
  await payment('failed', 700, 5, { failure: 'declined' })
  const late = await payment('pending', 300, 6)
  await admin.query(
    `insert into app.refunds (org_id, payment_id, state, amount, currency, reason, settled_at) values ($1, $2, 'settled', 1000, 'EUR', '', now())`,
    [org.id, back],
  )
  const { provider } = memoryProvider()
  await counting.count()
  expect(await connection(admin, org, 'stripe')).toEqual([])
  await counting.count({ payments: provider })
  expect(await figures(admin, org, 'stripe')).toEqual({ volume: [3500, 2], 'success-rate': [300, 4], refunds: [1000, 1], errors: [1, 1] })
  expect(await connection(admin, org, 'stripe')).toMatchObject([{ state: 'degraded', reason: 'payments_unheard' }])
  await admin.query(
    `insert into app.payment_events (org_id, event_id, type, payment_id) values ($1, 'evt_1', 'charge.dispute.created', $2)`,
    [org.id, late],
  )
  await admin.query(
    `update app.payments set state = 'settled', settled_at = now(), received_on = current_date where org_id = $1 and id = $2`,
    [org.id, late],
  )
  await counting.count({ payments: provider })
  expect(await figures(admin, org, 'stripe')).toEqual({
    volume: [3800, 3],
    'success-rate': [400, 5],
    refunds: [1000, 1],
    errors: [1, 1],
    disputes: [1, 1],
  })
  expect(await connection(admin, org, 'stripe')).toMatchObject([{ state: 'connected', reason: null }])
  await counting.count()
  expect(await connection(admin, org, 'stripe')).toMatchObject([{ state: 'disconnected' }])
})

test('fees and payouts are counted when they were, however late they are heard of, and payouts of an account that is shared by nobody', async ({
  counting,
  admin,
  organisation,
}) => {
  const org = await organisation({ timezone: 'Asia/Kathmandu' })
  const { rows } = await admin.query<{ idp: string; id: string; settledAt: Date; days: string[] }>(
    `with o as (select o.idp_org_id as idp, (now() at time zone o.timezone)::date as today from app.organisations o where o.org_id = $1),
     p as (insert into app.payments (org_id, method, provider, provider_ref, kind, amount, currency, state, settled_at, counts)
       values ($1, 'card', 'stripe', gen_random_uuid()::text, 'checkout', 5000, 'EUR', 'settled', date_trunc('hour', now() - interval '3 hours', 'Asia/Kathmandu') + interval '1 minute', true) returning id, settled_at)
     select o.idp, p.id, p.settled_at as "settledAt", array[o.today::text, (o.today - 2)::text, (o.today - 20)::text, (o.today + 1)::text] as days from o cross join p`,
    [org.id],
  )
  const [{ idp, id, settledAt, days } = { idp: '', id: '', settledAt: new Date(), days: [] }] = rows
  const [today = '', lately = '', before = '', tomorrow = ''] = days
  const memory = memoryProvider()
  const services = { payments: memory.provider, config: { ...counting.worker.config, ORG_ID: idp } }
  const fee = (transaction: string, kind: string, amount: number, daysAgo: number, currency = 'EUR') => ({
    ...{ transaction, kind, amount, currency, at: new Date(Date.now() - daysAgo * 86_400_000).toISOString() },
  })
  const noteFees = (...fees: object[]) =>
    counting.worker.database.withoutActor((db) =>
      sql`select app.note_payment_fees(${org.id}, ${id}, ${JSON.stringify(fees)}::jsonb)`.execute(db),
    )
  const payout = (ref: string, amount: number, arrivesOn: string, state: ProviderPayout['state'] = 'paid', currency = 'EUR') =>
    void memory.payouts.push({
      ...{ id: ref, state, arrivesOn, money: { amount, currency }, isLive: false },
      madeAt: new Date(Date.now() - 20 * 86_400_000).toISOString(),
    })

  await counting.count(services)
  expect(await figures(admin, org, 'stripe')).toEqual({ volume: [5000, 1], 'success-rate': [100, 1] })

  await noteFees(
    fee('one', 'charge', 100, 1),
    fee('old', 'dispute', 2000, 20),
    fee('coin', 'charge', 7, 1, 'USDC'),
    fee('dollars', 'refund', 7, 1, 'USD'),
  )
  await noteFees(fee('one', 'charge', 999, 1), fee('back', 'refund', -40, 0))
  payout('today', 1000, today)
  payout('lately', 500, lately)
  payout('before', 300, before)
  payout('coming', 9, tomorrow)
  payout('waiting', 9, lately, 'in_transit')
  payout('failed', 9, lately, 'failed')
  payout('dollars', 9, lately, 'paid', 'USD')
  await counting.count(services)
  const counted = async () => {
    const { fees, payouts } = await figures(admin, org, 'stripe')
    return { fees, payouts }
  }
  expect(await counted()).toEqual({ fees: [2060, 3], payouts: [1800, 3] })

  // The bank sends back what had arrived, and an answer of before that comes late changes nothing.
  const state = (ref: string, becomes: ProviderPayout['state']) =>
    memory.payouts.forEach((one) => (one.id === ref ? Object.assign(one, { state: becomes }) : one))
  state('before', 'failed')
  state('waiting', 'paid')
  await counting.count(services)
  expect(await counted()).toEqual({ fees: [2060, 3], payouts: [1509, 3] })
  state('before', 'paid')
  state('waiting', 'pending')
  await counting.count(services)
  expect(await counted()).toEqual({ fees: [2060, 3], payouts: [1509, 3] })

  // Where the provider does not answer, the rest is counted.
  await noteFees(fee('more', 'dispute', 1, 0))
  const silent: PaymentProvider = {
    ...memory.provider,
    listPayouts() {
      throw new PaymentProviderError('unavailable', 'away')
    },
  }
  await counting.count({ ...services, payments: silent })
  expect(await counted()).toEqual({ fees: [2061, 4], payouts: [1509, 3] })

  // What is counted last of an hour, a week later, is the whole hour, also where hours begin at a quarter to.
  await counting.count(services, new Date(settledAt.getTime() + (7 * 24 * 60 + 30) * 60_000))
  expect(await figures(admin, org, 'stripe')).toMatchObject({ volume: [5000, 1] })

  const other = await organisation()
  await counting.count({ payments: memory.provider })
  expect((await admin.query(`select from app.provider_payouts where org_id = $1`, [other.id])).rowCount).toBe(0)
})
