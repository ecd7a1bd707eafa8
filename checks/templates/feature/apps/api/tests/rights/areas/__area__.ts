import type { __area__Data } from '@guildhall/contract/features/__area__'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { right } from '../grid.ts'
import { rights } from '../rights.ts'

export const __area__Rights = {
  see__Records__: right(
    'See __records_words__',
    `                west below east org
     former          x    x     x    x
     member          x    x     x    x
     leader          x    x     x    x
     officer         x    x     x    x
     events          x    x     x    x
     finance         x    x     x    x
     communications  x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  manage__Records__: right(
    'Create, change and archive __records_words__',
    `                west below east org
     officer         x    x     -    -
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
}
const { see__Records__, manage__Records__ } = __area__Rights

export const __area__Kinds = { __record__: see__Records__ }

export const __area__Rows: AreaRows = async ({ add, orgId, chapterId, canary }) => {
  const row = { org_id: orgId, chapter_id: chapterId, description: canary('__record__') }
  return {
    __record__Id: await add('__records_table__', { ...row, name: canary('__record__') }),
    archived__Record__Id: await add('__records_table__', { ...row, name: 'Archived', archived_at: new Date() }),
  }
}

export const __area__Policy: PolicyOf<typeof __area__Data> = {
  list: may(rights.account, { shows: ['__record__'] }),
  create: may(manage__Records__, { send: { name: 'New', chapterId: '$chapterId' } }),
  get: may(see__Records__, { shows: ['__record__'] }),
  update: may(manage__Records__, { send: { status: 'active' } }),
  archive: may(manage__Records__),
  restore: may(manage__Records__, { ids: { __record__Id: 'archived__Record__Id' } }),
}
