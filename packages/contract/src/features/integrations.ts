import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { Failure } from '../reasons.ts'
import { CalendarDate, ChapterRef, Cursor, Id, Instant, Limit, Version, page, text } from '../shapes.ts'

const tag = 'Integrations'

// Catalogue -------------------------------------------------------------------------------------------------------------------------

/** The connectors that come with the product. `in`: rows come to us, `out`: ours go there. Settings and fields of each: integrations.connectors.ts. */
export const ConnectorKey = z.enum(['sheet', 'icalendar', 'listmonk', 'mailchimp', 'stripe', 'smtp', 'scim', 'chat', 'sandbox'])
export type ConnectorKey = z.infer<typeof ConnectorKey>
export const ConnectorCategory = z.enum(['email', 'payments', 'calendar', 'crm', 'identity', 'chat'])
export type ConnectorCategory = z.infer<typeof ConnectorCategory>
export const SyncDirection = z.enum(['in', 'out', 'both'])
export type SyncDirection = z.infer<typeof SyncDirection>

// Connections -----------------------------------------------------------------------------------------------------------------------

export const ConnectionState = z
  .enum(['connecting', 'connected', 'degraded', 'paused', 'error', 'disconnected'])
  .describe('degraded: three runs failed, or data is older than promised; error: it cannot go on before somebody repairs it')
export type ConnectionState = z.infer<typeof ConnectionState>

/** Settings of a connector by name; which there are says integrations.connectors.ts. */
const Settings = z.record(z.string().max(40), z.union([z.string().max(2_000), z.boolean(), z.int()]))
/** Written, never read: an answer says only whether there is one. */
const Secrets = z.record(z.string().max(40), z.string().min(1).max(4_000))

export const Connection = z.object({
  id: Id,
  connector: ConnectorKey,
  slug: z.string().describe('Its name in addresses'),
  name: z.string(),
  chapter: ChapterRef.nullable().describe('Whose it is; the organisation’s where null'),
  state: ConnectionState,
  failure: Failure.nullable().describe('Why it is degraded or in error'),
  settings: Settings.describe('Empty for those who may not manage it: an address can be a secret'),
  secrets: z.array(z.object({ name: z.string(), setAt: Instant })),
  owner: z.string().nullable(),
  syncs: z.boolean().describe('It has runs; others only hand on what happens'),
  everyMinutes: z.int().nullable(),
  freshHours: z.int().nullable().describe('Promise: data is never older than this'),
  lastRunAt: Instant.nullable(),
  lastSuccessAt: Instant.nullable(),
  nextRunAt: Instant.nullable(),
  records: z.int().describe('Records tied to it'),
  openErrors: z.int(),
  waiting: z.int().describe('Changes that wait for somebody'),
  needsDryRun: z.boolean().describe('A run that writes would be refused: its mapping has not been tried'),
  strip: z
    .array(z.object({ day: CalendarDate, runs: z.int(), failed: z.int(), errors: z.int(), in: z.int(), out: z.int() }))
    .describe('The last 14 days, oldest first; in and out: records written'),
  createdAt: Instant,
  version: Version,
  may: z.object({ manage: z.boolean() }),
})
export type Connection = z.infer<typeof Connection>
const OneConnection = z.strictObject({ connectionId: Id })

export const NewConnection = z
  .strictObject({
    connector: ConnectorKey,
    name: text(100, 1),
    chapterId: Id.nullable().default(null),
    settings: Settings.default({}),
    secrets: Secrets.default({}),
    everyMinutes: z.int().min(15).max(10_080).nullable().default(null),
    freshHours: z.int().min(1).max(8_760).nullable().default(null),
  })
  .meta({ examples: [{ connector: 'sandbox', name: 'Try it out', settings: { people: 20 } }] })
export type NewConnection = z.infer<typeof NewConnection>
const ConnectionChange = z
  .strictObject({
    name: text(100, 1),
    settings: Settings,
    secrets: Secrets.describe('Replaces the ones named'),
    everyMinutes: z.int().min(15).max(10_080).nullable(),
    freshHours: z.int().min(1).max(8_760).nullable(),
    ownerAccountId: Id.describe('Your own account, to take it over: runs act with the rights of the owner'),
  })
  .partial()

export const ConnectionTest = z.object({
  works: z.boolean(),
  failure: Failure.nullable(),
  found: z.array(z.object({ name: z.string(), value: z.string() })).describe('What the other side says of itself; at most 10'),
  milliseconds: z.int(),
})
export type ConnectionTest = z.infer<typeof ConnectionTest>

// Mapping ---------------------------------------------------------------------------------------------------------------------------

export const MappingRule = z
  .enum(['automatic', 'review', 'never'])
  .describe('review: changes wait for somebody; never: the field is left alone')
export type MappingRule = z.infer<typeof MappingRule>
export const FieldMapping = z.strictObject({
  ours: z.string().min(1).max(80).describe('Key of our field'),
  theirs: z.string().min(1).max(200).describe('Name of the field on the other side'),
  direction: SyncDirection,
  rule: MappingRule,
})
export type FieldMapping = z.infer<typeof FieldMapping>
const FieldOf = z.object({
  key: z.string(),
  label: z.string().nullable().describe('Null where a screen has the word'),
  example: z.string().nullable(),
  isKey: z.boolean(),
})
export const ConnectionMapping = z.object({
  ours: z.array(FieldOf),
  theirs: z.array(FieldOf).describe('As the other side names them now, at most 200; empty where it cannot be asked'),
  mapping: z.array(FieldMapping),
  matchBy: z.string().nullable().describe('Our field by which records are matched the first time'),
  onMissing: z.enum(['leave', 'ask']).describe('What happens with ours when theirs is gone: nothing, or it waits for somebody'),
  version: Version,
})
export type ConnectionMapping = z.infer<typeof ConnectionMapping>
export const MappingPreview = z.object({
  records: z
    .array(
      z.object({
        name: z.string(),
        fields: z.array(
          z.object({ ours: z.string(), before: z.string().nullable(), after: z.string().nullable(), direction: z.enum(['in', 'out']) }),
        ),
        error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why the row could not be written'),
      }),
    )
    .describe('Up to five real records, of people that the caller may see'),
})
export type MappingPreview = z.infer<typeof MappingPreview>

// Runs ------------------------------------------------------------------------------------------------------------------------------

export const RunState = z.enum(['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'])
export type RunState = z.infer<typeof RunState>
const Counts = z.object({
  read: z.int(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  conflicts: z.int(),
  failed: z.int(),
})
export const SyncRun = z.object({
  id: Id,
  connectionId: Id,
  isDry: z.boolean().describe('Says what would be written and writes nothing'),
  trigger: z.enum(['manual', 'schedule', 'retry', 'resume']),
  state: RunState,
  in: Counts.describe('Of what came to us'),
  out: Counts.describe('Of what went there'),
  done: z.int(),
  total: z.int().nullable(),
  failure: Failure.nullable(),
  by: z.string().nullable(),
  startedAt: Instant.nullable(),
  finishedAt: Instant.nullable(),
  createdAt: Instant,
})
export type SyncRun = z.infer<typeof SyncRun>
const OneRun = OneConnection.extend({ runId: Id })

export const SyncChangeKind = z.enum(['create', 'update', 'conflict', 'remove'])
export const SyncChange = z.object({
  id: Id,
  direction: z.enum(['in', 'out']),
  kind: SyncChangeKind,
  state: z.enum(['planned', 'waiting', 'written', 'refused']).describe('waiting: somebody decides; planned: of a dry run'),
  recordId: Id.nullable(),
  externalId: z.string().nullable(),
  name: z.string(),
  fields: z.array(z.object({ field: z.string(), before: z.string().nullable(), after: z.string().nullable() })).describe('At most 40'),
  version: Version,
})
export type SyncChange = z.infer<typeof SyncChange>
export const SyncError = z.object({
  id: Id,
  runId: Id,
  direction: z.enum(['in', 'out']),
  row: z.string().describe('Line, id or name by which it is found on the other side'),
  code: z.string(),
  message: z.string().describe('English, for those who repair it'),
  state: z.enum(['open', 'retried', 'ignored']),
  at: Instant,
  version: Version,
})
export type SyncError = z.infer<typeof SyncError>

/** Where a value came from, and where it goes: for one record, over all connections. */
export const ValueTrace = z.object({
  fields: z.array(
    z.object({
      field: z.string(),
      connection: z.object({ id: Id, name: z.string(), connector: ConnectorKey }),
      direction: z.enum(['in', 'out']),
      value: z.string().nullable(),
      externalId: z.string(),
      at: Instant,
      runId: Id.nullable(),
    }),
  ),
})
export type ValueTrace = z.infer<typeof ValueTrace>

const paged = { cursor: Cursor.optional(), limit: Limit.optional() }

export const integrationsData = {
  list: get('/connections', 'listConnections', {
    needs: 'integrations.read',
    tag,
    summary: 'Connections that you may see, those in trouble first; at most 200',
  })
    .input(z.strictObject({ category: ConnectorCategory.optional() }))
    .output(z.object({ items: z.array(Connection) })),
  get: get('/connections/{connectionId}', 'getConnection', { needs: 'integrations.read', tag, summary: 'One connection' })
    .input(z.strictObject({ connectionId: z.string().max(60).describe('Id, or its name in addresses') }))
    .output(Connection),
  update: patch('/connections/{connectionId}', 'updateConnection', {
    needs: 'integrations.manage',
    tag,
    summary: 'Change a connection; who changes its settings or secrets owns it from then on',
  })
    .input(OneConnection.extend(ConnectionChange.shape).meta({ examples: [{ everyMinutes: 60 }] }))
    .output(Connection),
  pause: act('/connections/{connectionId}/pause', 'pauseConnection', { needs: 'integrations.manage', tag, summary: 'Pause a connection' })
    .input(OneConnection)
    .output(Connection),
  resume: act('/connections/{connectionId}/resume', 'resumeConnection', {
    needs: 'integrations.manage',
    tag,
    summary: 'Resume a connection',
  })
    .input(OneConnection)
    .output(Connection),
  disconnect: act('/connections/{connectionId}/disconnect', 'disconnectConnection', {
    needs: 'integrations.manage',
    tag,
    summary: 'Disconnect: secrets are deleted, what was brought in and the ties to it stay',
  })
    .input(OneConnection)
    .output(Connection),
  mapping: get('/connections/{connectionId}/mapping', 'getConnectionMapping', {
    needs: 'integrations.read',
    tag,
    summary: 'Which field goes where',
  })
    .input(OneConnection)
    .output(ConnectionMapping),
  setMapping: patch('/connections/{connectionId}/mapping', 'setConnectionMapping', {
    needs: 'integrations.manage',
    tag,
    summary: 'Say which field goes where; two of theirs into one of ours are refused',
  })
    .input(
      OneConnection.extend({
        mapping: z.array(FieldMapping).max(80),
        matchBy: z.string().max(80).nullable().optional(),
        onMissing: z.enum(['leave', 'ask']).optional(),
      }).meta({ examples: [{ mapping: [{ ours: 'primaryEmail', theirs: 'E-mail', direction: 'in', rule: 'automatic' }] }] }),
    )
    .output(ConnectionMapping),
  runs: get('/connections/{connectionId}/runs', 'listSyncRuns', {
    needs: 'integrations.read',
    tag,
    summary: 'Runs of a connection, the newest first',
  })
    .input(OneConnection.extend(paged))
    .output(page(SyncRun)),
  run: get('/connections/{connectionId}/runs/{runId}', 'getSyncRun', { needs: 'integrations.read', tag, summary: 'One run' })
    .input(OneRun)
    .output(SyncRun),
  changes: get('/connections/{connectionId}/runs/{runId}/changes', 'listSyncChanges', {
    needs: 'integrations.manage',
    tag,
    summary: 'What a run wrote or, of a dry run, would write',
  })
    .input(
      OneRun.extend({ kind: SyncChangeKind.optional(), state: z.enum(['planned', 'waiting', 'written', 'refused']).optional(), ...paged }),
    )
    .output(page(SyncChange)),
  waiting: get('/connections/{connectionId}/changes', 'listWaitingChanges', {
    needs: 'integrations.manage',
    tag,
    summary: 'Changes of all runs that wait for somebody, the oldest first',
  })
    .input(OneConnection.extend(paged))
    .output(page(SyncChange)),
  decide: act('/connections/{connectionId}/changes/{changeId}/decide', 'decideSyncChange', {
    needs: 'integrations.manage',
    tag,
    summary: 'Accept or refuse a change that waits for somebody',
  })
    .input(OneConnection.extend({ changeId: Id, accept: z.boolean() }).meta({ examples: [{ accept: true }] }))
    .output(SyncChange),
  errors: get('/connections/{connectionId}/errors', 'listSyncErrors', {
    needs: 'integrations.manage',
    tag,
    summary: 'Rows that failed, the newest first',
  })
    .input(
      OneConnection.extend({
        runId: Id.optional(),
        state: z.enum(['open', 'retried', 'ignored']).optional(),
        code: z.string().max(60).optional(),
        ...paged,
      }),
    )
    .output(
      page(SyncError).extend({
        causes: z.array(z.object({ code: z.string(), count: z.int() })).describe('Why rows that are open failed, the most frequent first'),
      }),
    ),
  ignore: act('/connections/{connectionId}/errors/{errorId}/ignore', 'ignoreSyncError', {
    needs: 'integrations.manage',
    tag,
    summary: 'Ignore a row that failed',
  })
    .input(OneConnection.extend({ errorId: Id }))
    .output(SyncError),
  trace: get('/people/{personId}/value-trace', 'getValueTrace', {
    needs: 'integrations.read',
    tag,
    summary: 'Where the synced values of a person came from and where they go',
  })
    .input(z.strictObject({ personId: Id }))
    .output(ValueTrace),
}

export const integrationsActions = {
  connect: post('/connections', 'createConnection', {
    needs: 'integrations.manage',
    // The other side is asked, which may take long: no transaction waits for it.
    idempotent: false,
    perHour: 60,
    tag,
    summary: 'Connect another system; the other side is asked whether it works, and nothing is written there',
  })
    .input(NewConnection)
    .output(Connection),
  test: post('/connections/{connectionId}/test', 'testConnection', {
    needs: 'integrations.manage',
    status: 200,
    idempotent: false,
    perHour: 120,
    tag,
    summary: 'Ask the other side whether the connection works',
  })
    .input(OneConnection)
    .output(ConnectionTest),
  preview: post('/connections/{connectionId}/mapping/preview', 'previewMapping', {
    needs: 'integrations.manage',
    status: 200,
    idempotent: false,
    perHour: 240,
    readsPeople: 5,
    tag,
    summary: 'Real records as a mapping would change them; nothing is written',
  })
    .input(OneConnection.extend({ mapping: z.array(FieldMapping).max(80).optional() }))
    .output(MappingPreview),
  run: post('/connections/{connectionId}/runs', 'startSyncRun', {
    needs: 'integrations.manage',
    status: 202,
    perHour: 120,
    tag,
    summary: 'Run a connection now; the first run of a mapping must be dry',
  })
    .input(
      OneConnection.extend({
        isDry: z.boolean().default(false),
        retryRunId: Id.optional().describe('Only the rows of this run that failed'),
        retryErrorId: Id.optional().describe('Only this row'),
      }).meta({
        examples: [{ isDry: true }],
      }),
    )
    .output(SyncRun),
  cancel: post('/connections/{connectionId}/runs/{runId}/cancel', 'cancelSyncRun', {
    needs: 'integrations.manage',
    status: 200,
    idempotent: false,
    tag,
    summary: 'Stop a run; what was written stays, and the next one goes on from there',
  })
    .input(OneRun)
    .output(SyncRun),
}
