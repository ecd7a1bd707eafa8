import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const told = async (client: Client, personId: string | null, category: string) => {
  const answer = await client.get(`/data/people/${personId}/timeline?category=${category}`)
  expect(answer).toMatchObject({ status: 200 })
  return (answer.body as { items: TimelineEntry[] }).items
}
const kinds = (items: TimelineEntry[]) => items.map(({ kind }) => kind)
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('activity tells of applications, terms and what ended a membership', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'], familyName: 'Boss' }))
  const type = async (name: string, needsApproval: boolean) =>
    (
      (
        await boss.post('/data/membership-types', {
          name,
          period: 'rolling',
          months: 12,
          price: { amount: 0, currency: 'EUR' },
          needsApproval,
        })
      ).body as { id: string }
    ).id
  const full = await type('Full member', true)
  const ann = await person({ org })
  const applied = (await api.as(ann).post('/data/memberships/applications', { typeId: full, chapterId: null })).body as {
    id: string
    version: number
  }
  expect(kinds(await told(boss, ann.personId, 'membership'))).toEqual(['membership-applied'])
  let held = (await boss.post(`/data/memberships/${applied.id}/approve`, {}, { 'if-match': `"${applied.version}"` })).body as typeof applied
  for (const [what, reason] of [
    ['suspend', 'Abroad'],
    ['resume', undefined],
    ['cancel', 'Moved'],
  ] as const)
    held = (await boss.post(`/data/memberships/${held.id}/${what}`, reason ? { reason } : {}, { 'if-match': `"${held.version}"` })).body
  const entries = await told(boss, ann.personId, 'membership')
  expect(kinds(entries).slice(0, 4)).toEqual(['membership-cancelled', 'membership-resumed', 'membership-paused', 'membership-approved'])
  expect(kinds(entries).slice(4).toSorted()).toEqual(['membership-applied', 'membership-began'])
  expect(entries[0]).toMatchObject({ subject: { id: held.id, name: 'Full member' }, actor: { displayName: 'Test Boss' } })
  expect(entries.find(({ kind }) => kind === 'membership-approved')).toMatchObject({ actor: { displayName: 'Test Boss' } })

  // Terms of earlier years, the last of which lapsed after its grace period.
  const bob = await person({ org })
  await admin.query(
    `with m as (insert into app.memberships (org_id, person_id, type_id, status, starts_on, ends_on, grace_until)
       values ($1, $2, $3, 'lapsed', '2020-01-01', '2021-12-31', '2022-01-30') returning id)
     insert into app.membership_terms (org_id, membership_id, person_id, status, period, months, price_amount, price_currency, starts_on, ends_on, settled_on)
       select $1, m.id, $2, 'settled', 'rolling', 12, 0, 'EUR', y, (y + interval '1 year')::date - 1, y from m, unnest('{2020-01-01,2021-01-01}'::date[]) y`,
    [org.id, bob.personId, full],
  )
  expect((await told(boss, bob.personId, 'membership')).map(({ kind, on, params }) => [kind, on, params['until']])).toEqual([
    ['membership-lapsed', '2022-01-31', undefined],
    ['membership-renewed', '2021-01-01', '2021-12-31'],
    ['membership-began', '2020-01-01', '2020-12-31'],
  ])
  // For the person themselves, and for nobody else without the right.
  expect(kinds(await told(api.as(bob), bob.personId, 'membership'))).toEqual([
    'membership-lapsed',
    'membership-renewed',
    'membership-began',
  ])
  expect(await told(api.as(ann), bob.personId, 'membership')).toEqual([])
})

test('activity tells of invoices to those who read finance there, and to the person who owes them', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [north, south] = [await chapter(org, 'North'), await chapter(org, 'South')]
  const ann = await person({ org, chapterId: north })
  const invoice = (state: string, number: string, more: Record<string, string | null> = {}) =>
    admin.query(
      `insert into app.invoices (org_id, kind, person_id, books_chapter_id, state, currency, total_amount, paid_amount, foreign_number, issued_on, due_on, paid_on, billing, voided_at, void_reason, reason)
       values ($1, 'invoice', $2, $3, $4, 'EUR', 6000, case when $4::text = 'paid' then 6000 else 0 end, $5, $6, '2026-01-31', $7, '{}', case when $4::text = 'void' then '2026-03-01'::timestamptz end, case when $4::text = 'void' then 'Twice' end, 'Dues 2026')`,
      [org.id, ann.personId, north, state, number, more['issuedOn'] ?? '2026-01-01', more['paidOn'] ?? null],
    )
  await invoice('paid', 'A-1', { paidOn: '2026-01-20' })
  await invoice('void', 'A-2', { issuedOn: '2026-02-01' })
  await invoice('draft', 'A-3')
  await invoice('issued', 'A-4', { issuedOn: day(30) })
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const entries = await told(treasurer, ann.personId, 'dues')
  expect(entries.map(({ kind, on, subject }) => [kind, on, subject?.name])).toEqual([
    ['invoice-voided', '2026-03-01', 'A-2'],
    ['invoice-issued', '2026-02-01', 'A-2'],
    ['invoice-paid', '2026-01-20', 'A-1'],
    ['invoice-issued', '2026-01-01', 'A-1'],
  ])
  expect(entries[2]?.params).toEqual({ amount: '60.00', currency: 'EUR', for: 'Dues 2026' })
  expect(await told(api.as(ann), ann.personId, 'dues')).toHaveLength(4)
  const officer = async (chapterId: string) => api.as(await person({ org, chapterId, grants: [{ role: 'chapter-admin', chapterId }] }))
  expect(await told(await officer(north), ann.personId, 'dues')).toHaveLength(4)
  expect(await told(await officer(south), ann.personId, 'dues')).toEqual([])
  expect(await told(api.as(await person({ org, chapterId: north })), ann.personId, 'dues')).toEqual([])
})
