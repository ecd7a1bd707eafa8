import { listPage } from '../../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { newApiKey } from '../../../platform/sign-in/api-keys.ts'
import {
  activityQuery,
  findKey,
  insertKey,
  keyQuery,
  keysList,
  mayMake,
  revokeKey,
  updateKey,
  usesList,
} from './integrations.keys.queries.ts'

const { keys } = data.integrations

export const keysData = keys.router({
  list: keys.list.handler(({ input, context }) => listPage(context, keysList(input.state), input)),
  get: keys.get.handler(async ({ input, context }) => (await readOne(context, keyQuery(input.apiKeyId))).key),
  uses: keys.uses.handler(async ({ input, context }) => {
    await readOne(context, keyQuery(input.apiKeyId))
    return listPage(context, usesList(input.apiKeyId, input.failed === true), input)
  }),
  activity: keys.activity.handler(async ({ input, context }) => {
    await readOne(context, keyQuery(input.apiKeyId))
    return readOne(context, activityQuery(input.apiKeyId))
  }),
  create: keys.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { may, place, beyond } = await mayMake(db, input)
      if (!may) throw problem('FORBIDDEN')
      if (!place) throw problem('UNPROCESSABLE_CONTENT', fault('chapterId', 'chapter_not_found', 'There is no such chapter.'))
      if (beyond.length > 0) {
        const message = `Nobody gives more than they hold: ${beyond.join(', ')}.`
        throw problem('FORBIDDEN', fault('permissions', 'beyond_reach', message, { params: { permissions: beyond } }))
      }
      const { secret, ...kept } = newApiKey()
      return { key: await insertKey(db, input, kept), secret }
    }),
  ),
  update: keys.update.handler(({ input: { apiKeyId, ...change }, context }) =>
    context.inTx(async (db) => {
      mustBeKept(mustFind(await findKey(db, apiKeyId)))
      return updateKey(db, { apiKeyId, version: context.ifMatch }, change)
    }),
  ),
  revoke: keys.revoke.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustBeKept(mustFind(await findKey(db, input.apiKeyId)))
      return revokeKey(db, { ...input, version: context.ifMatch })
    }),
  ),
})

function mustBeKept({ state }: { state: string }): void {
  if (state === 'revoked') throw problem('CONFLICT', { reason: 'api_key_revoked', detail: 'This API key is revoked. Make a new one.' })
}
