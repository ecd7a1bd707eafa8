import { openDatabase } from '@guildhall/db'
import { testDatabase } from '@guildhall/db/testing'
import fc from 'fast-check'
import pg from 'pg'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Settlements } from '../../platform/settlements.ts'
import {
  creditInvoice,
  draftInvoice,
  draftInvoices,
  invoiceOf,
  invoiceSettled,
  issueInvoice,
  issueInvoices,
  voidInvoice,
} from './finance.public.ts'
import type { BooksDb } from './finance.public.ts'
import { creditLines, shareOf, taxOf } from './finance.rules.ts'

const line = (amount: number) => ({ text: 'Dues 2026', amount })
const none: Settlements = {}

async function draftOf(tx: BooksDb, orgId: string, personId: string, amount = 5000) {
  return draftInvoice(tx, orgId, { owedBy: { personId }, lines: [line(amount)], reason: 'Dues 2026' })
}

/** A settled payment as the payments of this feature write it. */
async function pay(admin: pg.Pool, orgId: string, invoiceId: string, amount: number): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `with p as (insert into app.payments (org_id, person_id, method, amount, currency, state, settled_at)
       select $1, i.person_id, 'cash', $3, i.currency, 'settled', now() from app.invoices i where i.org_id = $1 and i.id = $2 returning id),
     a as (insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) select $1, p.id, $2, $3 from p)
     select id from p`,
    [orgId, invoiceId, amount],
  )
  return rows[0]?.id ?? ''
}

/** What a worker does: no actor, and the organisation named. */
async function asWorker<T>(run: (tx: BooksDb) => Promise<T>, url?: string): Promise<T> {
  const { workerUrl, actorKey } = await testDatabase()
  const database = openDatabase({ url: url ?? workerUrl, actorKey, poolSize: 1 })
  try {
    return await database.withoutActor(run)
  } finally {
    await database.close()
  }
}

const stateOf = async (admin: pg.Pool, invoiceId: string) => {
  const { rows } = await admin.query<Record<string, unknown>>(
    `select state, paid_amount::int as paid, credited_amount::int as credited, balance_amount::int as balance from app.invoices where id = $1`,
    [invoiceId],
  )
  return rows[0]
}

test('an invoice is issued, paid in parts, and tells its subject once it is paid and when the money went back', async ({
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const ann = await person({ org })
  const told: string[] = []
  const settlements: Settlements = {
    membership_term: {
      paid: async (_, { paidOn }) => void told.push(`paid ${paidOn.length}`),
      unpaid: async () => void told.push('unpaid'),
    },
  }
  const subject = { type: 'membership_term', id: org.rootChapterId }
  await asWorker(async (tx) => {
    const id = await draftInvoice(tx, org.id, {
      owedBy: { personId: ann.personId ?? '' },
      lines: [{ ...line(5000), subject }],
      reason: 'Dues',
    })
    const { number } = await issueInvoice(tx, org.id, id, settlements)
    expect(number).toMatch(/^\d{4}-00001$/)
    // Issuing again takes no other number.
    expect(await issueInvoice(tx, org.id, id, settlements)).toEqual({ number })
  })
  const invoice = await asWorker((tx) => invoiceOf(tx, org.id, subject))
  expect(invoice).toMatchObject({ state: 'issued', total: { amount: 5000 }, balance: { amount: 5000 } })
  const id = invoice?.id ?? ''
  const settle = () => asWorker((tx) => invoiceSettled(tx, org.id, id, settlements))
  await pay(admin, org.id, id, 2000)
  expect(await settle()).toEqual({ state: 'partly_paid' })
  expect(told).toEqual([])
  const last = await pay(admin, org.id, id, 3000)
  expect(await settle()).toEqual({ state: 'paid' })
  expect(await settle()).toEqual({ state: 'paid' })
  expect(told).toEqual(['paid 10'])
  const receipts = await Promise.all(
    [0, 1, 2].map(() =>
      asWorker(async (tx) => (await sql<{ id: string }>`select app.issue_receipt(${org.id}, ${last}) as id`.execute(tx)).rows[0]?.id),
    ),
  )
  expect(new Set(receipts).size).toBe(1)
  await admin.query(`update app.payments set state = 'disputed' where id = $1`, [last])
  expect(await settle()).toEqual({ state: 'partly_paid' })
  expect(told).toEqual(['paid 10', 'unpaid'])
})

test('what was issued stays as it is, whoever tries', async ({ organisation, person, admin }) => {
  const org = await organisation()
  const ann = await person({ org })
  const [draft, issued] = await asWorker(async (tx) => {
    const first = await draftOf(tx, org.id, ann.personId ?? '')
    const second = await draftOf(tx, org.id, ann.personId ?? '')
    await issueInvoice(tx, org.id, second, none)
    return [first, second]
  })
  await admin.query(`update app.invoice_lines set text = 'Dues' where invoice_id = $1`, [draft])
  const refused = { code: '23514' }
  for (const statement of [
    `update app.invoices set total_amount = 1 where id = $1`,
    `update app.invoices set person_id = null, chapter_id = '${org.rootChapterId}' where id = $1`,
    `update app.invoices set state = 'draft' where id = $1`,
    `update app.invoices set number = '2026-99999' where id = $1`,
    `delete from app.invoices where id = $1`,
    `update app.invoice_lines set net_amount = 1 where invoice_id = $1`,
    `delete from app.invoice_lines where invoice_id = $1`,
    `insert into app.invoice_lines (org_id, invoice_id, place, text, net_amount) select org_id, id, 2, 'x', 1 from app.invoices where id = $1`,
  ])
    await expect(admin.query(statement, [issued]), statement).rejects.toMatchObject(refused)
  await expect(admin.query(`delete from app.invoices where id = $1`, [draft])).rejects.toMatchObject(refused)
})

test('voiding and crediting keep numbers and add up', async ({ organisation, person, admin }) => {
  const org = await organisation()
  const ann = await person({ org })
  const [voided, credited, paid] = await asWorker(async (tx) => {
    const ids = [
      await draftOf(tx, org.id, ann.personId ?? ''),
      await draftOf(tx, org.id, ann.personId ?? ''),
      await draftOf(tx, org.id, ann.personId ?? ''),
    ]
    for (const id of ids) await issueInvoice(tx, org.id, id, none)
    return ids
  })
  await asWorker((tx) => voidInvoice(tx, org.id, voided ?? '', 'Sent twice'))
  expect(await stateOf(admin, voided ?? '')).toEqual({ state: 'void', paid: 0, credited: 0, balance: 0 })
  await asWorker((tx) => creditInvoice(tx, org.id, credited ?? '', { reason: 'Half', lines: [line(-2000)], settlements: none }))
  expect(await stateOf(admin, credited ?? '')).toEqual({ state: 'issued', paid: 0, credited: 2000, balance: 3000 })
  await expect(asWorker((tx) => creditInvoice(tx, org.id, credited ?? '', { reason: 'All', settlements: none }))).rejects.toMatchObject({
    constraint: 'credit_too_high',
  })
  await asWorker((tx) => creditInvoice(tx, org.id, credited ?? '', { reason: 'The rest', lines: [line(-3000)], settlements: none }))
  expect(await stateOf(admin, credited ?? '')).toMatchObject({ state: 'credited', balance: 0 })
  await pay(admin, org.id, paid ?? '', 5000)
  await asWorker((tx) => invoiceSettled(tx, org.id, paid ?? '', none))
  await expect(asWorker((tx) => voidInvoice(tx, org.id, paid ?? '', 'x'))).rejects.toMatchObject({ constraint: 'invoice_has_payments' })
  await asWorker((tx) => creditInvoice(tx, org.id, paid ?? '', { reason: 'Moved away', settlements: none }))
  expect(await stateOf(admin, paid ?? '')).toMatchObject({ state: 'paid', balance: -5000 })
})

test('only those who manage finance write in its books, and nobody without an actor but a worker', async ({
  organisation,
  person,

  api,
}) => {
  const org = await organisation()
  const ann = await person({ org })
  const officer = await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] })
  const finance = await person({ org, grants: [{ role: 'finance', chapterId: org.rootChapterId }] })
  const stranger = await person({ org: await organisation(), idpRoles: ['org-owner'] })
  const as = (who: { orgId: string; accountId: string }, idpRoles: string[] = []) =>
    api.services.database.asActor({ ...who, idpRoles }, (tx) => draftOf(tx, org.id, ann.personId ?? ''))
  expect(await as(finance)).toMatch(/-/)
  const refused = { code: '42501' }
  await expect(as(ann)).rejects.toMatchObject(refused)
  await expect(as(officer)).rejects.toMatchObject(refused)
  await expect(as(stranger, ['org-owner'])).rejects.toMatchObject(refused)
  const { apiUrl } = await testDatabase()
  await expect(asWorker((tx) => draftOf(tx, org.id, ann.personId ?? ''), apiUrl)).rejects.toMatchObject(refused)
})

test('32 issue one and many at once while every third is cut off: numbers have no gap and no double', async ({
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const ann = await person({ org })
  const wanted = (place: number) => ({ owedBy: { personId: ann.personId ?? '' }, lines: [line(100 + place)], reason: 'Dues' })
  const drafts = await asWorker((tx) =>
    draftInvoices(
      tx,
      org.id,
      Array.from({ length: 96 }, (_, place) => wanted(place)),
    ),
  )
  const { adminUrl } = await testDatabase()
  const pool = new pg.Pool({ connectionString: adminUrl, max: 32 })
  pool.on('error', () => undefined)
  const issue = async (ids: string[], isCut: boolean) => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select app.issue_invoices($1, $2)', [org.id, ids])
      // The numbers are taken; the connection goes before anybody hears of them.
      if (isCut) await client.query('select pg_terminate_backend(pg_backend_pid())')
      await client.query('commit')
      client.release()
    } catch {
      client.release(true)
    }
  }
  const numbers = async () => {
    const { rows } = await admin.query<{ place: number }>(
      `select number_place as place from app.invoices where org_id = $1 and number_place is not null order by 1`,
      [org.id],
    )
    return rows.map(({ place }) => place)
  }
  const upTo = (last: number) => Array.from({ length: last }, (_, place) => place + 1)
  try {
    // From one to eight each, in either order, so that most are in the hands of several.
    const taken = (place: number) => drafts.slice(place * 3, place * 3 + 1 + (place % 8))
    await Promise.all(
      Array.from({ length: 32 }, (_, place) => issue(place % 2 ? taken(place) : taken(place).toReversed(), place % 3 === 0)),
    )
    const issued = new Set(Array.from({ length: 32 }, (_, place) => (place % 3 === 0 ? [] : taken(place))).flat())
    expect(await numbers()).toEqual(upTo(issued.size))
    await Promise.all([issue(drafts, false), issue(drafts.toReversed(), false)])
    expect(await numbers()).toEqual(upTo(drafts.length))
  } finally {
    await pool.end()
  }
})

test('many are drafted and issued in the order of the list, each once under its key, and nobody drafts what is not theirs', async ({
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const [ann, officer] = [await person({ org }), await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] })]
  const wanted = (dedupeKey: string, amount: number) => ({
    owedBy: { personId: ann.personId ?? '' },
    lines: [{ ...line(amount), tax: { bps: 1900, note: 'VAT' } }, line(-10)],
    reason: 'Dues',
    dedupeKey,
  })
  const list = [wanted('b', 333), wanted('a', 10), wanted('b', 999)]
  const ids = await asWorker((tx) => draftInvoices(tx, org.id, list))
  expect(ids[2]).toBe(ids[0])
  expect(await asWorker((tx) => draftInvoices(tx, org.id, list.toReversed()))).toEqual(ids.toReversed())
  const told: string[] = []
  const free = { paid: async (_: unknown, { subjectId }: { subjectId: string }) => void told.push(subjectId), unpaid: async () => {} }
  const gift = await asWorker((tx) =>
    draftInvoice(tx, org.id, {
      ...{ owedBy: { personId: ann.personId ?? '' }, reason: 'Free' },
      lines: [{ text: 'Free', amount: 0, subject: { type: 'membership_term', id: org.rootChapterId } }],
    }),
  )
  const issued = await asWorker((tx) => issueInvoices(tx, org.id, [ids[1] ?? '', ids[0] ?? '', gift], { membership_term: free }))
  expect(issued.map(({ invoiceId, number }) => [invoiceId, number.slice(5)])).toEqual([
    [ids[1], '00001'],
    [ids[0], '00002'],
    [gift, '00003'],
  ])
  expect(told).toEqual([org.rootChapterId])
  expect(await stateOf(admin, ids[0] ?? '')).toMatchObject({ state: 'issued', balance: 333 + 63 - 10 })
  const { apiUrl, actorKey } = await testDatabase()
  const database = openDatabase({ url: apiUrl, actorKey, poolSize: 1 })
  const asOfficer = { orgId: org.id, accountId: officer.accountId, idpRoles: [] }
  try {
    await expect(database.asActor(asOfficer, (tx) => draftInvoices(tx, org.id, [wanted('c', 1)]))).rejects.toMatchObject({ code: '42501' })
    await expect(database.asActor(asOfficer, (tx) => issueInvoices(tx, org.id, ids, none))).rejects.toMatchObject({ code: '42501' })
  } finally {
    await database.close()
  }
})

test('the same with numbers of a sequence leaves gaps, so the test above can see them', async ({ admin }) => {
  await admin.query('create sequence public.careless')
  try {
    const taken = async (isCut: boolean) => {
      const client = await admin.connect()
      try {
        await client.query('begin')
        const { rows } = await client.query<{ place: number }>(`select nextval('public.careless')::int as place`)
        await client.query(isCut ? 'rollback' : 'commit')
        return isCut ? [] : rows.map(({ place }) => place)
      } finally {
        client.release()
      }
    }
    const places = (await Promise.all(Array.from({ length: 8 }, (_, place) => taken(place % 3 === 0)))).flat().sort((a, b) => a - b)
    expect(places).not.toEqual(places.map((_, place) => place + 1))
  } finally {
    await admin.query('drop sequence public.careless')
  }
})

test('shares of chapters add up, whatever the split', () => {
  for (const [amount, bps] of [
    [1, 5000],
    [3, 3333],
    [9999, 2501],
    [5000, 0],
    [5000, 10_000],
    [-101, 5000],
  ] as const) {
    const share = shareOf(amount, bps)
    expect(Number.isInteger(share)).toBe(true)
    expect(Math.abs(share)).toBeLessThanOrEqual(Math.abs(amount))
    expect(share + shareOf(amount, 10_000 - bps) - amount).toBeLessThanOrEqual(1)
  }
})

test('however an invoice is credited in parts, the credit notes come to its total', () => {
  const line = fc.record({
    net: fc.integer({ min: -100_000, max: 100_000 }).filter((net) => net !== 0),
    taxBps: fc.integer({ min: 0, max: 3_000 }),
  })
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
      (given, parts) => {
        const lines = given.map(({ net, taxBps }, place) => ({
          id: String(place),
          text: 'x',
          net,
          taxBps,
          taxNote: '',
          tax: taxOf(net, taxBps),
          share: { chapter: { id: 'c' }, amount: shareOf(net, 3333) },
          credited: { net: 0, tax: 0 },
        }))
        let credited = 0
        const credit = (wanted?: { lineId: string; amount: number }[]) => {
          for (const made of creditLines(lines, wanted, 'Rounding') ?? []) {
            const tax = taxOf(made.amount, made.taxBps ?? 0)
            credited -= made.amount + tax
            expect(Math.abs(made.shareAmount ?? 0)).toBeLessThanOrEqual(Math.abs(made.amount))
            const of = lines.find(({ id }) => id === made.creditsLineId)
            if (of) of.credited = { net: of.credited.net - made.amount, tax: of.credited.tax - tax }
          }
        }
        for (const [place, part] of parts.entries()) {
          const of = lines[place % lines.length]
          const amount = of ? Math.floor(part * Math.abs(of.net - of.credited.net)) : 0
          if (of && amount > 0) credit([{ lineId: of.id, amount }])
        }
        credit()
        expect(credited).toBe(lines.reduce((sum, { net, tax }) => sum + net + tax, 0))
        expect(creditLines(lines, [{ lineId: '0', amount: 1 }], 'Rounding')).toBeNull()
      },
    ),
  )
})
