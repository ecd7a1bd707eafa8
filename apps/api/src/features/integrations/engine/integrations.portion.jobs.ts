import type { ActorDb } from '@guildhall/db'
import { isRowFault, rowFault } from '../../imports/imports.values.public.ts'
import { takeConsents } from '../../communication/consent/communication.connections.public.ts'
import type { Push, Remote, RowError } from '../connectors/integrations.connector.rules.ts'
import { failedIn, insertChanges, insertErrors, openChanges, settleErrors } from './integrations.changes.queries.ts'
import type { FailedRow, NewChange, OpenChange } from './integrations.changes.queries.ts'
import type { Base, Change } from './integrations.compare.rules.ts'
import type { OurSide, Values, Write } from '../ours/integrations.ours.rules.ts'
import { keyHash, notRefused, ofRun, planRows } from './integrations.planning.jobs.ts'
import type { Pass, RowPlan } from './integrations.planning.jobs.ts'
import { noCounts } from './integrations.runs.rules.ts'
import type { Counts } from './integrations.runs.rules.ts'
import { attempt, undone } from './integrations.savepoints.queries.ts'
import { insertTies, updateTies } from './integrations.ties.queries.ts'
import { noteWaiting } from './integrations.waiting.jobs.ts'
import type { AgreedField, NewTie, Tie, TieChange } from './integrations.ties.queries.ts'

/** What is to go to the other side after a portion is written, and what is to be kept once it did. */
export type Outgo = { push: Push; tie: Tie | null; name: string; mine: Values; fields: Change[]; kind: 'create' | 'update' | 'remove' }
export type PortionDone = { counts: Counts; outgoes: Outgo[]; unsubscribed: number }

/**
 * One portion of their rows in one transaction: ours, what is agreed, what it changed and what failed, together or not at all. What this pass has dealt with
 * already is not written again, only looked at once more for what was to go out when the worker was cut off.
 */
export async function workPortion(db: ActorDb, pass: Pass, side: OurSide, rows: readonly Remote[]): Promise<PortionDone> {
  const failedBefore = await failedIn(
    db,
    pass.runId,
    rows.map(({ externalId }) => externalId),
  )
  const open = rows.filter(({ externalId }) => !failedBefore.has(`in ${externalId}`))
  const plans = await planLocked(db, pass, side, open)
  const isNew = (plan: RowPlan) => pass.claims !== null || plan.tie?.seenIn !== pass.passId || plan.tie.state === 'gone'
  const fresh = plans.filter(isNew)
  const written = await writeAll(db, pass, side, fresh)
  const waiting = await openChanges(db, pass.connection.id, {
    recordIds: plans.flatMap((plan) => (plan.kind === 'known' ? [plan.id] : [])),
    externalIds: plans.map(({ remote }) => remote.externalId),
  })

  const done: PortionDone = { counts: { ...noCounts, read: fresh.length }, outgoes: [], unsubscribed: written.unsubscribed }
  const changes: NewChange[] = []
  const failed: FailedRow[] = []
  const newTies: NewTie[] = []
  const tieChanges: TieChange[] = []
  for (const plan of plans) {
    const result = written.of.get(plan)
    if (result) settleRow(pass, plan, result, { done, changes, failed, newTies, tieChanges })
    if (plan.kind === 'known' && !result?.error) done.outgoes.push(...outgoOf(pass, plan, waiting, result?.after ?? plan.before.values))
  }
  if (pass.remembers) await insertTies(db, pass.orgId, pass.connection.id, pass.ours.entity, newTies)
  if (pass.claims === null) await updateTies(db, pass.connection.id, tieChanges)
  const of = ofRun(pass)
  await insertChanges(db, of, changes)
  const waits = await noteWaiting(db, pass, fresh, waiting, written.of)
  done.counts.conflicts += waits.conflicts
  done.counts.skipped += waits.skipped
  done.counts.unchanged -= waits.idle
  await insertErrors(db, of, failed)
  if (pass.claims === null)
    await settleErrors(
      db,
      pass.connection.id,
      fresh.flatMap((plan) => (written.of.get(plan)?.error ? [] : [{ direction: 'in' as const, row: plan.remote.externalId }])),
    )
  return done
}

/** What is to be written to ours is decided once more when nobody else can change it: an edit of the same moment is a change of ours, not lost. */
async function planLocked(db: ActorDb, pass: Pass, side: OurSide, rows: readonly Remote[]): Promise<RowPlan[]> {
  const plans = await planRows(db, pass, side, rows)
  const changing = plans.flatMap((plan) => (plan.kind === 'known' && plan.compared.in.length > 0 ? [plan] : []))
  if (pass.claims !== null || changing.length === 0) return plans
  await side.lock(changing.map(({ id }) => id))
  const again = await planRows(
    db,
    pass,
    side,
    changing.map(({ remote }) => remote),
  )
  const byRow = new Map(again.map((plan) => [plan.remote.externalId, plan]))
  return plans.map((plan) => byRow.get(plan.remote.externalId) ?? plan)
}

type Written = { id: string | null; name: string; after: Values | null; error: RowError | null; changed: boolean; consent: boolean }
type AllWritten = { of: Map<RowPlan, Written>; unsubscribed: number }

/** Writes what the plans say, all at once or, where the database refuses one, each alone. A dry run tries it the same way and leaves nothing. */
async function writeAll(db: ActorDb, pass: Pass, side: OurSide, plans: readonly RowPlan[]): Promise<AllWritten> {
  const of = new Map<RowPlan, Written>()
  const tasks: { plan: RowPlan; write: Write | null; subscribed: boolean | null }[] = []
  for (const plan of plans) {
    if (plan.kind === 'fail' || plan.kind === 'skip') {
      of.set(plan, {
        id: null,
        name: plan.name,
        after: null,
        error: plan.kind === 'fail' ? plan.error : null,
        changed: false,
        consent: false,
      })
      continue
    }
    const write = writeOf(plan)
    const error = write && (claimed(pass, write) ?? side.faultOf(write, plan.kind === 'known' ? plan.before : undefined))
    const subscribed = plan.consent?.ours === undefined ? null : plan.consent.ours === 'yes'
    if (error) of.set(plan, { ...nothing(plan), error })
    else if (write || subscribed !== null) tasks.push({ plan, write, subscribed })
    else of.set(plan, nothing(plan))
  }
  let unsubscribed = 0
  const work = async (some: typeof tasks) => {
    const writes = some.flatMap(({ write }) => write ?? [])
    const ids = writes.length > 0 ? await side.write(writes) : []
    const idBy = new Map(writes.map(({ externalId }, at) => [externalId, ids[at] ?? null]))
    const idOf = ({ plan, write }: (typeof tasks)[number]) =>
      write ? (idBy.get(write.externalId) ?? null) : plan.kind === 'known' ? plan.id : null
    const consents = some.flatMap((task) => {
      const personId = idOf(task)
      return task.subscribed === null || personId === null ? [] : [{ personId, subscribed: task.subscribed }]
    })
    const { topicId } = pass.consent ?? { topicId: null }
    if (consents.length > 0 && topicId !== null) await takeConsents(db, { connectionId: pass.connection.id, topicId, changes: consents })
    const after = await side.read(some.flatMap((task) => idOf(task) ?? []))
    for (const task of some) {
      const id = idOf(task)
      const record = after.get(id ?? '')
      of.set(task.plan, {
        id,
        name: record?.name ?? task.plan.remote.externalId,
        after: record?.values ?? null,
        error: null,
        changed: task.write !== null,
        consent: task.subscribed !== null,
      })
    }
    unsubscribed += consents.filter(({ subscribed }) => !subscribed).length
  }
  const tried = async () => {
    if (tasks.length === 0 || (await attempt(db, () => work(tasks), isRowFault)) === null) return
    unsubscribed = 0
    for (const task of tasks) {
      const refused = await attempt(db, () => work([task]), isRowFault)
      if (refused !== null) of.set(task.plan, { ...nothing(task.plan), error: errorOf(refused) })
    }
  }
  if (pass.claims === null) await tried()
  else {
    await undone(db, tried)
    for (const { plan, write } of tasks) if (write && !of.get(plan)?.error) claim(pass, write)
    for (const plan of plans) claimKey(pass, plan, of.get(plan)?.error ?? null)
  }
  return { of, unsubscribed }
}

const nothing = (plan: RowPlan): Written => ({
  id: plan.kind === 'known' ? plan.id : null,
  name: plan.kind === 'known' ? plan.before.name : plan.remote.externalId,
  after: plan.kind === 'known' ? plan.before.values : null,
  error: null,
  changed: false,
  consent: false,
})

export const errorOf = (error: unknown): RowError => {
  const { code, message, params } = rowFault(error)
  const rule = code === 'refused' && typeof params?.['rule'] === 'string' ? params['rule'] : ''
  return { code, message: rule === '' ? message : `${message} (${rule})` }
}

function writeOf(plan: RowPlan): Write | null {
  const { externalId } = plan.remote
  if (plan.kind === 'create') return { id: null, values: plan.values, externalId }
  if (plan.kind !== 'known' || plan.compared.in.length === 0) return null
  return { id: plan.id, values: Object.fromEntries(plan.compared.in.map(({ field, after }) => [field, after])), externalId }
}

const taken: RowError = { code: 'conflict', message: 'Another row of this run has the same member number or external id.' }
const numbersIn = ({ values }: Write) => [
  ...(values['memberNo'] ? [`no ${values['memberNo'].toLowerCase()}`] : []),
  ...(values['externalId'] ? [`id ${values['externalId']}`] : []),
]
/** A dry run leaves nothing by which the database would tell that two rows want the same. */
const claimed = ({ claims }: Pass, write: Write): RowError | null =>
  numbersIn(write).some((number) => claims?.numbers.has(number)) ? taken : null
function claim({ claims }: Pass, write: Write): void {
  for (const number of numbersIn(write)) claims?.numbers.add(number)
}
function claimKey({ claims, connection }: Pass, { theirs }: RowPlan, error: RowError | null): void {
  const key = theirs[connection.matchBy ?? '']
  if (key && !error) claims?.keys.add(key.toLowerCase())
}

type Lists = { done: PortionDone; changes: NewChange[]; failed: FailedRow[]; newTies: NewTie[]; tieChanges: TieChange[] }

function settleRow(pass: Pass, plan: RowPlan, result: Written, { done, changes, failed, newTies, tieChanges }: Lists): void {
  const { externalId, version } = plan.remote
  const { counts } = done
  if (result.error) {
    counts.failed += 1
    const key = result.error.code === 'ambiguous' ? plan.theirs[pass.connection.matchBy ?? ''] : null
    failed.push({
      direction: 'in',
      row: externalId,
      externalId,
      recordId: null,
      keyHash: key ? keyHash(key) : undefined,
      error: result.error,
    })
    return
  }
  if (plan.kind === 'skip' || plan.kind === 'fail') {
    counts.skipped += 1
    if (plan.tie) tieChanges.push({ id: plan.tie.id, seenIn: pass.passId, run: pass.runId })
    return
  }
  const state = pass.claims === null ? 'written' : 'planned'
  const fields = [
    ...(plan.kind === 'create'
      ? Object.entries(plan.values).map(([field, after]): Change => ({ field, before: null, after }))
      : plan.compared.in),
    ...consentChange(plan),
  ]
  if (plan.kind === 'create') counts.created += 1
  else if (result.changed || result.consent) counts.updated += 1
  else counts.unchanged += 1
  if (plan.kind === 'create' || result.changed || result.consent)
    changes.push({
      direction: 'in',
      kind: plan.kind === 'create' ? 'create' : 'update',
      state,
      recordId: pass.claims !== null && plan.kind === 'create' ? null : result.id,
      externalId,
      name: result.name,
      fields,
    })
  if (pass.claims !== null || result.id === null) return
  const agreed = agreedAfter(pass, plan, result)
  const tie = { externalId, theirsVersion: version, seenIn: pass.passId, run: pass.runId, state: 'tied' as const }
  if (plan.tie) tieChanges.push({ ...tie, id: plan.tie.id, ...(agreed.changed && { agreed: agreed.fields }) })
  else newTies.push({ ...tie, recordId: result.id, agreed: agreed.fields })
}

function consentChange(plan: RowPlan): Change[] {
  if ((plan.kind !== 'create' && plan.kind !== 'known') || plan.consent?.ours === undefined) return []
  return [{ field: 'subscribed', before: null, after: plan.consent.ours }]
}

/** What both sides agree on once ours is written. A field that is still to go out keeps its old base, so that a cut in between loses nothing. */
function agreedAfter(pass: Pass, plan: RowPlan, { after, changed }: Written): { fields: Record<string, AgreedField>; changed: boolean } {
  const at = new Date().toISOString()
  const entry = ({ value, ours }: Base, direction: 'in' | 'out'): AgreedField => ({
    value,
    ...(ours !== undefined && ours !== value && { ours }),
    at,
    run: pass.runId,
    direction,
  })
  const fields: Record<string, AgreedField> = { ...plan.tie?.agreed }
  const before = JSON.stringify(fields)
  const directionOf = (key: string): 'in' | 'out' => (pass.fields.find(({ ours }) => ours === key)?.direction === 'out' ? 'out' : 'in')
  const settled: Record<string, Base> = plan.kind === 'known' ? plan.compared.settled : {}
  for (const [key, base] of Object.entries(settled)) fields[key] = entry(base, directionOf(key))
  const outgoing = new Set(plan.kind === 'known' ? plan.compared.out.map(({ field }) => field) : [])
  const incoming =
    plan.kind === 'create' ? Object.keys(plan.values) : plan.kind === 'known' ? plan.compared.in.map(({ field }) => field) : []
  if (changed)
    for (const key of incoming)
      if (!outgoing.has(key)) fields[key] = entry({ value: plan.theirs[key] ?? null, ours: after?.[key] ?? null }, 'in')
  const step = plan.kind === 'create' || plan.kind === 'known' ? plan.consent : null
  if (step && step.theirs === undefined && (fields['subscribed']?.value ?? null) !== step.base)
    fields['subscribed'] = entry({ value: step.base }, 'in')
  return { fields, changed: JSON.stringify(fields) !== before }
}

/** What of a row that is tied is to go there. */
function outgoOf(pass: Pass, plan: Extract<RowPlan, { kind: 'known' }>, waiting: readonly OpenChange[], mine: Values): Outgo[] {
  if (!pass.givesOut) return []
  const refused = waiting.filter(({ state, direction, recordId }) => state === 'refused' && direction === 'out' && recordId === plan.id)
  const fields = [...notRefused(plan.compared.out, refused)]
  const { consent } = pass
  const step = plan.consent
  if (step?.theirs !== undefined && consent)
    fields.push({ field: 'subscribed', before: plan.remote.values[consent.key] ?? null, after: step.theirs })
  if (fields.length === 0) return []
  return [
    {
      push: pushOf(pass, plan.id, plan.remote.externalId, fields, mine),
      tie: plan.tie,
      name: plan.before.name,
      mine,
      fields,
      kind: 'update',
    },
  ]
}

export function pushOf(pass: Pass, ourId: string, externalId: string | null, fields: readonly Change[], all: Values): Push {
  const values: Record<string, string | null> = {}
  const isWhole = pass.connector.pushesWhole === true || externalId === null
  for (const { ours, theirs, direction, rule } of pass.fields) {
    const changed = fields.find(({ field }) => field === ours)
    if (changed) values[theirs] = changed.after
    else if (isWhole && direction !== 'in' && rule === 'automatic' && all[ours] !== undefined) values[theirs] = all[ours] ?? null
  }
  const consent = fields.find(({ field }) => field === 'subscribed')
  if (consent && pass.consent) values[pass.consent.key] = consent.after
  return { ourId, externalId, values }
}
