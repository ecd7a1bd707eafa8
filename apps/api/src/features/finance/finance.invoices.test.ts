import type { BulkResult } from '@guildhall/contract/bulk'
import type { ChapterFigures, InvoiceDetail, DuesRate, FinanceFigures } from '@guildhall/contract/features/finance'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client, TestPerson } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const wanted = (person: TestPerson, more: object = {}) => ({
  owedBy: { personId: person.personId },
  reason: 'Dues 2027',
  lines: [{ text: 'Dues 2027', amount: 6000, taxBps: 1900, taxNote: 'VAT' }],
  ...more,
})
async function drafted(client: Client, person: TestPerson, more: object = {}): Promise<InvoiceDetail> {
  const answer = await client.post('/data/invoices', wanted(person, more))
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}
async function issued(client: Client, person: TestPerson): Promise<InvoiceDetail> {
  const draft = await drafted(client, person)
  return (await client.post(`/data/invoices/${draft.id}/issue`, undefined, match(draft.version))).body
}

test('finance drafts, issues and credits; the member sees it once it is issued, others never', async ({ api, organisation, person }) => {
  const org = await organisation()
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const ann = await person({ org })
  const [own, bea] = [api.as(ann), api.as(await person({ org }))]
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))

  const draft = await drafted(treasurer, ann)
  expect(draft).toMatchObject({
    state: 'draft',
    number: null,
    total: { amount: 7140, currency: 'EUR' },
    lines: [{ net: 6000, tax: 1140 }],
    may: { issue: true, void: true, credit: false },
  })
  expect(await own.get(`/data/invoices/${draft.id}`)).toMatchObject({ status: 404 })
  expect(await officer.get(`/data/invoices/${draft.id}`)).toMatchObject({ status: 200, body: { may: { issue: false } } })
  expect(await officer.post('/data/invoices', wanted(ann))).toMatchObject({ status: 403 })

  const issue = `/data/invoices/${draft.id}/issue`
  expect(await treasurer.post(issue, undefined, match(99))).toMatchObject({ status: 412 })
  expect(await officer.post(issue, undefined, match(draft.version))).toMatchObject({ status: 403 })
  const invoice: InvoiceDetail = (await treasurer.post(issue, undefined, match(draft.version))).body
  expect(invoice).toMatchObject({ state: 'issued', number: expect.stringMatching(/^\d{4}-00001$/), billing: { name: expect.any(String) } })
  expect(await own.get(`/data/invoices/${draft.id}`)).toMatchObject({
    status: 200,
    body: { may: { credit: false }, person: { id: ann.personId } },
  })
  expect(await bea.get(`/data/invoices/${draft.id}`)).toMatchObject({ status: 404 })

  const credit = `/data/invoices/${draft.id}/credit`
  expect(await own.post(credit, { reason: 'x' }, match(invoice.version))).toMatchObject({ status: 403 })
  expect(await treasurer.post(credit, { reason: 'Moved away' }, match(invoice.version))).toMatchObject({
    status: 200,
    body: { state: 'credited', balance: { amount: 0 }, credits: [{ total: -7140, number: expect.stringMatching(/^CN-\d{4}-00001$/) }] },
  })
  // The same click again: what was seen is no longer so.
  expect(await treasurer.post(credit, { reason: 'Moved away' }, match(invoice.version))).toMatchObject({ status: 412 })
  expect((await own.get('/data/invoices')).body).toMatchObject({ total: 2 })
})

test('lists by state and chapter, and figures that add up to them', async ({ api, admin, chapter, organisation, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const [ann, bea] = [await person({ org, chapterId: west }), await person({ org })]
  await drafted(treasurer, ann)
  const late = await issued(treasurer, ann)
  await issued(treasurer, bea)
  const gone = await issued(treasurer, ann)
  expect(await treasurer.post(`/data/invoices/${gone.id}/void`, { reason: 'Sent twice' }, match(gone.version))).toMatchObject({
    status: 200,
    body: { state: 'void', voidReason: 'Sent twice', number: gone.number },
  })
  const count = async (query: string) => (await treasurer.get(`/data/invoices?${query}`)).body as { total: number; items: { id: string }[] }
  const only = (field: string, value: unknown, op = 'is') => `filter=${JSON.stringify({ and: [{ or: [{ field, op, value }] }] })}`
  expect(await count(only('open', true))).toMatchObject({ total: 2 })
  expect(await count(only('state', 'draft'))).toMatchObject({ total: 1 })
  expect(await count(only('state', ['void', 'draft'], 'in'))).toMatchObject({ total: 2 })
  expect(await count(only('overdue', true))).toMatchObject({ total: 0 })
  expect(await count(only('person', bea.personId))).toMatchObject({ total: 1 })
  expect(await count(only('books', west))).toMatchObject({ total: 3 })
  expect(await count(only('total', 71.4))).toMatchObject({ total: 4 })
  expect(await count(only('total', 71.4, 'after'))).toMatchObject({ total: 0 })
  expect(await count(`q=${late.number?.toLowerCase()}`)).toMatchObject({ total: 1, items: [{ id: late.id }] })
  expect(await count('q=nobody')).toMatchObject({ total: 0 })
  expect(await count('sort=-number')).toMatchObject({ items: [{ id: gone.id }, {}, { id: late.id }, {}] })
  expect(await treasurer.get('/data/invoices?sort=weight')).toMatchObject({ status: 400 })
  expect(await treasurer.get(`/data/invoices?${only('total', 'many')}`)).toMatchObject({ status: 422 })
  expect(await count(`chapterId=${west}&${only('open', true)}`)).toMatchObject({ total: 1, items: [{ id: late.id }] })
  expect((await treasurer.get(`/data/invoices/totals?chapterId=${west}`)).body).toEqual({
    items: [{ currency: 'EUR', invoices: 3, open: 7140, overdue: 0, paid: 0 }],
  })
  expect((await api.as(bea).get('/data/invoices/totals')).body).toMatchObject({ items: [{ invoices: 1, open: 7140 }] })
  expect(await count(`personId=${bea.personId}`)).toMatchObject({ total: 1 })
  const { items } = (await treasurer.get('/data/finance/summary')).body as { items: FinanceFigures[] }
  expect(items).toMatchObject([
    { currency: 'EUR', open: { invoices: 2, amount: 14280 }, drafts: { invoices: 1, amount: 7140 }, overdue: { invoices: 0, amount: 0 } },
  ])
  const aged = async (days: number) => {
    await admin.query(`alter table app.invoices disable trigger invoices_stay`)
    await admin.query(`update app.invoices set due_on = app_private.today_in(org_id) - $2::int where id = $1`, [late.id, days])
    await admin.query(`alter table app.invoices enable trigger invoices_stay`)
    const { body }: { body: { items: FinanceFigures[]; chapters: ChapterFigures[] } } = await treasurer.get(
      `/data/finance/summary?chapterId=${org.rootChapterId}`,
    )
    expect(body.chapters).toMatchObject([{ chapter: { id: west }, currency: 'EUR', open: 7140, overdue: days > 0 ? 7140 : 0 }])
    return body.items[0]?.ages.map(({ amount }) => amount)
  }
  expect(await aged(0)).toEqual([0, 0, 0, 0])
  expect(await aged(30)).toEqual([7140, 0, 0, 0])
  expect(await aged(31)).toEqual([0, 7140, 0, 0])
  expect(await aged(90)).toEqual([0, 0, 7140, 0])
  expect(await aged(91)).toEqual([0, 0, 0, 7140])
  expect((await treasurer.get(`/data/finance/summary?chapterId=${west}`)).body).toMatchObject({ items: [{ open: { amount: 7140 } }] })
})

test('rates of the whole organisation, and one that stands in for them in a chapter', async ({ api, chapter, organisation, person }) => {
  const org = await organisation()
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const rate = { name: 'National dues', chargedTo: 'person', period: 'year', price: { amount: 6000, currency: 'EUR' }, chapterId: null }
  const national: DuesRate = (await treasurer.post('/data/dues-rates', rate)).body
  expect(national).toMatchObject({ dueDays: 30, memberKind: 'member', chapter: null })
  const cheaper = { ...rate, price: { amount: 3000, currency: 'EUR' }, chapterId: west, overridesId: national.id }
  expect(await treasurer.post('/data/dues-rates', cheaper)).toMatchObject({ status: 201 })
  expect(await treasurer.post('/data/dues-rates', cheaper)).toMatchObject({ status: 409, body: { reason: 'dues_rate_overridden' } })
  expect(await treasurer.post('/data/dues-rates', { ...cheaper, chapterId: null })).toMatchObject({ status: 422 })
  expect(await officer.post('/data/dues-rates', { ...rate, chapterId: west })).toMatchObject({ status: 403 })
  const seen = async (client: Client, chapterId: string) =>
    ((await client.get(`/data/dues-rates?chapterId=${chapterId}`)).body as { items: DuesRate[] }).items.map(({ price }) => price.amount)
  expect(await seen(officer, west)).toEqual([6000, 3000])
  expect(await seen(treasurer, east)).toEqual([6000])
  const change = `/data/dues-rates/${national.id}`
  expect(await treasurer.patch(change, { dueDays: 14 }, match(national.version))).toMatchObject({ status: 200, body: { dueDays: 14 } })
  expect(await treasurer.patch(change, { dueDays: 7 }, match(national.version))).toMatchObject({ status: 412 })
  expect(await treasurer.post(`${change}/archive`, undefined, match(national.version + 1))).toMatchObject({ status: 200 })
  expect(await seen(treasurer, east)).toEqual([])
})

test('a draft is changed line by line and keeps what its lines pay for; an issued invoice is not', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  const draft = await drafted(treasurer, await person({ org }), {
    lines: [
      { text: 'Dues', amount: 6000 },
      { text: 'Card', amount: 500 },
    ],
  })
  const [dues, card] = draft.lines
  const change = {
    dueOn: '2031-05-01',
    lines: [
      { lineId: card?.id, text: 'New card', amount: 700 },
      { lineId: dues?.id, text: 'Dues', amount: 6000 },
      { text: 'Discount', amount: -1000 },
    ],
  }
  const path = `/data/invoices/${draft.id}`
  expect(await officer.patch(path, change, match(draft.version))).toMatchObject({ status: 403 })
  expect(await treasurer.patch(path, { lines: [{ lineId: org.rootChapterId, text: 'x', amount: 1 }] }, match(draft.version))).toMatchObject(
    {
      status: 422,
      body: { errors: [{ code: 'invoice_line_unknown' }] },
    },
  )
  expect(await treasurer.patch(path, { lines: [] }, match(draft.version))).toMatchObject({ status: 422 })
  const { body: changed }: { body: InvoiceDetail } = await treasurer.patch(path, change, match(draft.version))
  expect(changed).toMatchObject({ total: { amount: 5700 }, dueOn: '2031-05-01', reason: 'Dues 2027' })
  expect(changed.lines.map(({ text, net }) => [text, net])).toEqual([
    ['New card', 700],
    ['Dues', 6000],
    ['Discount', -1000],
  ])
  expect(await treasurer.patch(path, change, match(draft.version))).toMatchObject({ status: 412 })
  const { body: sent }: { body: InvoiceDetail } = await treasurer.post(`${path}/issue`, undefined, match(changed.version))
  expect(sent).toMatchObject({ may: { edit: false } })
  expect(await treasurer.patch(path, { note: 'x' }, match(sent.version))).toMatchObject({ status: 422 })
})

test('credit notes take off parts of lines, never more than is left, and come to just what was charged', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const draft = await drafted(treasurer, await person({ org }), {
    lines: [
      { text: 'Dues', amount: 3, taxBps: 1900 },
      { text: 'Camp', amount: 9000 },
    ],
  })
  const path = `/data/invoices/${draft.id}`
  let { body: invoice }: { body: InvoiceDetail } = await treasurer.post(`${path}/issue`, undefined, match(draft.version))
  const [dues, camp] = invoice.lines
  const credit = (lines?: unknown) =>
    treasurer.post(`${path}/credit`, { reason: 'Left early', ...(lines ? { lines } : {}) }, match(invoice.version))
  expect(await credit([{ lineId: camp?.id, amount: 9001 }])).toMatchObject({ status: 409, body: { reason: 'credit_too_high' } })
  invoice = (
    await credit([
      { lineId: camp?.id, amount: 4000 },
      { lineId: dues?.id, amount: 1 },
    ])
  ).body
  expect(invoice).toMatchObject({ state: 'issued', credited: { amount: 4001 }, balance: { amount: 5003 }, may: { credit: true } })
  expect(invoice.lines[1]).toMatchObject({ credited: { net: 4000, tax: 0 } })
  expect(await credit([{ lineId: camp?.id, amount: 5001 }])).toMatchObject({ status: 409 })
  // 19 % of one cent and of two cents is nothing, of three cents it is one: the last part makes up for it.
  invoice = (await credit()).body
  expect(invoice).toMatchObject({ state: 'credited', credited: { amount: 9004 }, balance: { amount: 0 }, may: { credit: false } })
  expect(invoice.credits.map(({ total }) => total)).toEqual([-4001, -5003])
})

test('many are issued or voided at once: counted beforehand, what cannot be is left alone, and there is no undo', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  const ann = await person({ org })
  const [one, two] = [await drafted(treasurer, ann), await drafted(treasurer, ann)]
  const credited = await issued(treasurer, ann)
  await treasurer.post(`/data/invoices/${credited.id}/credit`, { reason: 'x' }, match(credited.version))
  const all = { selection: { all: { filter: { and: [{ or: [{ field: 'kind', op: 'is', value: 'invoice' }] }] } }, except: [] } }
  expect(await officer.post('/actions/invoices/bulk/preview', { ...all, change: { do: 'issue' } })).toMatchObject({
    body: { matched: 3, changed: 0, refused: 3 },
  })
  expect(await treasurer.post('/actions/invoices/bulk/preview', { ...all, change: { do: 'issue' } })).toMatchObject({
    body: { matched: 3, changed: 2, unchanged: 1, refused: 0, sample: [{}, {}] },
  })
  const run: { body: BulkResult } = await treasurer.post('/actions/invoices/bulk', { ...all, change: { do: 'issue' } })
  expect(run).toMatchObject({ status: 200, body: { counts: { changed: 2 }, undoableUntil: null } })
  expect(await treasurer.post(`/actions/bulk/${run.body.job.id}/undo`, {})).toMatchObject({ status: 409 })
  const numberOf = async ({ id }: InvoiceDetail) => {
    const { body }: { body: InvoiceDetail } = await treasurer.get(`/data/invoices/${id}`)
    return body.number?.slice(-1)
  }
  expect([await numberOf(one), await numberOf(two)].sort()).toEqual(['2', '3'])
  const voided = { ...all, change: { do: 'void', reason: 'Wrong year' } }
  expect(await treasurer.post('/actions/invoices/bulk', voided)).toMatchObject({ body: { counts: { matched: 3, changed: 2, refused: 1 } } })
  expect(await treasurer.post('/actions/invoices/bulk', voided)).toMatchObject({
    body: { counts: { changed: 0, unchanged: 2, refused: 1 } },
  })
})
