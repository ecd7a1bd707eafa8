import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startPaymentCompanion } from '@guildhall/dev/payment-companion'
import type { PaymentCompanion } from '@guildhall/dev/payment-companion'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { beginDay, dayIsOver, foundMembers } from '../members.ts'
import { startProxy } from '../proxy.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const price = 6_000

/** Everybody has a saved card, at the provider and here. */
async function saveCards({ admin }: Stage, { state }: PaymentCompanion, org: string, size: number): Promise<void> {
  for (let nth = 1; nth <= size; nth++)
    state.methods.push({
      ...{ id: `pm_${nth}`, created: 0, customer: `cus_${nth}`, brand: 'visa', last4: '4242', expMonth: 12 },
      ...{ expYear: new Date().getFullYear() + 3, behaviour: 'pays' },
    })
  await admin.query(
    `insert into app.payment_methods (org_id, person_id, provider_customer, provider_method, brand, last4, exp_month, exp_year)
     select org_id, id, 'cus_' || family_name, 'pm_' || family_name, 'visa', '4242', 12, 2100 from app.people where org_id = $1`,
    [org],
  )
}

type Found = { payments: number; settled: number; paid: number; received: number; activated: number; terms: number; receipts: number }
const outcomeOf = ({ admin }: Stage, org: string) =>
  rowOf<Found>(
    admin,
    `select count(*)::int as payments, count(*) filter (where p.state = 'settled')::int as settled,
       (select count(*)::int from app.invoices i where i.org_id = $1 and i.state = 'paid' and i.paid_amount = i.total_amount) as paid,
       (select coalesce(sum(a.amount - a.refunded_amount), 0)::int from app.payment_allocations a where a.org_id = $1) as received,
       (select count(*)::int from app.memberships m where m.org_id = $1 and m.status = 'active' and m.ends_on > current_date + 360 and m.ends_on < current_date + 370) as activated,
       (select count(*)::int from app.membership_terms t where t.org_id = $1 and t.status = 'settled' and t.starts_on > current_date) as terms,
       (select count(*)::int from app.receipts r where r.org_id = $1) as receipts
     from app.payments p where p.org_id = $1`,
    [org],
  )

type Renewed = {
  found: Found
  later: Found
  charges: number
  charged: number
  killed: number
  between: number
}

/**
 * Charges the renewals of a day while the worker is killed as soon as the provider has taken the money: before its answer arrives, or while it is
 * being recorded. Afterwards all notices of the provider arrive, twice and in the wrong order.
 */
async function charge({ random, log }: Run, size: number, kills: number, keepsKeys: boolean): Promise<Renewed> {
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-cards-'))
  const stops: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  try {
    let serverPort = 0
    const door = await startProxy(() => serverPort)
    stops.push(() => door.stop())
    const webhookUrl = `http://127.0.0.1:${door.port}/webhooks/stripe`
    const companion = await startPaymentCompanion({ port: 0, dataDir: folder, webhookUrl })
    stops.push(() => companion.stop())
    companion.events.hold(true)
    const { url, secretKey, webhookSecret, state, desk } = companion
    const env = { STRIPE_API_URL: url, STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }
    const stage = await setStage({ servers: 0, workers: 1, env, log })
    stops.push(() => stage.stop())
    const [worker] = stage.workers
    if (!worker) throw new Error('there is no worker')
    const org = await foundMembers(stage.admin, size, 0)
    await saveCards(stage, companion, org, size)
    await beginDay(stage, org)
    await until('the renewals', 600, () => dayIsOver(stage), 100)

    let killed = 0
    const between = new Set<string>()
    let ending: Promise<void> | undefined
    const end = async (wait: number) => {
      if (wait > 0) await sleep(wait)
      await worker.kill()
      const { rows } = await stage.admin.query<{ id: string }>(`select id from app.payments where org_id = $1 and state = 'settled'`, [org])
      const settled = new Set(rows.map(({ id }) => id))
      for (const { metadata } of state.intents) {
        const payment = metadata['guildhall_payment'] ?? ''
        if (!settled.has(payment)) between.add(payment)
      }
      if (!keepsKeys) state.answered.length = 0
      // The two minutes after which what a killed worker was at is taken up again.
      await stage.admin.query(
        `update pgboss.job set started_on = started_on - interval '5 minutes' where name = 'payments' and state = 'active'`,
      )
      await worker.start()
      log(`kill ${killed} after ${state.charges.length} charges`)
    }
    const take = desk.chargeSaved
    desk.chargeSaved = (asked) => {
      const intent = take(asked)
      const left = size - state.charges.length
      if (ending === undefined && killed < kills && random.next() * (left + 1) < kills - killed) {
        killed += 1
        // The signal is sent before the answer is.
        ending = end(random.pick([0, 0, random.between(1, 60)])).finally(() => (ending = undefined))
      }
      return intent
    }
    await beginDay(stage, org, 'remind')
    const isOver = async () =>
      ending === undefined &&
      (await dayIsOver(stage)) &&
      (await stage.admin.query(`select from pgboss.job where name = 'payments' and state < 'completed'`)).rowCount === 0 &&
      (await outcomeOf(stage, org)).payments === size
    await until('the charges', 1_800, isOver, 200)
    const found = await outcomeOf(stage, org)

    serverPort = Number(new URL((await stage.addServer()).url).port)
    companion.events.reverse()
    await companion.events.deliver(undefined, 2)
    await beginDay(stage, org, 'remind')
    await until('what the notices ask for', 600, isOver, 200)
    const later = await outcomeOf(stage, org)
    const charged = state.charges.reduce((sum, { amount }) => sum + amount, 0)
    return { found, later, charges: state.charges.length, charged, killed, between: between.size }
  } finally {
    for (const stop of stops.toReversed()) await stop().catch((error: unknown) => log(String(error)))
  }
}

async function run(ordered: Run): Promise<void> {
  const { kills, size, check, control } = ordered
  const { found, later, charges, charged, killed, between } = await charge(ordered, size, kills, true)
  check(`${killed} kills, between charge and settlement of ${between} renewals: each card charged once`, charges, charges === size)
  check('what was charged is what was received', [charged, found.received], charged === size * price && found.received === charged)
  const { payments, settled, paid, activated, terms, receipts } = found
  const isExact = [payments, settled, paid, activated, terms, receipts].every((count) => count === size)
  check('one payment, one paid invoice, one activation and one receipt each', found, isExact)
  check('renewals that were killed in between', between, between >= kills)
  check('the provider’s notices, twice and turned round, change nothing', later, JSON.stringify(later) === JSON.stringify(found))
  const forgetful = await charge(ordered, 24, 8, false)
  control('a provider that does not know a key again charges twice', forgetful.charges, forgetful.charges > 24)
}

export const savedCards: Case = {
  name: 'saved-cards',
  about: 'a renewal is charged and activated once although the worker is killed between charging the card and recording it',
  full: { kills: 60, size: 200 },
  run,
}
