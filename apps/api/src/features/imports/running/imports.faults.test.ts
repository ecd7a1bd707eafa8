import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTemplate } from '@guildhall/db/testing'
import type { TestDatabase } from '@guildhall/db/testing'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { readConfig } from '../../../platform/config.ts'
import { createLog } from '../../../platform/observability/log.ts'
import { createServices } from '../../../platform/services.ts'
import type { Services } from '../../../platform/services.ts'
import { importable } from '../../../import-plans.ts'
import { prepareImport } from '../imports.command.jobs.ts'
import { workImport } from './imports.jobs.ts'
import { updateImport } from '../imports.queries.ts'

// Kills a real worker in the middle of an import. `npm run bench` does the same with more rows and more kills.

const rows = 3_000
const csv = [
  'member_no,first_name,last_name,email,party',
  ...Array.from({ length: rows }, (_, i) => `M${i},Given${i % 89},Family${i % 311},p${i}@example.org,${i % 2 ? 'Gold' : 'Blue'}`),
].join('\n')

type Stage = {
  database: TestDatabase
  admin: pg.Pool
  services: Services
  environment: Record<string, string>
  importId: string
  orgId: string
  accountId: string
  end(): Promise<void>
}

/** A database of its own with an organisation and an import that is ready to run. */
async function stage(name: string): Promise<Stage> {
  const database = await copyTemplate(inject('testServer'), name)
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-faults-'))
  const environment = {
    NODE_ENV: 'test',
    DATABASE_URL: database.apiUrl,
    WORKER_DATABASE_URL: database.workerUrl,
    ACTOR_KEY: database.actorKey,
    ISSUER: 'http://localhost:9',
    CLIENT_ID: 'guildhall-web',
    PROJECT_RESOURCE_ID: 'guildhall',
    FILES_DIR: join(folder, 'files'),
    LOG_LEVEL: 'silent',
  }
  const services = createServices(readConfig(environment), createLog('silent'), database.workerUrl)
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 })
  admin.on('error', () => undefined)
  const org = await admin.query<{ id: string }>(`select app.found_organisation('faults', 'Faults', null, null) as id`)
  const orgId = org.rows[0]?.id ?? ''
  await admin.query(
    `insert into app.accounts (org_id, issuer, subject, status, email, idp_roles) values ($1, 'x', 'x', 'active', 'secretary@example.org', '{org-admin}')`,
    [orgId],
  )
  const path = join(folder, 'people.csv')
  await writeFile(path, csv)
  const { actor, one } = await prepareImport(services, importable, {
    kind: 'people',
    path,
    email: 'secretary@example.org',
    given: {},
    options: {},
    map: {},
  })
  const end = async () => {
    await services.close()
    await admin.end()
    await rm(folder, { recursive: true, force: true })
  }
  return { database, admin, services, environment, importId: one.id, orgId, accountId: actor.accountId, end }
}

const startRunning = ({ services, orgId, accountId, importId }: Stage, queued: boolean) =>
  services.database.asActor({ orgId, accountId, idpRoles: ['org-admin'] }, async (db) => {
    await updateImport(db, orgId, importId, { status: 'running' })
    if (queued) await services.jobs.send(db, 'imports', { orgId, accountId, importId, phase: 'run' })
  })

async function outcome({ admin, importId, orgId }: Stage) {
  const { rows: found } = await admin.query<
    Record<'status' | 'counted' | 'ledger' | 'lines' | 'people' | 'emails' | 'audited', string | number | null>
  >(
    `select i.status, (select sum(value::int)::int from jsonb_each_text(i.counts -> 'run')) as counted,
       (select count(*)::int from app.import_rows r where r.import_id = i.id and r.phase = 'run') as ledger,
       (select count(distinct r.line)::int from app.import_rows r where r.import_id = i.id and r.phase = 'run') as lines,
       (select count(*)::int from app.people p where p.org_id = $2) as people,
       (select count(*)::int from app.person_emails e where e.org_id = $2) as emails,
       (select count(*)::int from app.audit_entries a where a.org_id = $2 and a.entity = 'people' and a.action = 'create') as audited
     from app.imports i where i.id = $1`,
    [importId, orgId],
  )
  return found[0]
}

const exact = { status: 'done', counted: rows, ledger: rows, lines: rows, people: rows, emails: rows, audited: rows }

test('an import is exact although its worker is killed three times on the way', { timeout: 180_000 }, async () => {
  const scene = await stage('import_kills')
  await startRunning(scene, true)
  const worker = () =>
    spawn(process.execPath, [new URL('../../../worker.ts', import.meta.url).pathname], {
      env: { ...process.env, ...scene.environment },
      stdio: 'ignore',
    })
  const ledger = async () => Number((await outcome(scene))?.ledger ?? 0)
  for (let kill = 0; kill < 3; kill++) {
    const before = await ledger()
    const process = worker()
    while ((await ledger()) <= before) await new Promise((resolve) => setTimeout(resolve, 20))
    await new Promise((resolve) => setTimeout(resolve, randomInt(0, 150)))
    process.kill('SIGKILL')
    expect(await ledger()).toBeLessThanOrEqual(rows)
  }
  const last = worker()
  while ((await outcome(scene))?.status === 'running') await new Promise((resolve) => setTimeout(resolve, 100))
  last.kill('SIGKILL')
  expect(await outcome(scene)).toEqual(exact)
  await scene.end()
})

/** Runs in this process, cut off three times, then to the end. */
async function cutOff(scene: Stage, ledger: boolean) {
  await startRunning(scene, false)
  for (const chunks of [1, 2, 3, Number.POSITIVE_INFINITY]) {
    const stop = new AbortController()
    let done = 0
    const work = { orgId: scene.orgId, accountId: scene.accountId, importId: scene.importId, phase: 'run', importable } as const
    await workImport(scene.services, work, stop.signal, { ledger, onProgress: () => ++done >= chunks && stop.abort() }).catch(
      (error: unknown) => {
        if (!stop.signal.aborted) throw error
      },
    )
  }
  return outcome(scene)
}

test('without the ledger the same interruptions count rows twice, so the test above can fail', { timeout: 120_000 }, async () => {
  const scene = await stage('import_control')
  expect(await cutOff(scene, true)).toEqual(exact)
  await scene.end()
  const control = await stage('import_control_off')
  await control.admin.query('alter table app.import_rows drop constraint import_rows_pkey')
  const broken = await cutOff(control, false)
  expect(broken).not.toEqual(exact)
  expect(Number(broken?.ledger)).toBeGreaterThan(rows)
  await control.end()
})

test('two workers on one import do its work once between them', { timeout: 120_000 }, async () => {
  const scene = await stage('import_twins')
  await startRunning(scene, false)
  const work = { orgId: scene.orgId, accountId: scene.accountId, importId: scene.importId, phase: 'run', importable } as const
  await Promise.all([1, 2].map(() => workImport(scene.services, work, new AbortController().signal)))
  expect(await outcome(scene)).toEqual(exact)
  await scene.end()
})
