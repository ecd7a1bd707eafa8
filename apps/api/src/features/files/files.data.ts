import { storedTypes } from '@guildhall/contract/features/files'
import { listPage } from '../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { filesList, findFile, hasPicture, isThere, removeFile, removePicture, renameFile, restoreFile } from './files.queries.ts'
import { keptName } from './files.rules.ts'

const { files } = data

export const filesData = files.router({
  list: files.list.handler(async ({ input, context }) => {
    const found = await listPage(context, filesList(input.recordType, input.recordId), input)
    if (found.items.length === 0 && !(await context.inTx((db) => isThere(db, input.recordType, input.recordId)))) throw problem('NOT_FOUND')
    return found
  }),

  update: files.update.handler(({ input: { fileId, name }, context }) =>
    context.inTx(async (db) => {
      const { type } = mustFind(await findFile(db, fileId))
      const endings: readonly string[] = Object.entries(storedTypes).find(([known]) => known === type)?.[1] ?? []
      return renameFile(db, { id: fileId, version: context.ifMatch }, keptName(name, endings, endings[0] ?? 'txt'))
    }),
  ),

  remove: files.remove.handler(({ input: { fileId }, context }) =>
    context.inTx(async (db) => {
      await mustTouch(await removeFile(db, fileId), () => findFile(db, fileId))
    }),
  ),

  restore: files.restore.handler(({ input: { fileId }, context }) =>
    context.inTx(async (db) => {
      await restoreFile(db, fileId)
      return mustFind(await findFile(db, fileId))
    }),
  ),

  removePicture: files.removePicture.handler(({ input: { recordType, recordId }, context }) =>
    context.inTx(async (db) => {
      const find = async () => ((await hasPicture(db, recordType, recordId)) ? {} : undefined)
      await mustTouch(await removePicture(db, recordType, recordId), find)
    }),
  ),
})
