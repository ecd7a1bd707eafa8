import type { BulkPreview, BulkResult } from '@guildhall/contract/bulk'
import type * as z from 'zod'
import { expect } from 'vitest'
import { test } from '../../testing.ts'

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

test('renewal invoices are made for many people at once, and voided by undo unless they were paid', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [north, south] = [await chapter(org, 'North'), await chapter(org, 'South')]
  const type = async (name: string, amount: number) =>
    (
      await admin.query<{ id: string }>(
        `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency) values ($1, $2, 'rolling', 12, $3, 'EUR') returning id`,
        [org.id, name, amount],
      )
    ).rows[0]?.id
  const [full, free] = [await type('Full member', 6000), await type('Friend', 0)]
  const held = async (familyName: string, typeId: string | undefined, chapterId: string, endsOn: string | null) => {
    const { personId } = await person({ org, familyName, chapterId })
    if (typeId)
      await admin.query(
        `insert into app.memberships (org_id, person_id, type_id, chapter_id, status, auto_renew, starts_on, ends_on, grace_until) values ($1, $2, $3, $4, 'active', true, '2020-01-01', $5, $5)`,
        [org.id, personId, typeId, chapterId, endsOn],
      )
    return personId ?? ''
  }
  const ann = await held('Ann', full, north, day(20))
  const bob = await held('Bob', full, south, day(20))
  const people = [
    ann,
    bob,
    await held('Free', free, north, day(20)),
    await held('Ever', full, north, null),
    await held('None', undefined, north, null),
  ]
  const selection = { ids: people }
  const invoices = async () =>
    (
      await admin.query<{ family_name: string; state: string; total: number; due: string | null }>(
        `select p.family_name, i.state, i.total_amount::int as total from app.invoices i join app.people p on p.id = i.person_id where i.org_id = $1 order by 1, i.id`,
        [org.id],
      )
    ).rows
  const ask = async (client: ReturnType<typeof api.as>, what: 'renew' | 'stopAutoRenew') =>
    (await client.post('/actions/people/bulk/preview', { selection, change: { do: what } })).body as z.infer<typeof BulkPreview>
  const run = async (client: ReturnType<typeof api.as>, what: 'renew' | 'stopAutoRenew') =>
    (await client.post('/actions/people/bulk', { selection, change: { do: what } })).body as BulkResult

  const officer = api.as(await person({ org, chapterId: north, grants: [{ role: 'chapter-admin', chapterId: north }] }))
  expect(await ask(officer, 'renew')).toMatchObject({ matched: 5, changed: 1, sample: [{ id: ann }] })
  expect((await ask(api.as(await person({ org, chapterId: north })), 'renew')).changed).toBe(0)

  const secretary = api.as(await person({ org, idpRoles: ['org-admin'] }))
  expect(await ask(secretary, 'renew')).toMatchObject({ changed: 2, unchanged: 3, refused: 0 })
  const { job, counts } = await run(secretary, 'renew')
  expect(counts).toMatchObject({ changed: 2, unchanged: 3 })
  expect(await invoices()).toEqual([
    { family_name: 'Ann', state: 'issued', total: 6000 },
    { family_name: 'Bob', state: 'issued', total: 6000 },
  ])
  // Asked once more, nobody is invoiced twice.
  expect(await ask(secretary, 'renew')).toMatchObject({ changed: 0, unchanged: 5 })
  await admin.query(
    `with i as (select id from app.invoices where org_id = $1 and person_id = $2),
     p as (insert into app.payments (org_id, person_id, method, amount, currency, state, settled_at) values ($1, $2, 'cash', 1000, 'EUR', 'settled', now()) returning id)
     insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) select $1, p.id, i.id, 1000 from p, i`,
    [org.id, bob],
  )
  await admin.query(`update app.invoices set paid_amount = 1000, state = 'partly_paid' where org_id = $1 and person_id = $2`, [org.id, bob])
  expect((await secretary.post(`/actions/bulk/${job.id}/undo`)).status).toBe(200)
  expect(await invoices()).toEqual([
    { family_name: 'Ann', state: 'void', total: 6000 },
    { family_name: 'Bob', state: 'partly_paid', total: 6000 },
  ])
  expect(
    (await admin.query(`select person_id, status from app.membership_terms where org_id = $1 order by status`, [org.id])).rows,
  ).toEqual([
    { person_id: bob, status: 'open' },
    { person_id: ann, status: 'void' },
  ])

  const renewing = async () =>
    (await admin.query<{ n: number }>(`select count(*)::int as n from app.memberships where org_id = $1 and auto_renew`, [org.id])).rows[0]
      ?.n
  const off = await run(secretary, 'stopAutoRenew')
  expect([off.counts?.changed, await renewing()]).toEqual([4, 0])
  await secretary.post(`/actions/bulk/${off.job.id}/undo`)
  expect(await renewing()).toBe(4)
})

test('the preview says of each person without an invoice why', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const type = async (name: string, amount: number, archived = false) =>
    (
      await admin.query<{ id: string }>(
        `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency, archived_at)
         values ($1, $2, 'rolling', 12, $3, 'EUR', case when $4 then now() end) returning id`,
        [org.id, name, amount, archived],
      )
    ).rows[0]?.id
  const [full, free, old] = [await type('Full', 6000), await type('Friend', 0), await type('Old', 6000, true)]
  const held = async (typeId: string | undefined, status = 'active', endsOn: string | null = day(20), leavesOn: string | null = null) => {
    const { personId } = await person({ org })
    if (typeId)
      await admin.query(
        `insert into app.memberships (org_id, person_id, type_id, status, starts_on, ends_on, grace_until, leaves_on) values ($1, $2, $3, $4, '2020-01-01', $5, $5, $6)`,
        [org.id, personId, typeId, status, endsOn, leavesOn],
      )
    return personId ?? ''
  }
  const charged = await held(full)
  const expected = {
    no_membership: await held(undefined),
    free: await held(free),
    type_archived: await held(old),
    lifetime: await held(full, 'active', null),
    paused: await held(full, 'suspended'),
    awaiting: await held(full, 'awaiting_approval', null),
    leaving: await held(full, 'active', day(20), day(20)),
    invoiced: charged,
  }
  const run = { selection: { ids: [charged] }, change: { do: 'renew' } }
  await boss.post('/actions/people/bulk', run)
  const selection = { ids: Object.values(expected) }
  const { body } = await boss.post('/actions/people/bulk/preview', { selection, change: { do: 'renew' } })
  const { changed, unchangedWhy = [] } = body as z.infer<typeof BulkPreview>
  expect(changed).toBe(0)
  expect(Object.fromEntries(unchangedWhy.map(({ reason, total, first }) => [reason, [total, first.map(({ id }) => id)]]))).toEqual(
    Object.fromEntries(Object.entries(expected).map(([reason, id]) => [reason, [1, [id]]])),
  )
  // What is cancelled for a later day is not renewed behind the back of its member.
  expect(await boss.post('/actions/people/bulk', { selection, change: { do: 'renew' } })).toMatchObject({
    body: { counts: { changed: 0 } },
  })
})
