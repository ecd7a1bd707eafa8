import {
  ambiguousCode,
  byPolicy,
  changedNode,
  claimsOf,
  columnsOf,
  distinct,
  echoOf,
  error,
  heldOf,
  isRejected,
  placeInTree,
  reaches,
  recordId,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
  unknown,
} from '../../imports/imports.plan.public.ts'
import type { ImportPlan, Planner } from '../../imports/imports.plan.public.ts'
import { groupStates, groupStatesById, groupTables, groupsInUse } from './groups.import.queries.ts'
import { newId } from '../../../platform/records/new-id.ts'

const columns = {
  code: 'code',
  name: 'name',
  kind: 'kind',
  description: 'description',
  visibility: 'visibility',
  joinPolicy: 'join_policy',
  capacity: 'capacity',
  website: 'website',
  phone: 'phone',
}

/** Groups by code; a parent group may stand further down in the file, or be there already. */
export const planGroups: Planner = async (planning, drafts) => {
  const { db, orgId, accountId, mapped, options, reach } = planning
  const codes = distinct(drafts.flatMap((draft) => [textOf(draft, 'code'), textOf(draft, 'parentCode')]))
  const records = distinct(drafts.map((draft) => recordId(textOf(draft, 'recordId')) ?? undefined))
  const known = await groupStates(db, orgId, codes)
  const byRecord = await groupStatesById(db, orgId, records)
  const chapters = await planning.lookUps.chapters(db, orgId, distinct(drafts.map((draft) => textOf(draft, 'chapterCode'))))
  const claims = claimsOf(await planning.earlier([...codes.map((code) => `code:${code}`), ...records.map((id) => `id:${id}`)]))
  const made = new Map<string, string>()

  return drafts.map((draft) => {
    const code = textOf(draft, 'code') ?? ''
    const state = byRecord.get(recordId(textOf(draft, 'recordId')) ?? '') ?? known.get(code)
    requireFields(draft, mapped, state ? {} : { code: 'code', name: 'name' })
    const key = code === '' && state ? `id:${state.id}` : `code:${code}`
    const parent = placeInTree(planning, draft, 'group', { known, made, claims, held: heldOf(new Map()) })
    const word = textOf(draft, 'chapterCode')
    const chapterId = word === undefined ? options.defaultChapterId : (chapters.get(word)?.id ?? null)
    if (word !== undefined && chapterId === null)
      unknown(draft, mapped, 'chapterCode', 'chapter', 'Import the chapter first, or correct the code.')
    for (const field of state && state === byRecord.get(state.id) ? ['parentCode'] : ['code', 'parentCode'])
      if (known.get(textOf(draft, field) ?? '')?.many) ambiguousCode(draft, mapped, field)
    const owner = typeof state?.row['chapter_id'] === 'string' ? state.row['chapter_id'] : null
    if (!reaches(reach, 'groups.manage', chapterId) || (state && !reaches(reach, 'groups.manage', owner))) {
      error(
        draft,
        'not_allowed',
        'This group is not yours to change.',
        'Give a chapter of yours, or ask an administrator to import this row.',
      )
    }
    if (isRejected(draft) || refuseSecond(draft, claims, key)) return rejected(draft)

    const wanted = {
      ...columnsOf(draft, columns),
      ...(parent === undefined ? {} : { parent_id: parent }),
      ...(word === undefined && state ? {} : { chapter_id: chapterId }),
    }
    const found = state ? { id: state.id, changes: changedNode('groups', state, wanted, draft, known, echoOf(mapped, columns)) } : null
    const planned = byPolicy(options, draft, key, found, () => {
      const id = newId()
      return { id, changes: [{ table: 'groups', key: { id }, before: null, after: { ...wanted, created_by: accountId } }] }
    })
    if (planned.outcome === 'create' && planned.entityId) made.set(code, planned.entityId)
    return { ...planned, label: textOf(draft, 'name') ?? code }
  })
}

export const groupsImport: ImportPlan = { plan: planGroups, tables: [groupTables.groups], root: 'groups', shared: {}, inUse: groupsInUse }
