import type { Export } from '@guildhall/contract/features/lists'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const ask = (client: Client, list: string, columns: string[], more: Record<string, unknown> = {}) =>
  client.post('/actions/exports', { list, format: 'csv', columns, selection: { all: {}, except: [] }, ...more })

async function fileOf(client: Client, made: { body: unknown }): Promise<string[]> {
  const { id } = made.body as Export
  await expect.poll(async () => ((await client.get(`/data/exports/${id}`)).body as Export).job.status, { timeout: 30_000 }).toBe('done')
  return (await client.get(`/actions/exports/${id}/file`)).text.replace('\ufeff', '').trim().split('\r\n')
}

test('memberships are exported term by term, as far as the reader may export their people', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
  worker: _,
}) => {
  const org = await organisation()
  const [north, south] = [await chapter(org, 'North'), await chapter(org, 'South')]
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency) values ($1, 'Full member', 'rolling', 12, 6050, 'EUR') returning id`,
    [org.id],
  )
  for (const [familyName, chapterId] of [
    ['Ann', north],
    ['Bob', south],
  ] as const) {
    const { personId } = await person({ org, familyName, chapterId })
    await admin.query(
      `with m as (insert into app.memberships (org_id, person_id, type_id, chapter_id, status, starts_on, ends_on) values ($1, $2, $3, $4, 'active', '2025-01-01', '2090-12-31') returning id)
       insert into app.membership_terms (org_id, membership_id, person_id, period, months, price_amount, price_currency, status, starts_on, ends_on, settled_on)
         select $1, m.id, $2, 'rolling', 12, 6050, 'EUR', 'settled', d, d + 364, d from m, unnest('{2025-01-01,2026-01-01}'::date[]) d`,
      [org.id, personId, rows[0]?.id, chapterId],
    )
  }
  const columns = ['displayName', 'type', 'chapter', 'termStart', 'price', 'currency']
  const secretary = api.as(await person({ org, idpRoles: ['org-admin'] }))
  expect((await fileOf(secretary, await ask(secretary, 'memberships', columns, { sort: 'termEnd' }))).toSorted()).toEqual([
    'Display name,Type of membership,Chapter,Term start,Price,Currency',
    'Test Ann,Full member,North,2025-01-01,60.5,EUR',
    'Test Ann,Full member,North,2026-01-01,60.5,EUR',
    'Test Bob,Full member,South,2025-01-01,60.5,EUR',
    'Test Bob,Full member,South,2026-01-01,60.5,EUR',
  ])
  const filter = { and: [{ or: [{ field: 'termStart', op: 'is', value: '2026-01-01' }] }] }
  expect(
    await fileOf(secretary, await ask(secretary, 'memberships', ['displayName'], { selection: { all: { filter }, except: [] } })),
  ).toEqual(['Display name', 'Test Ann', 'Test Bob'])
  const officer = api.as(await person({ org, chapterId: north, grants: [{ role: 'chapter-admin', chapterId: north }] }))
  expect((await fileOf(officer, await ask(officer, 'memberships', ['displayName', 'termStart']))).toSorted()).toEqual([
    'Display name,Term start',
    'Test Ann,2025-01-01',
    'Test Ann,2026-01-01',
  ])
  expect((await ask(api.as(await person({ org, chapterId: north })), 'memberships', columns)).status).toBe(403)
})

test('invoices are exported line by line to those who read finance, not to who owes them', async ({
  api,
  admin,
  organisation,
  person,
  worker: _,
}) => {
  const org = await organisation()
  const ann = await person({ org, familyName: 'Ann' })
  await admin.query(
    `with i as (insert into app.invoices (org_id, kind, person_id, books_chapter_id, state, currency, reason) values ($1, 'invoice', $2, $3, 'draft', 'JPY', 'Dues') returning id)
     insert into app.invoice_lines (org_id, invoice_id, place, text, net_amount, tax_bps) select $1, i.id, n, 'Line ' || n, n * 1000, 1000 from i, generate_series(1, 2) n`,
    [org.id, ann.personId, org.rootChapterId],
  )
  const columns = ['state', 'billedTo', 'line', 'text', 'net', 'tax', 'gross', 'currency']
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  expect(await fileOf(treasurer, await ask(treasurer, 'invoices', columns))).toEqual([
    'State,Billed to,Line,Text,Net,Tax,Gross,Currency',
    'draft,Test Ann,2,Line 2,2000,200,2200,JPY',
    'draft,Test Ann,1,Line 1,1000,100,1100,JPY',
  ])
  expect((await ask(api.as(ann), 'invoices', columns)).status).toBe(403)
})

test('payments are exported to those who read finance, as filtered, not to who paid', async ({ api, organisation, person, worker: _ }) => {
  const org = await organisation()
  const ann = await person({ org, familyName: 'Ann' })
  const treasurer = api.as(await person({ org, idpRoles: ['finance'] }))
  const said = { personId: ann.personId, receivedOn: '2026-01-05', reference: 'R-7' }
  for (const [method, amount] of Object.entries({ cash: 6050, cheque: 100 }))
    expect((await treasurer.post('/data/payments', { ...said, method, money: { amount, currency: 'EUR' } })).status).toBe(201)
  const columns = ['day', 'method', 'amount', 'unallocated', 'currency', 'paidBy', 'invoices', 'reference']
  const filter = { and: [{ or: [{ field: 'method', op: 'in', value: ['cash'] }] }] }
  expect(await fileOf(treasurer, await ask(treasurer, 'payments', columns, { selection: { all: { filter }, except: [] } }))).toEqual([
    'Date,Method,Amount,Not allocated,Currency,Paid by,Invoices,Reference',
    '2026-01-05,cash,60.5,60.5,EUR,Test Ann,,R-7',
  ])
  expect((await ask(api.as(ann), 'payments', columns)).status).toBe(403)
})
