import type pg from 'pg'
import { runAt } from '../areas/integrations.ts'
import { instantOf } from '../days.ts'
import { random, streams } from '../random.ts'
import type { World } from '../world.ts'
import { runsOf } from './runs.ts'
import type { Run, Synced } from './runs.ts'

type Point = { type: string; direction?: 'in' | 'out'; at: string; value: number; count?: number }

/** What each run left, and how old the data was in between. */
function pointsOf(world: World, runs: readonly Run[]): Point[] {
  let lastSuccess: number | null = null
  return runs.flatMap((run, nth) => {
    const { between } = random(world.seed, streams.syncRun, 5_000 + run.daysAgo * 2 + (run.out.read > 0 ? 1 : 0))
    const day = world.today - run.daysAgo
    const at = instantOf(day, runAt + run.seconds)
    const requests = between(3, 12)
    const points: Point[] = [
      { type: 'sync-runs', at, value: 1 },
      { type: 'latency', at, value: requests * (run.state === 'failed' ? 2_400 : between(90, 420)), count: requests },
      { type: 'errors', at, value: run.state === 'failed' ? 1 : run.in.failed + run.out.failed },
    ]
    if (run.in.read > 0) points.push({ type: 'records', direction: 'in', at, value: run.in.created + run.in.updated })
    if (run.out.read > 0) points.push({ type: 'records', direction: 'out', at, value: run.out.created + run.out.updated })
    if (run.state !== 'failed') lastSuccess = day * 24
    const since = lastSuccess
    const hours = nth === runs.length - 1 ? 12 : 24
    if (since !== null)
      for (let hour = 0; hour < hours; hour += 3)
        points.push({
          type: 'freshness',
          at: instantOf(day + Math.floor((6 + hour) / 24), ((6 + hour) % 24) * 3_600),
          value: day * 24 + hour - since + 1,
        })
    return points
  })
}

export async function addMetrics(client: pg.Client, world: World, synced: Synced): Promise<number> {
  const runs = runsOf(world, synced)
  for (const connection of [synced.sheet, synced.newsletter])
    await client.query(`select app_private.add_points(o.org_id, o.timezone, $2, $3::jsonb) from app.organisations o where o.org_id = $1`, [
      world.orgId,
      connection,
      JSON.stringify(
        pointsOf(
          world,
          runs.filter(({ connectionId }) => connectionId === connection),
        ),
      ),
    ])
  const broke = instantOf(world.today - 1, runAt + 40)
  const { rowCount } = await client.query(
    `insert into app.metric_annotations (org_id, connection_id, at, event, created_at) select c.org_id, c.id, x.at, x.event, x.at from app.connections c
     cross join lateral (values (c.created_at + interval '2 minutes', 'connected'), (case when c.state = 'degraded' then $2::timestamptz end, 'degraded')) x (at, event)
     where c.org_id = $1 and x.at is not null and c.syncs`,
    [world.orgId, broke],
  )
  const { rows } = await client.query<{ n: number }>(
    `select (select count(*) from app.metric_hours where org_id = $1)::int + (select count(*) from app.metric_days where org_id = $1)::int as n`,
    [world.orgId],
  )
  return (rowCount ?? 0) + (rows[0]?.n ?? 0)
}
