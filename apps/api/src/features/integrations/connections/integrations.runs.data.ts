import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { readFields } from '../../fields/fields.public.ts'
import { writeDecided } from '../engine/integrations.decide.actions.ts'
import { managedConnection } from './integrations.connections.data.ts'
import { cancelOutdatedRuns, connectionQuery } from './integrations.connections.queries.ts'
import { findMapping, reachesOf, saveMapping } from './integrations.mapping.queries.ts'
import { mappable, mustFit } from './integrations.mapping.rules.ts'
import {
  causesQuery,
  changesList,
  errorsList,
  findChange,
  findError,
  findRun,
  ignoreError,
  runQuery,
  runsList,
} from './integrations.runs.queries.ts'
import { traceQuery } from './integrations.trace.queries.ts'

const { integrations } = data

/** Lists of a connection that is not there to see are no empty lists. */
async function mustSee(context: CallerContext, connectionId: string): Promise<void> {
  await readOne(context, connectionQuery(connectionId))
}
const mustManage = (context: CallerContext, connectionId: string) => context.inTx((db) => managedConnection(db, connectionId))
const decided = () => problem('CONFLICT', { reason: 'change_decided', detail: 'This has been decided already.' })

export const connectionMappingData = {
  mapping: integrations.mapping.handler(({ input, context }) =>
    context.inTx(async (db) => mustFind(await findMapping(db, input.connectionId))),
  ),
  setMapping: integrations.setMapping.handler(({ input: { connectionId, ...change }, context }) =>
    context.inTx(async (db) => {
      const { connector } = await managedConnection(db, connectionId)
      const fields = connectors[connector].takesFields ? mappable(await readFields(db, 'people')) : []
      mustFit(connector, change.mapping, change.matchBy, { fields, reaches: await reachesOf(db) })
      const saved = await saveMapping(db, connectionId, context.ifMatch, change)
      await cancelOutdatedRuns(db, connectionId)
      return saved
    }),
  ),
}

export const connectionRunsData = {
  runs: integrations.runs.handler(async ({ input, context }) => {
    await mustSee(context, input.connectionId)
    return listPage(context, runsList(input.connectionId), input)
  }),
  run: integrations.run.handler(async ({ input, context }) => (await readOne(context, runQuery(input.connectionId, input.runId))).item),
  changes: integrations.changes.handler(async ({ input, context }) => {
    await context.inTx(async (db) => {
      await managedConnection(db, input.connectionId)
      mustFind(await findRun(db, input.connectionId, input.runId))
    })
    return listPage(context, changesList(input.connectionId, input), input)
  }),
  waiting: integrations.waiting.handler(async ({ input, context }) => {
    await mustManage(context, input.connectionId)
    return listPage(context, changesList(input.connectionId, { state: 'waiting' }), input)
  }),
  decide: integrations.decide.handler(({ input: { connectionId, changeId, accept }, context }) =>
    context.inTx(async (db) => {
      await managedConnection(db, connectionId)
      const read = () => findChange(db, connectionId, changeId)
      const before = mustFind(await read())
      if (before.version === context.ifMatch && before.state !== 'waiting') throw decided()
      await mustTouch(before.version === context.ifMatch, read, context.ifMatch)
      await writeDecided(db, context.actor, { connectionId, changeId, version: context.ifMatch }, accept)
      return mustFind(await read())
    }),
  ),
  errors: integrations.errors.handler(async ({ input, context }) => {
    await mustManage(context, input.connectionId)
    const [page, causes] = await Promise.all([
      listPage(context, errorsList(input.connectionId, input), input),
      context.read(causesQuery(input.connectionId)),
    ])
    return { ...page, causes }
  }),
  ignore: integrations.ignore.handler(({ input: { connectionId, errorId }, context }) =>
    context.inTx(async (db) => {
      await managedConnection(db, connectionId)
      const read = () => findError(db, connectionId, errorId)
      const before = mustFind(await read())
      if (before.version === context.ifMatch && before.state !== 'open')
        throw problem('CONFLICT', { reason: 'sync_error_settled', detail: 'This row was tried again or ignored already.' })
      await mustTouch(await ignoreError(db, errorId, context.ifMatch), read, context.ifMatch)
      return mustFind(await read())
    }),
  ),
  trace: integrations.trace.handler(({ input, context }) => readOne(context, traceQuery(input.personId))),
}
