import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '@guildhall/bench/programs'
import * as z from 'zod'
import { call, refuse, until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { peopleFile, prepareImport } from '../imports.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const Delays = z.object({ pid: z.int(), p99: z.number(), longest: z.number() })

/** With these a million rows are nearly the largest file that is taken. */
const columns = ['Member no.', 'First name', 'Last name', 'Date of birth', 'E-mail', 'Chapter code', 'Status', 'Member since'] as const

/** How long the event loops of servers and workers were held up since they were last asked, in milliseconds. */
async function delaysOf(stage: Stage, file: string): Promise<z.infer<typeof Delays>[]> {
  await rm(file, { force: true })
  const processes = [...stage.servers, ...stage.workers]
  for (const { pid } of processes) process.kill(pid(), 'SIGWINCH')
  const lines = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  await until('the delays', 20, async () => (await lines()).length >= processes.length)
  return (await lines()).map((line) => Delays.parse(JSON.parse(line)))
}

const p99 = (delays: z.infer<typeof Delays>[]) => Math.round(Math.max(...delays.map((delay) => delay.p99)))

async function run({ size, seed, check, control, log }: Run): Promise<void> {
  const file = join(tmpdir(), `guildhall-delays-${process.pid}`)
  const stage = await setStage({ servers: 1, workers: 1, env: { LOOP_DELAY_FILE: file }, preload: new URL('../controls/loop-delay.ts', import.meta.url), log }) // prettier-ignore
  try {
    await sleep(2_000)
    await delaysOf(stage, file)
    const content = await peopleFile(size, seed, columns)
    const [server, worker] = [stage.servers[0]?.pid() ?? 0, stage.workers[0]?.pid() ?? 0]
    const before = [memoryOf(server)?.peak ?? 0, memoryOf(worker)?.peak ?? 0]
    const started = performance.now()
    const one = await prepareImport(stage, content, 3_600)
    await one.begin('run')
    await until('the import', 7_200, one.isAt('done'), 500)
    const seconds = Math.round((performance.now() - started) / 1000)
    const growth = [(memoryOf(server)?.peak ?? 0) - (before[0] ?? 0), (memoryOf(worker)?.peak ?? 0) - (before[1] ?? 0)]
    const counts = (await one.state()).counts.run ?? {}
    const counted = Object.values(counts).reduce((sum, count) => sum + count, 0)
    check(
      `${size} rows, ${Math.round(content.size / 1e6)} MB, uploaded, checked and imported in ${seconds} s: rows`,
      counts,
      counted === size,
    )
    check(
      'memory that server and worker took on top, in MB',
      growth,
      growth.every((megabytes) => megabytes <= 300),
    )
    const delays = await delaysOf(stage, file)
    check('event loops held up meanwhile, p99 in ms', p99(delays), p99(delays) <= 200)

    const headers = await stage.as('secretary')
    const url = stage.servers[0]?.url ?? ''
    // A workbook holds up to 100,000 rows.
    for (const [format, all] of Object.entries({ csv: {}, xlsx: { q: 'olivia' } })) {
      const asked = await call(`${url}/actions/exports`, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify({ list: 'people', format, selection: { all }, columns: ['displayName'], reason: 'fault test' }) }) // prettier-ignore
      refuse(asked, 202)
    }
    await until(
      'the exports',
      300,
      async () => (await stage.admin.query(`select from app.exports where file_key is null`)).rowCount === 0,
      200,
    )
    const hostile = ['%_'.repeat(50), 'a'.repeat(5_000), `${'('.repeat(40)}a+${')+'.repeat(40)}`, '\\'.repeat(200), 'é'.repeat(300)]
    for (const text of hostile) await call(`${url}/data/people?q=${encodeURIComponent(text)}`, { headers })
    const later = await delaysOf(stage, file)
    check('the same while it is exported and searched with hostile texts', p99(later), p99(later) <= 200)
    control('a loop that is held up is seen', p99(await heldUp(stage, file)), p99(await heldUp(stage, file)) > 200)
  } finally {
    await stage.stop()
    await rm(file, { force: true })
  }
}

/** The measurement itself, on processes that are stopped for half a second. */
async function heldUp(stage: Stage, file: string) {
  const pid = stage.servers[0]?.pid() ?? 0
  for (let nth = 0; nth < 3; nth++) {
    process.kill(pid, 'SIGSTOP')
    await sleep(500)
    process.kill(pid, 'SIGCONT')
    await sleep(50)
  }
  return delaysOf(stage, file)
}

export const bigImport: Case = {
  name: 'big-import',
  about: 'a million rows stream through in little memory, and nothing else stands still meanwhile (B7, G15)',
  full: { kills: 0, size: 1_000_000 },
  onDemand: true,
  run,
}
