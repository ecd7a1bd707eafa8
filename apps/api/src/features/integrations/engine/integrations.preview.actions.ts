import type { FieldMapping, MappingPreview } from '@guildhall/contract/features/integrations'
import type { ActorDb } from '@guildhall/db'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { reachOf } from '../connections/integrations.secrets.queries.ts'
import { isConnectorError } from '../connectors/integrations.connector.rules.ts'
import type { Reach, Remote, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { syncConnectors } from '../connectors/integrations.connectors.actions.ts'
import { failureOf } from './integrations.failures.rules.ts'
import type { Ours, OurSide } from '../ours/integrations.ours.rules.ts'
import { noClaims, planRows } from './integrations.planning.jobs.ts'
import type { Pass, RowPlan } from './integrations.planning.jobs.ts'
import { comparedFields, keysRead, takesIn } from './integrations.runs.rules.ts'
import { oursOf } from '../ours/integrations.sides.jobs.ts'
import { findSynced, todayIn } from './integrations.sync.queries.ts'
import type { SyncedConnection } from './integrations.sync.queries.ts'

const patienceMs = 20_000
const shown = 5
/** So many of the first rows are looked at for some that change anything. */
const lookedAt = 50

type Asked = { connection: SyncedConnection; connector: SyncConnector; ours: Ours; reach: Reach }

/** Real records as a mapping would change them, with the rights of who asks; nothing is written. */
export async function previewMapping(
  context: CallerContext,
  connectionId: string,
  mapping: readonly FieldMapping[] | undefined,
): Promise<MappingPreview> {
  const asked = await context.inTx(async (db): Promise<Asked> => {
    const connection = mustFind(await findSynced(db, connectionId))
    const ours = oursOf(connection.connector)
    const connector = syncConnectors[connection.connector]
    if (!ours || !connector) throw problem('CONFLICT', { reason: 'connection_no_runs', detail: 'This connector has no runs.' })
    return { connection, connector, ours, reach: await reachOf(db, context.services, connectionId, AbortSignal.timeout(patienceMs)) }
  })
  const fields = comparedFields(mapping ?? asked.connection.mapping)
  if (fields.length === 0) throw problem('CONFLICT', { reason: 'sync_no_mapping', detail: 'Map at least one field first.' })
  const rows = await firstRows(asked)
  return context.inTx(async (db) => ({ records: await recordsOf(db, context, asked, fields, rows) }))
}

async function firstRows({ connector, reach }: Asked): Promise<readonly Remote[]> {
  if (!connector.pull) return []
  try {
    const { rows } = await connector.pull(reach, null, null)
    return rows.filter(({ isGone }) => !isGone).slice(0, lookedAt)
  } catch (error) {
    if (!isConnectorError(error)) throw error
    throw problem('CONFLICT', failureOf(error).failure)
  }
}

async function recordsOf(
  db: ActorDb,
  context: CallerContext,
  asked: Asked,
  fields: readonly FieldMapping[],
  rows: readonly Remote[],
): Promise<MappingPreview['records']> {
  const { connection, connector, ours, reach } = asked
  const { orgId, accountId } = context.actor
  const today = await todayIn(db)
  const side = await ours.open({
    db,
    orgId,
    accountId,
    connection: { ...connection, settings: reach.settings },
    matchBy: connection.matchBy,
    fields: keysRead(fields, connection.matchBy),
    today,
  })
  const pass: Pass = {
    orgId,
    accountId,
    runId: connection.id,
    passId: connection.id,
    worker: '',
    connection,
    connector,
    ours,
    fields,
    takesIn: takesIn(fields),
    givesOut: connector.push !== undefined,
    consent: null,
    claims: noClaims(),
    retried: null,
    today,
    remembers: true,
  }
  const found = (await planRows(db, pass, side, rows)).map((plan) => previewOf(plan, fields))
  const news = found.length < shown && connector.push ? await newsOf(side, fields) : []
  return [...found.filter((one) => one.fields.length > 0), ...news, ...found.filter((one) => one.fields.length === 0)].slice(0, shown)
}

type Preview = MappingPreview['records'][number]

function previewOf(plan: RowPlan, fields: readonly FieldMapping[]): Preview {
  if (plan.kind === 'create') {
    const name = [plan.values['givenName'], plan.values['familyName']].filter(Boolean).join(' ') || plan.remote.externalId
    return {
      name,
      fields: Object.entries(plan.values).map(([ours, after]) => ({ ours, before: null, after, direction: 'in' })),
      error: null,
    }
  }
  if (plan.kind !== 'known') return { name: plan.name, fields: [], error: plan.kind === 'fail' ? plan.error : null }
  const { compared } = plan
  const order = (field: string) => fields.findIndex(({ ours }) => ours === field)
  return {
    name: plan.before.name,
    fields: [
      ...[...compared.in, ...compared.waitIn, ...compared.conflicts].map(({ field, before, after }) => ({
        ours: field,
        before,
        after,
        direction: 'in' as const,
      })),
      ...[...compared.out, ...compared.waitOut].map(({ field, before, after }) => ({
        ours: field,
        before,
        after,
        direction: 'out' as const,
      })),
    ].sort((a, b) => order(a.ours) - order(b.ours)),
    error: null,
  }
}

/** Ours that are not there yet. */
async function newsOf(side: OurSide, fields: readonly FieldMapping[]): Promise<Preview[]> {
  const ids = await side.untied(null, shown)
  return [...(await side.read(ids)).values()].map(({ name, values }) => ({
    name,
    fields: fields.flatMap(({ ours, direction }) => {
      const after = values[ours]
      return direction === 'in' || after === undefined || after === null ? [] : [{ ours, before: null, after, direction: 'out' as const }]
    }),
    error: null,
  }))
}
