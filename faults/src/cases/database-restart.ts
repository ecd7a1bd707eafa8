import { setTimeout as sleep } from 'node:timers/promises'
import { randomUUID } from 'node:crypto'
import { call, sending, until } from '../calls.ts'
import type { Answer } from '../calls.ts'
import pg from 'pg'
import type { Case, Run } from '../case.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const writers = 20

type Written = { name: string; answer: Answer }

/** People who write under a key of their own, one after another, until told to stop. */
function sendWriters(stage: Stage, headers: Record<string, string>) {
  const written: Written[] = []
  let going = true
  const all = Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let nth = 0; going; nth++) {
        const server = stage.servers[(writer + nth) % stage.servers.length]
        const name = randomUUID()
        const init = sending(headers, { list: 'people', name, spec: {} }, { 'idempotency-key': name })
        written.push({ name, answer: await call(`${server?.url ?? ''}/data/views`, init) })
      }
    }),
  )
  return {
    written,
    stop: async () => {
      going = false
      await all
    },
  }
}

async function compare(stage: Stage, written: readonly Written[]) {
  const { rows } = await stage.admin.query<{ name: string; times: number }>(
    `select name, count(*)::int as times from app.saved_views where org_id = $1 group by 1`,
    [stage.orgId],
  )
  const stored = new Map(rows.map(({ name, times }) => [name, times]))
  const acked = written.filter(({ answer }) => answer.status === 201)
  return {
    acked: acked.length,
    lost: acked.filter(({ name }) => !stored.has(name)).length,
    doubled: rows.filter(({ times }) => times > 1).length,
    failed: written.filter(({ answer }) => answer.status !== 201).map(({ answer }) => `${answer.status} ${answer.text.slice(0, 200)}`),
  }
}

async function run(ordered: Run): Promise<void> {
  // What keeps the database running waits longer each time: a stage for each way, so that no pause is longer than what is promised.
  await restart(ordered, 'fast', 'SIGINT')
  await restart(ordered, 'immediate', 'SIGQUIT', async (stage, headers) => {
    await longOutage(stage, headers, ordered.check)
    const plain = await restartPlain(stage, ordered.random.between(500, 1_500))
    ordered.control('a plain connection pool without patience fails', plain, plain.failed > 0)
  })
}

type Afterwards = (stage: Stage, headers: Record<string, string>) => Promise<void>

async function restart({ kills, check, log, random }: Run, mode: string, signal: NodeJS.Signals, afterwards?: Afterwards): Promise<void> {
  const stage = await setStage({ workers: 1, log })
  try {
    const headers = await stage.as('secretary')
    const pids = stage.servers.map(({ pid }) => pid())
    const crowd = sendWriters(stage, headers)
    for (let nth = 0; nth < kills; nth++) {
      await sleep(random.between(500, 1_500))
      const before = stage.postgres.pid()
      if (before) process.kill(before, signal)
      await until('the database', 30, async () => Boolean(await rowOf(stage.admin, 'select 1 as one')) && stage.postgres.pid() !== before)
    }
    await sleep(1_000)
    await crowd.stop()
    const { acked, lost, doubled, failed } = await compare(stage, crowd.written)
    check(`${mode}, ${kills} restarts under ${writers} writers: acknowledged writes lost, of ${acked}`, lost, lost === 0 && acked > 0)
    check(`${mode}: written twice`, doubled, doubled === 0)
    check(`${mode}: failed requests`, [...new Set(failed)].slice(0, 3), failed.length === 0)
    const ended = stage.servers.filter(({ pid, isRunning }, nth) => pid() !== pids[nth] || !isRunning()).length
    check(`${mode}: servers that ended meanwhile`, ended, ended === 0)
    await afterwards?.(stage, headers)
  } finally {
    await stage.stop()
  }
}

/** Away for longer than a request waits: said so, and over at once when the database is back. */
async function longOutage(stage: Stage, headers: Record<string, string>, check: Run['check']): Promise<void> {
  const url = `${stage.servers[0]?.url ?? ''}/data/people?limit=1`
  stage.line.set('refuse')
  stage.line.cut()
  const { status, headers: said } = await call(url, { headers })
  check('away for longer: answer and Retry-After', [status, said.get('retry-after')], status === 503 && said.has('retry-after'))
  const ready = await call(`${stage.servers[0]?.url ?? ''}/readyz`)
  const alive = await call(`${stage.servers[0]?.url ?? ''}/healthz`)
  check('meanwhile /readyz and /healthz', [ready.status, alive.status], ready.status === 503 && alive.status === 200)
  stage.line.set('fine')
  const back = await until('an answer', 30, async () => (await call(url, { headers })).status === 200)
  check('seconds to the first answer once it is back', (back / 1000).toFixed(1), back <= 2_000)
}

/** The same writers over `pg` alone, as most programs use it. */
async function restartPlain(stage: Stage, pauseMs: number): Promise<{ done: number; failed: number }> {
  const connections = new pg.Pool({ connectionString: stage.adminUrl, max: writers })
  connections.on('error', () => undefined)
  let [done, failed, going] = [0, 0, true]
  const all = Promise.all(
    Array.from({ length: writers }, async () => {
      while (going) await connections.query('select pg_sleep(0.002)').then(() => done++, () => failed++) // prettier-ignore
    }),
  )
  await sleep(pauseMs)
  const pid = stage.postgres.pid()
  if (pid) process.kill(pid, 'SIGINT')
  await sleep(pauseMs)
  going = false
  await all
  await connections.end()
  return { done, failed }
}

export const databaseRestart: Case = {
  name: 'database-restart',
  about: 'the database restarts and crashes under writers, who lose nothing and hardly notice (F10)',
  full: { kills: 5, size: 0 },
  run,
}
