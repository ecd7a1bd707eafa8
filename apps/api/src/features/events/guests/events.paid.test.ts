import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createApp } from '../../../app.ts'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { settlements } from '../../../settlements.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { paymentJobs } from '../../payments/payments.jobs.ts'
import { memoryProvider } from '../../payments/payments.testing.ts'
import type { MemoryProvider } from '../../payments/payments.testing.ts'
import { eventJobs } from '../events.jobs.ts'

type Event = { id: string; version: number; ticketTypes: { id: string }[] }
type Page = { status: number; text: string }
type Seat = { id: string; name: string; status: string; refund: number; refundState: string | null; invoice: { id: string } | null }
type Till = {
  org: TestOrganisation
  boss: Client
  memory: MemoryProvider
  /** Opens a public page, or sends its form. */
  open(path: string, form?: Record<string, string>): Promise<Page>
  published(more?: Record<string, unknown>): Promise<Event>
  /** Sends the form of the event. */
  register(event: Event, email: string, more?: Record<string, string>): Promise<Page>
  seats(event: Event): Promise<Seat[]>
  /** What the provider was asked for. */
  begun(): string[]
  /** The provider's page is paid, and we hear of it so often. */
  pay(paymentId: string, times?: number): Promise<void>
  /** What the worker does every minute. */
  minute(): Promise<void>
  /** The mails to an address, and the link in the newest that a registration began with. */
  mailed(email: string): Promise<{ mails: Mail[]; path: string }>
}

const test = base.extend<{ till: Till }>({
  till: async ({ api, admin, organisation, person }, use) => {
    const org = await organisation()
    await admin.query(`update app.organisations set idp_org_id = $1::text where org_id = $1`, [org.id])
    const boss = api.as(await person({ org, grants: [{ role: 'org-owner' }] }))
    const memory = memoryProvider()
    const config = { ...api.services.config, ORG_ID: org.id }
    const app = await createApp({ ...api.services, config, payments: memory.provider })
    const made = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const due: Record<string, string>[] = []
    const sent: Mail[] = []
    const worker: Services = {
      ...made,
      payments: memory.provider,
      mailer: { ...made.mailer, send: async (mail: Mail) => void sent.push(mail) },
      jobs: { ...made.jobs, send: async (_db, _queue, data) => void due.push(data) },
    }
    const job = { id: 'test', signal: new AbortController().signal }
    let nth = 0
    const open: Till['open'] = async (path, form) => {
      nth += 1
      const { statusCode, body } = await app.inject({
        ...{ method: form ? 'POST' : 'GET', url: path, remoteAddress: `203.${nth}.113.9` },
        ...(form && { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: new URLSearchParams(form).toString() }),
      })
      return { status: statusCode, text: body }
    }
    await use({
      ...{ org, boss, memory, open },
      async published(more = {}) {
        const facts = { title: 'Gala', startsAt: '2027-07-01T16:00:00Z', visibility: 'public', mode: 'online' }
        const link = { url: 'https://meet.example.org/1' }
        const ticketTypes = [{ name: 'Seat', price: { amount: 1500, currency: 'EUR' } }]
        const event = (await boss.post('/data/events', { ...facts, link, capacity: 2, ticketTypes, ...more })).body as Event
        return (await boss.post(`/data/events/${event.id}/publish`, {}, { 'if-match': `"${event.version}"` })).body
      },
      register: (event, email, more = {}) =>
        open(`/public/events/${event.id}`, { name: 'Kim Larsen', email, consent: 'yes', ticket: event.ticketTypes[0]?.id ?? '', ...more }),
      async seats(event) {
        const { items } = (await boss.get(`/data/events/${event.id}/registrations`)).body as { items: Seat[] }
        return items
      },
      begun: () => [...memory.rows.keys()],
      async pay(payment, times = 1) {
        memory.pay(payment)
        for (let time = 0; time < times; time += 1) await paymentJobs(worker, settlements)({ does: 'read', org: org.id, payment }, job)
      },
      async minute() {
        await eventJobs(worker)({}, job)
        for (let next = due.shift(); next; next = due.shift())
          if (next['does'] === 'refund') await paymentJobs(worker, settlements)(next, job)
      },
      async mailed(email) {
        for (let claimed = 1; claimed > 0;) {
          await admin.query(`update app.mail_messages set next_at = now(), paced = true where org_id = $1 and state = 'queued'`, [org.id])
          ;({ claimed } = await sendDue(worker, mailTemplates))
        }
        const mails = sent.filter(({ to }) => to === email)
        // Others that leave at the same time may be about an earlier registration.
        const newest = mails.findLast(({ subject }) => subject.startsWith('Your registration'))
        return { mails, path: /\/public\/registrations\/\S+/.exec(newest?.text ?? '')?.[0] ?? '' }
      },
    })
    await app.close()
    await made.close()
  },
})
const address = () => `${randomUUID()}@example.org`
const reconciled = async ({ boss }: Till, event: Event) => (await boss.get(`/data/events/${event.id}/capacity?limit=1`)).body

test('somebody without an account pays by the link in the mail, gets seat and receipt, and is refunded when they cancel', async ({
  admin,
  till,
}) => {
  const event = await till.published({ guestsPerPerson: 1 })
  const email = address()
  expect((await till.open(`/public/events/${event.id}`)).text).toContain('€15.00')
  const sent = await till.register(event, email, { guest1: 'Bo' })
  expect(sent).toMatchObject({ status: 200, text: expect.stringContaining('Pay within 30 minutes') })
  expect(await till.seats(event)).toMatchObject([
    { name: 'Bo', status: 'pending_payment', invoice: null },
    { name: 'Kim Larsen', status: 'pending_payment', invoice: null },
  ])
  const people = () =>
    admin.query<{ name: string; lifecycle: string }>(
      `select p.display_name as name, p.lifecycle from app.people p join app.person_emails m on m.org_id = p.org_id and m.person_id = p.id where p.org_id = $1 and m.address = $2`,
      [till.org.id, email],
    )
  // Nobody has shown yet that the address is theirs.
  expect((await people()).rows).toEqual([])

  const { mails, path } = await till.mailed(email)
  expect(mails[0]?.text).toContain('€30.00')
  const page = await till.open(path)
  expect(page.text).toContain('Pay €30.00 by card')
  const asked = await till.open(path, { do: 'pay' })
  expect(asked.text).toContain('https://pay.example/')
  // Who clicks twice pays on the same page.
  await till.open(path, { do: 'pay' })
  expect(till.begun()).toHaveLength(1)
  expect((await people()).rows).toEqual([{ name: 'Kim Larsen', lifecycle: 'prospect' }])
  await till.pay(till.begun()[0] ?? '', 3)
  const paid = await till.seats(event)
  expect(paid).toMatchObject([{ status: 'confirmed' }, { status: 'confirmed' }])
  const invoice = paid[1]?.invoice?.id ?? ''
  expect(await till.boss.get(`/data/invoices/${invoice}`)).toMatchObject({ body: { state: 'paid', total: { amount: 3000 } } })
  const later = await till.mailed(email)
  expect(later.mails.map(({ subject }) => subject.split(' ')[0]).toSorted()).toEqual(['Receipt', 'Registration', 'Your'])
  expect((await till.open(path)).text).toContain('is confirmed')
  expect((await till.open(path, { do: 'pay' })).text).toContain('Nothing was changed')

  expect((await till.open(path, { do: 'cancel' })).text).toContain('€30.00 will be refunded')
  await till.minute()
  await till.minute()
  expect(await till.seats(event)).toMatchObject([
    { status: 'cancelled', refundState: 'refunded' },
    { status: 'cancelled', refundState: 'refunded' },
  ])
  expect(till.memory.rows.get(till.begun()[0] ?? '')?.refundedAmount).toBe(3000)
  expect(await reconciled(till, event)).toMatchObject({ differences: 0, counts: { taken: 0 } })
})

test('a seat that is not paid in time goes to the next; paid late it is a seat or a refund, never two seats', async ({ admin, till }) => {
  const event = await till.published({ capacity: 1 })
  const [kim, lou] = [address(), address()]
  await till.register(event, kim)
  const { path } = await till.mailed(kim)
  await till.open(path, { do: 'pay' })
  await till.register(event, lou)
  const waiting = await till.mailed(lou)
  expect((await till.open(waiting.path)).text).toContain('number 1 on the waiting list')
  const late = () =>
    admin.query(`update app.registrations set hold_until = now() - interval '1 second' where event_id = $1 and hold_until is not null`, [
      event.id,
    ])
  await late()
  expect((await till.open(path, { do: 'pay' })).text).toContain('Nothing was changed')
  await till.minute()
  expect(await till.mailed(kim)).toMatchObject({ mails: [{}, { subject: 'Your place was released: Gala' }] })
  // Lou's offer costs as much: accepting it holds the seat until it is paid.
  const offer = await till.open(waiting.path)
  expect(offer.text).toContain('Accept the place')
  expect((await till.open(waiting.path, { do: 'accept' })).text).toContain('Pay €15.00 by card')
  // Kim's money comes after all, twice over: the seat is Lou's, so it goes back.
  const [first = ''] = till.begun()
  await till.pay(first, 2)
  await till.minute()
  await till.minute()
  expect(till.memory.rows.get(first)?.refundedAmount).toBe(1500)
  await till.open(waiting.path, { do: 'pay' })
  await till.pay(till.begun()[1] ?? '')
  const seats = await till.seats(event)
  expect(seats.map(({ status }) => status).toSorted()).toEqual(['cancelled', 'confirmed'])
  expect(await reconciled(till, event)).toMatchObject({ differences: 0, counts: { taken: 1 } })
})

test('whoever registers again while an earlier payment is on its way is not charged for two seats', async ({ admin, till }) => {
  const event = await till.published()
  const kim = address()
  await till.register(event, kim)
  const first = await till.mailed(kim)
  await till.open(first.path, { do: 'pay' })
  await admin.query(`update app.registrations set hold_until = now() - interval '1 second' where event_id = $1`, [event.id])
  await till.minute()
  await till.register(event, kim)
  const second = await till.mailed(kim)
  await till.open(second.path, { do: 'pay' })
  await till.pay(till.begun()[1] ?? '')
  await till.pay(till.begun()[0] ?? '')
  await till.minute()
  await till.minute()
  expect((await till.seats(event)).map(({ status }) => status).toSorted()).toEqual(['cancelled', 'confirmed'])
  expect(till.begun().map((id) => till.memory.rows.get(id)?.refundedAmount)).toEqual([1500, 0])
})

test('the invoice is for the person with that address and name, and for nobody else who shares the address', async ({ admin, till }) => {
  const event = await till.published({ needsApproval: true, capacity: 5 })
  const shared = address()
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.people (org_id, given_name, family_name) values ($1, 'KIM', 'Larsen'), ($1, 'Bo', 'Larsen') returning id`,
    [till.org.id],
  )
  for (const { id } of rows)
    await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
      till.org.id,
      id,
      shared,
    ])
  await till.register(event, shared, { name: 'kim  larsen' })
  const pending = await till.seats(event)
  expect(pending).toMatchObject([{ status: 'pending_approval' }])
  await till.boss.post(`/data/registrations/${pending[0]?.id}/approve`, {})
  expect(await till.seats(event)).toMatchObject([{ status: 'pending_payment', invoice: null }])
  const { mails, path } = await till.mailed(shared)
  expect(mails.map(({ subject }) => subject)).toContain('Payment needed: Gala')
  await till.open(path, { do: 'pay' })
  const [seat] = await till.seats(event)
  expect(await till.boss.get(`/data/invoices/${seat?.invoice?.id}`)).toMatchObject({ body: { person: { id: rows[0]?.id } } })
  expect((await admin.query('select from app.people where org_id = $1 and given_name ilike $2', [till.org.id, 'kim%'])).rowCount).toBe(1)
})

test('without a payment provider, nothing that costs is for people without an account', async ({ till, api }) => {
  const event = await till.published()
  const bare = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: till.org.id } })
  try {
    const page = await bare.inject({ url: `/public/events/${event.id}` })
    expect(page.body).not.toContain('name="consent"')
    const payload = new URLSearchParams({
      name: 'Kim',
      email: address(),
      consent: 'yes',
      ticket: event.ticketTypes[0]?.id ?? '',
    }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await bare.inject({ method: 'POST', url: `/public/events/${event.id}`, headers, payload })).toMatchObject({ statusCode: 422 })
  } finally {
    await bare.close()
  }
  expect(await till.seats(event)).toEqual([])
})
