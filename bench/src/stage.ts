import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { loadDemo } from '@guildhall/db/demo'
import type { DemoSize } from '@guildhall/db/demo'
import { databaseUrl, migrate } from '@guildhall/db/migrate'
import { startIdentityProvider } from '@guildhall/dev/identity-provider'
import { freePort } from '@guildhall/dev/ports'
import { startPostgres } from '@guildhall/dev/postgres'
import pg from 'pg'
import { answers, startProgram } from './programs.ts'
import type { Program } from './programs.ts'

/** The product as its operator would start it, on a database of its own with so many people. */
export type Stage = {
  people: number
  size: DemoSize
  /** Of PostgreSQL. */
  version: string
  apiUrl: string
  orgId: string
  actorKey: string
  /** As the server's role, to which row-level security applies. */
  databaseUrl: string
  admin: pg.Client
  api: Program
  worker: Program
  /** Of the database server. */
  postmaster: number
  loadSeconds: number
  /** What someone of the demo sends along. */
  as: (sub: string) => Promise<Record<string, string>>
  stop: () => Promise<void>
}

const api = (file: string) => new URL(`../../apps/api/src/${file}`, import.meta.url)
/** From here on the organisation has the tree and the groups of a very large one. */
const veryLarge = 500_000

/** `webDist` is the built web application, for what is measured in a browser; `settings` are those of server and worker that are not the usual ones. */
export async function setStage(
  people: number,
  log: (line: string) => void,
  webDist?: string,
  settings: Record<string, string> = {},
): Promise<Stage> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.toReversed()) await end()
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-bench-'))
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const server = await startPostgres({ dataDir: join(folder, 'postgres'), log })
    stops.push(
      () => rm(server.folder, { recursive: true, force: true }),
      () => server.stop(),
    )
    const secret = () => randomBytes(32).toString('hex')
    const [actorKey, apiPassword, workerPassword] = [secret(), secret(), secret()]
    const adminUrl = databaseUrl(server.url, 'guildhall')
    await withClient(server.url, (client) => client.query('create database guildhall'))
    await migrate({ adminUrl, apiPassword, workerPassword, actorKey })

    const size = people < veryLarge ? 'large' : 'very-large'
    const port = await freePort()
    const apiUrl = `http://127.0.0.1:${port}`
    const provider = await startIdentityProvider({ port: 0, appUrl: apiUrl, dataDir: folder, accessTokenSeconds: 7_200 })
    stops.push(() => provider.stop())
    const started = performance.now()
    const { orgId } = await loadDemo({
      adminUrl, people, issuer: provider.issuer, size, today: new Date().toISOString().slice(0, 10),
      onProgress: (done, of) => done % 100_000 === 0 && log(`${done.toLocaleString('en')} of ${of.toLocaleString('en')} people`),
    }) // prettier-ignore
    const loadSeconds = (performance.now() - started) / 1_000
    const admin = new pg.Client({ connectionString: adminUrl })
    await admin.connect()
    stops.push(() => admin.end())
    await admin.query('vacuum analyze')
    const versions = await admin.query<{ server_version: string }>('show server_version')

    const login = (role: string, password: string) => {
      const url = new URL(adminUrl)
      url.username = role
      url.password = password
      return url.toString()
    }
    const env = {
      // Counted as everywhere, but never too many.
      PEOPLE_PER_HOUR: '1000000000,1000000000,1000000000',
      NODE_ENV: 'development', HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: apiUrl, DATABASE_URL: login('app_api', apiPassword),
      WORKER_DATABASE_URL: login('app_worker', workerPassword), ACTOR_KEY: actorKey, ISSUER: provider.issuer, CLIENT_ID: 'guildhall-web',
      PROJECT_RESOURCE_ID: 'guildhall', ORG_ID: 'demo', FILES_DIR: join(folder, 'files'), ...settings,
    } // prettier-ignore
    const app = await startProgram(api('server.ts'), { ...env, ...(webDist && { WEB_DIST: webDist }) }, answers(`${apiUrl}/readyz`))
    stops.push(() => app.stop())
    const worker = await startProgram(api('worker.ts'), env, async () => true)
    stops.push(() => worker.stop())
    return {
      people,
      size,
      version: versions.rows[0]?.server_version ?? '',
      apiUrl,
      orgId,
      actorKey,
      databaseUrl: env.DATABASE_URL,
      admin,
      api: app,
      worker,
      postmaster: server.pid() ?? 0,
      loadSeconds,
      as: async (sub) => ({ authorization: `Bearer ${await provider.mintAccessToken(sub)}` }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function withClient(url: string, run: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await run(client).finally(() => client.end())
}
