import { setTimeout as sleep } from 'node:timers/promises'
import type { Case, Run } from '../case.ts'
import { call, until } from '../calls.ts'
import { setStage } from '../stage.ts'
import { at, sendVisitors, tally } from '../visitors.ts'

const capacity = 16

async function run({ size: seconds, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ servers: 1, workers: 0, log })
  try {
    const headers = await stage.as('secretary')
    const server = stage.servers[0]?.url ?? ''
    const url = () => `${server}/data/people?limit=50`
    const served = async (users: number, forSeconds: number) => {
      const health: number[] = []
      const visitors = sendVisitors({ url, headers, users, pauseMs: ({ retryAfter }) => (retryAfter ? Number(retryAfter) * 1000 : 0) })
      for (let second = 0; second < forSeconds; second++) {
        await sleep(1_000)
        if (second % 5 === 0) health.push((await call(`${server}/healthz`)).status)
      }
      await visitors.stop()
      const good = visitors.visits.filter(({ status }) => status === 200)
      return { perSecond: good.length / forSeconds, visitors, health, p95: at(good, 0.95) }
    }
    await served(capacity, 3)
    const peak = await served(capacity, 8)
    const pressed = await served(capacity * 100, seconds)
    const turnedAway = pressed.visitors.failed()
    check(`${capacity * 100} users for ${seconds} s: answers other than 200`, tally(turnedAway), turnedAway.every(({ status, retryAfter }) => status === 503 && retryAfter !== undefined)) // prettier-ignore
    check(
      `served, against ${peak.perSecond.toFixed(0)}/s at ${capacity} users`,
      `${pressed.perSecond.toFixed(0)}/s`,
      pressed.perSecond >= 0.8 * peak.perSecond,
    )
    check(
      'health meanwhile',
      [...new Set(pressed.health)],
      pressed.health.every((status) => status === 200),
    )
    const recovery = await until('an answer', 30, async () => (await call(url(), { headers })).status === 200)
    const calm = await served(capacity, 5)
    check(
      `recovered, in seconds; then ${calm.perSecond.toFixed(0)}/s`,
      (recovery / 1000).toFixed(1),
      recovery <= 5_000 && calm.visitors.failed().length === 0,
    )
    control('so many did not get in all at once', turnedAway.length, turnedAway.length > 0)
  } finally {
    await stage.stop()
  }
}

export const overload: Case = {
  name: 'overload',
  about: 'of too many requests some are turned away, and those let in are served (F18)',
  full: { kills: 0, size: 60 },
  run,
}
