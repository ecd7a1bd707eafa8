import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { managedConnection } from '../connections/integrations.connections.data.ts'
import { findRun } from '../connections/integrations.runs.queries.ts'
import { noteRunEnd } from '../connections/integrations.states.queries.ts'
import { failedRows, runOfError } from './integrations.changes.queries.ts'
import { previewMapping } from './integrations.preview.actions.ts'
import { comparedFields } from './integrations.runs.rules.ts'
import { findSynced, holdConnection, holdRun, insertRun, keepCursor, ownerOf } from './integrations.sync.queries.ts'
import { tryConnection } from './integrations.try.actions.ts'

const { integrations } = actions

const conflict = (
  reason: 'sync_paused' | 'sync_running' | 'sync_not_running' | 'sync_dry_run_first' | 'sync_no_mapping' | 'sync_no_errors' | 'sync_owner',
  detail: string,
) => problem('CONFLICT', { reason, detail })

export const engineActions = {
  test: integrations.test.handler(async ({ input, context }) => {
    await context.inTx((db) => managedConnection(db, input.connectionId))
    return tryConnection(context, input.connectionId)
  }),

  preview: integrations.preview.handler(async ({ input, context }) => {
    await context.inTx((db) => managedConnection(db, input.connectionId))
    return previewMapping(context, input.connectionId, input.mapping)
  }),

  run: integrations.run.handler(({ input: { connectionId, isDry, retryRunId, retryErrorId }, context }) =>
    context.inTx(async (db) => {
      const { orgId, accountId } = context.actor
      const { syncs } = await managedConnection(db, connectionId)
      if (!syncs) throw problem('UNPROCESSABLE_CONTENT', fault('connectionId', 'connection_no_runs', 'This connector has no runs.'))
      const connection = mustFind(await findSynced(db, connectionId))
      if (connection.state !== 'connected' && connection.state !== 'degraded')
        throw conflict('sync_paused', 'The connection is not running. Resume or repair it first.')
      if (comparedFields(connection.mapping).length === 0) throw conflict('sync_no_mapping', 'Map at least one field first.')
      if (!isDry && connection.dryRunOf !== connection.mappingVersion)
        throw conflict('sync_dry_run_first', 'A dry run of this mapping has to end before anything is written.')
      const owner = await ownerOf(db, connectionId)
      if (owner === null) throw conflict('sync_owner', 'The account that owned this connection is gone. Save its settings to take it over.')
      const retryError = retryErrorId ?? null
      const retryOf = retryError === null ? (retryRunId ?? null) : mustFind(await runOfError(db, connectionId, retryError))
      if (retryOf !== null) {
        mustFind(await findRun(db, connectionId, retryOf))
        const { in: theirs, out } = await failedRows(db, retryOf, retryError)
        if (theirs.size + out.size === 0) throw conflict('sync_no_errors', 'No row of this run failed, or all were tried again.')
      }
      const goesOn = !isDry && retryOf === null && connection.cursor !== null
      const runId = await insertRun(db, orgId, accountId, {
        connectionId,
        isDry,
        trigger: retryOf !== null ? 'retry' : goesOn ? 'resume' : 'manual',
        mappingVersion: connection.mappingVersion,
        retryOf,
        retryError,
        cursor: goesOn ? connection.cursor : null,
      })
      if (runId === undefined) throw conflict('sync_running', 'A run of this connection is under way.')
      await context.services.jobs.send(db, 'syncs', { orgId, accountId: owner, runId })
      return mustFind(await findRun(db, connectionId, runId))
    }),
  ),

  /** The worker looks before each of its steps. */
  cancel: integrations.cancel.handler(({ input: { connectionId, runId }, context }) =>
    context.inTx(async (db) => {
      await managedConnection(db, connectionId)
      mustFind(await findRun(db, connectionId, runId))
      await holdConnection(db, connectionId)
      const run = mustFind(await holdRun(db, runId))
      if (run.state !== 'queued' && run.state !== 'running') throw conflict('sync_not_running', 'This run has ended.')
      if (!run.isDry && run.retryOf === null && run.cursor !== null) await keepCursor(db, connectionId, run.cursor)
      await noteRunEnd(db, context.actor.orgId, runId, { state: 'cancelled' })
      return mustFind(await findRun(db, connectionId, runId))
    }),
  ),
}
