import type { Statement } from '@guildhall/contract/features/finance'
import fc from 'fast-check'
import { expect } from 'vitest'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'

type Payment = { id: string; version: number; refunded: { amount: number }; state: string }
type Office = {
  org: TestOrganisation
  boss: TestPerson
  ann: TestPerson
  client: Client
  issue(who: TestPerson, amount: number): Promise<string>
  pay(payer: TestPerson, amount: number, receivedOn: string, invoiceIds: string[]): Promise<Payment>
  version(path: string): Promise<{ 'if-match': string }>
  statement(who: TestPerson, since?: string, until?: string): Promise<Statement>
}
const [dawn, dusk] = ['2000-01-01', '2099-12-31']

const test = base.extend<{ office: Office }>({
  office: async ({ api, organisation, person, admin }, use) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['finance'] })
    const ann = await person({ org })
    const client = api.as(boss)
    const version = async (path: string) => ({ 'if-match': `"${((await client.get(path)).body as { version: number }).version}"` })
    await use({
      ...{ org, boss, ann, client, version },
      async issue({ personId }, amount) {
        const drafted = await client.post('/data/invoices', { owedBy: { personId }, reason: 'Dues', lines: [{ text: 'Dues', amount }] })
        const { id } = drafted.body as { id: string }
        expect((await client.post(`/data/invoices/${id}/issue`, {}, await version(`/data/invoices/${id}`))).status).toBe(200)
        return id
      },
      async pay({ personId }, amount, receivedOn, invoiceIds) {
        const { rows } = await admin.query<{ id: string; open: number }>(
          `select id, balance_amount::int as open from app.invoices where id = any ($1) and balance_amount > 0 order by id`,
          [invoiceIds],
        )
        let left = amount
        const allocations = rows.flatMap(({ id, open }) => {
          const part = Math.min(left, open)
          left -= part
          return part > 0 ? [{ invoiceId: id, amount: part }] : []
        })
        const recorded = await client.post('/data/payments', {
          ...{ method: 'cash', money: { amount, currency: 'EUR' }, receivedOn, personId, allocations },
        })
        expect(recorded.status).toBe(201)
        return recorded.body
      },
      async statement({ personId }, since = dawn, until = dusk) {
        const read = await client.get(`/data/debtors/${personId}/statement?since=${since}&until=${until}`)
        expect(read.status).toBe(200)
        return read.body
      },
    })
  },
})

test('a statement lists what happened in its period, and its balances go on from one to the next', async ({ office }) => {
  const { ann } = office
  const first = await office.issue(ann, 6000)
  await office.pay(ann, 2500, '2026-01-05', [first])
  const { entries, opening, closing } = await office.statement(ann)
  expect(entries).toMatchObject([
    { kind: 'payment', on: '2026-01-05', amount: -2500, balance: -2500 },
    { kind: 'invoice', amount: 6000, balance: 3500, invoiceId: first, text: 'Dues' },
  ])
  expect([opening, closing]).toEqual([0, 3500])
  expect(await office.statement(ann, '2026-01-06')).toMatchObject({ opening: -2500, closing: 3500, entries: [{ kind: 'invoice' }] })
  expect(await office.statement(ann, dawn, '2026-01-05')).toMatchObject({ opening: 0, closing: -2500, entries: [{ kind: 'payment' }] })
})

const change = fc.oneof(
  fc.record({ does: fc.constant('issue' as const), who: fc.nat(1), amount: fc.integer({ min: 1, max: 9000 }) }),
  fc.record({
    ...{ does: fc.constant('pay' as const), who: fc.nat(1), amount: fc.integer({ min: 1, max: 12_000 }), at: fc.nat(7) },
    day: fc.constantFrom('2025-12-31', '2026-01-01', '2026-03-04'),
  }),
  fc.record({ does: fc.constantFrom('void' as const, 'credit' as const), at: fc.nat(7) }),
  fc.record({ does: fc.constant('refund' as const), at: fc.nat(7), amount: fc.integer({ min: 1, max: 6000 }) }),
  fc.record({ does: fc.constant('reverse' as const), at: fc.nat(7) }),
)

test('whatever is charged, credited, paid by whomever, refunded and reversed, statements add up to what the invoices say', async ({
  office,
  person,
  admin,
}) => {
  for (const changes of fc.sample(fc.array(change, { minLength: 6, maxLength: 14 }), 6)) {
    const people = [await person({ org: office.org }), await person({ org: office.org })] as const
    const invoices: string[] = []
    const payments: string[] = []
    for (const each of changes) {
      if (each.does === 'issue') invoices.push(await office.issue(people[each.who === 0 ? 0 : 1], each.amount))
      else if (each.does === 'pay')
        payments.push((await office.pay(people[each.who === 0 ? 0 : 1], each.amount, each.day, invoices.slice(each.at % 3))).id)
      else {
        const ofInvoice = each.does === 'void' || each.does === 'credit'
        const list = ofInvoice ? invoices : payments
        const id = list[each.at % Math.max(1, list.length)]
        if (!id) continue
        const [path, at] = ofInvoice
          ? [`/data/invoices/${id}/${each.does}`, `/data/invoices/${id}`]
          : [`/${each.does === 'refund' ? 'actions' : 'data'}/payments/${id}/${each.does}`, `/data/payments/${id}`]
        const sent = each.does === 'refund' ? { amount: each.amount, reason: 'Moved' } : { reason: 'Moved' }
        // Whatever is refused, such as voiding what is paid, leaves everything as it was.
        expect((await office.client.post(path, sent, await office.version(at))).status).toBeLessThan(500)
      }
    }
    for (const who of people) {
      const all = await office.statement(who)
      const { rows } = await admin.query<{ open: number; spare: number }>(
        `select (select coalesce(sum(i.balance_amount), 0)::int from app.invoices i where i.person_id = $1) as open,
          (select coalesce(sum(p.amount - p.refunded_amount - (select coalesce(sum(a.amount - a.refunded_amount), 0) from app.payment_allocations a where a.payment_id = p.id)), 0)::int
            from app.payments p where p.person_id = $1 and p.state in ('settled', 'partly_refunded')) as spare`,
        [who.personId],
      )
      expect(all.closing).toBe((rows[0]?.open ?? NaN) - (rows[0]?.spare ?? NaN))
      expect(all.entries.reduce((sum, { amount }) => sum + amount, all.opening)).toBe(all.closing)
      expect(all.entries.at(-1)?.balance ?? all.opening).toBe(all.closing)
      for (const day of ['2025-12-31', '2026-01-01']) {
        const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
        const [before, after] = [await office.statement(who, dawn, day), await office.statement(who, next)]
        expect(after.opening).toBe(before.closing)
        expect([...before.entries, ...after.entries]).toEqual(all.entries)
      }
    }
  }
})

test('members see their own account, officers that of their chapter, and nobody a part of one', async ({
  office,
  api,
  person,
  admin,
  chapter,
}) => {
  const path = ({ personId }: TestPerson) => `/data/debtors/${personId}/statement?since=${dawn}&until=${dusk}`
  const [west, east] = [await chapter(office.org, 'West'), await chapter(office.org, 'East')]
  const officer = await person({ org: office.org, grants: [{ role: 'chapter-admin', chapterId: west }] })
  await admin.query('update app.people set home_chapter_id = $2 where id = $1', [office.ann.personId, west])
  await office.issue(office.ann, 6000)
  expect(await api.as(office.ann).get(path(office.ann))).toMatchObject({ status: 200, body: { closing: 6000, may: { mail: false } } })
  expect(await api.as(officer).get(path(office.ann))).toMatchObject({ status: 200, body: { closing: 6000 } })
  expect((await api.as(await person({ org: office.org })).get(path(office.ann))).status).toBe(404)
  await admin.query('update app.people set home_chapter_id = $2 where id = $1', [office.ann.personId, east])
  await office.issue(office.ann, 100)
  await admin.query('update app.people set home_chapter_id = $2 where id = $1', [office.ann.personId, west])
  expect(await api.as(officer).get(path(office.ann))).toMatchObject({ status: 403, body: { reason: 'statement_partial' } })
  expect(await api.as(office.ann).get(path(office.ann))).toMatchObject({ status: 200, body: { closing: 6100 } })
  expect((await api.as(office.ann).post(`/data/debtors/${office.ann.personId}/statement/mail`, { since: dawn, until: dusk })).status).toBe(
    403,
  )
})

test('a statement is printed, and mailed with its document to whose account it is', async ({ office, api, admin }) => {
  const address = `ann-${office.org.id}@example.org`
  await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
    ...[office.org.id, office.ann.personId, address],
  ])
  await office.issue(office.ann, 6000)
  const period = { since: '2026-01-01', until: dusk }
  const printed = await api.as(office.ann).post(`/actions/debtors/${office.ann.personId}/statement/pdf`, period)
  expect(printed).toMatchObject({ status: 200, headers: { 'content-type': 'application/pdf' } })
  expect(await office.client.post(`/data/debtors/${office.ann.personId}/statement/mail`, period)).toMatchObject({
    status: 200,
    body: { mails: 1 },
  })
  const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
  const sent: Mail[] = []
  const mailer = { send: async (mail: Mail) => void sent.push(mail), check: async () => {}, close: () => {} }
  try {
    for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
  } finally {
    await worker.close()
  }
  const mail = sent.find(({ to }) => to === address)
  expect(mail?.text).toContain('Closing balance: €60.00.')
  expect(mail?.attachments?.[0]?.content.subarray(0, 5).toString()).toBe('%PDF-')
  const chapter = await office.client.post(`/data/debtors/${office.org.rootChapterId}/statement/mail`, period)
  expect(chapter).toMatchObject({ status: 409, body: { reason: 'statement_not_mailed' } })
})
