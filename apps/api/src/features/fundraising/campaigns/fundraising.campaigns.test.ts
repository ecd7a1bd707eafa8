import type { Campaign, CampaignRow, Fund, FundraisingSettings } from '@guildhall/contract/features/fundraising'
import { documentOf } from '@guildhall/contract/formatted-document'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { fetched, send } from '../../files/files.testing.ts'
import { filterOf, made, match, test } from '../fundraising.testing.ts'

const url = '/data/campaigns'
const list = async (client: Client, query = '') =>
  made<{ items: CampaignRow[]; nextCursor: string | null }>(await client.get(`${url}?${query}`))
const names = async (client: Client, query = '') => (await list(client, query)).items.map(({ name }) => name)

test('campaigns are found, filtered, sorted by what they raised and read a page at a time', async ({ boss, org, west, campaign, gift }) => {
  const energy = await campaign({ name: 'Énergie', kind: 'crowdfund', endsOn: '2090-05-31' })
  const water = await campaign({ name: 'Water', summary: 'Wells for all', chapterId: west, endsOn: '2090-01-31' }, 'draft')
  await gift(energy, 5_000)
  await gift(energy, 2_500)
  expect(await names(boss, 'q=energ')).toEqual(['Énergie'])
  expect(await names(boss, 'q=wells')).toEqual(['Water'])
  expect(await names(boss, 'sort=-raised')).toEqual(['Énergie', 'Water'])
  expect(await names(boss, 'sort=endsOn')).toEqual(['Water', 'Énergie'])
  expect(await names(boss, filterOf({ field: 'status', value: 'draft' }))).toEqual(['Water'])
  expect(await names(boss, filterOf({ field: 'kind', value: 'crowdfund' }))).toEqual(['Énergie'])
  expect(await names(boss, filterOf({ field: 'raised', op: 'after', value: 74.99 }))).toEqual(['Énergie'])
  expect(await names(boss, filterOf({ field: 'chapter', value: org.rootChapterId }))).toEqual(['Water'])
  const { items, nextCursor } = await list(boss, 'limit=1')
  expect(items).toMatchObject([
    { id: energy.id, slug: 'energie', reached: 7_500, totals: { raised: 7_500, gifts: 2, donors: 1, averageGift: 3_750 } },
  ])
  expect(await names(boss, `limit=1&cursor=${nextCursor}`)).toEqual([water.name])
  expect(await boss.get(`${url}?sort=size`)).toMatchObject({ status: 400, body: { reason: 'sort' } })
  expect(await boss.get(`${url}?${filterOf({ field: 'donor', value: 'x' })}`)).toMatchObject({
    status: 400,
    body: { reason: 'filter_field' },
  })
})

test('a campaign gets an address of its name, with a number where that is taken, and keeps what was sent', async ({ boss, fund }) => {
  const [main, other] = [await fund('Main'), await fund('Library')]
  const sent = {
    ...{ name: 'Spring appeal 2027!', kind: 'appeal', goalKind: 'donors', goal: 200, startsOn: '2027-03-01', endsOn: '2027-05-31' },
    ...{
      summary: 'Short',
      story: documentOf('Why we ask'),
      suggested: [{ amount: 2_500, words: 'feeds a family' }],
      minAmount: 500,
      maxAmount: 900_000,
    },
    ...{ allowsRecurring: false, fundId: main.id, fundIds: [other.id, main.id, other.id], thanks: 'Thank you.', visibility: 'unlisted' },
  }
  const first = made<Campaign>(await boss.post(url, sent))
  const { fundId: _, fundIds: __, ...facts } = sent
  expect(first).toMatchObject({
    ...facts,
    ...{
      slug: 'spring-appeal-2027',
      status: 'draft',
      currency: 'EUR',
      fund: { id: main.id, name: 'Main' },
      funds: [{ id: other.id, name: 'Library' }],
    },
    ...{
      reached: 0,
      share: null,
      allowsCoverFees: true,
      may: { edit: true, give: false, record: false, seeGifts: true, manageGifts: true },
    },
  })
  expect(first.givingUrl).toMatch(/\/public\/giving\/spring-appeal-2027$/)
  expect(made<Campaign>(await boss.post(url, sent)).slug).toBe('spring-appeal-2027-2')
  expect(await boss.post(url, { ...sent, slug: 'spring-appeal-2027' })).toMatchObject({
    status: 409,
    body: { reason: 'campaign_slug_taken', errors: [{ path: 'slug' }] },
  })
  expect(await boss.post(url, { ...sent, slug: 'Spring Appeal' })).toMatchObject({ status: 422, body: { errors: [{ path: 'slug' }] } })
})

test('an address is taken also where the other campaign is hidden', async ({ boss, officer, west, campaign }) => {
  await campaign({ slug: 'gala' }, 'draft')
  expect(await names(officer)).toEqual([])
  expect(await officer.post(url, { name: 'Gala', slug: 'gala', chapterId: west })).toMatchObject({
    status: 409,
    body: { reason: 'campaign_slug_taken' },
  })
  expect(await names(boss)).toEqual(['Spring appeal'])
})

test('what makes no sense together is refused with the field that is wrong', async ({ boss, west, campaign, fund, owner }) => {
  const one = await campaign({ endsOn: '2090-12-31', suggested: [{ amount: 2_000, words: '' }] })
  const archived = await fund()
  await boss.post(`/data/funds/${archived.id}/archive`, {}, match(archived.version))
  const nowhere = '01920000-0000-7000-8000-000000000000'
  for (const [change, path, reason] of [
    [{ startsOn: '2091-01-01' }, 'endsOn', 'dates'],
    [{ maxAmount: 50 }, 'maxAmount', 'campaign_max_amount'],
    [{ minAmount: 2_500 }, 'suggested.0.amount', 'campaign_suggested'],
    [{ suggested: [1, 2].map(() => ({ amount: 2_000, words: '' })) }, 'suggested.1.amount', 'campaign_suggested_twice'],
    [{ shareChapterId: west }, 'shareBps', 'campaign_share'],
    [{ shareBps: 100 }, 'shareChapterId', 'campaign_share'],
    [{ fundId: null }, 'fundId', 'campaign_fund_needed'],
    [{ fundId: nowhere }, 'fundId', 'gift_fund_unknown'],
    [{ fundIds: [archived.id] }, 'fundIds.0', 'fund_archived'],
    [{ chapterId: nowhere }, 'chapterId', 'chapter_not_found'],
    [{ shareChapterId: nowhere, shareBps: 1 }, 'shareChapterId', 'chapter_not_found'],
    [{ coverFileId: owner.personId }, 'coverFileId', 'campaign_cover'],
    [{ goal: 0 }, 'goal', undefined],
    [{ currency: 'EUX' }, 'currency', undefined],
  ] as const)
    expect([change, await boss.patch(`${url}/${one.id}`, change, match(one.version))]).toMatchObject([
      change,
      { status: 422, body: { errors: [{ path }], ...(reason && { reason }) } },
    ])
  expect(await boss.get(`${url}/${one.id}`)).toMatchObject({ body: { version: one.version } })
})

test('a campaign begins, pauses, ends and begins again, and not without a fund or after its last day', async ({ boss, campaign, gift }) => {
  const move = async ({ id, version }: Campaign, status: string) => boss.post(`${url}/${id}/status`, { status }, match(version))
  const bare = await campaign({ fundId: null }, 'draft')
  expect(await move(bare, 'active')).toMatchObject({ status: 422, body: { reason: 'campaign_fund_needed', errors: [{ path: 'fundId' }] } })
  const old = await campaign({ endsOn: '2020-05-31' }, 'draft')
  expect(await move(old, 'active')).toMatchObject({ status: 422, body: { reason: 'campaign_over', params: { on: '2020-05-31' } } })
  const running = await campaign({ startsOn: '2020-01-01' })
  expect(running).toMatchObject({ status: 'active', may: { give: true, record: true } })
  const paused = made<Campaign>(await move(running, 'paused'))
  expect(paused.may).toMatchObject({ give: false, record: true })
  const ended = made<Campaign>(await move(made<Campaign>(await move(paused, 'active')), 'ended'))
  expect(ended.may.give).toBe(false)
  // It takes what still comes in by hand.
  expect(await gift(ended, 1_000)).toMatchObject({ status: 'settled' })
  expect(await move(ended, 'paused')).toMatchObject({ status: 422, body: { reason: 'campaign_status' } })
  expect(made<Campaign>(await move(ended, 'active')).status).toBe('active')
  expect(await move(ended, 'active')).toMatchObject({ status: 412 })
  expect(await campaign({ startsOn: '2090-01-01' })).toMatchObject({ may: { give: false } })
})

test('its currency and chapter stay once somebody has given', async ({ boss, west, campaign, gift }) => {
  const one = await campaign()
  const francs = made<Campaign>(await boss.patch(`${url}/${one.id}`, { currency: 'CHF' }, match(one.version)))
  const euros = made<Campaign>(await boss.patch(`${url}/${one.id}`, { currency: 'EUR' }, match(francs.version)))
  await gift(euros, 1_000)
  const change = (what: object) => boss.patch(`${url}/${one.id}`, what, match(euros.version))
  expect(await change({ currency: 'CHF' })).toMatchObject({ status: 422, body: { reason: 'campaign_currency_fixed' } })
  expect(await change({ chapterId: west })).toMatchObject({ status: 422, body: { reason: 'campaign_chapter_fixed' } })
})

test('of two changes to one version the later is refused with what stands, also where only funds change', async ({
  boss,
  campaign,
  fund,
}) => {
  const one = await campaign()
  const [more, fewer] = [await fund('More'), await fund('Fewer')]
  const changed = made<Campaign>(await boss.patch(`${url}/${one.id}`, { fundIds: [more.id, fewer.id] }, match(one.version)))
  expect(changed).toMatchObject({ version: one.version + 1, funds: [{ name: 'More' }, { name: 'Fewer' }] })
  expect(await boss.patch(`${url}/${one.id}`, { fundIds: [] }, match(one.version))).toMatchObject({
    status: 412,
    body: { reason: 'stale', current: { version: changed.version, funds: [{ name: 'More' }, { name: 'Fewer' }] } },
  })
  // A fund that becomes the usual one is no choice beside it.
  const moved = made<Campaign>(await boss.patch(`${url}/${one.id}`, { fundId: more.id }, match(changed.version)))
  expect(moved).toMatchObject({ fund: { name: 'More' }, funds: [{ name: 'Fewer' }] })
})

test('a copy has the texts, amounts and open funds, and neither days nor gifts', async ({ boss, campaign, fund, gift, west }) => {
  const [kept, gone] = [await fund('Kept'), await fund('Gone')]
  const one = await campaign({
    ...{
      chapterId: west,
      story: documentOf('Why'),
      endsOn: '2090-01-01',
      goal: 5_000,
      thanks: 'Thanks',
      shareChapterId: west,
      shareBps: 1_000,
    },
    fundIds: [kept.id, gone.id],
  })
  await gift(one, 1_000)
  await boss.post(`/data/funds/${gone.id}/archive`, {}, match(gone.version))
  const copy = made<Campaign>(await boss.post(`${url}/${one.id}/copy`, { name: 'Next spring' }))
  expect(copy).toMatchObject({
    ...{
      name: 'Next spring',
      slug: 'next-spring',
      status: 'draft',
      endsOn: null,
      story: one.story,
      goal: 5_000,
      thanks: 'Thanks',
      reached: 0,
    },
    ...{ chapter: { id: west }, share: { chapter: { id: west }, bps: 1_000 }, fund: one.fund, funds: [{ name: 'Kept' }] },
  })
})

test('an archived campaign leaves the list, takes nothing more and comes back', async ({ boss, campaign }) => {
  const { id, version } = await campaign()
  const archived = made<Campaign>(await boss.post(`${url}/${id}/archive`, {}, match(version)))
  expect(archived.may).toMatchObject({ give: false, record: false })
  expect(await names(boss)).toEqual([])
  expect(await names(boss, filterOf({ field: 'archived', value: true }))).toEqual(['Spring appeal'])
  const gift = { campaignId: id, donorName: 'A', money: { amount: 100, currency: 'EUR' }, method: 'cash', receivedOn: '2026-01-01' }
  expect(await boss.post('/data/gifts', gift)).toMatchObject({
    status: 422,
    body: { reason: 'campaign_archived', errors: [{ path: 'campaignId' }] },
  })
  expect(made<Campaign>(await boss.post(`${url}/${id}/restore`, {}, match(archived.version))).archivedAt).toBeNull()
})

test('drafts are for who manages them; officers keep those of their chapter; its history is for who manages it', async ({
  api,
  boss,
  officer,
  west,
  person,
  org,
  campaign,
}) => {
  const member = api.as(await person({ org }))
  const national = await campaign({ name: 'National' })
  await campaign({ name: 'National draft' }, 'draft')
  const local = await campaign({ name: 'Local', chapterId: west }, 'draft')
  expect(await names(member)).toEqual(['National'])
  expect(await names(officer)).toEqual(['Local', 'National'])
  expect((await member.get(`${url}/${local.id}`)).status).toBe(404)
  expect(made<Campaign>(await officer.get(`${url}/${national.id}`)).may).toEqual({
    ...{ edit: false, give: true, record: false, seeGifts: false, manageGifts: false },
  })
  expect((await officer.patch(`${url}/${national.id}`, { goal: 1 }, match(national.version))).status).toBe(403)
  expect((await officer.post(url, { name: 'Mine' })).status).toBe(403)
  expect((await member.post(url, { name: 'Mine' })).status).toBe(403)
  const changed = made<Campaign>(await officer.patch(`${url}/${local.id}`, { goal: 1_000 }, match(local.version)))
  expect(changed).toMatchObject({ goal: 1_000, may: { edit: true, record: false, seeGifts: false } })
  const history = (client: Client) => client.get(`/data/audit?recordId=${local.id}`)
  expect(((await history(officer)).body as { items: unknown[] }).items).toHaveLength(2)
  expect(await history(member)).toMatchObject({ body: { items: [] } })
  expect(await boss.get(`${url}/${local.id}`)).toMatchObject({ body: { version: changed.version } })
})

test('its picture is cut to a frame, shown to who sees the campaign, and belongs to no other', async ({
  api,
  owner,
  boss,
  person,
  org,
  campaign,
}) => {
  const member = await person({ org })
  const draft = await campaign({}, 'draft')
  const photo = await sharp({ create: { width: 400, height: 400, channels: 3, background: '#345678' } }).jpeg().toBuffer() // prettier-ignore
  const { body } = await send(api.app, owner, `/pictures/campaign/${draft.id}`, 'a.jpg', photo)
  const coverFileId = String(body['pictureId'])
  const covered = made<Campaign>(await boss.patch(`${url}/${draft.id}`, { coverFileId, coverAlt: 'The harbour' }, match(draft.version)))
  expect(covered).toMatchObject({ coverFileId, coverAlt: 'The harbour' })
  const seen = async (size: string) => {
    const { status, content } = await fetched(api.app, member, `/actions/pictures/${coverFileId}/${size}`)
    if (status !== 200) return status
    const { width, height } = await sharp(content).metadata()
    return [width, height]
  }
  expect(await seen('large')).toBe(404)
  await boss.post(`${url}/${draft.id}/status`, { status: 'active' }, match(covered.version))
  expect(await seen('large')).toEqual([1280, 720])
  expect((await send(api.app, member, `/pictures/campaign/${draft.id}`, 'a.jpg', photo)).status).toBe(403)
  const other = await campaign({ name: 'Other' })
  expect(await boss.patch(`${url}/${other.id}`, { coverFileId }, match(other.version))).toMatchObject({
    status: 422,
    body: { reason: 'campaign_cover' },
  })
  expect(await boss.post(url, { name: 'New', coverFileId })).toMatchObject({ status: 422, body: { reason: 'campaign_cover' } })
})

test('funds have names of their own, are archived when no running campaign needs them, and say what they have', async ({
  api,
  boss,
  officer,
  person,
  org,
  fund,
  campaign,
  gift,
}) => {
  const main = await fund('Scholarships', { code: '4100', description: 'Grants' })
  expect(await boss.post('/data/funds', { name: 'SCHOLARSHIPS' })).toMatchObject({
    status: 409,
    body: { reason: 'fund_name_taken', errors: [{ path: 'name' }] },
  })
  const one = await campaign({ fundId: main.id })
  await gift(one, 5_000)
  const member = api.as(await person({ org }))
  expect(await member.get('/data/funds')).toMatchObject({
    body: {
      items: [{ name: 'Scholarships', code: '4100', settled: [{ amount: 5_000, currency: 'EUR' }], gifts: 1, may: { edit: false } }],
    },
  })
  expect(await boss.post(`/data/funds/${main.id}/archive`, {}, match(main.version))).toMatchObject({
    status: 422,
    body: { reason: 'fund_in_use' },
  })
  await boss.post(`${url}/${one.id}/status`, { status: 'ended' }, match(one.version))
  const archived = made<Fund>(await boss.post(`/data/funds/${main.id}/archive`, {}, match(main.version)))
  expect(made<{ items: Fund[] }>(await boss.get('/data/funds')).items).toEqual([])
  expect(made<{ items: Fund[] }>(await boss.get('/data/funds?archived=true')).items).toMatchObject([{ id: main.id }])
  await fund('Scholarships')
  expect(await boss.post(`/data/funds/${main.id}/restore`, {}, match(archived.version))).toMatchObject({
    status: 409,
    body: { reason: 'fund_name_taken' },
  })
  expect((await boss.patch(`/data/funds/${main.id}`, { code: '4200' }, match(main.version))).status).toBe(412)
  expect((await officer.post('/data/funds', { name: 'Ours' })).status).toBe(403)
})

test('settings begin with a draft of thanks and are changed by who manages gifts everywhere', async ({
  api,
  boss,
  officer,
  person,
  org,
}) => {
  const read = async (client: Client) => made<FundraisingSettings>(await client.get('/data/fundraising-settings'))
  const first = await read(boss)
  expect(first).toMatchObject({ feeBps: 0, maxAmount: 10_000_000, thankYouDays: 3, mayEdit: true, takesCards: false, version: 1 })
  expect(first.thankYouSubject).toBe('Thank you, {first_name}')
  expect(first.thankYouBody).toContain('{amount}')
  const change = { feeBps: 140, feeFixed: 25, maxAmount: null, thankYouDays: 5, thankYouSubject: 'Thanks' }
  const changed = await boss.patch('/data/fundraising-settings', change, match(1))
  expect(changed).toMatchObject({ status: 200, body: { ...change, thankYouBody: first.thankYouBody } })
  expect((await boss.patch('/data/fundraising-settings', change, match(1))).status).toBe(412)
  expect(await boss.patch('/data/fundraising-settings', { feeBps: 2_001 }, match(2))).toMatchObject({ status: 422 })
  const { version, mayEdit } = await read(officer)
  expect(mayEdit).toBe(false)
  expect((await officer.patch('/data/fundraising-settings', { feeBps: 0 }, match(version))).status).toBe(403)
  expect((await api.as(await person({ org, chapterId: null })).get('/data/fundraising-settings')).status).toBe(404)
})
