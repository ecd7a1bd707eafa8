import type { ActorDb } from '@guildhall/db'
import { baseAfterPush, consentStep, readBase, readTheirs } from '../connectors/integrations.consent.rules.ts'
import type { Pushed, RowError } from '../connectors/integrations.connector.rules.ts'
import { insertChanges, insertErrors, settleErrors } from './integrations.changes.queries.ts'
import type { FailedRow, NewChange } from './integrations.changes.queries.ts'
import { compare } from './integrations.compare.rules.ts'
import type { Change } from './integrations.compare.rules.ts'
import type { OurRecord, OurSide } from '../ours/integrations.ours.rules.ts'
import { consentsOf, held, ofRun, theirsOf } from './integrations.planning.jobs.ts'
import type { Pass } from './integrations.planning.jobs.ts'
import { pushOf } from './integrations.portion.jobs.ts'
import type { Outgo } from './integrations.portion.jobs.ts'
import { noCounts } from './integrations.runs.rules.ts'
import type { Counts } from './integrations.runs.rules.ts'
import { removeTies, tiesByExternalId, tiesByRecord, updateTies } from './integrations.ties.queries.ts'
import type { AgreedField, Tie, TieChange } from './integrations.ties.queries.ts'

/** Of a dry run: what would go there. */
export async function planOutgoes(db: ActorDb, pass: Pass, outgoes: readonly Outgo[]): Promise<Counts> {
  await insertChanges(
    db,
    ofRun(pass),
    outgoes.map((outgo) => changeOf(outgo, 'planned')),
  )
  return countsOf(outgoes)
}

const changeOf = ({ push, kind, name, fields }: Outgo, state: 'planned' | 'written'): NewChange => ({
  direction: 'out',
  kind,
  state,
  recordId: push.ourId,
  externalId: push.externalId,
  name,
  fields,
})
const countsOf = (outgoes: readonly Outgo[]): Counts => {
  const created = outgoes.filter(({ kind }) => kind === 'create').length
  return { ...noCounts, read: outgoes.length, created, updated: outgoes.length - created }
}

/** What the other side answered: what it now holds is agreed, with what was changed and what it refused, in one transaction. */
export async function keepPushed(
  db: ActorDb,
  pass: Pass,
  side: OurSide,
  outgoes: readonly Outgo[],
  answers: readonly Pushed[],
): Promise<Counts> {
  const counts = { ...noCounts }
  const changes: NewChange[] = []
  const failed: FailedRow[] = []
  const tieChanges: TieChange[] = []
  const unmade: string[] = []
  const ties = await tiesByRecord(
    db,
    pass.connection.id,
    outgoes.map(({ push }) => push.ourId),
  )
  const byRecord = new Map((await onceEach(db, pass, answers)).map((answer) => [answer.ourId, answer]))
  for (const outgo of outgoes) {
    const answer = byRecord.get(outgo.push.ourId)
    const tie = ties.get(outgo.push.ourId)
    if (!answer || !tie) continue
    counts.read += 1
    if ('error' in answer) {
      counts.failed += 1
      failed.push({
        direction: 'out',
        row: outgo.push.externalId ?? outgo.push.ourId,
        externalId: outgo.push.externalId,
        recordId: outgo.push.ourId,
        error: answer.error,
      })
      // It was refused, not lost: there is nothing there that a next try could find.
      if (tie.state === 'creating') unmade.push(tie.id)
      continue
    }
    counts[outgo.kind === 'create' ? 'created' : 'updated'] += 1
    // Erased while it was on its way: nothing of it is kept here, and the next run deletes it there.
    if (!tie.isErased || outgo.push.stop) changes.push({ ...changeOf(outgo, 'written'), externalId: answer.externalId })
    tieChanges.push({
      id: tie.id,
      externalId: answer.externalId,
      theirsVersion: answer.version,
      agreed: outgo.push.stop ? {} : agreedAfter(pass, side, outgo, tie, answer),
      state: outgo.push.stop ? 'gone' : 'tied',
      seenIn: pass.passId,
      run: pass.runId,
    })
  }
  await updateTies(db, pass.connection.id, tieChanges)
  await removeTies(db, pass.connection.id, unmade)
  await insertChanges(db, ofRun(pass), changes)
  await insertErrors(db, ofRun(pass), failed)
  await settleErrors(
    db,
    pass.connection.id,
    outgoes.flatMap(({ push }) => {
      const answer = byRecord.get(push.ourId)
      if (!answer || 'error' in answer) return []
      return [...new Set([push.externalId ?? push.ourId, push.ourId])].map((row) => ({ direction: 'out' as const, row }))
    }),
  )
  return counts
}

const taken: RowError = {
  code: 'twice',
  message: 'Another record here already is this one on the other side, by the same address or number.',
}

/** Two of ours are never one of theirs: people who share an address are one subscriber there. */
async function onceEach(db: ActorDb, pass: Pass, answers: readonly Pushed[]): Promise<Pushed[]> {
  const made = answers.flatMap((answer) => ('error' in answer ? [] : [answer.externalId]))
  const known = await tiesByExternalId(db, pass.connection.id, pass.ours.entity, made)
  const holder = new Map([...known].map(([externalId, { recordId }]) => [externalId, recordId]))
  return answers.map((answer): Pushed => {
    if ('error' in answer) return answer
    const held = holder.get(answer.externalId)
    if (held !== undefined && held !== answer.ourId) return { ourId: answer.ourId, error: taken }
    holder.set(answer.externalId, answer.ourId)
    return answer
  })
}

function agreedAfter(
  pass: Pass,
  side: OurSide,
  { push, mine, fields }: Outgo,
  tie: Tie,
  answer: Extract<Pushed, { externalId: string }>,
): Record<string, AgreedField> {
  const agreed: Record<string, AgreedField> = { ...tie.agreed }
  const at = new Date().toISOString()
  const back = answer.values ? theirsOf(pass, side, { values: answer.values }).theirs : {}
  const sent = theirsOf(pass, side, { values: push.values }).theirs
  for (const { ours: key, theirs } of pass.fields) {
    if (push.values[theirs] === undefined) continue
    const value = back[key] === undefined ? (sent[key] ?? null) : back[key]
    const ours = mine[key] ?? null
    agreed[key] = { value, ...(ours !== value && { ours }), at, run: pass.runId, direction: 'out' }
  }
  const { consent } = pass
  const asked = fields.find(({ field }) => field === 'subscribed')
  if (consent && asked) {
    const base = readBase(tie.agreed['subscribed']?.value)
    const step = {
      theirs: asked.after === 'yes' ? ('yes' as const) : ('no' as const),
      base: asked.after === 'yes' ? ('yes' as const) : ('withheld' as const),
    }
    agreed['subscribed'] = {
      value: baseAfterPush(base, step, readTheirs(answer.values?.[consent.key])),
      at,
      run: pass.runId,
      direction: 'out',
    }
  }
  return agreed
}

/**
 * Ties that the other side said nothing of: those of people who must not get anything more are ended, what changed here goes there, and what was being made
 * when a worker was cut off is made.
 */
export async function outgoesOfTies(db: ActorDb, pass: Pass, side: OurSide, ties: readonly Tie[]): Promise<Outgo[]> {
  const ids = ties.map(({ recordId }) => recordId)
  const records = await side.read(ids)
  const says = await consentsOf(db, pass, ids)
  return ties.flatMap((tie): Outgo[] => {
    if (pass.claims?.gone.has(tie.id)) return []
    const record = records.get(tie.recordId)
    const ended = stopOf(pass, tie, record)
    if (ended) return ended
    if (!record || record.isClosed || record.isOutside) return []
    if (tie.state === 'creating') return newOutgo(pass, record, tie, says.get(tie.recordId) ?? null)
    // This pass saw it, and dealt with it then.
    if (tie.seenIn === pass.passId || pass.claims?.records.has(tie.recordId)) return []
    const theirs = Object.fromEntries(Object.entries(tie.agreed).map(([key, { value }]) => [key, value]))
    const compared = held(
      pass,
      compare(pass.fields, { agreed: tie.agreed, ours: record.values, theirs, sets: side.sets }),
      says.get(tie.recordId) ?? null,
    )
    const fields: Change[] = [...compared.out]
    const { consent } = pass
    const base = readBase(tie.agreed['subscribed']?.value)
    if (consent && consent.topicId !== null) {
      const before = base === 'yes' || base === 'there' ? 'yes' : base === null ? null : 'no'
      const step = consentStep({ base, ours: says.get(tie.recordId) ?? null, theirs: before, takesYes: false, gives: consent.gives })
      if (step.theirs !== undefined) fields.push({ field: 'subscribed', before, after: step.theirs })
    }
    if (fields.length === 0) return []
    return [
      {
        push: pushOf(pass, record.id, tie.externalId, fields, record.values),
        tie,
        name: record.name,
        mine: record.values,
        fields,
        kind: 'update',
      },
    ]
  })
}

/** Of who was erased here nothing stays there. Where consent counts, who is put away here or is none of this connection's any more gets nothing more from there. */
function stopOf({ consent }: Pass, tie: Tie, record: OurRecord | undefined): Outgo[] | null {
  if (tie.externalId === null || tie.state !== 'tied' || (!consent && !tie.isErased)) return null
  if (record && !record.isClosed && !record.isOutside && !tie.isErased) return null
  const push = {
    ourId: tie.recordId,
    externalId: tie.externalId,
    values: {},
    stop: tie.isErased ? ('erase' as const) : ('remove' as const),
  }
  return [{ push, tie, name: record?.name ?? tie.externalId, mine: {}, fields: [], kind: 'remove' }]
}

export function newOutgo(pass: Pass, record: OurRecord, tie: Tie | null, says: 'yes' | 'no' | null): Outgo[] {
  const { consent } = pass
  if (consent && (consent.topicId === null || says !== 'yes')) return []
  const fields = pass.fields.flatMap(({ ours, direction, rule }): Change[] => {
    const after = record.values[ours]
    return direction !== 'in' && rule === 'automatic' && after !== undefined && after !== null ? [{ field: ours, before: null, after }] : []
  })
  if (fields.length === 0) return []
  if (consent) fields.push({ field: 'subscribed', before: null, after: 'yes' })
  return [
    { push: pushOf(pass, record.id, null, fields, record.values), tie, name: record.name, mine: record.values, fields, kind: 'create' },
  ]
}

/** Ours whose counterpart the other side does not have any more: never removed here; where that was chosen, somebody is asked. */
export async function workMissing(db: ActorDb, pass: Pass, side: OurSide, ties: readonly Tie[]): Promise<void> {
  const asks = pass.connection.onMissing === 'ask' && pass.takesIn
  const records = asks ? await side.read(ties.map(({ recordId }) => recordId)) : new Map<string, OurRecord>()
  const changes = ties.flatMap(({ recordId, externalId }): NewChange[] => {
    const record = records.get(recordId)
    if (!record || record.isClosed || record.isOutside) return []
    return [
      { direction: 'in', kind: 'remove', state: pass.claims ? 'planned' : 'waiting', recordId, externalId, name: record.name, fields: [] },
    ]
  })
  await insertChanges(db, ofRun(pass), changes)
  for (const { id } of ties) pass.claims?.gone.add(id)
  if (pass.claims === null)
    await updateTies(
      db,
      pass.connection.id,
      ties.map(({ id }) => ({ id, state: 'gone', run: pass.runId })),
    )
}
