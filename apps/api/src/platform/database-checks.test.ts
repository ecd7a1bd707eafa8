import { openDatabase } from '@guildhall/db'
import { copyTemplate, type TestDatabase } from '@guildhall/db/testing'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { refuseUnsafeDatabase } from './database-checks.ts'

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
