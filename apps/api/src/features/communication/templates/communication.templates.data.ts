import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import {
  findTemplate,
  insertPicture,
  insertTemplate,
  setArchived,
  templateQuery,
  templatesList,
  updateTemplate,
} from './communication.templates.queries.ts'

const { communication } = data
const part = communication.templates

export const templates = part.router({
  list: part.list.handler(({ input, context }) => listPage(context, templatesList(input), input)),
  get: part.get.handler(async ({ input, context }) => (await readOne(context, templateQuery(input.templateId))).item),
  create: part.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      return mustFind(await findTemplate(db, await insertTemplate(db, context.actor, input)))
    }),
  ),
  update: part.update.handler(({ input: { templateId, ...change }, context }) =>
    context.inTx((db) => updateTemplate(db, { templateId, version: context.ifMatch }, change)),
  ),
  copy: part.copy.handler(({ input: { templateId, ...facts }, context }) =>
    context.inTx(async (db) => {
      const { subject, preheader, body } = mustFind(await findTemplate(db, templateId))
      await mustSeeChapter(db, facts.chapterId)
      return mustFind(await findTemplate(db, await insertTemplate(db, context.actor, { subject, preheader, body, ...facts })))
    }),
  ),
  archive: part.archive.handler(({ input, context }) =>
    context.inTx((db) => setArchived(db, { ...input, version: context.ifMatch }, true)),
  ),
  restore: part.restore.handler(({ input, context }) =>
    context.inTx((db) => setArchived(db, { ...input, version: context.ifMatch }, false)),
  ),
})

export const messagePictures = communication.messagePictures.router({
  add: communication.messagePictures.add.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      return insertPicture(db, context.actor, input)
    }),
  ),
})
