import type { DuesRate, DuesRun, DuesRunPreview, InvoiceDetail } from '@guildhall/contract/features/finance'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import { begunRun, duesRunWork } from './finance.runs.public.ts'
import { periodOf } from './finance.rules.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const none = { list: 'dues_runs', request: {} }

test('a run charges everybody once, at the rate of the nearest chapter, and adds up to its preview', async ({
  api,
  chapter,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const [ann, , dead] = [
    await person({ org, chapterId: west }),
    await person({ org, chapterId: east }),
    await person({ org, chapterId: east }),
  ]
  await admin.query(`update app.people set lifecycle = 'deceased' where id = $1`, [dead.personId])
  const rate = {
    name: 'National dues',
    chargedTo: 'person',
    period: 'year',
    price: { amount: 6001, currency: 'EUR' },
    chapterId: null,
    chapterShareBps: 3333,
    taxBps: 700,
  }
  const { body: national }: { body: DuesRate } = await treasurer.post('/data/dues-rates', rate)
  await treasurer.post('/data/dues-rates', { ...rate, price: { amount: 3000, currency: 'EUR' }, chapterId: west, overridesId: national.id })
  const asked = { rateId: national.id, chapterId: null, periodOn: '2027-05-17' }

  expect(await officer.post('/data/dues-runs/preview', asked)).toMatchObject({ status: 403 })
  const preview: { body: DuesRunPreview } = await treasurer.post('/data/dues-runs/preview', asked)
  expect(preview).toMatchObject({ status: 200, body: { period: { start: '2027-01-01', end: '2027-12-31', label: '2027' } } })
  const { charged, sample, skipped, totals } = preview.body
  expect(skipped).toMatchObject([{ reason: 'gone', count: 1 }])
  expect(sample.find(({ id }) => id === ann.personId)).toMatchObject({ amount: 3000, ownRate: true, chapter: 'West' })
  expect(sample).toHaveLength(charged)
  expect(totals).toMatchObject([{ currency: 'EUR', net: sample.reduce((sum, { amount }) => sum + amount, 0) }])

  const started = { ...asked, issue: true }
  expect(await officer.post('/actions/dues-runs', started)).toMatchObject({ status: 403 })
  const both: { body: { run: DuesRun } }[] = await Promise.all([
    treasurer.post('/actions/dues-runs', started),
    treasurer.post('/actions/dues-runs', started),
  ])
  expect(both.map(({ body }) => body.run.state)).toEqual(['done', 'done'])
  expect(both.reduce((sum, { body }) => sum + body.run.charged, 0)).toBe(charged)
  const { rows } = await admin.query(
    `select count(*)::int as invoices, count(distinct i.person_id)::int as people, sum(i.total_amount)::int as total, sum(l.share_amount)::int as share, min(i.state) as state
     from app.invoices i join app.invoice_lines l on l.org_id = i.org_id and l.invoice_id = i.id where i.org_id = $1`,
    [org.id],
  )
  expect(rows).toEqual([{ invoices: charged, people: charged, total: totals[0]?.total, share: totals[0]?.chapterShare, state: 'issued' }])
  expect((await treasurer.post('/data/dues-runs/preview', asked)).body).toMatchObject({ charged: 0, totals: [] })
  // Another period is charged anew.
  expect((await treasurer.post('/data/dues-runs/preview', { ...asked, periodOn: '2028-01-01' })).body).toMatchObject({ charged })
})

test('undoing voids what is not paid, keeps the rest, and lets the period be charged again', async ({
  api,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const [ann] = [await person({ org, chapterId: west }), await person({ org, chapterId: west })]
  const { body: rate }: { body: DuesRate } = await treasurer.post('/data/dues-rates', {
    name: 'Local dues', chargedTo: 'person', period: 'quarter', price: { amount: 1000, currency: 'EUR' }, chapterId: west,
  }) // prettier-ignore
  const asked = { rateId: rate.id, chapterId: null, periodOn: '2027-05-17', issue: true, dueOn: '2031-01-31' }
  const { body: started }: { body: { run: DuesRun } } = await treasurer.post('/actions/dues-runs', asked)
  expect(started.run).toMatchObject({ charged: 2, chapter: { id: west }, period: { label: '2027-Q2' }, may: { undo: true } })
  const { body: list }: { body: { items: InvoiceDetail[] } } = await treasurer.get(`/data/invoices?personId=${ann.personId}`)
  expect(list.items).toMatchObject([{ reason: 'Local dues 2027-Q2', dueOn: '2031-01-31' }])
  const paid = {
    method: 'cash',
    money: { amount: 400, currency: 'EUR' },
    receivedOn: '2026-01-05',
    allocations: [{ invoiceId: list.items[0]?.id, amount: 400 }],
  }
  expect(await treasurer.post('/data/payments', paid)).toMatchObject({ status: 201 })
  expect((await treasurer.get(`/data/dues-runs/${started.run.id}/undo`)).body).toEqual({ voids: 1, keeps: 1 })
  const undo = `/actions/dues-runs/${started.run.id}/undo`
  const { body: runs }: { body: { items: DuesRun[] } } = await treasurer.get(`/data/dues-runs?chapterId=${west}`)
  const version = runs.items[0]?.version ?? 0
  expect(await treasurer.post(undo, { reason: 'Wrong rate' }, match(version - 1))).toMatchObject({ status: 412 })
  expect(await treasurer.post(undo, { reason: 'Wrong rate' }, match(version))).toMatchObject({
    status: 200,
    body: { run: { state: 'undone', voided: 1, may: { undo: false } } },
  })
  expect(
    (await treasurer.post('/data/dues-runs/preview', { rateId: rate.id, chapterId: west, periodOn: '2027-04-01' })).body,
  ).toMatchObject({
    charged: 1,
    skipped: [{ reason: 'charged', count: 1 }],
  })
})

test('a run that is cut off in the middle goes on where it was', async ({ api, organisation, person, chapter, admin }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const keeper = await person({ org, idpRoles: ['finance'] })
  const treasurer = api.as(keeper)
  for (const _ of [1, 2, 3]) await person({ org, chapterId: west })
  const { body: rate }: { body: DuesRate } = await treasurer.post('/data/dues-rates', {
    name: 'Dues', chargedTo: 'person', period: 'year', price: { amount: 1000, currency: 'EUR' }, chapterId: west,
  }) // prettier-ignore
  const actor = { orgId: org.id, accountId: keeper.accountId, idpRoles: ['finance'] }
  const as = api.services.database
  const asked = { rateId: rate.id, chapterId: west, period: periodOf('year', '2027-01-01') }
  const runId = await as.asActor(actor, (db) => begunRun(db, actor, asked, { issue: true }))
  const steps = duesRunWork.steps({ runId, undo: false })
  const step = (size: number, isCut: boolean) =>
    as.asActor(actor, async (db) => {
      const { last } = (await steps?.change(db, actor, runId, none, size)) ?? { last: true }
      if (isCut) throw new Error('cut off')
      return last
    })
  await expect(step(2, true)).rejects.toThrow('cut off')
  expect(await step(2, false)).toBe(false)
  await expect(step(2, true)).rejects.toThrow('cut off')
  expect(await step(2, false)).toBe(true)
  expect(await step(2, false)).toBe(true)
  const { rows } = await admin.query(
    `select array_agg(number_place order by number_place) as numbers from app.invoices where org_id = $1`,
    [org.id],
  )
  expect(rows).toEqual([{ numbers: [1, 2, 3] }])
})

test('chapters pay for each of their members, and those without any are skipped', async ({ api, organisation, person, chapter }) => {
  const org = await organisation()
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  for (const _ of [1, 2, 3]) await person({ org, chapterId: west })
  const { body: rate }: { body: DuesRate } = await treasurer.post('/data/dues-rates', {
    name: 'Insurance', chargedTo: 'chapter_per_member', period: 'half_year', price: { amount: 150, currency: 'EUR' }, chapterId: null,
  }) // prettier-ignore
  const asked = { rateId: rate.id, chapterId: null, periodOn: '2027-08-01', issue: false }
  expect(
    (await treasurer.post('/data/dues-runs/preview', { rateId: rate.id, chapterId: null, periodOn: '2027-08-01' })).body,
  ).toMatchObject({
    charged: 1,
    sample: [{ id: west, quantity: 3, amount: 450 }],
    skipped: [{ reason: 'no_members', sample: [{ id: east }] }],
    totals: [{ total: 450, chapterShare: 0 }],
  })
  expect(await treasurer.post('/actions/dues-runs', asked)).toMatchObject({ body: { run: { charged: 1, issues: false } } })
  const { body: list }: { body: { items: InvoiceDetail[] } } = await treasurer.get('/data/invoices')
  const { body: invoice }: { body: InvoiceDetail } = await treasurer.get(`/data/invoices/${list.items[0]?.id}`)
  expect(invoice).toMatchObject({ state: 'draft', chapter: { id: west }, lines: [{ text: 'Insurance 2027-H2, 3 members', net: 450 }] })
})

test('periods are those of the calendar', () => {
  expect(periodOf('month', '2028-02-10')).toEqual({ start: '2028-02-01', end: '2028-02-29', label: '2028-02' })
  expect(periodOf('quarter', '2027-12-31')).toEqual({ start: '2027-10-01', end: '2027-12-31', label: '2027-Q4' })
  expect(periodOf('half_year', '2027-01-01')).toEqual({ start: '2027-01-01', end: '2027-06-30', label: '2027-H1' })
  expect(periodOf('once', '2027-03-03').start).toBe(periodOf('once', '2031-07-07').start)
})
