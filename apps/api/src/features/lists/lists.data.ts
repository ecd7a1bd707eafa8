import { mustTouch } from '../../platform/records/update-record.ts'
import { readOne } from '../../platform/records/statement.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { exportQuery, exportSource, exportsQuery } from './lists.exports.queries.ts'
import { findView, insertView, removeView, updateView, viewsQuery } from './lists.views.queries.ts'

const { lists } = data
const nameTaken = fault('name', 'view_name_taken', 'You already have a view with this name.')

export const listsData = lists.router({
  views: {
    list: lists.views.list.handler(async ({ input, context }) => {
      const [row] = await context.read(viewsQuery(input.list))
      return { items: row?.items ?? [] }
    }),
    create: lists.views.create.handler(({ input, context }) =>
      context.inTx(async (db) => {
        const id = await insertView(db, context.actor, input)
        const view = id && (await findView(db, id))
        if (!view) throw problem('CONFLICT', nameTaken)
        return view
      }),
    ),
    update: lists.views.update.handler(({ input: { viewId, ...change }, context }) =>
      context
        .inTx(async (db) => {
          const before = mustFind(await findView(db, viewId))
          if (!before.mine) throw problem('FORBIDDEN')
          return updateView(db, viewId, context.ifMatch, change)
        })
        .catch((error: unknown) => {
          throw error instanceof Error && 'code' in error && error.code === '23505' ? problem('CONFLICT', nameTaken) : error
        }),
    ),
    remove: lists.views.remove.handler(({ input, context }) =>
      context.inTx(async (db) => {
        await mustTouch(await removeView(db, input.viewId), () => findView(db, input.viewId))
      }),
    ),
  },

  exports: {
    list: lists.exports.list.handler(async ({ context }) => {
      const [row] = await context.read(exportsQuery())
      return { items: row?.items ?? [] }
    }),
    get: lists.exports.get.handler(async ({ input, context }) => {
      const row = await readOne(context, exportQuery(input.exportId))
      return row.item
    }),
    // What columns there are depends on the list, and on which fields of the organisation the reader may read somewhere; the cells do so row by row.
    columns: lists.exports.columns.handler(async ({ input, context }) => ({
      items: (await context.inTx((db) => exportSource(db, input.list))).fields.map(({ key, header, kind }) => ({
        key,
        header,
        kind: kind === 'phone' || kind === 'words' ? 'text' : kind,
      })),
    })),
  },
})
