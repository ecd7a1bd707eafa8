import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@guildhall/contract/features/integrations'
import { describe, expect } from 'vitest'
import { test as base } from '../../../testing.ts'
import { startRemote } from '../connectors/integrations.remote.testing.ts'
import { act, addConnection, addRun, change, connectionStage, readConnection } from './integrations.connections.testing.ts'
import type { Stage } from './integrations.connections.testing.ts'

const test = base.extend<{ stage: Stage }>({
  stage: async ({ organisation, chapter, person }, use) => use(await connectionStage({ organisation, chapter, person })),
})

describe('while a connection is made', () => {
  test('nobody else waits for the other side to answer', async ({ variant, stage, person, token }) => {
    const remote = await startRemote(async () => {
      await sleep(2_500)
      return { status: 200, body: [] }
    })
    const product = await variant({ OUTGOING_ALLOW: remote.host })
    const holding = { org: stage.org, grants: [{ role: 'org-admin' }] }
    const [one, other] = [product.as(await token(await person(holding))), product.as(await token(await person(holding)))]
    const wanted = { connector: 'sheet', name: 'Slow', settings: { address: `${remote.url}/list.csv` } }
    const connecting = one.post('/actions/connections', wanted, { 'idempotency-key': 'the-same-request' })
    await expect.poll(() => remote.requests.length).toBeGreaterThan(0)
    const since = performance.now()
    const made = await other.post('/data/people', { givenName: 'Ada', familyName: 'Byron', chapterId: stage.org.rootChapterId })
    expect(made.status).toBe(201)
    expect(performance.now() - since).toBeLessThan(1_500)
    expect((await connecting).status).toBe(201)
    await remote.close()
  })

  test('several of one name at once have addresses of their own', async ({ api, stage }) => {
    const connect = () => api.as(stage.admin).post('/actions/connections', { connector: 'sandbox', name: 'Same' })
    const answers = await Promise.all([connect(), connect(), connect(), connect()])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(answers.map(({ body }) => (body as Connection).slug).toSorted()).toEqual(['same', 'same-2', 'same-3', 'same-4'])
  })

  test('none is taken for another by being called like its id', async ({ api, admin, stage }) => {
    const real = await addConnection(admin, stage, { name: 'Zebra' })
    const { body: named } = await api.as(stage.admin).post('/actions/connections', { connector: 'sandbox', name: real })
    expect((named as Connection).slug).toBe(`connection-${real}`)
    await admin.query('update app.connections set slug = $2 where id = $1', [(named as Connection).id, real])
    expect(await readConnection(api.as(stage.admin), real)).toMatchObject({ id: real, name: 'Zebra' })
  })

  test('its chapter has to be one', async ({ api, stage }) => {
    const wanted = { connector: 'sandbox', name: 'Nowhere', chapterId: '01920000-0000-7000-8000-000000000001' }
    expect(await api.as(stage.admin).post('/actions/connections', wanted)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'chapterId', code: 'chapter_not_found' }] },
    })
  })
})

test('a new secret ends the run that is under way, which acts as somebody else', async ({ api, admin, stage }) => {
  const connectionId = await addConnection(admin, stage, {
    ...{ connector: 'mailchimp', category: 'email', chapter_id: stage.west, settings: { list: 'News' } },
    owner_account_id: stage.admin.accountId,
  })
  const runId = await addRun(admin, stage.org, connectionId)
  const officer = api.as(stage.officer)
  expect((await change(officer, connectionId, { secrets: { key: 'mine-us6' } })).status).toBe(200)
  expect(await officer.get(`/data/connections/${connectionId}/runs/${runId}`)).toMatchObject({ status: 200, body: { state: 'cancelled' } })
})

test('without a schedule there is no next run', async ({ api, admin, stage }) => {
  const connectionId = await addConnection(admin, stage, { every_minutes: 60 })
  const client = api.as(stage.admin)
  expect(await change(client, connectionId, { everyMinutes: 30 })).toMatchObject({ body: { nextRunAt: expect.any(String) } })
  expect(await change(client, connectionId, { everyMinutes: null })).toMatchObject({
    status: 200,
    body: { everyMinutes: null, nextRunAt: null },
  })
})

test('examples of their fields go when it is disconnected', async ({ api, admin, stage }) => {
  const connectionId = await addConnection(admin, stage, { connector: 'sheet' })
  const field = { key: 'Mail', label: null, example: 'ada@example.org', isKey: true }
  await admin.query('update app.connections set their_fields = $2 where id = $1', [connectionId, JSON.stringify([field])])
  const client = api.as(stage.admin)
  expect(await client.get(`/data/connections/${connectionId}/mapping`)).toMatchObject({ body: { theirs: [field] } })
  expect((await act(client, connectionId, 'disconnect')).status).toBe(200)
  expect(await client.get(`/data/connections/${connectionId}/mapping`)).toMatchObject({ body: { theirs: [] } })
})
