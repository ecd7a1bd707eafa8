import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { testDatabase } from '@guildhall/db/testing'
import type { TestDatabase } from '@guildhall/db/testing'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import pg from 'pg'
import { test as base } from 'vitest'
import { createApp } from './app.ts'
import { startSending } from './features/communication/sending/communication.sending.jobs.ts'
import { jobHandlers } from './jobs.ts'
import { mailTemplates } from './mails.ts'
import { readConfig } from './platform/config.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { startOutbox } from './platform/mail/outbox.ts'
import { createLog } from './platform/observability/log.ts'
import type { Log } from './platform/observability/log.ts'
import { createServices } from './platform/services.ts'
import type { Services } from './platform/services.ts'

/** The header that proves a sign-in of a moment ago. */
export type Proof = { 'sign-in-proof': string }

/** Someone who can call the API: an account with its token, linked to a person or not. */
export type TestPerson = { orgId: string; accountId: string; personId: string | null; subject: string; token: string; proof: Proof }
export type TestOrganisation = { id: string; rootChapterId: string }

export type NewPerson = {
  org?: TestOrganisation
  /** Organisation-wide roles that the identity provider vouches for, such as org-admin. */
  idpRoles?: string[]
  /** Roles granted in the database. */
  grants?: { role: string; chapterId?: string; groupId?: string; startsOn?: string; endsOn?: string }[]
  /** Chapter of a live membership; `null` for an account without a person. Default: the root chapter. */
  chapterId?: string | null
  givenName?: string
  familyName?: string
  email?: string
  status?: 'active' | 'suspended' | 'invited' | 'pending_link'
}

type Answer = { status: number; body: never; headers: Record<string, string | string[] | number | undefined>; text: string }
export type Client = Record<
  'get' | 'post' | 'patch' | 'put' | 'del',
  (url: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
> & { proof: Partial<Proof> }

/** The same product over the same database, with other settings. */
export type Variant = { app: FastifyInstance; services: Services; as(token: string | null): Client }

export type World = {
  app: FastifyInstance
  services: Services
  admin: pg.Pool
  issuer: TestIssuer
  filesDir: string
  environment: Record<string, string>
}
export type TestIssuer = {
  url: string
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>
  /** An id token of a sign-in so many seconds ago, as the header it is sent in; claims given replace the usual ones. */
  proof(subject: string, secondsAgo?: number, claims?: Record<string, unknown>): Promise<Proof>
  close(): void
}

const project = 'guildhall-test'
const client = 'guildhall-web'

const now = () => Math.floor(Date.now() / 1000)

async function startIssuer(): Promise<TestIssuer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const url = `http://localhost:${(server.address() as AddressInfo).port}`
    const answers: Record<string, unknown> = {
      '/.well-known/openid-configuration': { issuer: url, jwks_uri: `${url}/keys`, userinfo_endpoint: `${url}/userinfo` },
      '/keys': { keys: [jwk] },
    }
    const answer = answers[request.url ?? '']
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    url,
    proof: async (sub, secondsAgo = 0, claims = {}) => ({
      'sign-in-proof': await new SignJWT({ iss: url, aud: client, sub, nonce: randomUUID(), auth_time: now() - secondsAgo, ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'test', typ: 'JWT' })
        .setIssuedAt()
        .setExpirationTime('10m')
        .sign(privateKey),
    }),
    sign: (claims, header = {}) =>
      new SignJWT({ iss: url, aud: [client, project], client_id: client, jti: randomUUID(), ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: 'test', typ: 'JWT', ...header })
        .setIssuedAt()
        .setExpirationTime(typeof claims['exp'] === 'number' ? claims['exp'] : '10m')
        .sign(privateKey),
    close: () => void server.close(),
  }
}

/** The whole product but the sockets on a database; `settings` go before the usual ones. */
export async function startWorld(database: TestDatabase, settings: Record<string, string> = {}, log = createLog('silent')): Promise<World> {
  const issuer = await startIssuer()
  const filesDir = await mkdtemp(join(tmpdir(), 'guildhall-test-'))
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.apiUrl,
    WORKER_DATABASE_URL: database.workerUrl,
    DATABASE_POOL: '8',
    ACTOR_KEY: database.actorKey,
    ISSUER: issuer.url,
    CLIENT_ID: client,
    PROJECT_RESOURCE_ID: project,
    FILES_DIR: filesDir,
    SIGN_UP: 'invite',
    // What is told to the database in the background would stand among the rows that a test looks at; people-reading.test.ts switches it on.
    PEOPLE_PER_HOUR: 'off',
    LOG_LEVEL: 'silent',
    ...settings,
  }
  const services = createServices(readConfig(environment), log)
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 3 })
  // Files that used this database before leave mails: whoever sends what is due would send those first.
  await admin.query(`delete from app.mail_messages where state in ('queued', 'sending')`)
  return { app: await createApp(services), services, admin, issuer, filesDir, environment }
}

let world: Promise<World> | undefined

/** The whole product but the sockets, once per test worker; every test makes its own organisation in it. */
export const test = base.extend<{
  api: { as(person: TestPerson | null): Client; app: FastifyInstance; services: Services }
  /** The database as its administrator, to set a stage and to look behind the scenes. */
  admin: pg.Pool
  /** Signs tokens as the identity provider of the tests. */
  issuer: TestIssuer
  organisation: (settings?: { directoryReach?: 'organisation' | 'chapter'; timezone?: string }) => Promise<TestOrganisation>
  person: (made?: NewPerson) => Promise<TestPerson>
  chapter: (org: TestOrganisation, name: string, parentId?: string) => Promise<string>
  token: (person: TestPerson, claims?: Record<string, unknown>) => Promise<string>
  /** Another server beside the one of `api`, with settings of its own; it ends with the test. */
  variant: (settings: Record<string, string>, log?: Log) => Promise<Variant>
  /** Runs the queues' handlers until the test ends. */
  worker: undefined
}>({
  // eslint-disable-next-line no-empty-pattern -- vitest wants the destructuring
  api: async ({}, use) => {
    const { app, services } = await (world ??= testDatabase().then((database) => startWorld(database)))
    await use({ app, services, as: (person) => clientFor(app, person) })
  },
  // eslint-disable-next-line no-empty-pattern -- vitest wants the destructuring
  issuer: async ({}, use) => use((await (world ??= testDatabase().then((database) => startWorld(database)))).issuer),
  // eslint-disable-next-line no-empty-pattern -- vitest wants the destructuring
  admin: async ({}, use) => use((await (world ??= testDatabase().then((database) => startWorld(database)))).admin),
  organisation: async ({ admin }, use) => use((settings) => makeOrganisation(admin, settings)),
  chapter: async ({ admin }, use) => use((org, name, parentId = org.rootChapterId) => makeChapter(admin, org.id, name, parentId)),
  person: async ({ admin, organisation }, use) => {
    const { issuer } = await (world ??= testDatabase().then((database) => startWorld(database)))
    let shared: TestOrganisation | undefined
    await use(async (made = {}) => makePerson(admin, issuer, made.org ?? (shared ??= await organisation()), made))
  },
  // eslint-disable-next-line no-empty-pattern -- vitest wants the destructuring
  token: async ({}, use) => {
    const { issuer } = await (world ??= testDatabase().then((database) => startWorld(database)))
    await use((person, claims) => issuer.sign({ sub: person.subject, 'urn:zitadel:iam:user:resourceowner:id': person.orgId, ...claims }))
  },
  // eslint-disable-next-line no-empty-pattern -- vitest wants the destructuring
  variant: async ({}, use) => {
    const { environment } = await (world ??= testDatabase().then((database) => startWorld(database)))
    const made: Variant[] = []
    await use(async (settings, log = createLog('silent')) => {
      const services = createServices(readConfig({ ...environment, DATABASE_POOL: '4', ...settings }), log)
      const app = await createApp(services)
      const variant: Variant = { app, services, as: (token) => clientFor(app, token === null ? null : { token }) }
      made.push(variant)
      return variant
    })
    for (const { app, services } of made) {
      await app.close()
      await services.close()
    }
  },
  worker: async ({ api }, use) => {
    const { config, log } = api.services
    const url = config.WORKER_DATABASE_URL ?? config.DATABASE_URL
    const services = createServices(config, log, url)
    const jobs = await startJobs({ url, handlers: jobHandlers(services), log, metrics: api.services.metrics })
    const outbox = startOutbox(services, mailTemplates)
    const sending = startSending(services)
    await use(undefined)
    await Promise.all([jobs.stop(), outbox.stop(), sending.stop()])
    await services.close()
  },
})

/** For a suite's afterAll, where a file wants nothing left behind; vitest ends the worker otherwise. */
export async function endWorld(): Promise<void> {
  if (!world) return
  const ended = await world
  world = undefined
  await stopWorld(ended)
}

export async function stopWorld({ app, services, admin, issuer, filesDir }: World): Promise<void> {
  await app.close()
  await services.close()
  await admin.end()
  issuer.close()
  await rm(filesDir, { recursive: true, force: true })
}

export async function makeOrganisation(
  admin: pg.Pool,
  settings: { directoryReach?: string; timezone?: string } = {},
): Promise<TestOrganisation> {
  const slug = `t${randomUUID().slice(0, 12)}`
  const { rows } = await admin.query<{ id: string }>('select app.found_organisation($1, $1, null, null) as id', [slug])
  const id = rows[0]?.id ?? ''
  await admin.query('update app.organisations set idp_org_id = $1::text, directory_reach = $2, timezone = $3 where org_id = $1', [
    id,
    settings.directoryReach ?? 'organisation',
    settings.timezone ?? 'UTC',
  ])
  return { id, rootChapterId: await makeChapter(admin, id, 'Root', null) }
}

export async function makeChapter(admin: pg.Pool, orgId: string, name: string, parentId: string | null): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    'insert into app.chapters (org_id, parent_id, name, code) values ($1, $2, $3, $4) returning id',
    [orgId, parentId, name, `${name.slice(0, 20)}-${randomUUID().slice(0, 6)}`],
  )
  return rows[0]?.id ?? ''
}

export async function makePerson(admin: pg.Pool, issuer: TestIssuer, org: TestOrganisation, made: NewPerson): Promise<TestPerson> {
  const subject = randomUUID()
  const chapterId = made.chapterId === undefined ? org.rootChapterId : made.chapterId
  let personId: string | null = null
  if (chapterId) {
    const person = await admin.query<{ id: string }>(
      'insert into app.people (org_id, given_name, family_name) values ($1, $2, $3) returning id',
      [org.id, made.givenName ?? 'Test', made.familyName ?? `Person ${subject.slice(0, 6)}`],
    )
    personId = person.rows[0]?.id ?? ''
    await admin.query(
      `insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) values ($1, $2, $3, '2020-01-01', true)`,
      [org.id, personId, chapterId],
    )
    if (made.email)
      await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
        org.id,
        personId,
        made.email,
      ])
  }
  const account = await admin.query<{ id: string }>(
    'insert into app.accounts (org_id, issuer, subject, status, person_id, idp_roles, email, name, last_login_at) values ($1, $2, $3, $4, $5, $6, $7, $8, case when cardinality($6::text[]) > 0 then now() end) returning id',
    [org.id, issuer.url, subject, made.status ?? 'active', personId, made.idpRoles ?? [], made.email ?? null, made.givenName ?? 'Test'],
  )
  const accountId = account.rows[0]?.id ?? ''
  for (const grant of made.grants ?? []) {
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind, chapter_id, group_id, starts_on, ends_on)
       select $1, $2, r.id, $4, $5, $6, $7, $8 from app.roles r where r.org_id = $1 and r.key = $3`,
      [
        org.id,
        accountId,
        grant.role,
        grant.chapterId ? 'chapter' : grant.groupId ? 'group' : 'org',
        grant.chapterId ?? null,
        grant.groupId ?? null,
        grant.startsOn ?? '2020-01-01',
        grant.endsOn ?? null,
      ],
    )
  }
  const roles = Object.fromEntries((made.idpRoles ?? []).map((role) => [role, { [org.id]: 'test' }]))
  const token = await issuer.sign({
    sub: subject,
    'urn:zitadel:iam:user:resourceowner:id': org.id,
    [`urn:zitadel:iam:org:project:${project}:roles`]: roles,
  })
  return { orgId: org.id, accountId, personId, subject, token, proof: await issuer.proof(subject) }
}

/** Calls a server as somebody, or as nobody. */
export function clientFor(app: FastifyInstance, person: { token: string; proof?: Proof } | null): Client {
  const call =
    (method: NonNullable<InjectOptions['method']>) =>
    async (url: string, body?: unknown, headers: Record<string, string> = {}) => {
      const response = await app.inject({
        method,
        url,
        headers: { ...(person ? { authorization: `Bearer ${person.token}` } : {}), ...headers },
        ...(body === undefined ? {} : { payload: body as string | object }),
      })
      const json = /json/.test(response.headers['content-type'] ?? '') && response.body !== ''
      // Tests know the shape they ask for; `never` lets them read it without casts.
      return {
        status: response.statusCode,
        body: (json ? JSON.parse(response.body) : null) as never,
        headers: response.headers,
        text: response.body,
      }
    }
  const calls = { get: call('GET'), post: call('POST'), patch: call('PATCH'), put: call('PUT'), del: call('DELETE') }
  return { ...calls, proof: person?.proof ?? {} }
}
