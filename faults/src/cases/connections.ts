import { setTimeout as sleep } from 'node:timers/promises'
import { call, until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { at, sendVisitors, tally } from '../visitors.ts'

const pool = 20
const users = 500

const sessions = ({ admin }: Stage) =>
  rowOf<{ open: number; stuck: number }>(
    admin,
    `select count(*)::int as open, (count(*) filter (where state like 'idle in transaction%' and state_change < now() - interval '30 seconds'))::int as stuck
       from pg_stat_activity where usename = 'app_api' and application_name <> 'pgboss'`,
  )

async function run({ size, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ servers: 1, workers: 0, env: { DATABASE_POOL: String(pool) }, log })
  try {
    const headers = await stage.as('secretary')
    const server = stage.servers[0]?.url ?? ''
    const url = () => `${server}/data/people?limit=1`
    const answersAgain = () => until('an answer', 40, async () => (await call(url(), { headers })).status === 200)

    const crowd = sendVisitors({ url, headers, users, pauseMs: ({ status }) => (status === 503 ? 500 : 0) })
    await until('enough visits', 120, async () => crowd.visits.length >= size)
    await crowd.stop()
    const others = crowd.failed().filter(({ status }) => status !== 503)
    check(`${users} users on ${pool} connections: answers other than 200 and 503`, tally(others), others.length === 0)
    check('longest wait in seconds', (at(crowd.visits, 1) / 1000).toFixed(1), at(crowd.visits, 1) < 15_000)
    await until('idle connections', 10, async () => (await sessions(stage)).open <= pool)
    check(
      `after ${crowd.visits.length} requests: connections, and those stuck in a transaction`,
      await sessions(stage),
      (await sessions(stage)).stuck === 0,
    )

    for (let nth = 0; nth < 3; nth++) {
      stage.line.cut()
      const { status } = await call(url(), { headers })
      check('the request after all connections were reset', status, status === 200)
    }
    stage.line.set('refuse')
    stage.line.cut()
    await sleep(1_000)
    stage.line.set('fine')
    const afterRefusal = await answersAgain()
    check('seconds to an answer after the line was down', (afterRefusal / 1000).toFixed(1), afterRefusal <= 2_000)

    stage.line.set({ delayMs: 5_000 })
    const late = await call(url(), { headers })
    check('5 s of delay each way: answer', late.status, late.status === 503 || late.status === 200)
    stage.line.set('fine')
    const afterDelay = await answersAgain()
    check('seconds to an answer after the delay', (afterDelay / 1000).toFixed(1), afterDelay <= 2_000)

    // Asleep at the other end: nobody says that the connection is gone.
    stage.line.set('silent')
    const started = performance.now()
    const silent = await Promise.all(Array.from({ length: pool }, () => call(url(), { headers })))
    const waited = (performance.now() - started) / 1000
    check(`a database that says nothing: answers after ${waited.toFixed(1)} s`, [...new Set(silent.map(({ status }) => status))], waited < 16 && silent.every(({ status }) => status === 503)) // prettier-ignore
    stage.line.set('fine')
    const afterSilence = await answersAgain()
    check('seconds to an answer after the silence', (afterSilence / 1000).toFixed(1), afterSilence <= 2_000)
    control('a plain query on a silent line waits for ever', 'not answered within 12 s', await waitsForEver(stage))
  } finally {
    await stage.stop()
  }
}

async function waitsForEver(stage: Stage): Promise<boolean> {
  const { Client } = (await import('pg')).default
  const client = new Client({ connectionString: stage.env['DATABASE_URL'] })
  client.on('error', () => undefined)
  await client.connect()
  stage.line.set('silent')
  const outcome = await Promise.race([client.query('select 1').then(() => 'answered', () => 'failed'), sleep(12_000, 'waiting')]) // prettier-ignore
  stage.line.cut()
  return outcome === 'waiting'
}

export const connections: Case = {
  name: 'connections',
  about: 'too few, cut, slow and silent connections to the database end in an answer, and heal (F11)',
  full: { kills: 0, size: 10_000 },
  run,
}
