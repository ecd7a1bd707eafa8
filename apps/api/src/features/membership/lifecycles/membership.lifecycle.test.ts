import { expect } from 'vitest'
import type pg from 'pg'
import { test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const free = { name: 'Friend', period: 'rolling', months: 12, graceDays: 10, price: { amount: 0, currency: 'EUR' }, needsApproval: false }
type Person = { lifecycle: string; version: number }
const personOf = async (client: Client, id: string | null) => (await client.get(`/data/people/${id ?? ''}`)).body as Person
const run = (admin: pg.Pool, org: string, on: string) =>
  admin.query('select app.run_memberships($1, $2), app.end_lifecycle_overrides($1, $2)', [org, on])

test('the lifecycle follows the memberships: active while one counts, former afterwards, alumni where a chapter says so', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const type = (await boss.post('/data/membership-types', free)).body as { id: string }
  const guest = await person({ org, chapterId: null })
  const joined = (await api.as(guest).post('/data/memberships/applications', { typeId: type.id, chapterId: org.rootChapterId })).body as {
    id: string
    version: number
    person: { id: string }
  }
  const who = joined.person.id
  expect((await personOf(boss, who)).lifecycle).toBe('active')
  const paused = (await boss.post(`/data/memberships/${joined.id}/suspend`, { reason: 'Leave' }, match(joined.version))).body as {
    version: number
  }
  expect((await personOf(boss, who)).lifecycle).toBe('former')
  await boss.post(`/data/memberships/${joined.id}/resume`, {}, match(paused.version))
  expect((await personOf(boss, who)).lifecycle).toBe('active')
  await admin.query(`update app.memberships set auto_renew = false where id = $1`, [joined.id])
  await run(admin, org.id, '2099-01-01')
  expect((await personOf(boss, who)).lifecycle).toBe('former')
  await boss.post(`/data/people/${who}/memberships`, { chapterId: org.rootChapterId, kind: 'alumni' })
  expect((await personOf(boss, who)).lifecycle).toBe('alumni')
})

test('a lifecycle that is set by hand against the memberships holds for a year, has a reason, and ends by itself', async ({
  api,
  organisation,
  person,
  admin,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const type = (await boss.post('/data/membership-types', { ...free, period: 'lifetime', months: null })).body as { id: string }
  const me = await person({ org })
  await api.as(me).post('/data/memberships/applications', { typeId: type.id, chapterId: null })
  const { version } = await personOf(boss, me.personId)
  expect(await boss.patch(`/data/people/${me.personId ?? ''}`, { lifecycle: 'alumni' }, match(version))).toMatchObject({
    status: 200,
    body: { lifecycle: 'alumni' },
  })
  const overrides = () =>
    admin.query<{ lifecycle: string; reason: string; days: number }>(
      'select lifecycle, reason, until - current_date as days from app.lifecycle_overrides where org_id = $1',
      [org.id],
    )
  expect((await overrides()).rows).toMatchObject([{ lifecycle: 'alumni', reason: 'Set by hand' }])
  expect((await overrides()).rows[0]?.days).toBeGreaterThan(360)
  await run(admin, org.id, '2028-01-01')
  expect((await overrides()).rows).toEqual([])
  expect((await personOf(boss, me.personId)).lifecycle).toBe('active')
  // Setting what the memberships say anyhow is no override.
  const changed = (
    await boss.patch(`/data/people/${me.personId ?? ''}`, { lifecycle: 'former' }, match((await personOf(boss, me.personId)).version))
  ).body as Person
  await boss.patch(`/data/people/${me.personId ?? ''}`, { lifecycle: 'active' }, match(changed.version))
  expect((await overrides()).rows).toEqual([])
})

test('who never held a membership keeps what was set by hand, also as an applicant', async ({ api, organisation, person, admin }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const type = (await boss.post('/data/membership-types', { ...free, needsApproval: true })).body as { id: string }
  const me = await person({ org })
  const { version } = await personOf(boss, me.personId)
  await boss.patch(`/data/people/${me.personId ?? ''}`, { lifecycle: 'alumni' }, match(version))
  await api.as(me).post('/data/memberships/applications', { typeId: type.id, chapterId: null })
  await run(admin, org.id, '2099-01-01')
  expect((await personOf(boss, me.personId)).lifecycle).toBe('alumni')
})

test('officers see whose lifecycle was set by hand, until when and why, and end it; the run ends what is over', async ({
  api,
  organisation,
  person,
  chapter,
  admin,
}) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const officer = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const type = (await boss.post('/data/membership-types', free)).body as { id: string }
  const here = await person({ org, chapterId: west })
  const there = await person({ org })
  for (const one of [here, there]) {
    await api.as(one).post('/data/memberships/applications', { typeId: type.id, chapterId: null })
    const { version } = await personOf(boss, one.personId)
    await boss.patch(`/data/people/${one.personId ?? ''}`, { lifecycle: 'alumni' }, match(version))
  }
  const list = async (client: Client, query = '') =>
    (await client.get(`/data/lifecycle-overrides${query}`)).body as { items: unknown[]; total: number }
  expect(await list(boss)).toMatchObject({ total: 2 })
  expect(await list(boss, `?chapterId=${west}`)).toMatchObject({
    items: [{ person: { id: here.personId }, lifecycle: 'alumni', reason: 'Set by hand', may: { end: true } }],
    total: 1,
  })
  expect(await list(officer)).toMatchObject({ items: [{ person: { id: here.personId } }], total: 1 })
  expect(await list(api.as(here))).toMatchObject({ items: [], total: 0 })
  expect(await officer.del(`/data/people/${there.personId ?? ''}/lifecycle-override`)).toMatchObject({ status: 404 })
  expect(await api.as(here).del(`/data/people/${here.personId ?? ''}/lifecycle-override`)).toMatchObject({ status: 404 })
  expect(await officer.del(`/data/people/${here.personId ?? ''}/lifecycle-override`)).toMatchObject({ status: 204 })
  expect((await personOf(boss, here.personId)).lifecycle).toBe('active')
  expect(await officer.del(`/data/people/${here.personId ?? ''}/lifecycle-override`)).toMatchObject({ status: 404 })
  await admin.query(`update app.lifecycle_overrides set until = '2020-01-01' where org_id = $1`, [org.id])
  expect(await boss.post('/data/memberships/run')).toMatchObject({ status: 200 })
  expect(await list(boss)).toMatchObject({ items: [], total: 0 })
  expect((await personOf(boss, there.personId)).lifecycle).toBe('active')
})

test('memberships with an override are listed by themselves', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const type = (await boss.post('/data/membership-types', free)).body as { id: string }
  const join = async () =>
    (await api.as(await person({ org })).post('/data/memberships/applications', { typeId: type.id, chapterId: null })).body as {
      id: string
      version: number
    }
  const [one] = [await join(), await join()]
  const override = { status: 'lapsed', until: '2099-12-31', reason: 'Left the country' }
  await boss.post(`/data/memberships/${one.id}/override`, { override }, match(one.version))
  expect(await boss.get('/data/memberships?overridden=true')).toMatchObject({ body: { items: [{ id: one.id, override }], total: 1 } })
})
