import { ChapterBulkChange } from '@guildhall/contract/features/chapters'
import { bulkList } from '../../../platform/lists/bulk.ts'
import { readFieldChange } from '../../fields/fields.public.ts'
import { mustFindBulkTag } from '../../tags/tags.public.ts'
import { applyChapterBulk, chapterTargets, revertChapterBulk, selectedChapters } from './chapters.bulk.queries.ts'

export const chaptersBulk = bulkList({
  list: 'chapters',
  change: ChapterBulkChange,
  async check(db, selection, change) {
    await selectedChapters(db, selection)
    if ('fieldId' in change) await readFieldChange(db, 'chapters', change)
    else if (change.do !== 'status') await mustFindBulkTag(db, change.tagId)
  },
  targets: chapterTargets,
  apply: applyChapterBulk,
  revert: revertChapterBulk,
})
