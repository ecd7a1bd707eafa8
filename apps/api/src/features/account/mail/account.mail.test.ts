import { mailKinds } from '@guildhall/contract/features/account'
import { expect } from 'vitest'
import { mailTemplates } from '../../../mails.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'

type Mail = { id: string; kind: string; state: string; address: string | null; subject: string; nextAt: string | null; outcome: string }
type Page = { items: Mail[]; nextCursor: string | null; total: number | null }

/** An organisation, its administrator, and a mail of a state that stands in its outbox. */
const test = base.extend<{
  office: { org: TestOrganisation; admin: Client; add(row: Record<string, unknown>): Promise<string>; list(query?: string): Promise<Page> }
}>({
  office: async ({ admin, api, organisation, person }, use) => {
    const org = await organisation()
    const client = api.as(await person({ org, idpRoles: ['org-admin'] }))
    let nth = 0
    await use({
      org,
      admin: client,
      add: async (row) => {
        nth += 1
        const all = {
          template: 'notification',
          address: `p${nth}@example.org`,
          essential: true,
          created_at: new Date(1.7e12 + nth * 1_000),
          ...row,
        }
        const settled = ['sent', 'failed', 'suppressed', 'unknown'].includes(String(row['state'])) ? { settled_at: new Date() } : {}
        const columns = Object.entries({ ...all, ...settled, org_id: org.id })
        const { rows } = await admin.query<{ id: string }>(
          `insert into app.mail_messages (${columns.map(([name]) => name).join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
          columns.map(([, value]) => value),
        )
        return rows[0]?.id ?? ''
      },
      list: async (query = '') => (await client.get(`/data/mails${query}`)).body,
    })
  },
})

test('every kind of mail has its place in the list of kinds', () => {
  expect(mailTemplates.map(({ key }) => key).toSorted()).toEqual([...mailKinds])
})

test('administrators read newest first, page by page, to whom each mail goes and what became of it, and not what it says', async ({
  office,
}) => {
  const ids = [
    await office.add({ state: 'sent', subject: 'Welcome', sent_to: 'Ada@Example.org', params: { secret: 'qz7' } }),
    await office.add({ state: 'failed', outcome: 'refused', answer: '550 no such user', attempts: 3 }),
    await office.add({}),
  ]
  const first = await office.list('?limit=2')
  expect(first.items.map(({ id }) => id)).toEqual([ids[2], ids[1]])
  expect(first.total).toBe(3)
  expect(first.items).toMatchObject([
    { state: 'queued', subject: '', nextAt: expect.any(String) },
    { state: 'failed', outcome: 'refused', answer: '550 no such user', attempts: 3, nextAt: null },
  ])
  const next = await office.list(`?limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)
  expect(next).toMatchObject({ items: [{ id: ids[0], subject: 'Welcome', address: 'Ada@Example.org' }], nextCursor: null })
  expect(JSON.stringify(next)).not.toContain('qz7')
})

test('state, kind, address and days narrow the list', async ({ office, admin }) => {
  await office.add({ state: 'sent', sent_to: 'Ada@Example.org' })
  await office.add({ state: 'failed', template: 'invitation', created_at: '2026-03-01T12:00:00Z' })
  const states = async (query: string) => (await office.list(query)).items.map(({ state }) => state)
  expect(await states('?state=failed')).toEqual(['failed'])
  expect(await states('?kind=invitation')).toEqual(['failed'])
  expect(await states('?address=ada@example.ORG')).toEqual(['sent'])
  expect(await states('?address=example')).toEqual([])
  expect(await states('?from=2026-03-01&until=2026-03-01')).toEqual(['failed'])
  expect(await states('?from=2026-03-02')).toEqual([])
  // The days are the organisation's.
  await admin.query(`update app.organisations set timezone = 'Pacific/Kiritimati' where org_id = $1`, [office.org.id])
  expect(await states('?from=2026-03-02&until=2026-03-02')).toEqual(['failed'])
})

test('what failed is sent again and what waits is cancelled, and nothing else', async ({ office }) => {
  const failed = await office.add({ state: 'failed', outcome: 'refused', attempts: 4 })
  const unknown = await office.add({ state: 'unknown' })
  const waiting = await office.add({})
  const sent = await office.add({ state: 'sent' })
  const sending = await office.add({ state: 'sending', lease_until: new Date(Date.now() + 60_000) })
  const ask = (id: string, what: 'retry' | 'cancel') => office.admin.post(`/data/mails/${id}/${what}`)

  for (const id of [failed, unknown]) expect(await ask(id, 'retry')).toMatchObject({ status: 200, body: { state: 'queued', outcome: '' } })
  for (const id of [waiting, sent, sending])
    expect(await ask(id, 'retry')).toMatchObject({ status: 409, body: { reason: 'mail_not_failed' } })
  expect(await ask(waiting, 'cancel')).toMatchObject({ status: 200, body: { state: 'suppressed', outcome: 'cancelled', nextAt: null } })
  for (const id of [waiting, sent, sending])
    expect(await ask(id, 'cancel')).toMatchObject({ status: 409, body: { reason: 'mail_not_waiting' } })
})

test('nobody else reads, sends or cancels mail, nor does another organisation', async ({ api, office, organisation, person }) => {
  const id = await office.add({ state: 'failed' })
  const officer = await person({ org: office.org, grants: [{ role: 'chapter-admin', chapterId: office.org.rootChapterId }] })
  for (const who of [officer, await person({ org: office.org })]) {
    expect((await api.as(who).get('/data/mails')).body).toMatchObject({ items: [], total: 0 })
    for (const what of ['retry', 'cancel']) expect((await api.as(who).post(`/data/mails/${id}/${what}`)).status).toBe(404)
  }
  const abroad = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  expect((await abroad.get('/data/mails')).body).toMatchObject({ items: [], total: 0 })
  for (const what of ['retry', 'cancel']) expect((await abroad.post(`/data/mails/${id}/${what}`)).status).toBe(404)
})
