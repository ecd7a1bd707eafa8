import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect } from 'vitest'
import { endWorld, test } from '../../testing.ts'
import { watchProcess, watchQueues, watchResources, watchSigningKeys } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { serveMetrics } from './metrics-server.ts'
import { readWaitingWork } from '../jobs/queue-states.ts'
import { createServices } from '../services.ts'
import type { Services } from '../services.ts'

afterAll(endWorld)

/** The sum of the samples whose labels include these. */
async function value({ registry }: Metrics, name: string, labels: Record<string, string> = {}): Promise<number> {
  const [metric] = (await registry.getMetricsAsJSON()).filter((one) => one.name === name || name.startsWith(`${one.name}_`))
  const samples = (metric?.values ?? []) as { metricName?: string; labels: Record<string, unknown>; value: number }[]
  return samples
    .filter(
      (sample) => (sample.metricName ?? name) === name && Object.entries(labels).every(([key, wanted]) => sample.labels[key] === wanted),
    )
    .reduce((sum, sample) => sum + sample.value, 0)
}

const worker = (services: Services) => createServices(services.config, services.log, services.config.WORKER_DATABASE_URL)

test('answers are counted and timed by operation and status; what nobody offers is one operation', async ({ api, person }) => {
  const client = api.as(await person())
  const { metrics } = api.services
  const before = await value(metrics, 'guildhall_http_requests_total', { operation: 'listPeople', status: '200' })
  await client.get('/data/people')
  await client.get('/data/people?limit=0')
  await api.as(null).get('/data/people')
  for (const path of ['/data/nothing', '/data/nothing-else', '/nowhere']) await client.get(path)
  expect(await value(metrics, 'guildhall_http_requests_total', { operation: 'listPeople', status: '200' })).toBe(before + 1)
  expect(await value(metrics, 'guildhall_http_requests_total', { operation: 'listPeople', status: '422' })).toBe(1)
  expect(await value(metrics, 'guildhall_http_requests_total', { operation: 'listPeople', status: '401' })).toBe(1)
  expect(await value(metrics, 'guildhall_http_requests_total', { operation: 'none', status: '404' })).toBe(3)
  expect(await value(metrics, 'guildhall_http_request_duration_seconds_count', { operation: 'listPeople' })).toBe(before + 3)
})

test('a request that takes long moves the share of slow ones', async ({ api, admin, person }) => {
  const client = api.as(await person())
  const { metrics } = api.services
  const holder = await admin.connect()
  await holder.query('begin; lock table app.tags in access exclusive mode')
  const asked = client.get('/data/tags')
  await sleep(1_200)
  await holder.query('rollback')
  holder.release()
  expect((await asked).status).toBe(200)
  const within = await value(metrics, 'guildhall_http_request_duration_seconds_bucket', { operation: 'listTags' })
  const count = await value(metrics, 'guildhall_http_request_duration_seconds_count', { operation: 'listTags' })
  expect(count).toBe(1)
  // Only the buckets of five seconds and beyond have it.
  expect(within).toBe(2)
})

test('what fails here is counted as an error', async ({ api, admin, person }) => {
  const client = api.as(await person())
  await admin.query('alter table app.tags rename to lost')
  try {
    expect((await client.get('/data/tags')).status).toBe(500)
  } finally {
    await admin.query('alter table app.lost rename to tags')
  }
  expect(await value(api.services.metrics, 'guildhall_http_requests_total', { operation: 'listTags', status: '500' })).toBe(1)
})

test('a database that is away keeps nothing else from being told', async ({ variant }) => {
  const { services } = await variant({ DATABASE_URL: 'postgres://app_api:x@127.0.0.1:9/nowhere' })
  watchQueues(services.metrics, () => readWaitingWork(services.database))
  const started = performance.now()
  const text = await services.metrics.registry.metrics()
  expect(text).toContain('guildhall_http_requests_total')
  expect(text).not.toContain('guildhall_queue_waiting{')
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('a statement that row-level security refuses is counted', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'] })
  await admin.query('revoke insert on app.tags from app_access')
  try {
    expect((await api.as(me).post('/data/tags', { name: 'Choir' })).status).toBe(403)
  } finally {
    await admin.query('grant insert (org_id, id, name, color, audience) on app.tags to app_access')
  }
  expect(await value(api.services.metrics, 'guildhall_database_refusals_total')).toBe(1)
})

test('requests that wait for a connection and those that are turned away are seen', async ({ variant, admin, person }) => {
  const { token } = await person()
  const { as, services } = await variant({ DATABASE_POOL: '2' })
  watchResources(services.metrics, services.database, services.config.FILES_DIR)
  await as(token).get('/data/tags')
  const holder = await admin.connect()
  await holder.query('begin; lock table app.tags in access exclusive mode')
  const asked = Array.from({ length: 40 }, () => as(token).get('/data/tags'))
  await sleep(800)
  const late = await as(token).get('/data/tags')
  const waiting = await value(services.metrics, 'guildhall_database_waiting')
  const used = await value(services.metrics, 'guildhall_database_connections', { state: 'used' })
  await holder.query('rollback')
  holder.release()
  await Promise.all(asked)
  expect(waiting).toBeGreaterThan(0)
  expect(used).toBe(2)
  expect(late.status).toBe(503)
  expect(await value(services.metrics, 'guildhall_http_requests_shed_total')).toBe(1)
})

test('queues tell how much waits, for how long, and what failed for good', async ({ api, admin }) => {
  const services = worker(api.services)
  try {
    watchQueues(services.metrics, () => readWaitingWork(services.database))
    const inQueue = (name: string, labels: Record<string, string>) => value(services.metrics, name, labels)
    const before = await inQueue('guildhall_queue_waiting', { queue: 'mail' })
    const dead = await inQueue('guildhall_queue_waiting', { queue: 'dead' })
    await services.database.withoutActor(async (db) => {
      await services.jobs.send(db, 'mail', { kind: 'contact' })
      await services.jobs.send(db, 'dead', { kind: 'contact' })
    })
    await admin.query(
      `update pgboss.job set created_on = now() - interval '10 minutes', start_after = now() - interval '10 minutes' where name = 'mail' and start_after <= now()`,
    )
    expect(await inQueue('guildhall_queue_waiting', { queue: 'mail' })).toBe(before + 1)
    expect(await inQueue('guildhall_queue_waiting', { queue: 'dead' })).toBe(dead + 1)
    expect(await inQueue('guildhall_queue_oldest_seconds', { queue: 'mail' })).toBeGreaterThan(590)
  } finally {
    await admin.query(`delete from pgboss.job where name in ('mail', 'dead')`)
    await services.close()
  }
})

test('jobs are counted by how they ended', async ({ api, admin, worker: _running }) => {
  const { metrics, database, jobs } = api.services
  await database.withoutActor((db) => jobs.send(db, 'mail', { kind: 'nobody writes these' }, { retryLimit: 0 }))
  await expect
    .poll(() => value(metrics, 'guildhall_job_duration_seconds_count', { queue: 'mail', outcome: 'failed' }), { timeout: 20_000 })
    .toBe(1)
  await admin.query(`delete from pgboss.job where name in ('mail', 'dead')`)
})

test('the age of the last backup is told, and is infinite before the first', async ({ api, admin }) => {
  const services = worker(api.services)
  try {
    watchQueues(services.metrics, () => readWaitingWork(services.database))
    const age = () => value(services.metrics, 'guildhall_backup_age_seconds')
    await admin.query('delete from app_private.last_backup')
    expect(await age()).toBe(Number.POSITIVE_INFINITY)
    await admin.query(`insert into app_private.last_backup (finished_at) values (now() - interval '27 hours')`)
    expect(await age()).toBeGreaterThan(26 * 3600)
    await admin.query('update app_private.last_backup set finished_at = now()')
    expect(await age()).toBeLessThan(60)
  } finally {
    await admin.query('delete from app_private.last_backup')
    await services.close()
  }
})

test('the age of the signing keys grows until they are fetched again', async ({ variant, person }) => {
  const { token } = await person()
  const { as, services } = await variant({})
  watchSigningKeys(services.metrics, services.provider)
  const age = () => value(services.metrics, 'guildhall_signing_keys_age_seconds')
  expect(await age()).toBe(-1)
  await as(token).get('/data/me')
  const first = await age()
  await sleep(150)
  expect(await age()).toBeGreaterThan(first + 0.1)
})

test('a log that was changed behind its back is counted when somebody has it verified', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
  await owner.post('/data/tags', { name: 'Choir' })
  const breaks = () => value(api.services.metrics, 'guildhall_audit_chain_breaks_total')
  await owner.get('/data/audit/verification')
  const before = await breaks()
  await admin.query(`alter table app.audit_entries disable trigger user`)
  await admin.query(`delete from app.audit_entries where org_id = $1`, [org.id])
  await admin.query(`alter table app.audit_entries enable trigger user`)
  expect((await owner.get('/data/audit/verification')).status).toBe(200)
  expect(await breaks()).toBe(before + 1)
})

test('a port of their own tells them, with room for files and the event loop; there are few of them, and none names anybody', async ({
  variant,
  organisation,
  person,
}) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'], familyName: 'Telltale' })
  const { as, services } = await variant({ METRICS_PORT: '0' })
  watchProcess(services.metrics)
  watchResources(services.metrics, services.database, services.config.FILES_DIR)
  const client = as(me.token)
  for (const id of [me.personId, me.accountId, org.id, 'x'.repeat(50), 'Telltale'])
    for (const path of ['people', 'groups', 'chapters', 'imports']) await client.get(`/data/${path}/${id ?? ''}?q=${id ?? ''}`)
  const { port, close } = await serveMetrics(services.config, services.metrics)
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`)
    const text = await answer.text()
    const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(series.length).toBeLessThan(5_000)
    expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/)
    expect(text).toMatch(/guildhall_files_used_ratio 0\.\d/)
    for (const secret of [me.personId, me.accountId, org.id, me.token, 'Telltale', 'xxxxx']) expect(text).not.toContain(secret)
    expect((await fetch(`http://127.0.0.1:${port}/data/people`)).status).toBe(404)
  } finally {
    await close()
  }
  expect((await client.get('/metrics')).status).toBe(404)
})
