import { BulkChange } from '@guildhall/contract/features/people'
import type { Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { bulkList } from '../../../platform/lists/bulk.ts'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { readFieldChange } from '../../fields/fields.public.ts'
import { groupTakesPeople } from '../../groups/groups.bulk.public.ts'
import { applyBulk, revertBulk } from './people.bulk.effects.queries.ts'
import { checkSelection, missingOf, peopleTargets } from './people.bulk.queries.ts'

export const peopleBulk = bulkList({
  list: 'people',
  change: BulkChange,
  check,
  targets: peopleTargets,
  apply: applyBulk,
  revert: revertBulk,
})

async function check(db: ActorDb, selection: Selection, change: BulkChange) {
  await checkSelection(db, selection)
  if ('fieldId' in change) {
    await readFieldChange(db, 'people', change)
    return
  }
  if (change.do === 'addToGroup') {
    const group = await groupTakesPeople(db, change.groupId)
    if (!group) throw problem('UNPROCESSABLE_CONTENT', fault('change.groupId', 'group_not_found', 'There is no such group.'))
    if (!group.may) throw problem('FORBIDDEN')
    return
  }
  const missing = await missingOf(db, change)
  if (missing === 'right') throw problem('FORBIDDEN')
  if (missing === 'tag') throw problem('UNPROCESSABLE_CONTENT', fault('change.tagId', 'tag_not_found', 'There is no such tag.'))
  if (missing === 'chapter')
    throw problem('UNPROCESSABLE_CONTENT', fault('change.chapterId', 'chapter_unavailable', 'There is no such chapter, or it is closed.'))
}
