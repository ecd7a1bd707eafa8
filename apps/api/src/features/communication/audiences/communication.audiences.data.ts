import type { AudienceDefinition, AudienceScope } from '@guildhall/contract/features/communication.audiences'
import type { ActorDb } from '@guildhall/db'
import type { Compilable } from 'kysely'
import { listPage } from '../../../platform/lists/list-page.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { mustSeeGroup } from '../../groups/groups.references.public.ts'
import {
  audienceQuery,
  audiencesList,
  findAudience,
  insertAudience,
  mustSeePersons,
  setArchived,
  updateAudience,
} from './communication.audiences.queries.ts'
import { audiencePeopleList, countPeople, countReach, isTopic, refusalsOf } from './communication.audiences.people.queries.ts'
import { audienceSql, findParts, mayReach, readAudience } from './communication.audiences.selection.queries.ts'

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
/** A topic is one of the organisation's. */
async function mustSeeTopic(db: ActorDb, topicId: string | null): Promise<void> {
  if (topicId && !(await isTopic(db, topicId)))
    throw problem('UNPROCESSABLE_CONTENT', fault('topicId', 'audience_topic', 'There is no such topic. Choose another.'))
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
  count: audiences.count.handler(({ input: { definition, scope, topicId }, context }) =>
    context.inTx(async (db) => {
      await mustWrite(db, scope)
      await mustSeeTopic(db, topicId)
      return countReach(db, await audienceSql(db, definition, scope), topicId)
    }, patient),
  ),
  people: audiences.people.handler(({ input: { definition, scope, cursor, limit, ...shown }, context }) =>
    context.inTx(async (db) => {
      await mustWrite(db, scope)
      await mustSeeTopic(db, shown.topicId)
      const list = audiencePeopleList(await audienceSql(db, definition, scope), [definition, scope], shown)
      const here = { ...context, read: async <T>(query: Compilable<T>) => (await db.executeQuery(query.compile())).rows }
      const page = await listPage(here, list, { cursor, limit, counted: false })
      const refusals = await refusalsOf(
        db,
        page.items.map(({ person }) => person.id),
        shown.topicId,
      )
      return { ...page, items: page.items.map((item) => ({ ...item, refusal: refusals.get(item.person.id) ?? null })) }
    }, patient),
  ),
  why: audiences.why.handler(({ input: { definition, scope, topicId, personId }, context }) =>
    context.inTx(async (db) => {
      await mustWrite(db, scope)
      await mustSeeTopic(db, topicId)
      const { person, inScope, include, exclude } = mustFind(await findParts(db, definition, scope, personId))
      const [included, excluded] = [placesOf(include), placesOf(exclude)]
      const isIn = inScope && included.length > 0 && excluded.length === 0
      return { person, isIn, inScope, included, excluded, refusal: (await refusalsOf(db, [personId], topicId)).get(personId) ?? null }
    }, patient),
  ),
  size: audiences.size.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { definition, scope } = mustFind(await findAudience(db, input.audienceId))
      return { total: await countPeople(db, await audienceSql(db, definition, scope)) }
    }, patient),
  ),
})

const placesOf = (found: readonly boolean[]) => found.flatMap((isFound, place) => (isFound ? [place] : []))
