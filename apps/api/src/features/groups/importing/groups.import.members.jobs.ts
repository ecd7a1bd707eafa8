import {
  ambiguousCode,
  byPolicy,
  claimsOf,
  columnsOf,
  difference,
  distinct,
  echoOf,
  error,
  isRejected,
  reachesAll,
  recordId,
  referredWords,
  refuseClosed,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
  unknown,
} from '../../imports/imports.plan.public.ts'
import type { Draft, ImportPlan, Planned, Planner } from '../../imports/imports.plan.public.ts'
import { groupTables, groupsByCode, groupsById, membershipStates, membershipsInUse } from './groups.import.queries.ts'
import { newId } from '../../../platform/records/new-id.ts'

const columns = { title: 'title', role: 'role', side: 'side', rank: 'rank', startsOn: 'starts_on', endsOn: 'ends_on' }

/** Who is in which group, by group code and person; an ended membership is told from others by its start. */
export const planGroupMembers: Planner = async (planning, drafts) => {
  const { db, orgId, mapped, options, reach } = planning
  const groups = await groupsByCode(db, orgId, distinct(drafts.map((draft) => textOf(draft, 'groupCode'))))
  const people = await planning.lookUps.people(planning, drafts)
  const idOf = (draft: Draft) => recordId(textOf(draft, 'groupRecordId')) ?? ''
  const groupRecords = await groupsById(db, orgId, distinct(drafts.map((draft) => idOf(draft) || undefined)))
  const groupOf = (draft: Draft) => groupRecords.get(idOf(draft)) ?? groups.get(textOf(draft, 'groupCode') ?? '')
  const echo = echoOf(mapped, columns)
  const pairs = drafts.flatMap((draft) => {
    const [groupId, personId] = [groupOf(draft)?.id, people.get(draft)?.id]
    return groupId && personId ? [{ groupId, personId }] : []
  })
  const states = await membershipStates(db, orgId, pairs)
  const keyOf = (draft: Draft) =>
    `in:${groupOf(draft)?.id ?? ''}:${people.get(draft)?.id ?? ''}:${textOf(draft, 'endsOn') ? (textOf(draft, 'startsOn') ?? '') : ''}`
  const claims = claimsOf(await planning.earlier(drafts.map(keyOf)))
  const manages = (groupId: string) => reachesAll(reach, 'groups.manage') || (reach.get('groups.manage')?.groups.has(groupId) ?? false)
  const inChapter = (reach.get('groups.manage')?.chapters.size ?? 0) > 0

  return drafts.map((draft): Planned => {
    const [group, person] = [groupOf(draft), people.get(draft)]
    if (!group) requireFields(draft, mapped, { groupCode: 'group' })
    const [groupId, personId] = [group?.id, person?.id]
    const label = [person?.name ?? referredWords(draft), group?.name ?? textOf(draft, 'groupCode')].filter(Boolean).join(' · ')
    if (!groupId && textOf(draft, 'groupCode'))
      unknown(draft, mapped, 'groupCode', 'group', 'Import the groups first, or correct the code.')
    if (group?.many) ambiguousCode(draft, mapped, 'groupCode')
    if (!groupId || !personId) return { ...rejected(draft), label }
    // Which chapter a group belongs to is the database's to judge; this spares it rows that cannot pass.
    if (!manages(groupId) && !inChapter)
      error(draft, 'not_allowed', 'This group is not yours to change.', 'Ask an administrator to import this row.')
    const key = keyOf(draft)
    if (isRejected(draft) || refuseSecond(draft, claims, key)) return { ...rejected(draft), label }

    const wanted = columnsOf(draft, columns)
    const mine = states.filter((state) => state.groupId === groupId && state.personId === personId)
    const state =
      mine.find(
        ({ row }) =>
          row['ends_on'] === null &&
          (!wanted['ends_on'] || !wanted['starts_on'] || row['starts_on'] === wanted['starts_on'] || row['starts_on'] === null),
      ) ?? mine.find(({ row }) => wanted['ends_on'] !== undefined && row['starts_on'] === (wanted['starts_on'] ?? null))
    const change = state && difference(state.row, wanted, echo)
    const found = state ? { id: state.id, changes: change ? [{ table: 'group_members', key: { id: state.id }, ...change }] : [] } : null
    if (!state || change) refuseClosed(draft, person?.lifecycle)
    const planned = byPolicy(options, draft, key, found, () => {
      const id = newId()
      const starts = options.defaultStartsOn && wanted['starts_on'] === undefined ? { starts_on: options.defaultStartsOn } : {}
      return {
        id,
        changes: [
          { table: 'group_members', key: { id }, before: null, after: { ...wanted, ...starts, group_id: groupId, person_id: personId } },
        ],
      }
    })
    return { ...planned, label }
  })
}

export const groupMembersImport: ImportPlan = {
  plan: planGroupMembers,
  tables: [groupTables.groupMembers],
  root: 'group_members',
  shared: {},
  inUse: membershipsInUse,
}
