import { instantOf } from '../days.ts'
import type { DemoArea } from '../area.ts'
import { accountId } from '../world.ts'
import type { World } from '../world.ts'

/** The account of a demo person. */
export const ownerOf = (world: World, sub: string): string =>
  accountId(world, [...world.personas].find(([, { demo }]) => demo.sub === sub)?.[0] ?? 0)

type Way = readonly [ours: string, theirs: string, direction: 'in' | 'out' | 'both', rule?: 'automatic' | 'review' | 'never']
const mappingOf = (ways: readonly Way[]) => ways.map(([ours, theirs, direction, rule = 'automatic']) => ({ ours, theirs, direction, rule }))

/** How often each ran is for integrations/runs.ts. None has a schedule: nothing asks addresses that do not exist while the demo runs. */
const connections = [
  {
    connector: 'sheet',
    category: 'crm',
    slug: 'alumni-register',
    name: 'Alumni register',
    state: 'connected',
    failure: null,
    settings: { address: 'https://sheets.demo.example/alumni.csv', idColumn: 'Number' },
    syncs: true,
    isTried: true,
    matchBy: 'primaryEmail',
    ways: [
      ['givenName', 'First name', 'in'],
      ['familyName', 'Last name', 'in', 'review'],
      ['primaryEmail', 'E-mail', 'in'],
      ['city', 'City', 'in'],
    ],
    daysOld: 75,
    owner: 'secretary',
  },
  {
    connector: 'listmonk',
    category: 'email',
    slug: 'newsletter',
    name: 'Newsletter',
    state: 'degraded',
    failure: { reason: 'sync_unreachable', detail: 'The other side cannot be reached.' },
    settings: { address: 'https://lists.demo.example', user: 'guildhall', list: 'Newsletter' },
    syncs: true,
    isTried: true,
    matchBy: 'primaryEmail',
    ways: [
      ['primaryEmail', 'email', 'out'],
      ['fullName', 'name', 'out'],
      ['city', 'city', 'both', 'review'],
    ],
    daysOld: 70,
    owner: 'secretary',
  },
  {
    connector: 'chat',
    category: 'chat',
    slug: 'office-chat',
    name: 'Office chat',
    state: 'paused',
    failure: null,
    settings: { newMember: true, newGift: true, eventFull: false },
    syncs: false,
    isTried: false,
    matchBy: null,
    ways: [],
    daysOld: 40,
    owner: 'owner',
  },
  {
    connector: 'sandbox',
    category: 'crm',
    slug: 'try-it-out',
    name: 'Try it out',
    state: 'connected',
    failure: null,
    settings: { people: 20, failEvery: 7 },
    syncs: true,
    isTried: false,
    matchBy: 'primaryEmail',
    ways: [
      ['givenName', 'first_name', 'both', 'review'],
      ['familyName', 'last_name', 'both', 'review'],
      ['primaryEmail', 'email', 'both', 'review'],
    ],
    daysOld: 12,
    owner: 'owner',
  },
] as const

/** Seconds of the day at which all of them run, and what the last day with a run is. */
export const runAt = 5 * 3_600 + 600
const failedRuns = 3

export const integrationsDemo: DemoArea = {
  table: 'connections',
  rows: (world) =>
    connections.map(({ matchBy, ways, daysOld, owner, isTried, ...row }) => ({
      ...row,
      is_single: false,
      settings_at: instantOf(world.today - daysOld, 36_000),
      owner_account_id: ownerOf(world, owner),
      last_run_at: isTried ? instantOf(world.today - 1, runAt + 40) : null,
      last_success_at: isTried ? instantOf(world.today - (row.state === 'degraded' ? failedRuns + 1 : 1), runAt + 40) : null,
      failed_runs: row.state === 'degraded' ? failedRuns : 0,
      mapping: mappingOf(ways),
      match_by: matchBy,
      on_missing: 'leave',
      mapping_version: 1,
      dry_run_of: isTried ? 1 : null,
      version: 1,
      created_at: instantOf(world.today - daysOld, 36_000),
    })),
}
