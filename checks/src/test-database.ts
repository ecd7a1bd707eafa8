import type { TestServer } from '@guildhall/db/testing'
import type { TestProject } from 'vitest/node'
import { startMigratedServer, type MigratedServer } from './migrated-database.ts'

type Shared = { users: number; server: Promise<MigratedServer> }

declare global {
  /** One server for all projects of a run, although each project loads this file by itself. */
  var testServer: Shared | undefined
}

/** Vitest's global set-up of every project that needs PostgreSQL: the first one starts it, the last one stops it. */
export async function setup(project: TestProject) {
  const using = (globalThis.testServer ??= { users: 0, server: startMigratedServer() })
  using.users += 1
  const { adminUrl, database, password, actorKey } = await using.server
  const testServer: TestServer = { adminUrl, template: database, prefix: `test_${project.name}`, password, actorKey }
  project.provide('testServer', testServer)
  return async () => {
    using.users -= 1
    if (using.users > 0) return
    globalThis.testServer = undefined
    await (await using.server).stop()
  }
}
