import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { databaseUrl, migrate } from '@guildhall/db/migrate'
import { startPostgres } from '@guildhall/dev/postgres'
import pg from 'pg'

export type MigratedServer = { adminUrl: string; database: string; password: string; actorKey: string; stop: () => Promise<void> }

/** A PostgreSQL of our own in a temporary folder with one freshly migrated database; TEST_PG_BIN chooses another version of it. */
export async function startMigratedServer(): Promise<MigratedServer> {
  const { TEST_PG_BIN } = process.env
  if (TEST_PG_BIN) process.env['PG_BIN'] = TEST_PG_BIN
  const dataDir = await mkdtemp(path.join(tmpdir(), 'guildhall-test-'))
  const server = await startPostgres({ dataDir, fsync: false, log: () => undefined })
  const stop = async () => {
    await server.stop()
    await rm(server.folder, { recursive: true, force: true })
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const database = 'guildhall_template'
    const password = 'test'
    const actorKey = 'a1'.repeat(32)
    await query(server.url, `create database ${database}`)
    await migrate({ adminUrl: server.url, database, apiPassword: password, workerPassword: password, actorKey })
    return { adminUrl: server.url, database, password, actorKey, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** Runs `work` on a freshly migrated database and takes it away again. */
export async function withMigratedDatabase<T>(work: (client: pg.Client) => Promise<T>) {
  const server = await startMigratedServer()
  try {
    const client = new pg.Client({ connectionString: databaseUrl(server.adminUrl, server.database) })
    await client.connect()
    return await work(client).finally(() => client.end())
  } finally {
    await server.stop()
  }
}
