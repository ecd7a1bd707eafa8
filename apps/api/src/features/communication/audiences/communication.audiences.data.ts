import type { AudienceDefinition, AudienceScope } from '@guildhall/contract/features/communication.audiences'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { mustSeeGroup } from '../../groups/groups.references.public.ts'
import {
  audienceQuery,
  audiencesList,
  countAudience,
  findAudience,
  insertAudience,
  mustSeePersons,
  setArchived,
  updateAudience,
} from './communication.audiences.queries.ts'
import { audienceSql, mayReach, readAudience } from './communication.audiences.selection.queries.ts'

const { audiences } = data.communication

/** What is saved can be used: its filters are known, and whoever saves it sees the records and people in it. */
async function mustBeUsable(db: ActorDb, definition: AudienceDefinition, before?: AudienceDefinition): Promise<void> {
  await readAudience(db, definition)
  await mustSeePersons(db, definition, before)
}

/** Who asks must write messages in that place. */
async function mustWrite(db: ActorDb, scope: AudienceScope): Promise<void> {
  await mustSeeChapter(db, scope.chapterId, 'scope.chapterId')
  await mustSeeGroup(db, scope.groupId, 'scope.groupId')
  if (!(await mayReach(db, scope, 'messages.write'))) throw problem('FORBIDDEN')
}
/** Many parts over many people take longer than a page does. */
const patient = { statementTimeoutMs: 20_000 }

export const audiencesData = audiences.router({
  list: audiences.list.handler(({ input, context }) => listPage(context, audiencesList(input), input)),
  get: audiences.get.handler(async ({ input, context }) => (await readOne(context, audienceQuery(input.audienceId))).item),
  create: audiences.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      await mustSeeGroup(db, input.groupId)
      await mustBeUsable(db, input.definition)
      return mustFind(await findAudience(db, await insertAudience(db, context.actor, input)))
    }),
  ),
  update: audiences.update.handler(({ input: { audienceId, ...change }, context }) =>
    context.inTx(async (db) => {
      if (change.definition) {
        const { definition } = mustFind(await findAudience(db, audienceId))
        await mustBeUsable(db, change.definition, definition)
      }
      return updateAudience(db, { audienceId, version: context.ifMatch }, change)
    }),
  ),
  archive: audiences.archive.handler(({ input, context }) =>
    context.inTx((db) => setArchived(db, { ...input, version: context.ifMatch }, true)),
  ),
  restore: audiences.restore.handler(({ input, context }) =>
    context.inTx((db) => setArchived(db, { ...input, version: context.ifMatch }, false)),
  ),
  count: audiences.count.handler(({ input: { definition, scope }, context }) =>
    context.inTx(async (db) => {
      await mustWrite(db, scope)
      return countAudience(db, await audienceSql(db, definition, scope))
    }, patient),
  ),
})
