import type { Gift, ThankRow } from '@guildhall/contract/features/fundraising.gifts'
import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { made, match, test } from '../fundraising.testing.ts'
import { filledIn } from './fundraising.thanks.rules.ts'

const url = '/data/gifts/thanks'
const queue = async (client: Client, query = '') =>
  made<{ items: ThankRow[]; nextCursor: string | null }>(await client.get(`${url}?${query}`))
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

test('who gave and was not thanked stands in the queue, the longest ago first, each with a draft', async ({
  boss,
  officer,
  org,
  west,
  person,
  campaign,
  gift,
  admin,
}) => {
  const ada = await person({ org, givenName: 'Ada', familyName: 'Byron', email: 'ada@example.org' })
  const local = await campaign({ chapterId: west, name: 'Well' })
  await gift(local, 2_500, { receivedOn: daysAgo(1), personId: ada.personId })
  await gift(local, 1_000, { receivedOn: daysAgo(5) })
  const imported = await gift(local, 3_000, { receivedOn: daysAgo(9) })
  await admin.query(`update app.gifts set source = 'import' where id = $1`, [imported.id])
  const { payment } = await gift(local, 4_000, { receivedOn: daysAgo(9) })
  await boss.post(`/data/payments/${payment?.id}/reverse`, { reason: 'Twice' }, match(payment?.version ?? 0))
  await boss.patch(
    '/data/fundraising-settings',
    { thankYouSubject: 'Thank you, {first_name} {surname}', thankYouBody: '{amount} to {campaign}!' },
    match(1),
  )

  expect((await queue(boss)).items).toMatchObject([
    { gift: { donorName: 'Hill Bakery' }, days: 5, late: true, canMail: false, subject: 'Thank you, Hill Bakery {surname}' },
    {
      gift: { donor: { id: ada.personId } },
      days: 1,
      late: false,
      canMail: true,
      subject: 'Thank you, Ada {surname}',
      body: '€25.00 to Well!',
    },
  ])
  const { items, nextCursor } = await queue(boss, 'limit=1')
  expect(items).toHaveLength(1)
  expect((await queue(boss, `limit=1&cursor=${nextCursor}`)).items).toMatchObject([{ days: 1 }])
  expect((await queue(boss, `campaignId=${(await campaign()).id}`)).items).toEqual([])
  // Recording gifts is not thanking for them.
  await gift(local, 500, {}, officer)
  expect((await queue(officer)).items).toEqual([])
})

test('thanks are noted once, by who manages gifts', async ({ boss, officer, west, campaign, gift }) => {
  const one = await gift(await campaign({ chapterId: west }), 1_000, {}, officer)
  const note = (client: Client, version: number, how = 'call') => client.post(`/data/gifts/${one.id}/thanked`, { how }, match(version))
  expect((await note(officer, one.version)).status).toBe(403)
  const thanked = made<Gift>(await note(boss, one.version))
  expect(thanked).toMatchObject({ thanked: { how: 'call' }, may: { thank: false } })
  expect(thanked.thankedAt).toBe(thanked.thanked?.at)
  expect((await note(boss, one.version)).status).toBe(412)
  expect(await note(boss, thanked.version)).toMatchObject({ status: 409, body: { reason: 'gift_thanked' } })
  expect((await note(boss, thanked.version, 'wink')).status).toBe(422)
  expect((await queue(boss)).items).toEqual([])
})

test('thanks that were noted wrongly are undone: the gift waits again, and the audit log keeps both', async ({
  boss,
  officer,
  west,
  campaign,
  gift,
  admin,
}) => {
  const one = await gift(await campaign({ chapterId: west }), 1_000, {}, officer)
  const undo = (client: Client, version: number) => client.post(`/data/gifts/${one.id}/thanked/undo`, {}, match(version))
  expect(await undo(boss, one.version)).toMatchObject({ status: 409, body: { reason: 'gift_not_thanked' } })
  const noted = made<Gift>(await boss.post(`/data/gifts/${one.id}/thanked`, { how: 'letter' }, match(one.version)))
  expect((await undo(officer, noted.version)).status).toBe(403)
  expect((await undo(boss, one.version)).status).toBe(412)
  const waiting = made<Gift>(await undo(boss, noted.version))
  expect(waiting).toMatchObject({ thanked: null, thankedAt: null, may: { thank: true } })
  expect((await queue(boss)).items).toMatchObject([{ gift: { id: one.id } }])
  // Nobody undoes it twice, and it can be noted again.
  expect((await undo(boss, noted.version)).status).toBe(412)
  expect(made<Gift>(await boss.post(`/data/gifts/${one.id}/thanked`, { how: 'call' }, match(waiting.version)))).toMatchObject({
    thanked: { how: 'call' },
  })
  const { rows } = await admin.query<{ how: unknown }>(
    `select diff -> 'thanked_how' as how from app.audit_entries where entity = 'gifts' and entity_id = $1 and diff ? 'thanked_how' and action = 'update' order by seq`,
    [one.id],
  )
  expect(rows.map(({ how }) => how)).toEqual([
    [null, 'letter'],
    ['letter', null],
    [null, 'call'],
  ])
})

test('thanks that were mailed are not undone', async ({ boss, org, person, campaign, gift }) => {
  const ada = await person({ org, email: 'ada@example.org' })
  const one = await gift(await campaign(), 1_000, { personId: ada.personId, sendReceipt: false })
  const mailed = made<Gift>(await boss.post(`/data/gifts/${one.id}/thank`, { subject: 'Thank you', body: 'Dear Ada' }, match(one.version)))
  const undone = await boss.post(`/data/gifts/${one.id}/thanked/undo`, {}, match(mailed.version))
  expect(undone).toMatchObject({ status: 409, body: { reason: 'gift_thanks_mailed' } })
})

test('the draft for one gift is that gift’s, also of one that the queue leaves out', async ({ boss, campaign, gift, admin }) => {
  const one = await campaign()
  const [oldest, newer] = [await gift(one, 1_000, { receivedOn: daysAgo(5) }), await gift(one, 2_000, { receivedOn: daysAgo(1) })]
  expect((await queue(boss, `giftId=${newer.id}`)).items).toMatchObject([{ gift: { id: newer.id } }])
  await admin.query(`update app.gifts set source = 'import' where id = $1`, [oldest.id])
  expect((await queue(boss)).items).toMatchObject([{ gift: { id: newer.id } }])
  expect((await queue(boss, `giftId=${oldest.id}`)).items).toMatchObject([{ gift: { id: oldest.id } }])
})

test('thanks are mailed as they are written, to who can be reached', async ({ boss, admin, org, person, campaign, gift }) => {
  const one = await campaign()
  const ada = await person({ org, email: 'ada@example.org' })
  const shy = await person({ org, email: 'shy@example.org' })
  await admin.query('update app.people set do_not_contact = true where id = $1', [shy.personId])
  const [first, bakery, silent, quiet] = [
    await gift(one, 1_000, { personId: ada.personId, sendReceipt: false }),
    await gift(one, 1_000, { donorEmail: 'bakery@example.org', sendReceipt: false }),
    await gift(one, 1_000),
    await gift(one, 1_000, { personId: shy.personId, sendReceipt: false }),
  ]
  const letter = { subject: 'Thank you', body: 'Dear Ada,\n\nthank you.' }
  const mail = ({ id, version }: Gift) => boss.post(`/data/gifts/${id}/thank`, letter, match(version))
  expect(made<Gift>(await mail(first))).toMatchObject({ thanked: { how: 'mail' } })
  expect(made<Gift>(await mail(bakery))).toMatchObject({ thanked: { how: 'mail' } })
  for (const gone of [silent, quiet]) expect(await mail(gone)).toMatchObject({ status: 409, body: { reason: 'gift_donor_unreachable' } })
  expect((await queue(boss)).items).toMatchObject([{ gift: { id: silent.id }, canMail: false }, { gift: { id: quiet.id }, canMail: false }]) // prettier-ignore
  const { rows } = await admin.query(`select template, person_id, address, params from app.mail_messages where org_id = $1 order by id`, [
    org.id,
  ])
  expect(rows).toEqual([
    { template: 'gift-thanks', person_id: ada.personId, address: null, params: letter },
    { template: 'gift-thanks', person_id: null, address: 'bakery@example.org', params: letter },
  ])
})

test('only marks that are known are filled in, and what is filled in is left alone', () => {
  const facts = { firstName: '{amount}', amount: '€5', campaign: 'Well', organisation: 'Guild' }
  expect(filledIn('{first_name}: {amount} {constructor} {Amount} {}', facts)).toBe('{amount}: €5 {constructor} {Amount} {}')
})
