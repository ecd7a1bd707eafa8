import type { Campaign } from '@guildhall/contract/features/fundraising'
import type { Gift, GiftRow, GiftTotals } from '@guildhall/contract/features/fundraising.gifts'
import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { filterOf, made, match, test } from '../fundraising.testing.ts'

const url = '/data/gifts'
const list = async (client: Client, query = '') =>
  made<{ items: GiftRow[]; nextCursor: string | null; total: number | null }>(await client.get(`${url}?${query}`))
const amounts = async (client: Client, query = '') => (await list(client, query)).items.map(({ money }) => money.amount)
const totals = async (client: Client, query = '') => made<{ items: GiftTotals[] }>(await client.get(`${url}/totals?${query}`)).items
const read = async (client: Client, id: string) => made<Gift>(await client.get(`${url}/${id}`))
const nowhere = '01920000-0000-7000-8000-000000000000'

test('a gift is recorded with its payment and its receipt, and mailed to who gave it', async ({
  admin,
  person,
  org,
  fund,
  campaign,
  gift,
}) => {
  const [main, library] = [await fund('Main'), await fund('Library')]
  const ada = await person({ org, givenName: 'Ada', familyName: 'Byron', email: 'ada@example.org' })
  const one = await campaign({ fundId: main.id, name: 'Spring appeal' })
  const made_ = await gift(one, 10_001, {
    ...{
      personId: ada.personId,
      method: 'cheque',
      reference: '1001',
      note: 'In person',
      isAnonymous: true,
      tribute: { kind: 'memory', name: 'Grace' },
    },
    allocations: [{ fundId: library.id, amount: 3_334 }, { fundId: main.id, amount: 6_667 }], // prettier-ignore
  })
  expect(made_).toMatchObject({
    ...{
      donor: { id: ada.personId, displayName: 'Ada Byron' },
      donorName: 'Ada Byron',
      donorEmail: '',
      campaign: { id: one.id, name: 'Spring appeal' },
      chapter: null,
    },
    ...{
      money: { amount: 10_001, currency: 'EUR' },
      refunded: { amount: 0 },
      feeCovered: 0,
      method: 'cheque',
      status: 'settled',
      source: 'office',
      receivedOn: '2026-11-20',
    },
    ...{
      isAnonymous: true,
      tribute: { kind: 'memory', name: 'Grace' },
      note: 'In person',
      counts: true,
      isTest: false,
      planId: null,
      pledgeId: null,
      thanked: null,
    },
    allocations: [{ fund: { name: 'Library' }, amount: 3_334, settled: 3_334 }, { fund: { name: 'Main' }, amount: 6_667, settled: 6_667 }], // prettier-ignore
    ...{ payment: { state: 'settled', reference: '1001' }, receipts: [{ state: 'issued' }], refunds: [], share: null },
    may: { edit: true, refund: true, reverse: true, thank: true },
  })
  expect(made_.receipt?.sentAt).not.toBeNull()
  const { rows } = await admin.query(`select template, person_id from app.mail_messages where org_id = $1 and template like 'gift%'`, [
    org.id,
  ])
  expect(rows).toEqual([{ template: 'gift-receipt', person_id: ada.personId }])
})

test('gifts are filtered, searched, sorted, added up and read a page at a time', async ({
  boss,
  org,
  west,
  person,
  fund,
  campaign,
  gift,
}) => {
  const [main, library] = [await fund('Main'), await fund('Library')]
  const ada = await person({ org, givenName: 'Ada', familyName: 'Byron' })
  const [spring, local] = [await campaign({ fundId: main.id }), await campaign({ fundId: main.id, name: 'Local', chapterId: west })]
  const first = await gift(spring, 1_000, { receivedOn: '2026-01-05', personId: ada.personId, reference: 'Wire 77' })
  await gift(local, 2_000, { receivedOn: '2026-03-05', method: 'cheque', isAnonymous: true, sendReceipt: false })
  await gift(null, 3_000, {
    receivedOn: '2026-02-05',
    allocations: [{ fundId: library.id, amount: 3_000 }],
    tribute: { kind: 'honour', name: 'Grace Hopper' },
  })
  expect(await amounts(boss)).toEqual([3_000, 2_000, 1_000])
  expect(await amounts(boss, 'sort=day')).toEqual([1_000, 3_000, 2_000])
  expect(await amounts(boss, 'sort=-money')).toEqual([3_000, 2_000, 1_000])
  for (const [condition, found] of [
    [{ field: 'campaign', op: 'in', value: [spring.id] }, [1_000]],
    [{ field: 'campaign', op: 'empty' }, [3_000]],
    [{ field: 'fund', value: main.id }, [2_000, 1_000]],
    [{ field: 'fund', op: 'isNot', value: main.id }, [3_000]],
    [{ field: 'donor', value: ada.personId }, [1_000]],
    [{ field: 'chapter', value: west }, [2_000]],
    [{ field: 'method', op: 'in', value: ['cheque'] }, [2_000]],
    [{ field: 'day', op: 'between', value: ['2026-02-01', '2026-02-28'] }, [3_000]],
    [{ field: 'money', op: 'between', value: [10, 20] }, [2_000, 1_000]],
    [{ field: 'anonymous', value: true }, [2_000]],
    [{ field: 'tribute', value: true }, [3_000]],
    [{ field: 'thanked', value: true }, []],
    [{ field: 'recurring', value: true }, []],
    [{ field: 'counted', value: true }, [3_000, 2_000, 1_000]],
    [{ field: 'source', value: 'office' }, [3_000, 2_000, 1_000]],
    [{ field: 'status', value: 'refunded' }, []],
    [{ field: 'share', value: west }, []],
    [{ field: 'test', value: true }, []],
  ] as const)
    expect([condition, await amounts(boss, filterOf(condition as never))]).toEqual([condition, found])
  const searched = async (words: string) => amounts(boss, `q=${encodeURIComponent(words)}`)
  expect([await searched('byron'), await searched('hill'), await searched('HOPPER'), await searched('wire 7'), await searched(first.receipt?.number ?? '-')]).toEqual([
    [1_000], [3_000, 2_000], [3_000], [1_000], [1_000],
  ]) // prettier-ignore
  expect(await amounts(boss, `campaignId=${spring.id}`)).toEqual([1_000])
  expect(await amounts(boss, `personId=${ada.personId}`)).toEqual([1_000])
  expect(await amounts(boss, `chapterId=${org.rootChapterId}`)).toEqual([2_000])
  const page = await list(boss, 'limit=2&sort=-money')
  expect([page.total, page.items.length]).toEqual([3, 2])
  expect(await amounts(boss, `limit=2&sort=-money&cursor=${page.nextCursor}`)).toEqual([1_000])
  expect(await boss.get(`${url}?limit=2&cursor=${page.nextCursor}`)).toMatchObject({ status: 400, body: { reason: 'cursor' } })
  expect(await totals(boss)).toEqual([{ currency: 'EUR', gifts: 3, settled: 6_000, refunded: 0, raised: 6_000 }])
  expect(await totals(boss, filterOf({ field: 'fund', value: main.id }))).toMatchObject([{ gifts: 2, raised: 3_000 }])
})

test('what cannot be a gift is refused with the field that is wrong, and nothing is written', async ({
  boss,
  admin,
  org,
  fund,
  campaign,
  person,
}) => {
  const main = await fund('Main')
  const archived = await fund()
  await boss.post(`/data/funds/${archived.id}/archive`, {}, match(archived.version))
  const one = await campaign({ fundId: main.id })
  const draft = await campaign({ fundId: main.id }, 'draft')
  const stranger = await person()
  const usual = { campaignId: one.id, donorName: 'A', money: { amount: 1_000, currency: 'EUR' }, method: 'cash', receivedOn: '2026-11-20' }
  const split = (...given: number[]) => ({
    allocations: given.map((amount, nth) => ({ fundId: nth === 0 ? main.id : archived.id, amount })),
  })
  for (const [change, path, reason] of [
    [{ money: { amount: 0, currency: 'EUR' } }, 'money.amount', undefined],
    [{ money: { amount: -5, currency: 'EUR' } }, 'money.amount', undefined],
    [{ money: { amount: 1_000_000_000_001, currency: 'EUR' } }, 'money.amount', undefined],
    [{ money: { amount: 1_000, currency: 'JPY' } }, 'money.currency', 'gift_currency'],
    [{ money: { amount: 1_000, currency: 'XXX' } }, 'money.currency', undefined],
    [{ donorName: '' }, 'donorName', 'gift_donor_needed'],
    [{ donorName: '​' }, 'donorName', undefined],
    [{ personId: stranger.personId }, 'personId', undefined],
    [{ personId: nowhere }, 'personId', 'person_not_found'],
    [{ receivedOn: '2099-01-01' }, 'receivedOn', 'payment_in_future'],
    [{ receivedOn: '2026-02-30' }, 'receivedOn', undefined],
    [{ campaignId: nowhere }, 'campaignId', 'gift_campaign_unknown'],
    [{ campaignId: draft.id }, 'campaignId', 'gift_campaign_closed'],
    [{ campaignId: null }, 'allocations', 'gift_fund_needed'],
    [split(999), 'allocations', 'gift_allocation'],
    [split(600, 600), 'allocations', 'gift_allocation'],
    [split(600, 400), 'allocations.1.fundId', 'fund_archived'],
    [{ allocations: [{ fundId: nowhere, amount: 1_000 }] }, 'allocations.0.fundId', 'gift_fund_unknown'],
    [{ allocations: [500, 500].map((amount) => ({ fundId: main.id, amount })) }, 'allocations.1.fundId', 'gift_fund_twice'],
    [{ instalmentId: nowhere }, 'instalmentId', 'instalment_unknown'],
    [{ note: 'x'.repeat(501) }, 'note', undefined],
  ] as const) {
    const answer = await boss.post(url, { ...usual, ...change })
    expect([change, answer]).toMatchObject([change, { status: 422, body: { errors: [{ path }], ...(reason && { reason }) } }])
  }
  // Half a cent is no amount, and cards pay by themselves.
  expect((await boss.post(url, { ...usual, money: { amount: 10.5, currency: 'EUR' } })).status).toBe(400)
  expect((await boss.post(url, { ...usual, method: 'card' })).status).toBeGreaterThanOrEqual(400)
  const { rows } = await admin.query('select from app.gifts where org_id = $1', [org.id])
  expect(rows).toEqual([])
  // A collection has no donor to name.
  expect(made<Gift>(await boss.post(url, { ...usual, donorName: '', isAnonymous: true }))).toMatchObject({
    donorName: '',
    donor: null,
    receipt: null,
  })
})

test('a gift is recorded once under one key, and a batch all or none', async ({ boss, admin, org, fund, campaign, person }) => {
  const main = await fund('Main')
  const one = await campaign({ fundId: main.id })
  const ada = await person({ org })
  const sent = { campaignId: one.id, donorName: 'A', money: { amount: 1_000, currency: 'EUR' }, method: 'cash', receivedOn: '2026-11-20' }
  const key = { 'idempotency-key': 'gift-one' }
  const [first, again] = [made<Gift>(await boss.post(url, sent, key)), made<Gift>(await boss.post(url, sent, key))]
  expect(again.id).toBe(first.id)

  const batch = (rows: object[], more: object = {}) =>
    boss.post(`${url}/batch`, { campaignId: one.id, method: 'cheque', receivedOn: '2026-11-20', currency: 'EUR', rows, ...more })
  const cheques = Array.from({ length: 20 }, (_, nth) => ({ donorName: `Donor ${nth}`, amount: 100 + nth, reference: String(1001 + nth) }))
  const count = async () =>
    (await admin.query<{ n: number }>('select count(*)::int as n from app.gifts where org_id = $1', [org.id])).rows[0]?.n
  for (const [at, row, path, reason] of [
    [3, { amount: 0 }, 'rows.3.amount', undefined],
    [3, { donorName: '' }, 'rows.3.donorName', 'gift_donor_needed'],
    [19, { fundId: nowhere }, 'rows.19.fundId', 'gift_fund_unknown'],
    [0, { personId: nowhere }, 'rows.0.personId', 'person_not_found'],
  ] as const)
    expect(await batch(cheques.map((cheque, nth) => (nth === at ? { ...cheque, ...row } : cheque)))).toMatchObject({
      status: 422,
      body: { errors: [{ path }], ...(reason && { reason }) },
    })
  expect(await batch(cheques, { currency: 'JPY' })).toMatchObject({ status: 422, body: { errors: [{ path: 'currency' }] } })
  expect(await batch(cheques, { currency: 'XXY' })).toMatchObject({ status: 422, body: { errors: [{ path: 'currency' }] } })
  expect(await batch(cheques, { receivedOn: '2099-01-01' })).toMatchObject({ status: 422, body: { errors: [{ path: 'receivedOn' }] } })
  expect(await batch(cheques, { campaignId: null })).toMatchObject({
    status: 422,
    body: { reason: 'gift_fund_needed', errors: [{ path: 'rows.0.fundId' }] },
  })
  // A bequest comes from somebody who is dead.
  await admin.query(`update app.people set lifecycle = 'deceased' where id = $1`, [ada.personId])
  expect((await batch([...cheques, { personId: ada.personId, amount: 5 }])).status).toBe(201)
  expect(await count()).toBe(22)
  expect(await batch([])).toMatchObject({ status: 422 })
  expect(made<Campaign>(await boss.get(`/data/campaigns/${one.id}`)).totals).toMatchObject({
    gifts: 22,
    donors: 22,
    raised: 1_000 + 20 * 100 + 190 + 5,
  })
})

test('an officer records gifts of the chapter, sees those and no others; members see their own; what the office notes stays there', async ({
  api,
  boss,
  officer,
  west,
  person,
  org,
  campaign,
  gift,
}) => {
  const ada = await person({ org, chapterId: west, givenName: 'Ada', familyName: 'Byron' })
  const [local, national] = [await campaign({ chapterId: west }), await campaign()]
  const byOffice = await gift(local, 1_000, { personId: ada.personId, note: 'Called twice' })
  const byOfficer = await gift(local, 2_000, { donorName: 'Kiosk', reference: '77', note: 'Open box' }, officer)
  expect(byOfficer).toMatchObject({
    note: 'Open box',
    payment: { reference: '77' },
    receipts: [{ state: 'issued' }],
    may: { edit: false, refund: false, thank: false },
  })
  expect(await amounts(officer)).toEqual([2_000])
  expect(await totals(officer)).toMatchObject([{ raised: 2_000 }])
  expect((await officer.get(`${url}/${byOffice.id}`)).status).toBe(404)
  expect((await officer.patch(`${url}/${byOfficer.id}`, { isAnonymous: true }, match(byOfficer.version))).status).toBe(403)
  const sent = { donorName: 'A', money: { amount: 100, currency: 'EUR' }, method: 'cash', receivedOn: '2026-11-20' }
  expect((await officer.post(url, { ...sent, campaignId: national.id })).status).toBe(403)
  expect(made<Campaign>(await officer.get(`/data/campaigns/${local.id}`)).may).toMatchObject({ record: true, seeGifts: false })

  const member = api.as(ada)
  expect(await amounts(member)).toEqual([1_000])
  expect(await totals(member)).toMatchObject([{ raised: 1_000 }])
  expect(await read(member, byOffice.id)).toMatchObject({
    note: '',
    payment: { state: 'settled' },
    receipt: { number: byOffice.receipt?.number },
    may: { edit: false, refund: false },
  })
  expect((await member.get(`${url}/${byOfficer.id}`)).status).toBe(404)
  expect((await member.post(url, { ...sent, campaignId: local.id })).status).toBe(403)
  expect((await member.patch(`${url}/${byOffice.id}`, { isAnonymous: true }, match(byOffice.version))).status).toBe(403)

  const elsewhere = api.as(await person({ idpRoles: ['org-owner'] }))
  expect((await elsewhere.get(`${url}/${byOffice.id}`)).status).toBe(404)
  const treasurer = api.as(await person({ org, chapterId: west, grants: [{ role: 'finance', chapterId: west }] }))
  expect(await amounts(treasurer)).toEqual([2_000, 1_000])
  expect(await read(treasurer, byOffice.id)).toMatchObject({ note: 'Called twice', may: { edit: true } })
  expect(await amounts(boss)).toEqual([2_000, 1_000])
})

test('a correction keeps the money and changes the rest; the receipt that says otherwise is replaced; of two only one is made', async ({
  boss,
  person,
  org,
  fund,
  campaign,
  gift,
}) => {
  const [main, library] = [await fund('Main'), await fund('Library')]
  const ada = await person({ org, givenName: 'Ada', familyName: 'Byron' })
  const [spring, autumn] = [await campaign({ fundId: main.id }), await campaign({ fundId: main.id, name: 'Autumn' })]
  const one = await gift(spring, 1_000, { donorName: 'A. Byron' })
  const change = (what: object, version = one.version) => boss.patch(`${url}/${one.id}`, what, match(version))
  const changed = made<Gift>(await change({ personId: ada.personId, campaignId: autumn.id, note: 'Mended' }))
  expect(changed).toMatchObject({
    ...{ donor: { id: ada.personId }, donorName: 'Ada Byron', campaign: { name: 'Autumn' }, note: 'Mended', money: { amount: 1_000 } },
    receipts: [{ state: 'issued' }, { number: one.receipt?.number, state: 'replaced' }],
  })
  expect(await change({ isAnonymous: true })).toMatchObject({ status: 412, body: { current: { version: changed.version } } })
  const split = made<Gift>(await change({ allocations: [{ fundId: library.id, amount: 400 }, { fundId: main.id, amount: 600 }] }, changed.version)) // prettier-ignore
  expect(split.allocations).toMatchObject([{ fund: { name: 'Library' }, settled: 400 }, { fund: { name: 'Main' }, settled: 600 }]) // prettier-ignore
  expect(await change({ allocations: [{ fundId: library.id, amount: 400 }] }, split.version)).toMatchObject({
    status: 422,
    body: { reason: 'gift_allocation', errors: [{ path: 'allocations' }] },
  })
  expect(await change({ campaignId: nowhere }, split.version)).toMatchObject({ status: 422, body: { errors: [{ path: 'campaignId' }] } })
  expect(await change({ personId: nowhere }, split.version)).toMatchObject({ status: 422, body: { errors: [{ path: 'personId' }] } })
  // A fund that it has keeps it, archived or not.
  await boss.post(`/data/funds/${library.id}/archive`, {}, match(library.version))
  expect(made<Gift>(await change({ tribute: { kind: 'honour', name: 'Grace' } }, split.version))).toMatchObject({
    tribute: { name: 'Grace' },
    allocations: [{ settled: 400 }, {}],
  })
  const { totals: spent } = made<Campaign>(await boss.get(`/data/campaigns/${spring.id}`))
  expect(spent).toMatchObject({ raised: 0, gifts: 0, donors: 0 })
})

test('a refund takes from each fund its part, and totals count what is left', async ({ boss, fund, campaign, gift, west }) => {
  const [main, library] = [await fund('Main'), await fund('Library')]
  const one = await campaign({ fundId: main.id, shareChapterId: west, shareBps: 1_000 })
  const { id, payment } = await gift(one, 1_000, { allocations: [{ fundId: main.id, amount: 667 }, { fundId: library.id, amount: 333 }] }) // prettier-ignore
  expect(await read(boss, id)).toMatchObject({ share: { chapter: { id: west }, amount: 100 } })
  const refund = await boss.post(
    `/actions/payments/${payment?.id}/refund`,
    { amount: 500, reason: 'Asked' },
    { ...match(payment?.version ?? 0), ...boss.proof },
  )
  expect(refund.status, refund.text).toBe(200)
  const after = await read(boss, id)
  expect(after).toMatchObject({
    status: 'partly_refunded',
    refunded: { amount: 500 },
    share: { amount: 50 },
    refunds: [{ money: { amount: 500 }, state: 'settled', reason: 'Asked' }],
  })
  expect(after.allocations.reduce((sum, { settled }) => sum + settled, 0)).toBe(500)
  expect(await totals(boss)).toEqual([{ currency: 'EUR', gifts: 1, settled: 1_000, refunded: 500, raised: 500 }])
  expect(made<Campaign>(await boss.get(`/data/campaigns/${one.id}`)).totals).toMatchObject({ settled: 1_000, refunded: 500, raised: 500 })
  expect(await amounts(boss, filterOf({ field: 'share', value: west }))).toEqual([1_000])
})

test('activity tells of gifts to those who see them', async ({ api, boss, officer, west, person, org, campaign, gift }) => {
  const ada = await person({ org, chapterId: west })
  await gift(await campaign({ chapterId: west }), 5_000, { personId: ada.personId })
  const told = async (client: Client) => {
    const { items } = (await client.get(`/data/people/${ada.personId}/timeline?category=gifts`)).body as { items: TimelineEntry[] }
    return items.map(({ kind, on, subject, params }) => [kind, on, subject?.name, params['amount'], params['currency']])
  }
  const given = [['gift-given', '2026-11-20', 'Spring appeal', '50.00', 'EUR']]
  expect(await told(boss)).toEqual(given)
  expect(await told(api.as(ada))).toEqual(given)
  expect(await told(officer)).toEqual([])
  expect(await told(api.as(await person({ org, chapterId: west })))).toEqual([])
})

test('the receipt is mailed once more where there is one and somebody to send it to', async ({
  boss,
  officer,
  admin,
  org,
  west,
  campaign,
  gift,
}) => {
  const one = await campaign({ chapterId: west })
  const reachable = await gift(one, 1_000, { donorEmail: 'bakery@example.org', sendReceipt: false })
  const silent = await gift(one, 1_000)
  expect(await boss.post(`/actions/gifts/${reachable.id}/receipt`, {})).toMatchObject({ status: 200, body: { mails: 1 } })
  const { rows } = await admin.query(`select template, address, params from app.mail_messages where org_id = $1`, [org.id])
  expect(rows).toEqual([
    { template: 'gift-receipt', address: 'bakery@example.org', params: { receipt: reachable.receipt?.id, gift: reachable.id } },
  ])
  expect((await read(boss, reachable.id)).receipt?.sentAt).not.toBeNull()
  expect(await boss.post(`/actions/gifts/${silent.id}/receipt`, {})).toMatchObject({
    status: 409,
    body: { reason: 'gift_receipt_not_mailed' },
  })
  const mine = await gift(one, 1_000, { donorName: 'Kiosk' }, officer)
  expect((await officer.post(`/actions/gifts/${mine.id}/receipt`, {})).status).toBe(403)
  expect((await officer.post(`/actions/gifts/${reachable.id}/receipt`, {})).status).toBe(404)
})

test('the code of a campaign leads to its page', async ({ api, person, org, campaign }) => {
  const member = api.as(await person({ org }))
  const { id } = await campaign()
  const { status, text, headers } = await member.post(`/actions/campaigns/${id}/qr`, {})
  expect([status, headers['content-type'], text.slice(0, 4)]).toEqual([200, 'image/svg+xml', '<svg'])
  expect((await member.post(`/actions/campaigns/${(await campaign({}, 'draft')).id}/qr`, {})).status).toBe(404)
})
