import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers } from '@guildhall/bench/programs'
import { demoPeople, loadDemo } from '@guildhall/db/demo'
import type { DemoPerson } from '@guildhall/db/demo'
import { databaseUrl, migrate } from '@guildhall/db/migrate'
import { startIdentityProvider } from '@guildhall/dev/identity-provider'
import { startMailInbox } from '@guildhall/dev/mail-inbox'
import type { MailInbox } from '@guildhall/dev/mail-inbox'
import { freePort } from '@guildhall/dev/ports'
import { startPostgres } from '@guildhall/dev/postgres'
import type { Postgres } from '@guildhall/dev/postgres'
import pg from 'pg'
import { startProcess } from './processes.ts'
import type { Process } from './processes.ts'
import { startProxy } from './proxy.ts'
import type { Proxy } from './proxy.ts'

/** The whole product as its operator would start it: servers, workers, a database, an identity provider and a mail server, each a process of its own or a line to one. */
export type Stage = {
  folder: string
  orgId: string
  servers: (Process & { url: string })[]
  workers: Process[]
  postgres: Postgres
  /** The line from servers and workers to the database. */
  line: Proxy
  inbox: MailInbox
  admin: pg.Pool
  adminUrl: string
  actorKey: string
  /** Settings of servers and workers, for further processes. */
  env: Record<string, string>
  logFile: string
  /** What someone of the demo sends along. */
  as: (sub: string) => Promise<Record<string, string>>
  addServer: (more?: Record<string, string>) => Promise<Process & { url: string }>
  addWorker: (file?: URL, more?: Record<string, string>) => Promise<Process>
  stop: () => Promise<void>
}

export type StageOptions = {
  people?: number
  servers?: number
  workers?: number
  env?: Record<string, string>
  /** Whom the identity provider knows besides the people of the demo. */
  strangers?: readonly DemoPerson[]
  /** Where the database keeps its files, if not in the stage's own folder. */
  postgresFolder?: string
  preload?: URL
  log?: (line: string) => void
}

const program = (file: string) => new URL(`../../apps/api/src/${file}`, import.meta.url)

export async function setStage(options: StageOptions = {}): Promise<Stage> {
  const { people = 500, servers = 2, workers = 2, strangers = [], log = () => {}, preload } = options
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.toReversed()) await end().catch((error: unknown) => log(String(error)))
  }
  try {
    const folder = await mkdtemp(join(tmpdir(), 'guildhall-faults-'))
    // PostgreSQL runs as somebody else when root starts it, and passes through here.
    await chmod(folder, 0o711)
    stops.push(() => rm(folder, { recursive: true, force: true }))
    const postgres = await startPostgres({ dataDir: options.postgresFolder ?? join(folder, 'postgres'), log })
    stops.push(
      () => rm(postgres.folder, { recursive: true, force: true }),
      () => postgres.stop(),
    )
    const secret = () => randomBytes(32).toString('hex')
    const [actorKey, apiPassword, workerPassword] = [secret(), secret(), secret()]
    const adminUrl = databaseUrl(postgres.url, 'guildhall')
    await withClient(postgres.url, (client) => client.query('create database guildhall'))
    await migrate({ adminUrl, apiPassword, workerPassword, actorKey })
    const provider = await startIdentityProvider({
      port: 0,
      appUrl: 'http://localhost:9',
      dataDir: folder,
      people: [...demoPeople, ...strangers],
      accessTokenSeconds: 7_200,
    })
    stops.push(() => provider.stop())
    const today = new Date().toISOString().slice(0, 10)
    const { orgId } = await loadDemo({ adminUrl, people, issuer: provider.issuer, size: people > 100_000 ? 'large' : 'small', today })
    const inbox = await startMailInbox({ port: 0, smtpPort: 0, dataDir: folder })
    stops.push(() => inbox.stop())
    const line = await startProxy(() => postgres.port)
    stops.push(() => line.stop())
    const admin = new pg.Pool({ connectionString: adminUrl, max: 4 })
    admin.on('error', () => undefined)
    stops.push(() => admin.end())

    const login = (role: string, password: string) => {
      const url = new URL(adminUrl)
      url.username = role
      url.password = password
      url.port = String(line.port)
      return url.toString()
    }
    const env: Record<string, string> = {
      NODE_ENV: 'development', HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:9', ACTOR_KEY: actorKey, ISSUER: provider.issuer,
      DATABASE_URL: login('app_api', apiPassword), WORKER_DATABASE_URL: login('app_worker', workerPassword), CLIENT_ID: 'guildhall-web',
      PROJECT_RESOURCE_ID: 'guildhall', ORG_ID: 'demo', FILES_DIR: join(folder, 'files'), SMTP_URL: inbox.smtpUrl,
      MAIL_FROM: 'Guildhall <no-reply@demo.example>', DRAIN_SECONDS: '0', PEOPLE_PER_HOUR: '1000000000,1000000000,1000000000', ...options.env,
    } // prettier-ignore
    const logFile = join(folder, 'product.log')
    const watched = preload ? { preload } : {}
    const stage: Stage = {
      folder, orgId, postgres, line, inbox, admin, adminUrl, actorKey, env, logFile, stop, servers: [], workers: [],
      as: async (sub) => ({ authorization: `Bearer ${await provider.mintAccessToken(sub)}` }),
      addServer: async (more = {}) => {
        const port = await freePort()
        const url = `http://127.0.0.1:${port}`
        const isReady = answers(`${url}/readyz`)
        const server = await startProcess({ file: program('server.ts'), env: { ...env, PORT: String(port), ...more }, logFile, isReady, ...watched })
        stops.push(() => server.kill())
        return { ...server, url }
      },
      addWorker: async (file = program('worker.ts'), more = {}) => {
        const worker = await startProcess({ file, env: { ...env, ...more }, logFile, ...watched })
        stops.push(() => worker.kill())
        return worker
      },
    } // prettier-ignore
    for (let i = 0; i < servers; i++) stage.servers.push(await stage.addServer())
    for (let i = 0; i < workers; i++) stage.workers.push(await stage.addWorker())
    return stage
  } catch (error) {
    await stop()
    throw error
  }
}

export async function withClient<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return run(client).finally(() => client.end())
}

/** One row's columns, as the administrator sees them. */
export async function rowOf<Row extends pg.QueryResultRow>(admin: pg.Pool, text: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await admin.query<Row>(text, values)
  const [row] = rows
  if (!row) throw new Error(`No row: ${text}`)
  return row
}
