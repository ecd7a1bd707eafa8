import pg from 'pg'
import { inject } from 'vitest'
import { databaseUrl, noTemporaryTables } from './migrate.ts'

/** What the set-up of a test run hands to its workers: a server with one migrated, empty database to copy. */
export type TestServer = { adminUrl: string; template: string; prefix: string; password: string; actorKey: string }

declare module 'vitest' {
  interface ProvidedContext {
    testServer: TestServer
  }
}

export type TestDatabase = { adminUrl: string; apiUrl: string; workerUrl: string; actorKey: string }

let mine: Promise<TestDatabase> | undefined

/**
 * This test worker's own copy of the migrated database, with a url per role. Test files that run one after another in the same worker share it:
 * make a new organisation per test instead of emptying tables, and roll back changes of the schema.
 */
export const testDatabase = () => (mine ??= copyTemplate(inject('testServer'), process.env['VITEST_POOL_ID'] ?? '1'))

/** A further copy under a name of one's own, for tests that must not share: of restarts, backups, migrations. */
export async function copyTemplate({ adminUrl, template, prefix, password, actorKey }: TestServer, name: string): Promise<TestDatabase> {
  const database = `${prefix}_${name}`
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  try {
    await admin.query(`create database ${pg.escapeIdentifier(database)} template ${pg.escapeIdentifier(template)}`)
  } catch (error) {
    const exists = error instanceof pg.DatabaseError && error.code === '42P04'
    if (!exists) throw error
  } finally {
    await admin.end()
  }
  const url = databaseUrl(adminUrl, database)
  const copy = new pg.Client({ connectionString: url })
  await copy.connect()
  await copy.query(noTemporaryTables).finally(() => copy.end())
  return { adminUrl: url, apiUrl: as('app_api', password, url), workerUrl: as('app_worker', password, url), actorKey }
}

function as(role: string, password: string, adminUrl: string) {
  const url = new URL(adminUrl)
  url.username = role
  url.password = password
  return url.toString()
}
