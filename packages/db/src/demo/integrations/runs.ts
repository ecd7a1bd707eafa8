import type pg from 'pg'
import { ownerOf, runAt } from '../areas/integrations.ts'
import { instantOf } from '../days.ts'
import { idOf, random, streams } from '../random.ts'
import type { World } from '../world.ts'

export type Synced = { sheet: string; newsletter: string }
export const daysOfRuns = 60
/** The last so many runs of the newsletter failed. */
const away = 3

type Counts = { read: number; created: number; updated: number; unchanged: number; skipped: number; conflicts: number; failed: number }
const none: Counts = { read: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, conflicts: 0, failed: 0 }
export type Run = {
  id: string
  connectionId: string
  daysAgo: number
  state: 'succeeded' | 'partial' | 'failed'
  in: Counts
  out: Counts
  seconds: number
}

/** How many people stand on either side. */
const sizeOf = (world: World, share: number) => Math.max(20, Math.round((Math.min(world.people, 2_400) * share) / 100))

/** A run a day, the oldest first. */
export function runsOf(world: World, { sheet, newsletter }: Synced): Run[] {
  const alumni = sizeOf(world, 5)
  const readers = sizeOf(world, 12)
  return Array.from({ length: daysOfRuns }, (_, nth) => daysOfRuns - nth).flatMap((daysAgo): Run[] => {
    const { between, chance } = random(world.seed, streams.syncRun, daysAgo)
    const idAt = (index: number, second: number) =>
      idOf(world.seed, streams.syncRun, daysAgo * 10 + index, Date.parse(instantOf(world.today - daysAgo, second)))
    const updated = between(0, 5)
    const failed = chance(0.2) ? between(1, 2) : 0
    const written = between(1, 9)
    const isAway = daysAgo <= away
    const refused = isAway ? 0 : daysAgo === away + 1 ? 3 : chance(0.15) ? 1 : 0
    const came = { ...none, read: alumni, created: daysAgo % 9 === 0 ? 1 : 0, updated, failed, unchanged: alumni - updated - failed }
    const went = { ...none, created: daysAgo % 5 === 0 ? 2 : 0, updated: written, failed: refused, conflicts: daysAgo === away + 1 ? 2 : 0 }
    return [
      {
        id: idAt(1, runAt),
        connectionId: sheet,
        daysAgo,
        state: failed > 0 ? 'partial' : 'succeeded',
        in: came,
        out: none,
        seconds: between(2, 9),
      },
      isAway
        ? { id: idAt(2, runAt + 5), connectionId: newsletter, daysAgo, state: 'failed', in: none, out: none, seconds: 31 }
        : {
            ...{
              id: idAt(2, runAt + 5),
              connectionId: newsletter,
              daysAgo,
              state: refused > 0 ? 'partial' : 'succeeded',
              seconds: between(12, 48),
            },
            ...{
              in: { ...none, read: readers, unchanged: readers },
              out: { ...went, read: readers, unchanged: readers - written - refused },
            },
          },
    ]
  })
}

const asRow = (world: World, { id, connectionId, daysAgo, state, seconds, ...run }: Run) => ({
  ...{
    org_id: world.orgId,
    id,
    connection_id: connectionId,
    state,
    trigger: daysAgo === daysOfRuns ? 'manual' : 'schedule',
    mapping_version: 1,
  },
  ...{
    counts_in: run.in,
    counts_out: run.out,
    done: run.in.read + run.out.read,
    total: run.in.read + run.out.read,
    version: 2,
    is_dry: false,
  },
  failure: state === 'failed' ? { reason: 'sync_unreachable', detail: 'The other side cannot be reached.' } : null,
  account_id: daysAgo === daysOfRuns ? ownerOf(world, 'secretary') : null,
  created_at: instantOf(world.today - daysAgo, runAt),
  started_at: instantOf(world.today - daysAgo, runAt + 1),
  finished_at: instantOf(world.today - daysAgo, runAt + 1 + seconds),
  updated_at: instantOf(world.today - daysAgo, runAt + 1 + seconds),
})

const problems = [
  ['out', 'address_taken', 'Somebody else on this list has this address.'],
  ['out', 'refused_there', 'The other side does not take this address.'],
  ['out', 'no_email', 'There is no address to write to.'],
] as const

export async function addRuns(client: pg.Client, world: World, synced: Synced): Promise<number> {
  const runs = runsOf(world, synced)
  await insert(
    client,
    'sync_runs',
    runs.map((run) => asRow(world, run)),
  )
  const last = runs.filter(({ connectionId, state }) => connectionId === synced.newsletter && state !== 'failed').at(-1)
  if (!last) return runs.length
  const at = instantOf(world.today - last.daysAgo, runAt + 20)
  const errors = problems.map(([direction, code, message], index) => ({
    ...{
      org_id: world.orgId,
      id: idOf(world.seed, streams.syncRun, 9_000 + index, Date.parse(at)),
      connection_id: synced.newsletter,
      run_id: last.id,
    },
    ...{
      direction,
      row: `reader${index + 1}@lists.demo.example`,
      code,
      message,
      state: 'open',
      version: 1,
      created_at: at,
      updated_at: at,
    },
  }))
  await insert(client, 'sync_errors', errors)
  return runs.length + errors.length
}

/** Rows that all name the same columns. */
export async function insert(client: pg.Client, table: string, rows: readonly Record<string, unknown>[]): Promise<number> {
  const names = Object.keys(rows[0] ?? {}).join(', ')
  if (names === '') return 0
  await client.query(`insert into app.${table} (${names}) select ${names} from jsonb_populate_recordset(null::app.${table}, $1::jsonb)`, [
    JSON.stringify(rows),
  ])
  return rows.length
}
