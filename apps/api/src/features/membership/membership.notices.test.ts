import type pg from 'pg'
import { expect } from 'vitest'
import { daysFrom } from '@guildhall/contract/moments'
import { mailTemplates } from '../../mails.ts'
import { settlements } from '../../settlements.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { sendDue } from '../../platform/mail/outbox.ts'
import { PaymentProviderError } from '../../platform/payments/payment-provider.ts'
import { createServices } from '../../platform/services.ts'
import type { Services } from '../../platform/services.ts'
import { test as base } from '../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../testing.ts'
import { paymentJobs } from '../payments/payments.jobs.ts'
import { memoryProvider } from '../payments/payments.testing.ts'
import { membershipJobs } from './membership.jobs.ts'

type Held = { id: string; version: number; status: string; endsOn: string | null; person: { id: string } }
type Club = {
  org: TestOrganisation
  boss: Client
  ann: TestPerson
  worker: Services
  /** A type of this price; Ann's application for it. */
  apply(more: Record<string, unknown>): Promise<Held>
  pay(held: Held): Promise<void>
  /** Subjects of what left since it was asked last. */
  post(): Promise<Mail[]>
  remind(on: string, services?: Services): Promise<void>
}

const test = base.extend<{ club: Club }>({
  club: async ({ api, organisation, person, admin }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const ann = await person({ org })
    const address = `ann-${org.id}@example.org`
    await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
      org.id,
      ann.personId,
      address,
    ])
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const sent: Mail[] = []
    const mailer = { send: async (mail: Mail) => void sent.push(mail), check: async () => {}, close: () => {} }
    await use({
      ...{ org, boss, ann, worker },
      async apply(more) {
        const price = { amount: 6000, currency: 'EUR' }
        const type = (await boss.post('/data/membership-types', { name: 'Full', period: 'rolling', months: 12, price, ...more })).body as {
          id: string
        }
        const applied = await api.as(ann).post('/data/memberships/applications', { typeId: type.id, chapterId: org.rootChapterId })
        expect(applied.status).toBe(201)
        return applied.body
      },
      async pay(held) {
        const { rows } = await admin.query<{ id: string }>(
          `select i.id from app.invoices i where i.org_id = $1 and i.person_id = $2 and i.state = 'issued'`,
          [org.id, held.person.id],
        )
        const allocations = rows.map(({ id }) => ({ invoiceId: id, amount: 6000 }))
        const paid = { method: 'cash', money: { amount: 6000, currency: 'EUR' }, receivedOn: '2026-01-05', allocations }
        expect((await boss.post('/data/payments', paid)).status).toBe(201)
      },
      async post() {
        for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
        return sent.splice(0).filter(({ to }) => to === address)
      },
      remind: (on, services = worker) =>
        membershipJobs(services)({ does: 'remind', org: org.id, on }, { id: 'test', signal: new AbortController().signal }),
    })
    await worker.close()
  },
})
const subjects = (mails: Mail[]) => mails.map(({ subject }) => subject.replace(/ (from|to) t[\w-]+/, '').replace(/\d{4}-\d+/, '#')).sort()

/** As if the first term had been paid and ended on a day. */
const endsOn = (admin: pg.Pool, held: Held, day: string, status: string) =>
  admin.query(
    `with t as (update app.membership_terms set ends_on = $2, starts_on = $2::date - 364 where membership_id = $1 and status = 'settled')
     update app.memberships set ends_on = $2, starts_on = $2::date - 364, grace_until = $2::date + 30, status = $3 where id = $1`,
    [held.id, day, status],
  )
const today = async (admin: pg.Pool) =>
  (await admin.query<{ day: string }>(`select (now() at time zone 'UTC')::date::text as day`)).rows[0]?.day ?? ''

test('an applicant hears that the application came, was approved with a link to pay, and is welcomed once; officers hear of it', async ({
  api,
  club,
  person,
}) => {
  const officer = api.as(await person({ org: club.org, grants: [{ role: 'chapter-admin', chapterId: club.org.rootChapterId }] }))
  const held = await club.apply({ needsApproval: true })
  expect(subjects(await club.post())).toEqual(['Your application'])
  expect((await officer.get('/data/notifications')).body).toMatchObject({
    items: [{ kind: 'membership-request', person: { id: held.person.id } }],
  })
  const approved = await officer.post(`/data/memberships/${held.id}/approve`, {}, { 'if-match': `"${held.version}"` })
  expect(approved.status).toBe(200)
  const mails = await club.post()
  expect(subjects(mails)).toEqual(['Invoice #', 'Your application was approved'])
  expect(mails.every(({ text }) => text.includes('/public/pay/'))).toBe(true)
  await club.pay(held)
  const welcomed = await club.post()
  expect(subjects(welcomed)).toEqual(['Receipt R-#', 'Welcome'])
  // The card comes along, and is the one that the member sees on their profile.
  const welcome = welcomed.find(({ subject }) => subject.startsWith('Welcome'))
  expect(welcome?.text).toContain('Your member card is attached')
  expect(welcome?.attachments).toMatchObject([{ name: 'member-card.pdf', contentType: 'application/pdf' }])
  expect(welcome?.attachments?.[0]?.content.subarray(0, 5).toString()).toBe('%PDF-')
  const own = api.as(club.ann)
  const { body } = await own.get(`/data/people/${club.ann.personId}/card`)
  expect(body).toMatchObject({ card: { state: 'eligible', address: expect.stringContaining('/public/cards/') } })
})

test('a member is welcomed without a card where it cannot be made, or was revoked', async ({ api, admin, club }) => {
  const free = { needsApproval: false, price: { amount: 0, currency: 'EUR' } }
  const welcome = async () => (await club.post()).filter(({ subject }) => subject.startsWith('Welcome'))
  await admin.query(`create function app.break_cards() returns trigger language plpgsql as $$ begin
    if new.org_id = '${club.org.id}' then raise exception 'broken'; end if; return new; end $$;
    create trigger break_cards before insert on app.member_cards for each row execute function app.break_cards()`)
  await club.apply({ ...free, name: 'Friend' })
  const [without, ...others] = await welcome()
  await admin.query('drop function app.break_cards() cascade')
  expect(others).toEqual([])
  expect(without?.text).toContain('Your member card is on your profile.')
  expect(without?.attachments ?? []).toEqual([])
  const card = `/data/people/${club.ann.personId}/card`
  expect((await api.as(club.ann).post(card)).status).toBe(201)
  expect((await club.boss.post(`${card}/revoke`, { reason: 'Lost' })).status).toBe(200)
  await admin.query(
    `select app_private.add_mails($1, null, jsonb_build_array(jsonb_build_object('template', 'membership', 'person', $2::uuid, 'essential', true,
    'params', jsonb_build_object('membership', (select m.id from app.memberships m where m.person_id = $2::uuid), 'stage', 'welcome'), 'dedupe_key', 'again')))`,
    [club.org.id, club.ann.personId],
  )
  const [again] = await welcome()
  expect(again?.subject).toContain('Welcome')
  expect(again?.attachments ?? []).toEqual([])
})

test('a refusal is mailed with its reason; a free membership without approval is welcomed only', async ({ club }) => {
  const held = await club.apply({ needsApproval: true })
  await club.post()
  const reason = { reason: 'We need a reference.' }
  expect((await club.boss.post(`/data/memberships/${held.id}/decline`, reason, { 'if-match': `"${held.version}"` })).status).toBe(200)
  const [declined, ...others] = await club.post()
  expect(others).toEqual([])
  expect(declined?.text).toContain('We need a reference.')
  await club.apply({ name: 'Friend', needsApproval: false, price: { amount: 0, currency: 'EUR' } })
  expect(subjects(await club.post())).toEqual(['Welcome'])
})

test('members are reminded once at each stage, and no more once they have renewed', async ({ club, admin }) => {
  const day = await today(admin)
  const held = await club.apply({ needsApproval: false })
  await club.pay(held)
  await admin.query('update app.memberships set auto_renew = false where id = $1', [held.id])
  await club.post()
  for (const [days, status, subject] of [
    [20, 'active', 'You can renew your membership now'],
    [5, 'active', expect.stringMatching(/^Your membership ends on/)],
    [-5, 'grace', 'Your membership has ended'],
    [-40, 'lapsed', 'Your membership has lapsed'],
  ] as const) {
    await endsOn(admin, held, daysFrom(day, days), status)
    await club.remind(day)
    await club.remind(day)
    expect(subjects(await club.post())).toEqual([subject])
  }
  // Written down, and renewed before it leaves.
  await endsOn(admin, held, daysFrom(day, 4), 'active')
  await club.remind(day)
  await endsOn(admin, held, daysFrom(day, 369), 'active')
  expect(await club.post()).toEqual([])
  await club.remind(day)
  expect(await club.post()).toEqual([])
})

test('an overdue invoice is reminded of after 3, 14 and 30 days, once each, until it is paid', async ({ club, admin }) => {
  const day = await today(admin)
  const held = await club.apply({ needsApproval: false })
  await club.post()
  const overdueBy = async (days: number) => {
    await admin.query('alter table app.invoices disable trigger user')
    // As if so many days had passed, since the last reminder too.
    await admin.query(
      `update app.invoices set due_on = $2::date, issued_on = $2::date, reminded_at = reminded_at + ($2::date - due_on) * interval '1 day' where org_id = $1`,
      [club.org.id, daysFrom(day, -days)],
    )
    await admin.query('alter table app.invoices enable trigger user')
    await club.remind(day)
    await club.remind(day)
    return subjects(await club.post())
  }
  expect(await overdueBy(2)).toEqual([])
  expect(await overdueBy(3)).toEqual(['Reminder: invoice # is overdue'])
  expect(await overdueBy(10)).toEqual([])
  expect(await overdueBy(14)).toEqual(['Reminder: invoice # is overdue'])
  expect(await overdueBy(31)).toEqual(['Reminder: invoice # is overdue'])
  const { rows } = await admin.query<{ id: string }>('select id from app.invoices where org_id = $1', [club.org.id])
  expect((await club.boss.post(`/data/invoices/${rows[0]?.id}/mail`, {})).status).toBe(200)
  expect(subjects(await club.post())).toEqual(['Reminder: invoice # is overdue'])
  await club.pay(held)
  await club.post()
  expect(await overdueBy(45)).toEqual([])
})

test('a renewal is charged to the saved card on the last day, and four times at most when it is declined', async ({ club, admin }) => {
  const day = await today(admin)
  const held = await club.apply({ needsApproval: false })
  await club.pay(held)
  await endsOn(admin, held, day, 'active')
  await admin.query(
    `insert into app.payment_methods (org_id, person_id, provider_customer, provider_method, brand, last4, exp_month, exp_year)
     values ($1, $2, 'cus_1', $3, 'visa', '4242', 12, 2099)`,
    [club.org.id, held.person.id, `pm_${held.id}`],
  )
  const memory = memoryProvider()
  let declines = true
  const jobs: Record<string, string>[] = []
  const services: Services = {
    ...club.worker,
    payments: {
      ...memory.provider,
      async chargeSaved({ paymentId, orgId, money, text }) {
        if (declines) throw new PaymentProviderError('refused', 'declined')
        const nowhere = { save: false, successUrl: '', cancelUrl: '', expiresAt: new Date() }
        await memory.provider.startCheckout({ paymentId, orgId, money, text, ...nowhere })
        const row = memory.rows.get(paymentId)
        if (!row) throw new Error('the payment was not begun')
        if (row.state === 'pending') memory.pay(paymentId)
        return row
      },
    },
    jobs: {
      send: async (_db, queue, job) => {
        if (queue === 'payments') jobs.push(job)
      },
      close: async () => {},
    },
  }
  const run = membershipJobs(services)
  const signal = new AbortController().signal
  await run({ org: club.org.id, on: day }, { id: 'run', signal })
  expect((await club.post()).find(({ subject }) => subject.startsWith('Invoice'))?.text).toContain('card ending in 4242')
  const charge = async (on: string) => {
    // Killed and begun anew, or twice at once: one attempt.
    await Promise.all([club.remind(on, services), club.remind(on, services)])
    const due = jobs.splice(0)
    for (const job of due) for (const _ of [1, 2]) await paymentJobs(services, settlements)(job, { id: 'charge', signal })
    return new Set(due.map(({ payment }) => payment)).size
  }
  expect(await charge(daysFrom(day, -1))).toBe(0)
  expect(await charge(day)).toBe(1)
  expect(subjects(await club.post())).toContain('Your payment was declined')
  expect(await charge(daysFrom(day, 2))).toBe(0)
  const statusOf = async () => (await club.boss.get(`/data/memberships/${held.id}`)).body as Held
  expect(await statusOf()).toMatchObject({ status: 'active', endsOn: day })
  expect(await charge(daysFrom(day, 3))).toBe(1)
  expect(await charge(daysFrom(day, 7))).toBe(1)
  declines = false
  expect(await charge(daysFrom(day, 14))).toBe(1)
  expect(await statusOf()).toMatchObject({ status: 'active', endsOn: expect.not.stringMatching(day) })
  expect(await charge(daysFrom(day, 15))).toBe(0)
  const { rows } = await admin.query<{ state: string; n: number }>(
    `select state, count(*)::int as n from app.payments where org_id = $1 and kind = 'charge' group by state order by state`,
    [club.org.id],
  )
  expect(rows).toEqual([
    { state: 'failed', n: 3 },
    { state: 'settled', n: 1 },
  ])
})
