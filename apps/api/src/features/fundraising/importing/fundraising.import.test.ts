import type { Import, ImportRow } from '@guildhall/contract/features/imports'
import { importTemplates } from '@guildhall/contract/features/imports'
import { expect } from 'vitest'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { bringIn, test as base, uploadFile, waitFor } from '../../imports/imports.testing.ts'

type Office = {
  org: TestOrganisation
  boss: Client
  today: string
  ann: string
  campaign: string
  counts(): Promise<Record<string, number>>
  totals(): Promise<Record<string, number>>
}

const test = base.extend<{ office: Office }>({
  office: async ({ api, organisation, person, admin, worker: _ }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const ann = await person({ org, familyName: 'Ann' })
    await admin.query(`update app.people set member_no = 'A1' where id = $1`, [ann.personId])
    await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
      org.id,
      ann.personId,
      `ann-${org.id}@example.org`,
    ])
    await admin.query(`insert into app.person_external_ids (org_id, person_id, system, external_id) values ($1, $2, 'bloomerang', '77')`, [
      org.id,
      ann.personId,
    ])
    await admin.query(
      `insert into app.funds (org_id, name, archived_at) select $1, n, case when n = 'Closed' then now() end from unnest(array['General', 'Library', 'Closed']) n`,
      [org.id],
    )
    const { rows } = await admin.query<{ id: string; today: string }>(
      `insert into app.campaigns (org_id, name, slug, status, currency, fund_id, share_chapter_id, share_bps) select $1, 'Spring appeal', 'spring', 'active', 'EUR', f.id, $2, 1000
       from app.funds f where f.org_id = $1 and f.name = 'General' returning id, to_char(current_date, 'YYYY-MM-DD') as today`,
      [org.id, org.rootChapterId],
    )
    await admin.query(
      `insert into app.campaigns (org_id, name, slug, currency) values ($1, 'Not yet', 'not-yet', 'EUR'), ($1, 'Twice', 'twice-1', 'EUR'), ($1, 'twice', 'twice-2', 'EUR')`,
      [org.id],
    )
    await use({
      ...{ org, boss, today: rows[0]?.today ?? '', ann: ann.personId ?? '', campaign: rows[0]?.id ?? '' },
      async counts() {
        const found = await admin.query<Record<string, number>>(
          `select (select count(*)::int from app.gifts where org_id = $1) as gifts, (select count(*)::int from app.gift_allocations where org_id = $1) as allocations,
             (select count(*)::int from app.payments where org_id = $1) as payments, (select count(*)::int from app.giving_notes where org_id = $1) as notes, (select count(*)::int from app.receipts where org_id = $1) as receipts,
             (select count(*)::int from app.number_series where org_id = $1) as series, (select count(*)::int from app.mail_messages where org_id = $1) as mails`,
          [org.id],
        )
        return found.rows[0] ?? {}
      },
      async totals() {
        const found = await admin.query<Record<string, number>>(
          `select (select t.counted_amount::int from app.campaign_totals t where t.org_id = $1 and t.campaign_id = $2) as campaign, (select t.gifts from app.campaign_totals t where t.org_id = $1 and t.campaign_id = $2) as gifts,
             (select coalesce(sum(t.amount), 0)::int from app.fund_totals t where t.org_id = $1) as funds, (select coalesce(sum(d.lifetime_amount), 0)::int from app.donors d where d.org_id = $1 and d.person_id = $3) as ann,
             (select coalesce(sum(s.earned_amount), 0)::int from app.chapter_shares s where s.org_id = $1) as share,
             (select coalesce(sum(s.gifts), 0)::int from app.campaign_sizes s where s.org_id = $1) as sizes, (select coalesce(sum(s.amount), 0)::int from app.campaign_fund_totals s where s.org_id = $1) as "campaignFunds"`,
          [org.id, rows[0]?.id, ann.personId],
        )
        return found.rows[0] ?? {}
      },
    })
  },
})

const header =
  'gift_id,member_no,email,donor,amount,currency,received_on,payment_method,campaign,fund,reference,anonymous,tribute,in_honour_of,note\n'
const codes = async (client: Client, one: Import, phase: string) =>
  ((await client.get(`/data/imports/${one.id}/rows?phase=${phase}&limit=100`)).body as { items: ImportRow[] }).items.map(
    ({ line, outcome, findings }) => [line, outcome, ...findings.map(({ code }) => code)],
  )

test('gifts of another system come in once, count in every total, and take no receipt of ours; an undo takes them away again', async ({
  office: { org, boss, today, ann, counts, totals },
  admin,
}) => {
  const file =
    header +
    'G-1,A1,,,50.00,EUR,2024-12-20,Scheck,Spring appeal,,001017,no,,,Came with a letter\n' +
    `G-2,,ann-${org.id}@example.org,,"1.000,50",,2025-03-01,überweisung,,Library,,yes,In Memoriam,Tobias Venn,\n` +
    'G-3,,,Hill Bakery,30,EUR,2025-04-01,cash,spring APPEAL,General: 10.00; Library: 20.00,,,,,\n' +
    ',,somebody@example.com,Kim Somebody,12.50,,2025-05-01,,,General,,,,,\n'
  const uploaded = await uploadFile(boss, 'gifts', 'gifts.csv', file)
  expect(uploaded.import.columns.map(({ target }) => target)).toEqual([
    ...['foreignId', 'memberNo', 'email', 'donorName', 'amount', 'currency', 'receivedOn', 'method', 'campaign', 'fund', 'reference'],
    ...['isAnonymous', 'tributeKind', 'tributeName', 'note'],
  ])
  const checked = await waitFor(boss, uploaded.import.id, 'check')
  const all = { create: 4, update: 0, unchanged: 0, skip: 0, reject: 0 }
  expect([checked.counts.check, await codes(boss, checked, 'check')]).toEqual([all, [2, 3, 4, 5].map((line) => [line, 'create'])])
  expect(await counts()).toMatchObject({ gifts: 0, payments: 0 })
  const done = await waitFor(boss, checked.id, 'run')
  expect(done.counts.run).toEqual(all)
  expect(await counts()).toEqual({ gifts: 4, allocations: 5, payments: 4, notes: 1, receipts: 0, series: 0, mails: 0 })
  const { rows } = await admin.query(
    `select foreign_id as no, person_id = $2 as ann, donor_name as donor, donor_email as email, amount::int, currency, method, status, source, to_char(received_on, 'YYYY-MM-DD') as on, is_anonymous as anonymous, tribute_kind as tribute,
       tribute_name as whom, share_amount::int as share from app.gifts where org_id = $1 order by received_on`,
    [org.id, ann],
  )
  const usual = {
    currency: 'EUR',
    status: 'settled',
    source: 'import',
    anonymous: false,
    tribute: null,
    whom: '',
    donor: '',
    email: '',
    share: 0,
  }
  expect(rows).toEqual([
    { ...usual, no: 'G-1', ann: true, amount: 5000, method: 'cheque', on: '2024-12-20', share: 500 },
    {
      ...usual,
      no: 'G-2',
      ann: true,
      amount: 100050,
      method: 'bank_transfer',
      on: '2025-03-01',
      anonymous: true,
      tribute: 'memory',
      whom: 'Tobias Venn',
    },
    { ...usual, no: 'G-3', ann: null, donor: 'Hill Bakery', amount: 3000, method: 'cash', on: '2025-04-01', share: 300 },
    { ...usual, no: '', ann: null, donor: 'Kim Somebody', email: 'somebody@example.com', amount: 1250, method: 'other', on: '2025-05-01' },
  ])
  expect(await totals()).toEqual({ campaign: 8000, gifts: 2, funds: 109300, ann: 105050, share: 800, sizes: 2, campaignFunds: 8000 })
  expect((await counts())['mails']).toBe(0)
  expect(today > '2025-05-01').toBe(true)

  const again = await bringIn(boss, 'gifts', file)
  expect([again.counts.check, again.counts.run]).toEqual(Array(2).fill({ create: 0, update: 0, unchanged: 4, skip: 0, reject: 0 }))

  // One of them is corrected, and one given back: both stay.
  const ids = await admin.query<{ id: string; no: string; payment: string; version: number }>(
    `select g.id, g.foreign_id as no, p.id as payment, p.version from app.gifts g join app.payments p on p.org_id = g.org_id and p.gift_id = g.id where g.org_id = $1`,
    [org.id],
  )
  const given = ids.rows.find(({ no }) => no === 'G-3')
  const refunded = await boss.post(
    `/actions/payments/${given?.payment}/refund`,
    { amount: 1000, reason: 'Too much' },
    { 'if-match': `"${given?.version}"`, ...boss.proof },
  )
  expect(refunded.status, refunded.text).toBeLessThan(300)
  expect((await totals())['campaign']).toBe(7000)
  const undone = await waitFor(boss, done.id, 'undo')
  expect([undone.status, undone.counts.undo]).toEqual(['partly_undone', { removed: 3, restored: 0, kept: 1 }])
  expect(await counts()).toMatchObject({ gifts: 1, payments: 1, notes: 0, receipts: 0 })
  expect(await totals()).toEqual({ campaign: 2000, gifts: 1, funds: 2000, ann: 0, share: 200, sizes: 1, campaignFunds: 2000 })
})

test('a gift with a fault is rejected with a word about it, and nobody imports gifts that they do not manage', async ({
  office: { org, boss },
  api,
  person,
}) => {
  const one = await bringIn(
    boss,
    'gifts',
    header +
      'G-1,A1,,,50,EUR,2024-12-20,cash,,General,,,,,\n' +
      'G-1,A1,,,50,EUR,2024-12-20,cash,,General,,,,,\n' +
      'G-2,A1,,,,EUR,2024-12-20,cash,,General,,,,,\n' +
      'G-3,A1,,,50,EUR,,cash,,General,,,,,\n' +
      'G-4,A1,,,0,EUR,2024-12-20,cash,,General,,,,,\n' +
      'G-5,A1,,,-5,EUR,2024-12-20,cash,,General,,,,,\n' +
      'G-6,A1,,,50,EUR,2190-12-20,cash,,General,,,,,\n' +
      'G-7,A1,,,50,EUR,2024-12-20,barter,,General,,,,,\n' +
      'G-8,A1,,,50,EUR,2024-12-20,cash,Autumn appeal,,,,,,\n' +
      'G-9,A1,,,50,EUR,2024-12-20,cash,Twice,,,,,,\n' +
      'G-10,A1,,,50,EUR,2024-12-20,cash,Not yet,General,,,,,\n' +
      'G-11,A1,,,50,USD,2024-12-20,cash,Spring appeal,,,,,,\n' +
      'G-12,A1,,,50,EUR,2024-12-20,cash,,,,,,,\n' +
      'G-13,A1,,,50,EUR,2024-12-20,cash,,Nothing,,,,,\n' +
      'G-14,A1,,,50,EUR,2024-12-20,cash,,Closed,,,,,\n' +
      'G-15,A1,,,50,EUR,2024-12-20,cash,,General: 20; Library: 20,,,,,\n' +
      'G-16,A1,,,50,EUR,2024-12-20,cash,,General,,,memory,,\n' +
      'G-17,,,,50,EUR,2024-12-20,cash,,General,,,,,\n' +
      'G-18,NOBODY,,Kim,50,EUR,2024-12-20,cash,,General,,,,,\n' +
      `${Object.values(importTemplates.gifts).join(',')}\n`,
  )
  expect(one.counts.check).toEqual(one.counts.run)
  expect(await codes(boss, one, 'run')).toEqual([
    [2, 'create'],
    [3, 'reject', 'duplicate_row'],
    [4, 'reject', 'missing'],
    [5, 'reject', 'missing'],
    [6, 'reject', 'not_an_amount'],
    [7, 'reject', 'not_an_amount'],
    [8, 'reject', 'day_in_future'],
    [9, 'reject', 'not_a_choice'],
    [10, 'reject', 'unknown_campaign'],
    [11, 'reject', 'ambiguous_campaign'],
    [12, 'reject', 'campaign_draft'],
    [13, 'reject', 'campaign_currency'],
    [14, 'reject', 'missing'],
    [15, 'reject', 'unknown_fund'],
    [16, 'reject', 'archived_fund'],
    [17, 'reject', 'funds_differ'],
    [18, 'reject', 'missing'],
    [19, 'reject', 'missing'],
    [20, 'reject', 'unknown_member_no'],
    [21, 'reject', 'unknown_member_no', 'unknown_fund'],
  ])
  // The same id for another amount is not the same gift.
  const other = await bringIn(boss, 'gifts', header + 'G-1,A1,,,51,EUR,2024-12-20,cash,,General,,,,,\n')
  expect(await codes(boss, other, 'run')).toEqual([[2, 'reject', 'gift_taken']])

  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  const theirs = await bringIn(officer, 'gifts', header + 'G-50,A1,,,50,EUR,2024-12-20,cash,Spring appeal,,,,,,\n')
  expect([theirs.counts.check, theirs.counts.run]).toEqual(Array(2).fill({ create: 0, update: 0, unchanged: 0, skip: 0, reject: 1 }))
})

test('rows without an id are known by donor, day and amount, and people by their id in another system', async ({
  office: { boss, counts },
}) => {
  const plain = 'External id (bloomerang),first_name,last_name,amount,date,designation\n'
  const file = `${plain}77,,,25,2023-11-30,Library\n,Kim,Lee,25,2023-11-30,Library\n,Kim,Lee,25,2023-12-01,Library\n`
  const first = await bringIn(boss, 'gifts', file)
  expect(first.counts.run).toMatchObject({ create: 3 })
  const again = await bringIn(boss, 'gifts', `${file},Kim,Lee,30,2023-12-01,Library\n,Kim,Lee,25,2023-12-01,Library\n`)
  expect(again.counts.run).toEqual({ create: 1, update: 0, unchanged: 3, skip: 0, reject: 1 })
  expect(await counts()).toMatchObject({ gifts: 4 })
})
