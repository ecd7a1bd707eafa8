import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { tryConnection } from '../engine/integrations.try.actions.ts'
import { byItself, mustSync } from './integrations.connections.data.ts'
import { findConnection, insertConnection } from './integrations.connections.queries.ts'
import { putSecrets } from './integrations.secrets.queries.ts'
import { checkedSettings } from './integrations.settings.rules.ts'

const { integrations } = actions

export const connectionsActions = {
  /** What the other side says decides whether it is connected; it stays, to be repaired, where it does not work. */
  connect: integrations.connect.handler(async ({ input, context }) => {
    const { connector, settings, secrets, chapterId } = input
    const { services, actor } = context
    if (connector === 'stripe' || connector === 'smtp') throw byItself()
    if (connector === 'scim' && chapterId !== null)
      throw problem('UNPROCESSABLE_CONTENT', fault('chapterId', 'connection_whole', 'This connector is for the whole organisation only.'))
    mustSync(connector, input)
    const checked = checkedSettings(connector, { settings, secrets }, services.config.OUTGOING_ALLOW)
    const connectionId = await context.inTx(async (db) => {
      await mustSeeChapter(db, chapterId)
      const id = await insertConnection(db, actor, input, checked ?? {})
      await putSecrets(db, services, actor.orgId, id, secrets)
      return id
    })
    await tryConnection(context, connectionId)
    return context.inTx(async (db) => mustFind(await findConnection(db, connectionId)))
  }),
}
