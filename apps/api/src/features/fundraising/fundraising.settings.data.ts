import type { ActorDb } from '@guildhall/db'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { mustFind } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../platform/public-pages/brand.ts'
import { readSettings, updateSettings } from './fundraising.settings.queries.ts'
import type { Settings } from './fundraising.settings.queries.ts'
import { draftOf } from './thanks/fundraising.thanks.rules.ts'

const { settings } = data.fundraising

export const settingsData = settings.router({
  get: settings.get.handler(({ context }) => context.inTx(async (db) => answerOf(db, context, mustFind(await readSettings(db))))),
  update: settings.update.handler(({ input, context }) =>
    context.inTx(async (db) => answerOf(db, context, await updateSettings(db, context.ifMatch, input))),
  ),
})

/** The draft of thanks is in the organisation's language until somebody writes another. */
async function answerOf(db: ActorDb, { actor, services }: CallerContext, item: Settings) {
  const { i18n } = await letterheadOf(db, actor.orgId)
  return { ...item, ...draftOf(i18n, item), takesCards: services.payments !== undefined }
}
