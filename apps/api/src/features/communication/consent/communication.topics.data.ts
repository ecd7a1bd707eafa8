import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import {
  archiveTopic,
  chapterIsThere,
  countTopics,
  findTopic,
  insertTopic,
  mayMakeTopicsQuery,
  mayOrderTopics,
  orderTopics,
  topicsQuery,
  updateTopic,
} from './communication.topics.queries.ts'

const { topics } = data.communication

const nameTaken = (error: unknown): never => {
  throw error instanceof Error && 'constraint' in error && error.constraint === 'topics_name'
    ? problem('CONFLICT', fault('name', 'topic_name_taken', 'There is already a topic with this name.'))
    : error
}

export const topicsData = topics.router({
  list: topics.list.handler(async ({ input, context }) => {
    const [found, [may]] = await Promise.all([context.read(topicsQuery(input.archived ?? false)), context.read(mayMakeTopicsQuery())])
    return { items: found.map(({ item }) => item), may: may ?? { create: false, createForAll: false } }
  }),
  create: topics.create.handler(({ input, context }) =>
    context
      .inTx(async (db) => {
        if (input.chapterId && !(await chapterIsThere(db, input.chapterId)))
          throw problem('UNPROCESSABLE_CONTENT', fault('chapterId', 'chapter_not_found', 'There is no such chapter.'))
        return mustFind(await findTopic(db, await insertTopic(db, context.actor, input)))
      })
      .catch(nameTaken),
  ),
  update: topics.update.handler(({ input: { topicId, ...change }, context }) =>
    context
      .inTx(async (db) => {
        const topic = mustFind(await findTopic(db, topicId))
        if (change.confirm && topic.defaultOpt === 'in')
          throw problem(
            'UNPROCESSABLE_CONTENT',
            fault('confirm', 'topic_confirm_opt', 'Only a topic that people subscribe to themselves can ask for confirmation.'),
          )
        return updateTopic(db, topicId, context.ifMatch, change)
      })
      .catch(nameTaken),
  ),
  archive: topics.archive.handler(({ input, context }) => context.inTx((db) => archiveTopic(db, input.topicId, context.ifMatch, true))),
  restore: topics.restore.handler(({ input, context }) =>
    context.inTx((db) => archiveTopic(db, input.topicId, context.ifMatch, false)).catch(nameTaken),
  ),
  reorder: topics.reorder.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (!(await mayOrderTopics(db))) throw problem('FORBIDDEN')
      if ((await countTopics(db, input.topicIds)) !== new Set(input.topicIds).size)
        throw problem('UNPROCESSABLE_CONTENT', fault('topicIds', 'topic_not_found', 'One of the topics is not there any more.'))
      await orderTopics(db, input.topicIds)
    }),
  ),
})
