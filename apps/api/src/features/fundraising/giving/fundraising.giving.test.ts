import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createApp } from '../../../app.ts'
import { made, match } from '../fundraising.testing.ts'
import { test } from './fundraising.giving.testing.ts'

const address = () => `${randomUUID()}@example.org`
const suggested = [
  { amount: 2500, words: 'feeds a family for a week' },
  { amount: 10_000, words: 'pays a month of rent' },
]

test('a guest gives: nothing counts before the payment settles, then there is a donor, a receipt and one gift', async ({
  admin,
  till,
  campaign,
  org,
}) => {
  const email = address()
  const { slug, id } = await campaign({ suggested, thanks: 'You are wonderful.', goal: 100_000 })
  const page = await till.open(`/public/giving/${slug}`)
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('feeds a family for a week') })
  expect(page.text).not.toContain('<script src')
  expect(page.headers).toMatchObject({ 'cache-control': 'private, no-cache' })
  const sent = await till.give(slug, { own: '', amount: '2500', email, message: 'Well done', tribute: 'memory', tribute_name: 'Ada' })
  expect(sent).toMatchObject({ status: 200, text: expect.stringContaining('https://pay.example/') })
  expect(await till.gifts()).toMatchObject([{ status: 'pending', amount: 2500, counted: 0, person: null, receipts: [] }])
  const [payment = ''] = till.begun()
  await till.pay(payment, 3)
  const [gift] = await till.gifts()
  expect(gift).toMatchObject({ status: 'settled', counted: 2500, receipts: ['issued'] })
  const { rows } = await admin.query('select display_name as name, lifecycle from app.people where id = $1', [gift?.person])
  expect(rows).toEqual([{ name: 'Kim Larsen', lifecycle: 'prospect' }])
  const mails = await till.mailed(email)
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('Thank you for your gift to Spring appeal')
  expect(mails[0]?.text).toContain('You are wonderful.')
  expect(mails[0]?.text).toContain('Given in memory of Ada.')
  expect(mails[0]?.attachments?.[0]?.content.subarray(0, 5).toString()).toBe('%PDF-')
  const { rows: totals } = await admin.query(
    'select counted_amount::int as raised, gifts, donors from app.campaign_totals where org_id = $1 and campaign_id = $2',
    [org.id, id],
  )
  expect(totals).toEqual([{ raised: 2500, gifts: 1, donors: 1 }])
  const after = await till.open(`/public/giving/${slug}`)
  expect(after.text).toContain('€25.00 raised of €1,000.00')
})

test('a declined card leaves everything as it is, to be paid on the same page', async ({ till, campaign }) => {
  const { slug } = await campaign()
  await till.give(slug)
  const [payment = ''] = till.begun()
  till.memory.decline(payment)
  await till.hear(payment)
  expect(await till.gifts()).toMatchObject([{ status: 'pending', counted: 0 }])
  await till.pay(payment)
  expect(await till.gifts()).toMatchObject([{ status: 'settled', counted: 2500 }])
})

test('a form that is sent twice is one gift and one page; changed in between it is still one gift, of the amount that was meant last', async ({
  till,
  campaign,
}) => {
  const { slug } = await campaign({ suggested })
  const attempt = randomUUID()
  const both = await Promise.all([till.give(slug, { attempt }), till.give(slug, { attempt })])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect(till.begun()).toHaveLength(1)
  const [first = ''] = till.begun()
  // Back, and another amount.
  const changed = await till.give(slug, { attempt, own: '50' })
  expect(changed.text).toContain('€50.00')
  expect(await till.gifts()).toMatchObject([{ status: 'pending', amount: 5000 }])
  expect(till.memory.rows.get(first)).toMatchObject({ state: 'cancelled' })
  const [, second = ''] = till.begun()
  await till.pay(second, 2)
  expect(await till.gifts()).toMatchObject([{ status: 'settled', counted: 5000 }])
  const again = await till.give(slug, { attempt })
  expect(again).toMatchObject({ status: 422, text: expect.stringContaining('already given with this form') })
  expect(await till.gifts()).toHaveLength(1)
  const thanks = await till.open(`/public/giving/${slug}/thanks?gift=${attempt}`)
  expect(thanks.text).toContain('We have received €50.00')
  expect((await till.open(`/public/giving/${slug}/cancelled?gift=${attempt}`)).text).toContain('We have received €50.00')
})

test('what is paid on a page that was given up is not lost: it is a gift of its own', async ({ till, campaign }) => {
  const { slug } = await campaign()
  const attempt = randomUUID()
  await till.give(slug, { attempt })
  await till.give(slug, { attempt, own: '40' })
  const [first = '', second = ''] = till.begun()
  await till.pay(second)
  await till.pay(first)
  const gifts = await till.gifts()
  expect(gifts.map(({ status, counted }) => [status, counted])).toEqual([
    ['settled', 4000],
    ['settled', 2500],
  ])
  expect(gifts[1]?.twin).toBe(gifts[0]?.id)
})

test('whoever leaves the provider’s page is told that nothing was charged, and goes on with the same gift', async ({ till, campaign }) => {
  const { slug } = await campaign()
  const attempt = randomUUID()
  const typed = { own: '31.50', name: 'Bo Lee', email: 'bo@example.org', message: 'Well done', tribute: 'honour', tribute_name: 'Ada' }
  await till.give(slug, { ...typed, attempt, every: 'month', anonymous: 'yes' })
  const back = await till.open(`/public/giving/${slug}/cancelled?gift=${attempt}`)
  expect(back.text).toContain('Nothing was charged')
  expect(back.text).toContain(`value="${attempt}"`)
  for (const value of ['31.50', 'Bo Lee', 'bo@example.org', 'Ada']) expect(back.text).toContain(`value="${value}"`)
  expect(back.text).toContain('Well done</textarea>')
  // Somebody else who guesses nothing sees an empty form.
  expect((await till.open(`/public/giving/${slug}/cancelled?gift=${randomUUID()}`)).text).not.toContain('Bo Lee')
  expect((await till.open(`/public/giving/${slug}?amount=4200&every=year`)).text).toContain('value="42.00"')
  expect(back.headers).toMatchObject({ 'x-robots-tag': 'noindex' })
})

test('what is wrong is said at its field, with everything that was typed', async ({ till, campaign }) => {
  const { slug } = await campaign({ suggested, minAmount: 500, maxAmount: 100_000 })
  const typed = { name: 'Bo <b>', message: 'Hello', anonymous: 'yes' }
  for (const [wrong, told] of [
    [{ own: '' }, 'Choose an amount'],
    [{ own: 'much' }, 'Enter an amount such as €5.00'],
    [{ own: '4' }, 'Give at least €5.00'],
    [{ own: '1000.01' }, 'Give at most €1,000.00'],
    [{ own: '30', amount: '2500' }, 'You chose €25.00 and also entered another amount'],
    [{ email: 'nobody' }, 'Enter an e-mail address'],
    [{ name: ' ' }, 'Enter your name'],
    [{ every: 'day' }, 'how often'],
    [{ fund: randomUUID() }, 'one of the funds'],
    [{ tribute: 'honour' }, 'the person you want to honour'],
  ] as const) {
    const answer = await till.give(slug, { ...typed, ...wrong })
    expect(answer.status, told).toBe(422)
    expect(answer.text).toContain(told)
    expect(answer.text).toContain('Hello</textarea>')
    expect(answer.text).not.toContain('<b>')
  }
  expect(till.begun()).toEqual([])
  expect(await till.gifts()).toEqual([])
})

test('from one address a form is sent sixty times an hour; others go on giving', async ({ till, campaign }) => {
  const { slug } = await campaign()
  const send = async (from: string) => (await till.open(`/public/giving/${slug}`, { own: 'much' }, from)).status
  const answers = []
  for (let times = 0; times < 61; times += 1) answers.push(await send('198.51.100.7'))
  expect(answers).toEqual([...Array.from({ length: 60 }, () => 422), 429])
  expect(await send('198.18.0.7')).toBe(422)
  expect(await till.gifts()).toEqual([])
})

test('the fee is covered by what the page says, and a share of the gift is said plainly', async ({ admin, till, campaign, org, west }) => {
  await admin.query('insert into app.fundraising_settings (org_id) values ($1) on conflict do nothing', [org.id])
  await admin.query('update app.fundraising_settings set fee_bps = 140, fee_fixed = 25 where org_id = $1', [org.id])
  const { slug } = await campaign({ shareChapterId: west, shareBps: 1500 })
  const page = await till.open(`/public/giving/${slug}`)
  expect(page.text).toContain('1.4% and €0.25')
  expect(page.text).toContain('15% of your gift goes to West')
  const sent = await till.give(slug, { cover: 'yes' })
  expect(sent.text).toContain('€0.61')
  await till.pay(till.begun()[0] ?? '')
  expect(await till.gifts()).toMatchObject([{ amount: 2561, fee: 61, status: 'settled' }])
})

test('a campaign that takes no gifts says so without a form; drafts and those for members are not there', async ({
  boss,
  till,
  campaign,
}) => {
  const draft = await campaign({ name: 'Draft' }, 'draft')
  const members = await campaign({ name: 'Members', visibility: 'members' })
  for (const { slug } of [draft, members]) expect((await till.open(`/public/giving/${slug}`)).status).toBe(404)
  const open = await campaign({ name: 'Open' })
  const paused = made<{ slug: string }>(await boss.post(`/data/campaigns/${open.id}/status`, { status: 'paused' }, match(open.version)))
  const shown = await till.open(`/public/giving/${paused.slug}`)
  expect(shown.text).toContain('is paused and takes no gifts')
  expect(shown.text).not.toContain('<form')
  expect((await till.give(paused.slug)).status).toBe(422)
  expect(await till.gifts()).toEqual([])
})

test('the list has public campaigns only; a card may stand in any frame, and no other page', async ({ till, campaign }) => {
  const shown = await campaign({ name: 'Shown' })
  const hidden = await campaign({ name: 'Hidden', visibility: 'unlisted' })
  const list = await till.open('/public/giving')
  expect(list.text).toContain('Shown')
  expect(list.text).not.toContain('Hidden')
  expect((await till.open(`/public/giving/${hidden.slug}`)).headers).toMatchObject({ 'x-robots-tag': 'noindex' })
  const card = await till.open(`/public/giving/${shown.slug}/embed`)
  expect(card.headers['content-security-policy']).toContain('frame-ancestors *')
  expect(card.text).toContain('target="_blank"')
  expect((await till.open(`/public/giving/${shown.slug}`)).headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('without a payment provider the page explains the bank transfer', async ({ api, admin, org, campaign }) => {
  await admin.query('insert into app.payment_settings (org_id) values ($1) on conflict do nothing', [org.id])
  await admin.query(
    `update app.payment_settings set account_holder = 'Guild', account_number = 'DE89370400440532013000' where org_id = $1`,
    [org.id],
  )
  const { slug } = await campaign()
  const bare = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: org.id } })
  try {
    const page = await bare.inject({ url: `/public/giving/${slug}` })
    expect(page.body).toContain('DE89370400440532013000')
    expect(page.body).toContain(slug)
    expect(page.body).not.toContain('<form')
  } finally {
    await bare.close()
  }
})
