import { startBalancer } from '../balancer.ts'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { sendVisitors, tally } from '../visitors.ts'

const users = 50

/** Restarts one server after another under visitors, `restarts` times in all; answers what they met. */
async function restartAll(stage: Stage, restarts: number, least: number) {
  const balancer = await startBalancer(stage.servers)
  const headers = await stage.as('secretary')
  const visitors = sendVisitors({ url: () => `${balancer.url}/data/people?limit=5`, headers, users })
  const seconds: number[] = []
  for (let nth = 0; nth < restarts; nth++) {
    const server = stage.servers[nth % stage.servers.length]
    if (!server) continue
    const from = visitors.visits.length
    await until('visits in between', 60, async () => visitors.visits.length >= from + least / (restarts + 1))
    seconds.push((await server.stop()) / 1000)
    await server.start()
  }
  await until('the last visits', 120, async () => visitors.visits.length >= least)
  await visitors.stop()
  await balancer.stop()
  return { visits: visitors.visits.length, failed: tally(visitors.failed()), longest: Math.max(...seconds) }
}

async function run({ kills, size, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ workers: 0, env: { DRAIN_SECONDS: '1' }, log })
  try {
    const { visits, failed, longest } = await restartAll(stage, kills, size)
    check(`${kills} restarts, ${visits} requests of ${users} open connections: failed`, failed, Object.keys(failed).length === 0)
    check('seconds from SIGTERM to the end', longest.toFixed(1), longest < 30)
  } finally {
    await stage.stop()
  }
  const abrupt = await setStage({ workers: 0, env: { DRAIN_SECONDS: '0' }, log })
  try {
    const { failed } = await restartAll(abrupt, Math.min(kills, 6), Math.min(size, 4_000))
    control('without draining some fail', failed, Object.keys(failed).length > 0)
  } finally {
    await abrupt.stop()
  }
}

export const rollingRestart: Case = {
  name: 'rolling-restart',
  about: 'servers are replaced one after another under load and nobody notices (F19)',
  full: { kills: 6, size: 15_000 },
  run,
}
