import {
  byPolicy,
  changedNode,
  claimsOf,
  columnsOf,
  distinct,
  echoOf,
  error,
  headerOf,
  heldOf,
  isRejected,
  placeInTree,
  reachesAll,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
  warning,
} from '../imports/imports.plan.public.ts'
import type { Effect, ImportPlan, Planned, Planner } from '../imports/imports.plan.public.ts'
import { chapterStates, chapterTables, chaptersInUse, peopleBelow } from './chapters.import.queries.ts'
import { newId } from '../../platform/records/new-id.ts'

const columns = {
  code: 'code',
  name: 'name',
  level: 'level',
  status: 'status',
  about: 'about',
  city: 'city',
  contactEmail: 'contact_email',
  website: 'website',
  timezone: 'timezone',
  charteredOn: 'chartered_on',
  closedOn: 'closed_on',
}

/** What makes a chapter another one, or puts all its people elsewhere: it happens only to those that someone accepts. */
const asking = ['name', 'parent_id', 'level']

/** Chapters by code; a parent may stand further down in the file, or be there already. */
export const planChapters: Planner = async (planning, drafts) => {
  const { db, orgId, mapped, options, reach } = planning
  const codes = distinct(drafts.flatMap((draft) => [textOf(draft, 'code'), textOf(draft, 'parentCode')]))
  const known = await chapterStates(db, orgId, codes)
  const earlier = await planning.earlier(codes.flatMap((code) => [`code:${code}`, `held:${code}`]))
  const [claims, held] = [claimsOf(earlier), heldOf(earlier)]
  const accepted = await planning.accepted(drafts.map(({ line }) => line))
  const made = new Map<string, string>()

  const plans = drafts.map((draft): Planned => {
    requireFields(draft, mapped, { code: 'code', ...(known.has(textOf(draft, 'code') ?? '') ? {} : { name: 'name' }) })
    if (!reachesAll(reach, 'chapters.manage'))
      error(draft, 'not_allowed', 'Chapters are made and moved by the organisation.', 'Ask an administrator to import this file.')
    const code = textOf(draft, 'code') ?? ''
    const parent = placeInTree(planning, draft, 'chapter', { known, made, claims, held })
    const zone = textOf(draft, 'timezone')
    if (zone && !Intl.supportedValuesOf('timeZone').includes(zone) && zone !== 'UTC') {
      error(draft, 'not_a_timezone', 'This is not a time zone.', 'Write it as Europe/Berlin.', {
        column: headerOf(mapped, 'timezone'),
        value: zone,
      })
    }
    if (isRejected(draft)) return { ...rejected(draft), key: held.has(code) ? `held:${code}` : null }
    const first = earlier.get(`held:${code}`)
    if (refuseSecond(draft, claims, `code:${code}`, first)) return rejected(draft)

    const wanted = { ...columnsOf(draft, columns), ...(parent === undefined ? {} : { parent_id: parent }) }
    const state = known.get(code)
    const label = String(state?.row['name'] ?? textOf(draft, 'name') ?? code)
    const found = state ? { id: state.id, changes: changedNode('chapters', state, wanted, draft, known, echoOf(mapped, columns)) } : null
    const planned = byPolicy(options, draft, `code:${code}`, found, () => {
      const id = newId()
      return { id, changes: [{ table: 'chapters', key: { id }, before: null, after: wanted }] }
    })
    if (planned.outcome === 'create' && planned.entityId) made.set(code, planned.entityId)
    if (planned.outcome !== 'update') return { ...planned, label }
    if (state?.top) {
      held.add(code)
      error(
        draft,
        'root_chapter',
        `"${code}" is the code of ${label}, which is at the top of the organisation. An import does not change it.`,
        'Give this chapter another code, or change the top chapter on its own page.',
        { column: headerOf(mapped, 'code'), value: code, params: { code, chapter: label } },
      )
      return { ...rejected(draft), key: `held:${code}`, entityId: state.id, label }
    }
    if (!planned.changes.some(({ after }) => asking.some((column) => column in (after ?? {})))) return { ...planned, label }
    if (sameBefore(accepted.get(draft.line), planned.changes)) return { ...planned, label }
    held.add(code)
    return {
      ...planned,
      outcome: 'skip',
      key: `held:${code}`,
      label,
      ...(planning.phase === 'check' ? { accepted: false } : { changes: [] }),
    }
  })
  await sayWhoIsBelow(planning, plans)
  return plans
}

/** Whether what was accepted is what would be changed now: someone else may have changed the chapter in between. */
function sameBefore(shown: readonly Effect[] | undefined, now: readonly Effect[]): boolean {
  const former = (effects: readonly Effect[]) =>
    JSON.stringify(
      effects.map(({ before, after }) => asking.map((column) => (column in (after ?? {}) ? [before?.[column] ?? null] : null))),
    )
  return shown !== undefined && former(shown) === former(now)
}

/** Says of each row that waits how many people it concerns. */
async function sayWhoIsBelow({ db, orgId, phase }: Parameters<Planner>[0], plans: readonly Planned[]): Promise<void> {
  const waiting = plans.filter(({ key, outcome }) => outcome === 'skip' && key?.startsWith('held:'))
  const people = await peopleBelow(
    db,
    orgId,
    waiting.flatMap(({ entityId }) => (entityId ? [entityId] : [])),
  )
  for (const { draft, entityId, label } of waiting) {
    const count = people.get(entityId ?? '') ?? 0
    warning(
      draft,
      'not_accepted',
      phase === 'check'
        ? `This changes the chapter ${label ?? ''}, with ${count === 1 ? '1 person' : `${count} people`} in it and below.`
        : `The change of the chapter ${label ?? ''} was not accepted, so this row was left out.`,
      phase === 'check'
        ? 'Accept the change, or give another code; without that the row stays out.'
        : 'Import the file again and accept it.',
      { params: { chapter: label ?? '', people: count, phase } },
    )
  }
}

export const chaptersImport: ImportPlan = {
  plan: planChapters,
  tables: [chapterTables.chapters],
  root: 'chapters',
  shared: {},
  inUse: chaptersInUse,
}
