import { chapterStates } from '../chapters/chapters.import.public.ts'
import { newId } from '../../platform/new-id.ts'
import { headerOf, isRejected, textOf } from './imports.drafts.rules.ts'
import {
  byPolicy,
  claimsOf,
  columnsOf,
  difference,
  error,
  reachesAll,
  refuseSecond,
  rejected,
  requireFields,
} from './imports.plans.rules.ts'
import { distinct } from './imports.planning.jobs.ts'
import type { Planner } from './imports.planning.jobs.ts'
import { placeInTree } from './imports.parents.rules.ts'

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

/** Chapters by code; a parent may stand further down in the file, or be there already. */
export const planChapters: Planner = async (planning, drafts) => {
  const { db, orgId, mapped, options, reach } = planning
  const codes = distinct(drafts.flatMap((draft) => [textOf(draft, 'code'), textOf(draft, 'parentCode')]))
  const known = await chapterStates(db, orgId, codes)
  const claims = claimsOf(await planning.earlier(codes.map((code) => `code:${code}`)))
  const made = new Map<string, string>()

  return drafts.map((draft) => {
    requireFields(draft, mapped, { code: 'code', name: 'name' })
    if (!reachesAll(reach, 'chapters.manage'))
      error(draft, 'not_allowed', 'Chapters are made and moved by the organisation.', 'Ask an administrator to import this file.')
    const code = textOf(draft, 'code') ?? ''
    const parent = placeInTree(planning, draft, 'chapter', { known, made, claims })
    const zone = textOf(draft, 'timezone')
    if (zone && !Intl.supportedValuesOf('timeZone').includes(zone) && zone !== 'UTC') {
      error(draft, 'not_a_timezone', 'This is not a time zone.', 'Write it as Europe/Berlin.', {
        column: headerOf(mapped, 'timezone'),
        value: zone,
      })
    }
    if (isRejected(draft) || refuseSecond(draft, claims, `code:${code}`)) return rejected(draft)

    const wanted = { ...columnsOf(draft, columns), ...(parent === undefined ? {} : { parent_id: parent }) }
    const state = known.get(code)
    const change = state && difference(state.row, wanted)
    const found = state ? { id: state.id, changes: change ? [{ table: 'chapters', key: { id: state.id }, ...change }] : [] } : null
    const planned = byPolicy(options, draft, `code:${code}`, found, () => {
      const id = newId()
      return { id, changes: [{ table: 'chapters', key: { id }, before: null, after: wanted }] }
    })
    if (planned.outcome === 'create' && planned.entityId) made.set(code, planned.entityId)
    return planned
  })
}
