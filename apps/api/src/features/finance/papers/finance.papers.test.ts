import type { BulkPreview, BulkResult } from '@guildhall/contract/bulk'
import type pg from 'pg'
import { expect } from 'vitest'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { mailInvoices } from '../finance.public.ts'
import { remindOfInvoices } from './finance.papers.queries.ts'

type Office = {
  org: TestOrganisation
  boss: TestPerson
  ann: TestPerson
  client: Client
  /** An invoice of so much that Ann owes; its id. */
  invoice(amount: number): Promise<string>
  /** Money that came by hand; the payment. */
  pay(invoiceId: string, amount: number): Promise<{ id: string; version: number }>
  mailed(invoiceId: string): Promise<void>
  /** What the calendar does on a day. */
  remind(on: string): Promise<unknown>
  /** What left since it was asked last. */
  post(): Promise<Mail[]>
}

const test = base.extend<{ office: Office }>({
  office: async ({ api, organisation, person, admin }, use) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const ann = await person({ org, email: `ann-${org.id}@example.org` })
    const client = api.as(boss)
    await giveAddress(admin, ann)
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const sent: Mail[] = []
    const mailer = { send: async (mail: Mail) => void sent.push(mail), check: async () => {}, close: () => {} }
    await use({
      ...{ org, boss, ann, client },
      async invoice(amount) {
        const drafted = await client.post('/data/invoices', {
          ...{
            owedBy: { personId: ann.personId },
            reason: 'Dues 2027',
            lines: [{ text: 'Dues 2027', amount, taxBps: 1900, taxNote: 'VAT' }],
          },
        })
        const { id, version } = drafted.body as { id: string; version: number }
        expect((await client.post(`/data/invoices/${id}/issue`, {}, { 'if-match': `"${version}"` })).status).toBe(200)
        return id
      },
      async pay(invoiceId, amount) {
        const recorded = await client.post('/data/payments', {
          ...{ method: 'cash', money: { amount, currency: 'EUR' }, receivedOn: '2026-01-05', allocations: [{ invoiceId, amount }] },
        })
        expect(recorded.status).toBe(201)
        return recorded.body
      },
      mailed: (invoiceId) => worker.database.withoutActor((tx) => mailInvoices(tx, org.id, [invoiceId])),
      remind: (on) => worker.database.withoutActor((tx) => remindOfInvoices(tx, org.id, on, null)),
      async post() {
        for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
        return sent.splice(0).filter(({ to }) => to.endsWith(`${org.id}@example.org`))
      },
    })
    await worker.close()
  },
})

const giveAddress = (admin: pg.Pool, { orgId, personId }: TestPerson) =>
  admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true) on conflict do nothing', [
    orgId,
    personId,
    `ann-${orgId}@example.org`,
  ])
const kindsOf = (mails: Mail[]) =>
  mails.map(({ subject, attachments }) => [subject.replace(/\d+/g, '#'), (attachments ?? []).map(({ name }) => name)])
const isPdf = (mail: Mail | undefined) => mail?.attachments?.[0]?.content.subarray(0, 5).toString() === '%PDF-'

test('an issued invoice is mailed once, with document and link, and again by hand as often as somebody asks', async ({ api, office }) => {
  const id = await office.invoice(6000)
  await office.mailed(id)
  await office.mailed(id)
  const [first, ...more] = await office.post()
  expect(more).toEqual([])
  expect(first).toMatchObject({ subject: expect.stringMatching(/^Invoice 2\d{3}-00001 from /) })
  expect(first?.text).toMatch(/Your invoice for Dues 2027 is attached\.[^]*€71\.40[^]*\/public\/pay\//)
  expect(isPdf(first)).toBe(true)
  const path = /\/public\/pay\/[^\s)]+/.exec(first?.text ?? '')?.[0] ?? ''
  expect((await api.app.inject({ method: 'GET', url: path })).body).toContain('€71.40')
  const byHand = (client: Client) => client.post(`/data/invoices/${id}/mail`, {})
  expect(await byHand(office.client)).toMatchObject({ status: 200, body: { mails: 1 } })
  expect(await byHand(office.client)).toMatchObject({ status: 200 })
  expect(await office.post()).toHaveLength(2)
  expect(await byHand(api.as(office.ann))).toMatchObject({ status: 403 })
  // Paid before it leaves, there is nothing to tell any more but thanks.
  const late = await office.invoice(100)
  await office.mailed(late)
  await office.pay(late, 119)
  expect(kindsOf(await office.post())).toEqual([
    [expect.stringMatching(/^Receipt R-#-# from/), [expect.stringMatching(/^R-\d{4}-00001\.pdf$/)]],
  ])
})

test('a draft, and what a chapter without an address owes, cannot be mailed', async ({ office }) => {
  const drafted = await office.client.post('/data/invoices', {
    ...{ owedBy: { chapterId: office.org.rootChapterId }, reason: 'Dues', lines: [{ text: 'Dues', amount: 100 }] },
  })
  const { id } = drafted.body as { id: string }
  const refused = { status: 409, body: { reason: 'invoice_not_mailed' } }
  expect(await office.client.post(`/data/invoices/${id}/mail`, {})).toMatchObject(refused)
  await office.client.post(`/data/invoices/${id}/issue`, {}, { 'if-match': '"1"' })
  expect(await office.client.post(`/data/invoices/${id}/mail`, {})).toMatchObject(refused)
})

test('each settled payment has one receipt; a refund replaces it, and what is given back or reversed voids it', async ({
  office,
  admin,
}) => {
  const receipts = async () => {
    const { rows } = await admin.query<{ number: string; state: string; amount: number; replaced: boolean }>(
      `select number, state, amount::int, replaces_id is not null as replaced from app.receipts where org_id = $1 order by number_place`,
      [office.org.id],
    )
    return rows.map(({ number, ...rest }) => ({ place: Number(number.slice(-5)), ...rest }))
  }
  const id = await office.invoice(10_000)
  const paid = await office.pay(id, 11_900)
  expect(await receipts()).toEqual([{ place: 1, state: 'issued', amount: 11_900, replaced: false }])
  const refund = (amount: number, version: number) =>
    office.client.post(
      `/actions/payments/${paid.id}/refund`,
      { amount, reason: 'Moved away' },
      { 'if-match': `"${version}"`, ...office.client.proof },
    )
  const part = await refund(1_900, paid.version)
  expect(part.status).toBeLessThan(300)
  expect(await receipts()).toEqual([
    { place: 1, state: 'replaced', amount: 11_900, replaced: false },
    { place: 2, state: 'issued', amount: 10_000, replaced: true },
  ])
  const [corrected, ...others] = await office.post()
  // The first one had been replaced before it left.
  expect(others).toEqual([])
  expect(corrected?.text).toContain('replaces receipt')
  expect(isPdf(corrected)).toBe(true)
  expect((await refund(10_000, (part.body as { version: number }).version)).status).toBeLessThan(300)
  expect((await receipts()).map(({ state }) => state)).toEqual(['replaced', 'void'])
  const wrong = await office.pay(await office.invoice(100), 119)
  const reversed = await office.client.post(`/data/payments/${wrong.id}/reverse`, { reason: 'Typo' }, { 'if-match': `"${wrong.version}"` })
  expect(reversed.status).toBe(200)
  expect((await receipts()).map(({ place, state }) => [place, state])).toEqual([
    [1, 'replaced'],
    [2, 'void'],
    [3, 'void'],
  ])
  expect(await office.post()).toEqual([])
})

test('documents are for those who see the invoice or the receipt', async ({ api, office, person }) => {
  const id = await office.invoice(100)
  await office.pay(id, 119)
  const list = await api.as(office.ann).get(`/data/receipts?invoiceId=${id}`)
  const { items } = list.body as { items: { id: string; number: string }[] }
  expect(items).toHaveLength(1)
  const papers = [`/actions/invoices/${id}/pdf`, `/actions/receipts/${items[0]?.id}/pdf`]
  const other = await person({ org: office.org })
  for (const path of papers) {
    for (const reader of [office.ann, office.boss]) {
      const fetched = await api.as(reader).post(path, {})
      expect(fetched.status).toBe(200)
      expect(fetched.headers['content-type']).toBe('application/pdf')
    }
    expect(await api.as(other).post(path, {})).toMatchObject({ status: 404 })
  }
})

/** What each word of the preview counts; those that would be mailed as `mailed`. */
const outcome = ({ changed, refused, unchangedWhy = [] }: BulkPreview) => ({
  ...{ mailed: changed, refused },
  ...Object.fromEntries(unchangedWhy.map(({ reason, total }) => [reason, total])),
})
const everything = { all: {}, except: [] }

test('many invoices are sent at once, each once, and the preview says why others stay', async ({ api, office, person, admin }) => {
  const { client, org } = office
  const mailedBefore = await office.invoice(100)
  await office.mailed(mailedBefore)
  await office.pay(await office.invoice(100), 119)
  const open = [await office.invoice(200), await office.invoice(300)]
  await client.post('/data/invoices', { owedBy: { personId: office.ann.personId }, reason: 'x', lines: [{ text: 'x', amount: 1 }] })
  const nowhere = await client.post('/data/invoices', {
    owedBy: { chapterId: org.rootChapterId },
    reason: 'x',
    lines: [{ text: 'x', amount: 1 }],
  })
  await client.post(`/data/invoices/${(nowhere.body as { id: string }).id}/issue`, {}, { 'if-match': '"1"' })
  await office.post()
  const request = { selection: everything, change: { do: 'send' } }
  const preview = async (as = client) => outcome((await as.post('/actions/invoices/bulk/preview', request)).body)
  const officer = await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] })
  expect(await preview(api.as(officer))).toEqual({ mailed: 0, refused: 6 })
  expect(await preview()).toEqual({ mailed: 2, refused: 0, sent: 1, settled: 1, draft: 1, no_address: 1 })
  // Two clicks at once, and a third afterwards.
  const runs = await Promise.all([1, 2].map(() => client.post('/actions/invoices/bulk', request)))
  expect(runs.map(({ body }) => (body as BulkResult).counts?.changed).sort()).toEqual([0, 2])
  expect(await client.post('/actions/invoices/bulk', request)).toMatchObject({ body: { counts: { changed: 0, unchanged: 6 } } })
  const mails = await office.post()
  expect(mails).toHaveLength(2)
  expect(mails.every(isPdf)).toBe(true)
  const { rows } = await admin.query('select id from app.invoices where org_id = $1 and id = any ($2) and sent_at is not null', [
    org.id,
    open,
  ])
  expect(rows).toHaveLength(2)
  expect(
    await client.get(`/data/invoices?filter=${encodeURIComponent('{"and":[{"or":[{"field":"sent","op":"is","value":true}]}]}')}`),
  ).toMatchObject({
    body: { items: [{ sentAt: expect.any(String) }, {}, {}] },
  })
})

test('overdue invoices are reminded at once, none again within the pace, and one paid meanwhile not at all', async ({ office, admin }) => {
  const { client, org } = office
  const [late, paid] = [await office.invoice(100), await office.invoice(200)]
  await office.invoice(300)
  // What was issued stays as it is; only so does time pass.
  await admin.query(`begin; set local session_replication_role = replica;
    update app.invoices set due_on = current_date - 5, issued_on = current_date - 35 where id in ('${late}', '${paid}'); commit`)
  const request = { selection: everything, change: { do: 'remind' } }
  const preview = async () => outcome((await client.post('/actions/invoices/bulk/preview', request)).body)
  expect(await preview()).toEqual({ mailed: 2, refused: 0, not_due: 1 })
  const runs = await Promise.all([1, 2].map(() => client.post('/actions/invoices/bulk', request)))
  expect(runs.map(({ body }) => (body as BulkResult).counts?.changed).sort()).toEqual([0, 2])
  await office.pay(paid, 238)
  const remindersOf = (mails: Mail[]) => mails.filter(({ subject }) => subject.startsWith('Reminder'))
  expect(remindersOf(await office.post())).toHaveLength(1)
  expect(await preview()).toEqual({ mailed: 0, refused: 0, not_due: 1, settled: 1, reminded: 1 })
  const passed = (days: number) =>
    admin.query(`update app.invoices set reminded_at = now() - make_interval(days => $2) where org_id = $1 and reminded_at is not null`, [
      org.id,
      days,
    ])
  // The reminder days that are closest to each other are 3 and 14.
  await passed(10)
  expect(await preview()).toMatchObject({ mailed: 0, reminded: 1 })
  await passed(11)
  expect(await preview()).toMatchObject({ mailed: 1 })
  // A single reminder by hand counts, too.
  await client.post(`/data/invoices/${late}/mail`, {})
  expect(await preview()).toMatchObject({ mailed: 0, reminded: 1 })
  await passed(8)
  await admin.query(
    'insert into app.finance_settings (org_id, reminder_days) values ($1, $2) on conflict (org_id) do update set reminder_days = excluded.reminder_days',
    [org.id, [5]],
  )
  expect(await preview()).toMatchObject({ mailed: 1 })
})

test('after a reminder by hand the calendar waits as long as between two of its own', async ({ office, admin }) => {
  const id = await office.invoice(100)
  const remindedBefore = async (days: number) => {
    await admin.query(`begin; set local session_replication_role = replica; update app.invoices set due_on = current_date - 14,
      issued_on = current_date - 44, reminded_at = now() - interval '${days} days' where id = '${id}'; commit`)
    const { rows } = await admin.query<{ today: string }>(`select to_json(app_private.today_of($1)) #>> '{}' as today`, [office.org.id])
    await office.remind(rows[0]?.today ?? '')
    return (await office.post()).length
  }
  expect(await remindedBefore(10)).toBe(0)
  expect(await remindedBefore(11)).toBe(1)
})

test('the preview and the outbox agree on whom no mail reaches', async ({ office, person, admin }) => {
  const { client, org } = office
  const states: Record<string, string> = {
    fine: '',
    suspended: `update app.accounts set status = 'suspended' where org_id = $1 and person_id = $2`,
    deceased: `update app.people set lifecycle = 'deceased' where org_id = $1 and id = $2`,
    archived: `update app.people set deleted_at = now() where org_id = $1 and id = $2`,
    doNotContact: `update app.people set do_not_contact = true where org_id = $1 and id = $2`,
    bounced: suppress('hard_bounce'),
    complained: suppress('complaint'),
    unsubscribed: suppress('unsubscribed'),
  }
  for (const [state, change] of Object.entries(states)) {
    const { personId } = await person({ org, email: `${state}-${org.id}@example.org` })
    const { body } = await client.post('/data/invoices', { owedBy: { personId }, reason: 'x', lines: [{ text: 'x', amount: 1 }] })
    expect((await client.post(`/data/invoices/${(body as { id: string }).id}/issue`, {}, { 'if-match': '"1"' })).status).toBe(200)
    if (change) await admin.query(change, [org.id, personId])
  }
  const { rows } = await admin.query<{ refusal: string | null; reason: string | null }>(
    `select r.refusal, u.reason from app.invoices i
      cross join lateral app_private.mail_recipient(jsonb_populate_record(null::app.mail_messages,
        jsonb_build_object('org_id', i.org_id, 'person_id', i.person_id, 'essential', true))) r
      left join app_private.unreachable_debtors(i.org_id, null) u on u.invoice = i.id where i.org_id = $1 order by i.id`,
    [org.id],
  )
  expect(rows.map(({ refusal, reason }) => [refusal, reason])).toEqual([
    [null, null],
    ['account_suspended', 'suspended'],
    ['person_deceased', 'gone'],
    ['person_archived', 'gone'],
    [null, null],
    ['hard_bounce', 'suppressed'],
    ['complaint', 'suppressed'],
    [null, null],
  ])
})
const suppress = (reason: string) => `insert into app.mail_suppressions (org_id, address_hash, reason, source)
  select org_id, app_private.address_hash(email), '${reason}', 'test' from app.accounts where org_id = $1 and person_id = $2`
