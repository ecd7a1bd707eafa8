import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createApp } from '../../app.ts'
import { test as base } from '../../testing.ts'
import type { TestPerson } from '../../testing.ts'

/** An installation that has the recorder switched on. */
const test = base.extend<{
  send: (person: TestPerson, recording: string, part: number, events?: object[]) => Promise<{ status: number; reason?: string }>
}>({
  send: async ({ api }, use) => {
    const app = await createApp({ ...api.services, config: { ...api.services.config, RECORDING: 'on' } })
    await use(async ({ token }, recording, part, events = [{ type: 4, timestamp: 1, data: { href: '/groups' } }]) => {
      const answer = await app.inject({
        method: 'PUT',
        url: `/data/recordings/${recording}/parts`,
        payload: JSON.stringify({ part, events }),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      })
      return { status: answer.statusCode, reason: answer.body === '' ? undefined : JSON.parse(answer.body).reason }
    })
    await app.close()
  },
})

test('nothing is taken while the recorder is switched off, as it is at first', async ({ api, organisation, person }) => {
  const someone = await person({ org: await organisation() })
  const events = [{ type: 4, timestamp: 1 }]
  expect(await api.as(someone).put(`/data/recordings/${randomUUID()}/parts`, { part: 0, events })).toMatchObject({ status: 404 })
})

test('a recording is put together from its parts, for administrators only, and can be deleted', async ({
  api,
  organisation,
  person,
  send,
}) => {
  const org = await organisation()
  const someone = await person({ org, chapterId: null })
  const recording = randomUUID()
  expect(await send(someone, recording, 1, [{ type: 3, timestamp: 2 }])).toMatchObject({ status: 204 })
  expect(await send(someone, recording, 0, [{ type: 4, timestamp: 1, data: { href: '/groups' } }])).toMatchObject({ status: 204 })
  expect(await send(someone, recording, 0, [{ type: 2, timestamp: 9 }])).toMatchObject({ status: 204 })
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  expect(await boss.get('/data/recordings')).toMatchObject({
    status: 200,
    body: { total: 1, items: [{ id: recording, parts: 2, account: { id: someone.accountId } }] },
  })
  expect(await boss.get(`/data/recordings/${recording}`)).toMatchObject({
    body: {
      events: [
        { type: 4, timestamp: 1, data: { href: '/groups' } },
        { type: 3, timestamp: 2 },
      ],
    },
  })
  const others = [
    someone,
    await person({ org, grants: [{ role: 'communications' }] }),
    await person({ org: await organisation(), idpRoles: ['org-owner'] }),
  ]
  for (const other of others.map((one) => api.as(one))) {
    expect(await other.get('/data/recordings')).toMatchObject({ body: { items: [], total: 0 } })
    expect(await other.get(`/data/recordings/${recording}`)).toMatchObject({ status: 404 })
    expect(await other.del(`/data/recordings/${recording}`)).toMatchObject({ status: 404 })
  }
  expect(await boss.del(`/data/recordings/${recording}`)).toMatchObject({ status: 204 })
  expect(await boss.get('/data/recordings')).toMatchObject({ body: { total: 0 } })
})

test('nobody writes into the recording of somebody else, or without end', async ({ admin, organisation, person, send }) => {
  const org = await organisation()
  const [one, other] = [await person({ org, chapterId: null }), await person({ org, chapterId: null })]
  const recording = randomUUID()
  expect(await send(one, recording, 0)).toMatchObject({ status: 204 })
  expect(await send(other, recording, 1)).toMatchObject({ status: 429, reason: 'recording_limit' })
  expect(await send(one, recording, 200)).toMatchObject({ status: 422 })
  expect(await send(one, recording, 1, [{ type: 3, timestamp: 1, data: 'x'.repeat(263_000) }])).toMatchObject({ status: 413 })
  await admin.query(
    `insert into app.recording_parts (org_id, recording_id, part, account_id, events)
     select $1, gen_random_uuid(), 0, $2, '[]' from generate_series(1, 399)`,
    [org.id, one.accountId],
  )
  expect(await send(one, randomUUID(), 0)).toMatchObject({ status: 429 })
  expect(await send(other, randomUUID(), 0)).toMatchObject({ status: 204 })
})

test('recordings are forgotten after two weeks', async ({ admin, organisation, person, send }) => {
  const org = await organisation()
  const someone = await person({ org, chapterId: null })
  for (const id of [randomUUID(), randomUUID()]) await send(someone, id, 0)
  await admin.query(
    `update app.recording_parts set created_at = now() - interval '15 days' where ctid = (select ctid from app.recording_parts where org_id = $1 limit 1)`,
    [org.id],
  )
  await admin.query('select app.purge_recordings()')
  expect((await admin.query('select from app.recording_parts where org_id = $1', [org.id])).rowCount).toBe(1)
})
