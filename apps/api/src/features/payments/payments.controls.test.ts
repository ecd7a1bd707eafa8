import { expect } from 'vitest'
import type pg from 'pg'
import { createServices } from '../../platform/services.ts'
import type { Services } from '../../platform/services.ts'
import { test as base } from '../../testing.ts'
import type { TestPerson } from '../../testing.ts'
import { paymentJobs } from './payments.jobs.ts'
import { beginCheckout, noteCheckout } from './payments.queries.ts'
import type { BegunPayment } from './payments.queries.ts'
import { issuedInvoice, memoryProvider } from './payments.testing.ts'
import type { MemoryProvider } from './payments.testing.ts'
import { takeEvent } from './payments.webhooks.actions.ts'

// What keeps money from being counted twice or wrongly, each once as it is and once with the guard off, where the harm has to show.

type Desk = {
  services: Services
  memory: MemoryProvider
  jobs: Record<string, string>[]
  owner: TestPerson
  invoice(amount: number): Promise<string>
  begin(invoiceId: string): Promise<BegunPayment>
  /** Its page at the provider. */
  open(begun: BegunPayment): Promise<void>
  read(paymentId: string): Promise<void>
}

const test = base.extend<{ desk: Desk }>({
  desk: async ({ api, organisation, person }, use) => {
    const { config, log } = api.services
    const worker = createServices(config, log, config.WORKER_DATABASE_URL)
    const owner = await person({ org: await organisation(), grants: [{ role: 'org-owner' }] })
    const { orgId, accountId } = owner
    const memory = memoryProvider()
    const jobs: Desk['jobs'] = []
    const queue: Services['jobs'] = { send: async (_db, _queue, job) => void jobs.push(job), close: async () => {} }
    const services: Services = { ...worker, payments: memory.provider, jobs: queue }
    const handler = paymentJobs(services, {})
    await use({
      ...{ services, memory, jobs, owner },
      invoice: (amount) => issuedInvoice(api, owner, { amount }),
      begin: (invoiceId) =>
        services.database.asActor({ orgId, accountId, idpRoles: [] }, (tx) =>
          beginCheckout(tx, invoiceId, false, { isLive: false, counts: true }),
        ),
      open: async ({ paymentId, amount, currency }) => {
        const page = { text: '', successUrl: '', cancelUrl: '', expiresAt: new Date() }
        const { sessionId } = await memory.provider.startCheckout({ paymentId, orgId, money: { amount, currency }, ...page })
        await services.database.withoutActor((db) => noteCheckout(db, orgId, paymentId, sessionId, null))
      },
      read: (payment) => handler({ does: 'read', org: orgId, payment }, { id: 'control', signal: new AbortController().signal }),
    })
    await worker.close()
  },
})

/** Runs while a function of the database is written otherwise, and fails where it no longer holds what is replaced. */
async function without<T>(admin: pg.Pool, name: string, guard: string, instead: string, run: () => Promise<T>): Promise<T> {
  const { rows } = await admin.query<{ text: string }>('select pg_get_functiondef($1::regprocedure) as text', [name])
  const text = rows[0]?.text ?? ''
  expect(text, `the guard of ${name} is written otherwise by now`).toContain(guard)
  try {
    await admin.query(text.replace(guard, instead))
    return await run()
  } finally {
    await admin.query(text)
  }
}

const count = async (admin: pg.Pool, text: string, values: unknown[]) =>
  (await admin.query<{ n: number }>(`select count(*)::int as n ${text}`, values)).rows[0]?.n
const stateOf = async (admin: pg.Pool, invoiceId: string) =>
  (await admin.query<{ state: string }>('select state from app.invoices where id = $1', [invoiceId])).rows[0]?.state

test('an event that is delivered five times at once is taken once; without its key it is taken five times (control)', async ({
  desk,
  admin,
}) => {
  const deliver = async () => {
    const begun = await desk.begin(await desk.invoice(900))
    await desk.open(begun)
    desk.memory.pay(begun.paymentId)
    const event = desk.memory.events.at(-1)
    if (!event) throw new Error('nothing was told')
    desk.jobs.splice(0)
    await Promise.all([1, 2, 3, 4, 5].map(() => takeEvent(desk.services, event)))
    const noted = await count(admin, 'from app.payment_events where event_id = $1', [event.id])
    return { noted, jobs: desk.jobs.filter(({ payment }) => payment === begun.paymentId).length }
  }
  expect(await deliver()).toEqual({ noted: 1, jobs: 1 })
  const name = 'app.note_payment_event(text, text, uuid, uuid, text, text)'
  await admin.query('alter table app.payment_events drop constraint payment_events_pkey')
  try {
    await without(admin, name, 'on conflict (org_id, event_id) do nothing', '', async () =>
      expect(await deliver()).toEqual({ noted: 5, jobs: 5 }),
    )
  } finally {
    await admin.query(
      `delete from app.payment_events a using app.payment_events b where a.org_id = b.org_id and a.event_id = b.event_id and a.ctid > b.ctid`,
    )
    await admin.query('alter table app.payment_events add constraint payment_events_pkey primary key (org_id, event_id)')
  }
})

test('who opens a page to pay twice has one open payment, even if nobody looked for it; without the index they pay twice (control)', async ({
  desk,
  admin,
}) => {
  const openTwice = async () => {
    const invoiceId = await desk.invoice(900)
    const begun = await Promise.allSettled([desk.begin(invoiceId), desk.begin(invoiceId)])
    for (const one of begun) {
      if (one.status === 'rejected') continue
      await desk.open(one.value)
      desk.memory.pay(one.value.paymentId)
    }
    const open = await count(admin, `from app.payments where invoice_id = $1 and state = 'pending'`, [invoiceId])
    for (const one of begun) if (one.status === 'fulfilled') await desk.read(one.value.paymentId)
    const { rows } = await admin.query<{ received: number }>(
      `select coalesce(sum(amount), 0)::int as received from app.payments where invoice_id = $1 and state = 'settled'`,
      [invoiceId],
    )
    return { open, received: rows[0]?.received }
  }
  expect(await openTwice()).toEqual({ open: 1, received: 900 })
  const name = 'app_private.begin_payment(uuid, uuid, uuid, text, boolean, boolean, boolean)'
  // The look for an open payment is off in both; only the index differs.
  await without(admin, name, `and x.state = 'pending'\n`, `and false\n`, async () => {
    expect(await openTwice()).toEqual({ open: 1, received: 900 })
    const { rows } = await admin.query<{ text: string }>(`select pg_get_indexdef('app.payments_one_checkout'::regclass) as text`)
    await admin.query('drop index app.payments_one_checkout')
    try {
      expect(await openTwice()).toEqual({ open: 2, received: 1_800 })
    } finally {
      await admin.query(rows[0]?.text ?? '')
    }
  })
})

test('a payment of another amount than was asked for pays nothing and is listed; without the comparison the invoice is paid by it (control)', async ({
  desk,
  admin,
}) => {
  const payLess = async () => {
    const invoiceId = await desk.invoice(4_200)
    const begun = await desk.begin(invoiceId)
    await desk.open(begun)
    const there = desk.memory.rows.get(begun.paymentId)
    if (there) there.money = { amount: 42, currency: 'EUR' }
    desk.memory.pay(begun.paymentId)
    await desk.read(begun.paymentId)
    const listed = await count(
      admin,
      `from app.payment_differences where payment_id = $1 and kind = 'amount' and ours = 4200 and theirs = 42`,
      [begun.paymentId],
    )
    return { invoice: await stateOf(admin, invoiceId), listed }
  }
  expect(await payLess()).toEqual({ invoice: 'issued', listed: 1 })
  const guard = `if after = 'settled' and ((said ->> 'amount')::bigint <> p.amount or said ->> 'currency' <> p.currency) then`
  await without(admin, 'app.apply_reading(uuid, uuid, int, jsonb)', guard, 'if false then', async () =>
    expect(await payLess()).toEqual({ invoice: 'paid', listed: 0 }),
  )
})
