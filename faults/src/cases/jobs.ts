import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const counting = new URL('../controls/counting-worker.ts', import.meta.url)
const writer = new URL('../controls/outbox-writer.ts', import.meta.url)

export const makeMarks = ({ admin }: Stage) =>
  admin.query(`create schema faults; create table faults.marks (mark text, twin bigint, primary key (mark, twin));
    create table faults.ticks (at timestamptz not null default now());
    grant usage on schema faults to app_worker; grant select, insert on all tables in schema faults to app_worker`)

const send = ({ admin }: Stage, count: number, more = '{}') =>
  admin.query(
    `insert into pgboss.job (name, data, retry_limit, retry_delay, expire_seconds, heartbeat_seconds, dead_letter, keep_until)
     select 'mail', jsonb_build_object('mark', n::text) || $2::jsonb, 3, 0, 20, 10, 'dead', now() + interval '1 day' from generate_series(1, $1::int) n`,
    [count, more],
  )

const marksOf = ({ admin }: Stage) =>
  rowOf<{ effects: number; jobs: number; open: number; dead: number; ticks: number; slots: number }>(
    admin,
    `select (select count(*)::int from faults.marks) as effects, (select count(distinct mark)::int from faults.marks) as jobs,
       (select count(*)::int from pgboss.job where name = 'mail' and state < 'completed') as open,
       (select count(*)::int from pgboss.job where name = 'dead') as dead,
       (select count(*)::int from faults.ticks) as ticks, (select count(distinct data ->> 'slot')::int from pgboss.job where name = '__pgboss__send-it') as slots`,
  )

/** Works through so many jobs with two workers of which one or the other is killed on the way. */
async function workThrough(run: Run, stage: Stage, kills: number, count: number, env: Record<string, string>): Promise<number> {
  await makeMarks(stage)
  await send(stage, count)
  const workers = [await stage.addWorker(counting, env), await stage.addWorker(counting, env)]
  let killed = 0
  for (; killed < kills; killed++) {
    const done = (await marksOf(stage)).effects
    await until('some jobs', 60, async () => (await marksOf(stage)).effects > done || (await marksOf(stage)).open === 0, 20)
    await sleep(run.random.between(0, 400))
    const worker = workers[run.random.between(0, 1)]
    if (!worker || (await marksOf(stage)).open === 0) break
    await worker.kill()
    await worker.start()
  }
  await until('the last job', 300, async () => (await marksOf(stage)).open === 0, 200)
  return killed
}

async function runJobs(run: Run): Promise<void> {
  const { kills, size, check, control, log } = run
  const stage = await setStage({ servers: 0, workers: 0, log })
  try {
    const started = performance.now()
    const killed = await workThrough(run, stage, kills, size, {})
    const { effects, jobs } = await marksOf(stage)
    check(`${killed} kills in ${size} jobs: effects, in ${Math.round((performance.now() - started) / 1000)} s`, { effects, jobs }, effects === size && jobs === size) // prettier-ignore

    await send(stage, 1, '{"poison": "yes"}')
    await stage.admin.query('truncate faults.marks')
    await send(stage, 50)
    await until('the jobs behind the poisoned one', 60, async () => (await marksOf(stage)).jobs === 50)
    await until('the dead letter', 60, async () => (await marksOf(stage)).dead === 1, 200)
    check('a poisoned job ends as a dead letter, and those behind it are done', await marksOf(stage), (await marksOf(stage)).dead === 1)
    // A minute may be noticed in the next one, so what counts is the minute that a run was for.
    await until('two minutes of the clock', 200, async () => (await marksOf(stage)).ticks >= 2, 500)
    await sleep(3_000)
    const { ticks, slots } = await marksOf(stage)
    check('two workers, one clock: runs for so many minutes', { ticks, slots }, ticks === slots)
  } finally {
    await stage.stop()
  }
  const careless = await setStage({ servers: 0, workers: 0, log })
  try {
    await workThrough(run, careless, Math.max(kills, 6), Math.min(size, 400), { COUNT_TWICE: 'yes' })
    const { effects, jobs } = await marksOf(careless)
    control('without a key of the job kills double effects', { effects, jobs }, effects > jobs)
  } finally {
    await careless.stop()
  }
}

const unmatched = ({ admin }: Stage) =>
  rowOf<{ marks: number; jobs: number; without: number }>(
    admin,
    `select (select count(*)::int from faults.marks) as marks, (select count(*)::int from pgboss.job where name = 'bulk') as jobs,
       (select count(*)::int from faults.marks m full join (select data ->> 'mark' as mark from pgboss.job where name = 'bulk') j using (mark)
         where m.mark is null or j.mark is null or m.twin is null) as without`,
  )

async function runOutbox({ kills, size, random, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ servers: 0, workers: 0, log })
  try {
    await makeMarks(stage)
    for (const [name, env] of [
      ['together', {}],
      ['apart', { APART: 'yes' }],
    ] as const) {
      await stage.admin.query(`truncate faults.marks; delete from pgboss.job where name = 'bulk'`)
      const turns = String(Math.ceil(size / (kills + 1)))
      const process = await stage.addWorker(writer, { ...env, TURNS: turns })
      for (let nth = 0; nth < kills; nth++) {
        await sleep(random.between(1_000, 2_500))
        await process.kill()
        await process.start()
      }
      await until('the last turn', 300, async () => !process.isRunning(), 200)
      const found = await unmatched(stage)
      if (name === 'together')
        check(`${kills} kills, a third rolled back: jobs without their row or rows without their job`, found, found.without === 0 && found.marks > 0) // prettier-ignore
      else control('sent on a connection of its own, jobs outlive what they were for', found, found.without > 0)
    }
  } finally {
    await stage.stop()
  }
}

export const jobKills: Case = {
  name: 'jobs',
  about: 'jobs survive kills, poison and two clocks (F7)',
  full: { kills: 10, size: 20_000 },
  run: runJobs,
}

export const outbox: Case = {
  name: 'outbox',
  about: 'a job exists exactly when the change that asks for it does (F8)',
  full: { kills: 10, size: 10_000 },
  short: { kills: 1, size: 400 },
  run: runOutbox,
}
