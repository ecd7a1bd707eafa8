import { readFilter } from '../../platform/lists/filters.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { readOne } from '../../platform/records/statement.ts'
import { mustSeeChapter } from '../chapters/chapters.references.public.ts'
import { __record__Query, __records__List, find__Record__, insert__Record__, setArchived, update__Record__ } from './__area__.queries.ts'

const { __area__ } = data

export const __area__Data = __area__.router({
  list: __area__.list.handler(({ input, context }) =>
    listPage(context, __records__List({ ...input, filter: readFilter(input.filter) }), input),
  ),
  get: __area__.get.handler(async ({ input, context }) => (await readOne(context, __record__Query(input.__record__Id))).item),
  create: __area__.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      return mustFind(await find__Record__(db, await insert__Record__(db, context.actor, input)))
    }),
  ),
  update: __area__.update.handler(({ input: { __record__Id, ...change }, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, change.chapterId)
      return update__Record__(db, { __record__Id, version: context.ifMatch }, change)
    }),
  ),
  archive: __area__.archive.handler(({ input, context }) =>
    context.inTx((db) => setArchived(db, { ...input, version: context.ifMatch }, true)),
  ),
  restore: __area__.restore.handler(({ input, context }) =>
    context.inTx((db) => setArchived(db, { ...input, version: context.ifMatch }, false)),
  ),
})
