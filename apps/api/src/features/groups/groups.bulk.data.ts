import { GroupBulkChange } from '@guildhall/contract/features/groups'
import { bulkList } from '../../platform/lists/bulk.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { readFieldChange } from '../fields/fields.public.ts'
import { mustFindBulkTag } from '../tags/tags.public.ts'
import { applyGroupBulk, chapterTakesGroups, groupTargets, revertGroupBulk, selectedGroups } from './groups.bulk.changes.queries.ts'

export const groupsBulk = bulkList({
  list: 'groups',
  change: GroupBulkChange,
  async check(db, selection, change) {
    await selectedGroups(db, selection)
    if ('fieldId' in change) {
      await readFieldChange(db, 'groups', change)
      return
    }
    if (change.do === 'tag' || change.do === 'untag') return mustFindBulkTag(db, change.tagId)
    if (change.do !== 'chapter') return
    const chapter = await chapterTakesGroups(db, change.chapterId)
    if (!chapter)
      throw problem('UNPROCESSABLE_CONTENT', fault('change.chapterId', 'chapter_unavailable', 'There is no such chapter, or it is closed.'))
    if (!chapter.may) throw problem('FORBIDDEN')
  },
  targets: groupTargets,
  apply: applyGroupBulk,
  revert: revertGroupBulk,
})
