import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { databaseUrl } from '@guildhall/db/migrate'
import { freePort } from '@guildhall/dev/ports'
import { startPostgres } from '@guildhall/dev/postgres'
import { answers } from '@guildhall/bench/programs'
import { setTimeout as sleep } from 'node:timers/promises'
import { call, inParallel, refuse, sending } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { command } from '../commands.ts'
import { startProcess } from '../processes.ts'
import { setStage, withClient } from '../stage.ts'
import type { Stage } from '../stage.ts'

/** One digest over every row of every table of ours. */
const digestOf = (url: string) =>
  withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('app', 'app_private') order by 1`,
    )
    const digests: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as digest from ${name} t`,
      )
      digests.push(`${name} ${rows[0]?.digest ?? ''}`)
    }
    return digests
  })

const people = (url: string, name: string) =>
  withClient(url, async (client) => new Set((await client.query<{ name: string }>('select name from app.saved_views where name like $1', [`${name}%`])).rows.map((row) => row.name))) // prettier-ignore

async function takeBackup(stage: Stage, name: string) {
  const started = performance.now()
  const { code, output } = await command(['backup', join(stage.folder, name)], { ...stage.env, ADMIN_DATABASE_URL: stage.adminUrl })
  if (code !== 0) throw new Error(output)
  return { path: output.trim().split('\n').at(-1) ?? '', seconds: (performance.now() - started) / 1000 }
}

/** Unpacks a backup and starts a PostgreSQL on it. */
async function restoreTo(stage: Stage, backup: string, name: string, log: Run['log']) {
  const folder = join(stage.folder, name)
  const started = performance.now()
  const { code, output } = await command(['restore', backup, folder], {})
  if (code !== 0) throw new Error(output)
  const postgres = await startPostgres({ dataDir: join(folder, 'postgres'), log })
  return { folder, postgres, adminUrl: databaseUrl(postgres.url, 'guildhall'), seconds: (performance.now() - started) / 1000 }
}

async function run({ size, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ people: Math.max(size, 500), log })
  const stops: (() => Promise<unknown>)[] = []
  try {
    const headers = await stage.as('secretary')
    const server = stage.servers[0]?.url ?? ''
    const bytes = await withClient(stage.adminUrl, async (client) => Number((await client.query<{ size: string }>('select pg_database_size(current_database()) as size')).rows[0]?.size)) // prettier-ignore

    // Something to restore that is no row, and mail that cannot leave yet.
    const form = new FormData()
    form.append('file', new Blob(['first_name,last_name\nA,B\n']), 'one.csv')
    refuse(await call(`${server}/actions/imports/people`, { method: 'POST', headers, body: form }), 201)
    await Promise.all(stage.workers.map((worker) => worker.stop()))
    refuse(await call(`${server}/actions/site/contact`, sending({}, { name: 'Canary', email: 'canary@example.org', topic: 'other', message: 'Sent once' })), 201) // prettier-ignore

    let going = true
    const acked: string[] = []
    const writing = inParallel(8, 1_000_000, async () => {
      if (!going) return
      const name = `kept ${randomUUID()}`
      const { status } = await call(`${server}/data/views`, sending(headers, { list: 'people', name, spec: {} }))
      if (status === 201) acked.push(name)
    })
    await sleep(1_000)
    const before = [...acked]
    const hot = await takeBackup(stage, 'hot')
    const during = acked.length - before.length
    going = false
    await writing

    const restored = await restoreTo(stage, hot.path, 'restored', log)
    stops.push(() => restored.postgres.stop())
    check(`a backup of ${Math.round(bytes / 1e6)} MB under ${during} writes, in seconds`, hot.seconds.toFixed(1), during > 0)
    check('restored and running again, in seconds', restored.seconds.toFixed(1), restored.seconds <= 120)
    const there = await people(restored.adminUrl, 'kept ')
    const lost = before.filter((name) => !there.has(name)).length
    check(`of ${before.length} writes acknowledged before it began, missing`, lost, lost === 0 && before.length > 0)
    const broken = await withClient(restored.adminUrl, async (client) => {
      await client.query('create extension if not exists amcheck')
      const { rows } = await client.query<{ indexes: number }>(
        `select count(bt_index_check(c.oid, true))::int as indexes from pg_index i join pg_class c on c.oid = i.indexrelid
           join pg_am a on a.oid = c.relam join pg_namespace n on n.oid = c.relnamespace where a.amname = 'btree' and n.nspname in ('app', 'pgboss', 'app_private') and c.relkind = 'i'`,
      )
      return rows[0]?.indexes
    })
    check('indexes checked against their tables', broken, Number(broken) > 50)
    const files = await readdir(join(restored.folder, 'files'), { recursive: true })
    check(
      'uploaded files',
      files.filter((name) => name.includes('source')).length,
      files.some((name) => name.includes('source')),
    )

    // Nothing writes now: a second backup must be equal to the last row, but for the time of it, which is noted after it.
    const ours = await digestOf(stage.adminUrl)
    const quiet = await restoreTo(stage, (await takeBackup(stage, 'quiet')).path, 'restored-quiet', log)
    stops.push(() => quiet.postgres.stop())
    const theirs = await digestOf(quiet.adminUrl)
    const differing = ours.filter((digest, nth) => digest !== theirs[nth])
    check(`${ours.length} tables, compared row by row: different`, differing, differing.length === 0)

    await liveOn(stage, quiet, headers, check, stops)
    await refusals(stage, hot.path, control)
  } finally {
    for (const stop of stops.toReversed()) await stop()
    await stage.stop()
  }
}

/** Server and worker on the restored database: they serve, the audit chain holds, and the mail that waited is not sent. */
async function liveOn(
  stage: Stage,
  quiet: Awaited<ReturnType<typeof restoreTo>>,
  headers: Record<string, string>,
  check: Run['check'],
  stops: (() => Promise<unknown>)[],
): Promise<void> {
  const at = (url: string | undefined) => {
    const there = new URL(url ?? '')
    there.port = String(quiet.postgres.port)
    return there.toString()
  }
  const port = String(await freePort())
  const env = {
    ...stage.env, PORT: port, FILES_DIR: join(quiet.folder, 'files'),
    DATABASE_URL: at(stage.env['DATABASE_URL']), WORKER_DATABASE_URL: at(stage.env['WORKER_DATABASE_URL']),
  } // prettier-ignore
  const { logFile } = stage
  const url = `http://127.0.0.1:${port}`
  const program = (file: string) => new URL(`../../../apps/api/src/${file}`, import.meta.url)
  const server = await startProcess({ file: program('server.ts'), env, logFile, isReady: answers(`${url}/readyz`) })
  stops.push(() => server.kill())
  const worker = await startProcess({ file: program('worker.ts'), env, logFile })
  stops.push(() => worker.kill())
  const page = await call(`${url}/data/people?limit=1`, { headers })
  const chain = await call(`${url}/data/audit/verification`, { headers: await stage.as('owner') })
  check('the product runs on it', page.status, page.status === 200)
  check('the audit chain', [chain.status, chain.text.slice(0, 200)], chain.status === 200 && chain.text.includes('null'))
  await sleep(4_000)
  const held = await withClient(quiet.adminUrl, async (client) => (await client.query<{ held: number; open: number }>(`select (count(*) filter (where outcome = 'held'))::int as held, (count(*) filter (where settled_at is null))::int as open from app.mail_messages`)).rows[0]) // prettier-ignore
  const mails = await call(`${stage.inbox.url}/messages.json`)
  check('mail that waited: held back, open, and sent by the restored product', [held, mails.text], (held?.held ?? 0) > 0 && held?.open === 0 && mails.text.trim() === '[]') // prettier-ignore
}

/** What is damaged or half done is never restored. */
async function refusals(stage: Stage, backup: string, control: Run['control']): Promise<void> {
  const archive = join(backup, 'database.tar.gz')
  const whole = await readFile(archive)
  const middle = Math.floor((await stat(archive)).size / 2)
  whole[middle] = (whole[middle] ?? 0) ^ 0xff
  await writeFile(archive, whole)
  const damaged = await command(['restore', backup, join(stage.folder, 'damaged')], {})
  control('one flipped bit in the archive is found', damaged.output.split('\n')[0], damaged.code !== 0)
  const over = await command(['restore', backup, stage.folder], {})
  control('nothing is restored over anything', over.output.split('\n')[0], over.code !== 0 && over.output.includes('not empty'))
}

export const backupDrill: Case = {
  name: 'backup',
  about: 'a backup taken under load is restored whole, and the product runs on it (F22)',
  full: { kills: 0, size: 100_000 },
  short: { kills: 0, size: 500 },
  run,
}
