import { join } from 'node:path'
import { databaseUrl, migrate } from '@guildhall/db/migrate'
import pg from 'pg'
import { PlainError } from './plain-error.ts'
import { startPostgres } from './postgres.ts'
import { loadSecrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import type { Shutdown } from './shutdown.ts'
import type { Log } from './supervise.ts'

export type RunningDatabase = {
  adminUrl: string
  apiUrl: string
  workerUrl: string
  actorKey: string
  /** Where its data is, in words for a person. */
  place: string
}

const ownName = 'guildhall'
const oldestMajor = 15

/** A PostgreSQL that runs and has our own database in it: the one npm installed, or the one of DATABASE_URL. */
export async function startDatabase({ dataDir, databaseUrl: given }: Settings, shutdown: Shutdown, log: Log): Promise<RunningDatabase> {
  const secrets = await loadSecrets(dataDir)
  const server = given ? await useServer(given) : await startOwn(join(dataDir, 'postgres'), shutdown, log)
  const { adminUrl, place } = server
  return {
    adminUrl,
    apiUrl: as('app_api', secrets.apiPassword, adminUrl),
    workerUrl: as('app_worker', secrets.workerPassword, adminUrl),
    actorKey: secrets.actorKey,
    place,
  }
}

/** Brings the database to the current schema; answers how many steps that took. */
export async function migrateDatabase({ adminUrl, actorKey, apiUrl, workerUrl }: RunningDatabase): Promise<number> {
  const { applied } = await migrate({
    adminUrl,
    actorKey,
    apiPassword: new URL(apiUrl).password,
    workerPassword: new URL(workerUrl).password,
  })
  return applied.length
}

async function startOwn(dataDir: string, shutdown: Shutdown, log: Log) {
  const server = await startPostgres({ dataDir, log })
  await shutdown.add(server)
  await createDatabase(server.url, ownName)
  return { adminUrl: databaseUrl(server.url, ownName), place: server.folder }
}

async function useServer(url: string) {
  const { hostname, port, pathname } = new URL(url)
  const name = decodeURIComponent(pathname.slice(1))
  const server = `the PostgreSQL at ${hostname}:${port || 5432}`
  try {
    const major = await serverMajor(url)
    if (major < oldestMajor) throw new PlainError(`DATABASE_URL leads to PostgreSQL ${major}; Guildhall needs ${oldestMajor} or newer.`)
    if (name && name !== 'postgres') return { adminUrl: url, place: `${server}, database ${name}` }
    await createDatabase(url, ownName)
    return { adminUrl: databaseUrl(url, ownName), place: `${server}, database ${ownName}` }
  } catch (error) {
    if (error instanceof PlainError) throw error
    throw new PlainError(
      `DATABASE_URL does not work: ${server} says ${error instanceof Error ? error.message || 'nothing' : String(error)}.`,
    )
  }
}

const serverMajor = (url: string): Promise<number> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ version: number }>("select current_setting('server_version_num')::int as version")
    return Math.floor((rows[0]?.version ?? 0) / 10_000)
  })

const createDatabase = (url: string, name: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (!rowCount) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  })

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function as(role: string, password: string, adminUrl: string): string {
  const url = new URL(adminUrl)
  url.username = role
  url.password = password
  return url.toString()
}
