import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '@guildhall/bench/programs'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { setStage } from '../stage.ts'
import { at, sendVisitors, tally } from '../visitors.ts'

type Hostile = { sockets: Socket[]; ages: number[]; end: () => void }

/** So many connections that say a little every second, for as long as they are let. */
async function dribble(port: number, count: number, opening: string, drop: string): Promise<Hostile> {
  const ages: number[] = []
  const sockets = Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1')
    const started = performance.now()
    socket.on('error', () => undefined)
    socket.on('close', () => ages.push(performance.now() - started))
    socket.write(opening)
    return socket
  })
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable && drop) socket.write(drop)
  }, 1_000)
  const end = () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
  return { sockets, ages, end }
}

async function run({ size, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ servers: 1, workers: 0, log })
  const crowds: Hostile[] = []
  try {
    const headers = await stage.as('secretary')
    const server = stage.servers[0]
    const url = `${server?.url ?? ''}/data/people?limit=5`
    const port = Number(new URL(url).port)
    const visit = async (seconds: number, users = 4) => {
      const visitors = sendVisitors({ url: () => url, headers, users, pauseMs: () => 20 })
      await sleep(seconds * 1000)
      await visitors.stop()
      return visitors
    }
    // A server that has been in use for a while has the memory that it works with.
    await visit(8, 64)
    const calm = await visit(5)
    const before = memoryOf(server?.pid() ?? 0)?.now ?? 0

    const token = headers['authorization'] ?? ''
    const slowHeaders = await dribble(port, size, 'GET /data/people HTTP/1.1\r\nhost: x\r\n', 'x-a: b\r\n')
    const slowBodies = await dribble(port, size, `POST /data/tags HTTP/1.1\r\nhost: x\r\nauthorization: ${token}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`, ' ') // prettier-ignore
    // Ask for much and read nothing of it.
    const deaf = await dribble(port, Math.round(size * 0.4), '', '')
    for (const socket of deaf.sockets) {
      socket.pause()
      socket.write(`GET /data/people?limit=200 HTTP/1.1\r\nhost: x\r\nauthorization: ${token}\r\n\r\n`.repeat(10))
    }
    const idle = await dribble(port, size * 20, `GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`, '')
    crowds.push(slowHeaders, slowBodies, deaf, idle)
    await sleep(4_000)
    const pressed = await visit(8)
    const after = memoryOf(server?.pid() ?? 0)?.now ?? 0
    check('people who do nothing wrong: failed', tally(pressed.failed()), pressed.failed().length === 0)
    const ratio = at(pressed.visits, 0.95) / at(calm.visits, 0.95)
    check(
      `their p95, ${at(calm.visits, 0.95).toFixed(0)} ms when calm, ${at(pressed.visits, 0.95).toFixed(0)} ms now`,
      ratio.toFixed(1),
      ratio <= 2,
    )
    check('memory that came on top, in MB', after - before, after - before <= 100)
    await until('the end of slow headers', 20, async () => slowHeaders.ages.length === size)
    check(
      'longest that headers were waited for, in seconds',
      (Math.max(...slowHeaders.ages) / 1000).toFixed(1),
      Math.max(...slowHeaders.ages) <= 10_000,
    )
    await until('the end of slow bodies', 80, async () => slowBodies.ages.length === size)
    check(
      'longest that bodies were waited for, in seconds',
      (Math.max(...slowBodies.ages) / 1000).toFixed(1),
      Math.max(...slowBodies.ages) <= 60_000,
    )
    control('those who asked properly and wait are still connected', idle.sockets.filter(({ destroyed }) => !destroyed).length, idle.sockets.some(({ destroyed }) => !destroyed)) // prettier-ignore
  } finally {
    for (const { end } of crowds) end()
    await stage.stop()
  }
}

export const hostileClients: Case = {
  name: 'hostile-clients',
  about: 'connections that dribble, do not listen or sit idle hardly disturb others, and end (F17)',
  full: { kills: 0, size: 500 },
  run,
}
