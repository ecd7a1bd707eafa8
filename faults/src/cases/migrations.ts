import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseUrl, migrate } from '@guildhall/db/migrate'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { cli } from '../commands.ts'
import { setStage, withClient } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { at, sendVisitors, tally } from '../visitors.ts'

const migrations = new URL('../../../packages/db/migrations', import.meta.url).pathname

/** What a next release may bring to the busiest tables. */
const nextRelease = `
  alter table app.people add column nickname_of_next_release text not null default '';
  create index people_of_next_release on app.people (org_id, nickname_of_next_release) where nickname_of_next_release <> '';
  create table app.next_release (org_id uuid not null, person_id uuid not null, primary key (org_id, person_id), foreign key (org_id, person_id) references app.people);
  alter table app.next_release enable row level security;
  alter table app.next_release force row level security;
  update app.people set nickname_of_next_release = 'x' where id in (select id from app.people order by id limit 2000);`

/** Somebody reads for so long; whoever wants the table for itself waits that long, and everybody behind them, too. */
async function readSlowly(stage: Stage, seconds: number): Promise<void> {
  await withClient(stage.adminUrl, async (client) => {
    await client.query('begin')
    await client.query('lock table app.people in access share mode')
    await sleep(seconds * 1000)
    await client.query('rollback')
  })
}

async function visited(stage: Stage, work: () => Promise<unknown>) {
  const headers = await stage.as('secretary')
  let turn = 0
  const url = () => `${stage.servers[turn++ % stage.servers.length]?.url ?? ''}/data/people?limit=5`
  const visitors = sendVisitors({ url, headers, users: 8 })
  await until('some visits', 30, async () => visitors.visits.length > 100)
  await work()
  await sleep(500)
  await visitors.stop()
  return { visits: visitors.visits.length, failed: tally(visitors.failed()), longest: at(visitors.visits, 1) }
}

async function runLive({ size, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ people: size, workers: 1, log })
  try {
    const folder = join(await mkdtemp(join(stage.folder, 'next-')), 'migrations')
    await cp(migrations, folder, { recursive: true })
    await writeFile(join(folder, '20991231235900_next_release.sql'), nextRelease)
    const live = await visited(stage, async () => {
      const slow = readSlowly(stage, 5).catch(() => undefined)
      await sleep(300)
      const started = performance.now()
      const { applied } = await migrate({ adminUrl: stage.adminUrl, actorKey: stage.actorKey, migrationsDir: folder })
      await slow
      check('migrated behind a reader of 5 s, in seconds', ((performance.now() - started) / 1000).toFixed(1), applied.length === 1)
    })
    check(`${live.visits} requests meanwhile, of ${size} people: failed`, live.failed, Object.keys(live.failed).length === 0)
    check('longest wait in seconds', (live.longest / 1000).toFixed(1), live.longest < 3_500)
    const after = await visited(stage, () => sleep(1_000))
    check('the version before, on the new database: failed', after.failed, Object.keys(after.failed).length === 0)
    const pushy = await visited(stage, async () => {
      const slow = readSlowly(stage, 5).catch(() => undefined)
      await sleep(300)
      await withClient(stage.adminUrl, (client) => client.query('alter table app.people drop column nickname_of_next_release'))
      await slow
    })
    control('without the short wait for locks everybody waits behind the migration, in seconds', (pushy.longest / 1000).toFixed(1), pushy.longest > 4_000) // prettier-ignore
  } finally {
    await stage.stop()
  }
}

/** Everything the migrations make, in one digest. */
const shapeOf = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ shape: string; invalid: number }>(`
      select encode(sha256(convert_to(string_agg(line, e'\\n' order by line), 'UTF8')), 'hex') as shape, (select count(*)::int from pg_index where not indisvalid) as invalid from (
        select format('%s.%s.%s %s %s %s', n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attacl) as line
          from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace where n.nspname in ('app', 'app_private') and a.attnum > 0
        union all select pg_get_functiondef(p.oid) || p.proacl::text from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname in ('app', 'app_private') and p.prokind = 'f'
        union all select format('%s', p) from pg_policies p
        union all select indexdef from pg_indexes where schemaname in ('app', 'app_private')
        union all select pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal
        union all select pg_get_constraintdef(k.oid) || k.conname from pg_constraint k join pg_namespace n on n.oid = k.connamespace where n.nspname in ('app', 'app_private')
        union all select name from pgboss.queue
      ) x`)
    return rows[0]
  })

async function runInterrupted({ kills, random, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ servers: 0, workers: 0, log })
  try {
    await withClient(stage.postgres.url, (client) => client.query('create database interrupted'))
    const url = databaseUrl(stage.postgres.url, 'interrupted')
    const begin = () =>
      spawn(process.execPath, [cli, 'migrate'], {
        env: { ...process.env, ADMIN_DATABASE_URL: url, ACTOR_KEY: stage.actorKey },
        stdio: 'ignore',
      })
    const starting = 400
    for (let nth = 0; nth < kills; nth++) {
      const child = begin()
      await sleep(starting + random.between(0, 900))
      child.kill('SIGKILL')
      await (child.exitCode === null && child.signalCode === null ? once(child, 'exit') : Promise.resolve())
    }
    const half = await shapeOf(url).catch(() => undefined)
    const last = begin()
    await once(last, 'exit')
    const [whole, resumed] = [await shapeOf(stage.adminUrl), await shapeOf(url)]
    check(`after ${kills} kills, run once more: exit code`, last.exitCode, last.exitCode === 0)
    check('the same database as one that was migrated in one go', resumed?.shape.slice(0, 12), resumed?.shape === whole?.shape)
    check('invalid indexes', resumed?.invalid, resumed?.invalid === 0)
    control('the comparison sees a difference', half?.shape.slice(0, 12) ?? 'nothing there yet', await differs(url, whole?.shape))
  } finally {
    await stage.stop()
  }
}

async function differs(url: string, whole: string | undefined): Promise<boolean> {
  await withClient(url, (client) => client.query('drop policy contact_messages_read on app.contact_messages'))
  return (await shapeOf(url))?.shape !== whole
}

export const liveMigration: Case = {
  name: 'live-migration',
  about: 'the database is migrated under load, and the version before goes on working (F20)',
  full: { kills: 0, size: 200_000 },
  run: runLive,
}

export const interruptedMigration: Case = {
  name: 'interrupted-migration',
  about: 'migrating is killed at every step and ends as if it had not been (F21)',
  full: { kills: 20, size: 0 },
  run: runInterrupted,
}
