import { fake, uuid } from '../../testing/fake-api.ts'
import type { Change, Connection, ConnectionMapping, RowError, SyncRun } from './integrations-api.ts'

export const at = '2026-11-28T09:00:00Z'
export const pageOf = <Item>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

const days = Array.from({ length: 14 }, (_, day) => `2026-11-${String(15 + day).padStart(2, '0')}`)
export const strip: Connection['strip'] = days.map((day, index) => ({
  day,
  runs: index === 0 ? 0 : 4,
  failed: index === 12 ? 1 : 0,
  errors: index === 13 ? 3 : 0,
  in: index * 2,
  out: 1,
}))

/** A sheet that is well. */
export const sheet: Connection = {
  ...{ id: uuid(71), connector: 'sheet', slug: 'volunteers', name: 'Volunteers', chapter: null, state: 'connected', failure: null },
  settings: { address: 'https://sheets.example/volunteers.csv', separator: 'auto' },
  ...{ secrets: [], owner: 'Olive Owner', syncs: true, everyMinutes: 60, freshHours: 24 },
  ...{ lastRunAt: at, lastSuccessAt: at, nextRunAt: '2026-11-28T10:00:00Z', records: 120, openErrors: 0, waiting: 0 },
  ...{ needsDryRun: false, strip, createdAt: '2026-10-01T09:00:00Z', version: 4, may: { manage: true } },
}
/** A mailing list whose secret no longer works. */
export const list: Connection = {
  ...{ ...sheet, id: uuid(72), connector: 'listmonk', slug: 'newsletter', name: 'Newsletter list', state: 'error' },
  failure: { reason: 'sync_unauthorized', detail: 'The other side refused the token.' },
  settings: { address: 'https://lists.example', user: 'guildhall', list: '3' },
  ...{ secrets: [{ name: 'token', setAt: '2026-10-01T09:00:00Z' }], openErrors: 2, waiting: 2, records: 4_200 },
}

export const mapping: ConnectionMapping = {
  ours: ['givenName', 'familyName', 'primaryEmail', 'city'].map((key) => ({
    key,
    label: null,
    example: null,
    isKey: key === 'primaryEmail',
  })),
  theirs: [
    { key: 'First name', label: null, example: 'Ada', isKey: false },
    { key: 'Family name', label: null, example: 'Byron', isKey: false },
    { key: 'E-mail', label: null, example: 'ada@example.org', isKey: true },
    { key: 'Town', label: null, example: 'London', isKey: false },
  ],
  mapping: [
    { ours: 'givenName', theirs: 'First name', direction: 'in', rule: 'automatic' },
    { ours: 'primaryEmail', theirs: 'E-mail', direction: 'in', rule: 'automatic' },
  ],
  ...{ matchBy: 'primaryEmail', onMissing: 'leave', version: 4 },
}

export const counts = (change: Partial<SyncRun['in']> = {}): SyncRun['in'] => ({
  ...{ read: 0, created: 0, updated: 0, unchanged: 0, skipped: 0, conflicts: 0, failed: 0 },
  ...change,
})
export const run: SyncRun = {
  ...{ id: uuid(81), connectionId: sheet.id, isDry: false, trigger: 'schedule', state: 'partial' },
  in: counts({ read: 120, created: 2, updated: 5, unchanged: 110, failed: 3 }),
  out: counts(),
  ...{ done: 120, total: 120, failure: null, by: null },
  ...{ startedAt: '2026-11-28T08:59:00Z', finishedAt: at, createdAt: '2026-11-28T08:59:00Z' },
}
export const dryRun: SyncRun = {
  ...{ ...run, id: uuid(82), isDry: true, trigger: 'manual', state: 'succeeded', by: 'Olive Owner' },
  in: counts({ read: 4, created: 2, updated: 1, conflicts: 1 }),
  ...{ done: 4, total: 4 },
}

export const change: Change = {
  ...{ id: uuid(91), direction: 'in', kind: 'update', state: 'waiting', recordId: uuid(92), externalId: 'r7', name: 'Ada Byron' },
  fields: [{ field: 'city', before: 'Paris', after: 'London' }],
  version: 1,
}
export const failed: RowError = {
  ...{ id: uuid(95), runId: run.id, direction: 'in', row: 'Line 17', code: 'bad_value', message: 'birthDate: 31.02.1990' },
  ...{ state: 'open', at, version: 1 },
}

export const { integrations } = fake.data
/** What the pages ask for; tests lay their own answers over it. */
export const answers = (connection: () => Connection = () => sheet) => ({
  list: integrations.list.handler(() => ({ items: [connection(), list] })),
  get: integrations.get.handler(connection),
  mapping: integrations.mapping.handler(() => mapping),
  runs: integrations.runs.handler(() => pageOf([run])),
  run: integrations.run.handler(() => run),
  changes: integrations.changes.handler(() => pageOf([])),
  waiting: integrations.waiting.handler(() => pageOf([])),
  errors: integrations.errors.handler(() => ({ ...pageOf([]), causes: [] })),
})
