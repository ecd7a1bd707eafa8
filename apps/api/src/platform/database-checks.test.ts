import { openDatabase } from '@guildhall/db'
import { copyTemplate, type TestDatabase } from '@guildhall/db/testing'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { test as overHttp } from '../testing.ts'
import { refuseForeignKey, refuseOtherRoles, refuseUnsafeDatabase } from './database-checks.ts'

const ownCopy = () => copyTemplate(inject('testServer'), `boot_${process.env['VITEST_POOL_ID']}`)

async function start({ actorKey }: TestDatabase, url: string) {
  const database = openDatabase({ url, actorKey })
  onTestFinished(() => database.close())
  await refuseUnsafeDatabase(database)
}

test('the role of the api may serve', async () => {
  const copy = await ownCopy()
  await start(copy, copy.apiUrl)
  await start(copy, copy.workerUrl)
})

test('a key that the database does not have is refused', async () => {
  const copy = await ownCopy()
  const sign = async (actorKey: string) => {
    const database = openDatabase({ url: copy.apiUrl, actorKey })
    await refuseForeignKey(database).finally(() => database.close())
  }
  await sign(copy.actorKey)
  await expect(sign('3f9a'.repeat(16))).rejects.toThrow(/ACTOR_KEY must be the key that "guildhall migrate" stored last/)
})

test('the worker’s role works on jobs, the api’s does not', async () => {
  const copy = await ownCopy()
  const work = async (url: string) => {
    const database = openDatabase({ url, actorKey: copy.actorKey })
    await refuseOtherRoles(database).finally(() => database.close())
  }
  await work(copy.workerUrl)
  await expect(work(copy.apiUrl)).rejects.toThrow(/app_api may not work on jobs. Use app_worker in WORKER_DATABASE_URL/)
})

test('a role above row-level security may not', async () => {
  const copy = await ownCopy()
  await expect(start(copy, copy.adminUrl)).rejects.toThrow(/postgres stands above row-level security/)
})

test('no role may on a database with a broken rule, and the breach is named', async () => {
  const copy = await ownCopy()
  const admin = new pg.Client({ connectionString: copy.adminUrl })
  await admin.connect()
  try {
    await admin.query('alter table app.people no force row level security')
    await expect(start(copy, copy.apiUrl)).rejects.toThrow(/row-level security is enabled and forced on every table: people/)
    await admin.query('alter table app.people force row level security')
    await start(copy, copy.apiUrl)
  } finally {
    await admin.end()
  }
})

overHttp('a server whose key the database no longer takes is not ready', async ({ api, variant }) => {
  expect((await api.app.inject('/readyz')).json()).toMatchObject({ status: 'ready', keyAccepted: true })
  const { app } = await variant({ ACTOR_KEY: '3f9a'.repeat(16) })
  const answer = await app.inject('/readyz')
  expect([answer.statusCode, answer.json()]).toEqual([
    503,
    expect.objectContaining({ status: 'not ready', database: true, keyAccepted: false }),
  ])
})
