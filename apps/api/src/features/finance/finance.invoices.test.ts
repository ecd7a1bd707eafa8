import type { InvoiceDetail, DuesRate, FinanceFigures } from '@guildhall/contract/features/finance'
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

test('lists by state and chapter, and figures that add up to them', async ({ api, chapter, organisation, person }) => {
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
  expect(await count('show=open')).toMatchObject({ total: 2 })
  expect(await count('show=draft')).toMatchObject({ total: 1 })
  expect(await count('show=void')).toMatchObject({ total: 1 })
  expect(await count(`chapterId=${west}&show=open`)).toMatchObject({ total: 1, items: [{ id: late.id }] })
  expect(await count(`personId=${bea.personId}`)).toMatchObject({ total: 1 })
  const { items } = (await treasurer.get('/data/finance/summary')).body as { items: FinanceFigures[] }
  expect(items).toMatchObject([
    { currency: 'EUR', open: { invoices: 2, amount: 14280 }, drafts: { invoices: 1, amount: 7140 }, overdue: { invoices: 0, amount: 0 } },
  ])
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
