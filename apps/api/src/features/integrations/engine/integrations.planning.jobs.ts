import { hash } from 'node:crypto'
import type { FieldMapping } from '@guildhall/contract/features/integrations'
import type { ActorDb } from '@guildhall/db'
import { saidConsents } from '../../communication/consent/communication.connections.public.ts'
import { consentStep, readBase, readTheirs } from '../connectors/integrations.consent.rules.ts'
import type { ConsentStep } from '../connectors/integrations.consent.rules.ts'
import type { Remote, RowError, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { compare } from './integrations.compare.rules.ts'
import type { Change, Compared } from './integrations.compare.rules.ts'
import type { OurRecord, Ours, OurSide, Values } from '../ours/integrations.ours.rules.ts'
import type { SyncedConnection } from './integrations.sync.queries.ts'
import { tiesByExternalId, tiesByRecord } from './integrations.ties.queries.ts'
import type { Tie } from './integrations.ties.queries.ts'
import type { Retried } from './integrations.changes.queries.ts'

/** Who may be written to there: people who said yes to the topic. Without a topic nothing is exchanged, and only who may get mail at all is kept up to date. */
export type Consent = { key: string; topicId: string | null; takesYes: boolean; gives: boolean }

/** What a dry run has seen so far, since it leaves nothing in the database that the next portion could find. */
export type Claims = { records: Set<string>; externalIds: Set<string>; keys: Set<string>; numbers: Set<string>; gone: Set<string> }
export const noClaims = (): Claims => ({ records: new Set(), externalIds: new Set(), keys: new Set(), numbers: new Set(), gone: new Set() })

/** What goes with every portion of a run. */
export type Pass = {
  orgId: string
  accountId: string
  runId: string
  /** The run in which the pass over everything began. */
  passId: string
  worker: string
  connection: SyncedConnection
  connector: SyncConnector
  ours: Ours
  fields: readonly FieldMapping[]
  takesIn: boolean
  givesOut: boolean
  consent: Consent | null
  claims: Claims | null
  retried: Retried | null
  today: string
  /** False only in the control of the test: nobody is tied to anybody, so that who changed their address is somebody new. */
  remembers: boolean
}

/** Of which run something is written down. */
export const ofRun = ({ orgId, connection, runId, ours }: Pass) => ({ orgId, connectionId: connection.id, runId, entity: ours.entity })

export type RowPlan = { remote: Remote; tie: Tie | null; theirs: Values } & (
  | { kind: 'fail'; error: RowError; name: string }
  | { kind: 'skip'; name: string; recordId: string | null }
  | { kind: 'create'; values: Record<string, string | null>; consent: ConsentStep | null }
  | { kind: 'known'; id: string; before: OurRecord; compared: Compared; consent: ConsentStep | null }
)

/** What becomes of their rows, without writing anything. */
export async function planRows(db: ActorDb, pass: Pass, side: OurSide, rows: readonly Remote[]): Promise<RowPlan[]> {
  const { connection, ours, claims } = pass
  const ties = pass.remembers
    ? await tiesByExternalId(
        db,
        connection.id,
        ours.entity,
        rows.map(({ externalId }) => externalId),
      )
    : new Map<string, Tie>()
  const read = rows.map((remote) => ({ remote, ...theirsOf(pass, side, remote) }))
  const found = await matched(
    db,
    pass,
    side,
    read.flatMap(({ remote, theirs, error }) => (error || ties.has(remote.externalId) ? [] : [{ externalId: remote.externalId, theirs }])),
    new Set([...ties.values()].map(({ recordId }) => recordId)),
  )
  const ids = read.flatMap(({ remote }) => ties.get(remote.externalId)?.recordId ?? idOf(found.get(remote.externalId)) ?? [])
  const records = await side.read([...new Set(ids)])
  const says = await consentsOf(db, pass, [...records.keys()])

  return read.map(({ remote, theirs, error }): RowPlan => {
    const match = found.get(remote.externalId)
    const tie = ties.get(remote.externalId) ?? (match && 'tie' in match ? match.tie : null)
    const base = { remote, tie, theirs }
    const id = tie?.recordId ?? idOf(match)
    const before = records.get(id ?? '')
    const name = before?.name ?? remote.externalId
    if (error) return { ...base, kind: 'fail', error, name }
    if (match && 'error' in match) return { ...base, kind: 'fail', error: match.error, name }
    claims?.externalIds.add(remote.externalId)
    if (id === undefined) {
      const values = newValues(pass, theirs)
      if (!pass.takesIn || Object.keys(values).length === 0 || side.passesOver?.(values))
        return { ...base, kind: 'skip', name, recordId: null }
      const step = stepOf(pass, undefined, remote, null)
      return { ...base, kind: 'create', values, consent: step }
    }
    claims?.records.add(id)
    // Hidden from the owner, put away, or none of this connection's: what is there stays as it is.
    if (!before || before.isClosed || before.isOutside || tie?.isErased)
      return { ...base, kind: 'skip', name, recordId: before ? id : null }
    const agreed = tie?.agreed ?? {}
    const compared = compare(pass.fields, { agreed, ours: before.values, theirs, sets: side.sets })
    const step = stepOf(pass, tie ?? undefined, remote, says.get(id) ?? null)
    return { ...base, kind: 'known', id, before, compared: held(pass, compared, says.get(id) ?? null), consent: step }
  })
}

/** Of somebody who did not agree to be written to nothing goes there but that. */
export function held(pass: Pass, compared: Compared, says: 'yes' | 'no' | null): Compared {
  if (!pass.consent) return compared
  return says === 'yes' ? compared : { ...compared, out: [], waitOut: [] }
}

export function stepOf(
  { consent }: Pass,
  tie: Tie | undefined,
  remote: Pick<Remote, 'values'>,
  says: 'yes' | 'no' | null,
): ConsentStep | null {
  if (!consent || consent.topicId === null || remote.values[consent.key] === undefined) return null
  return consentStep({
    base: readBase(tie?.agreed['subscribed']?.value),
    ours: says,
    theirs: readTheirs(remote.values[consent.key]),
    takesYes: consent.takesYes,
    gives: consent.gives,
  })
}

export async function consentsOf(db: ActorDb, { consent }: Pass, ids: readonly string[]) {
  return consent && ids.length > 0 ? saidConsents(db, consent.topicId, ids) : new Map<string, 'yes' | 'no' | null>()
}

/** Their values as our fields hold them. What only goes there is taken as it stands where our field could not hold it. */
export function theirsOf(
  { fields }: Pick<Pass, 'fields'>,
  side: OurSide,
  { values }: Pick<Remote, 'values'>,
): { theirs: Values; error: RowError | null } {
  const theirs: Record<string, string | null> = {}
  for (const { ours, theirs: key, direction } of fields) {
    const text = values[key]
    if (text === undefined) continue
    const read = side.normal(ours, text)
    if (!('error' in read)) theirs[ours] = read.value
    else if (direction === 'out') theirs[ours] = text === null || text.trim() === '' ? null : text.trim()
    else return { theirs, error: read.error }
  }
  return { theirs, error: null }
}

/** A new record gets what comes in by itself; what somebody has to look at comes with the next run, as a change of it. */
const newValues = ({ fields }: Pass, theirs: Values) =>
  Object.fromEntries(
    fields.flatMap(({ ours, direction, rule }) => {
      const value = theirs[ours]
      return direction !== 'out' && rule === 'automatic' && value !== undefined && value !== null ? [[ours, value] as const] : []
    }),
  )

/** What an error keeps of a key. */
export const keyHash = (value: string): string => hash('sha256', value.toLowerCase())

type Found = { id: string } | { tie: Tie } | { error: RowError }
const idOf = (found: Found | undefined): string | undefined =>
  found && 'id' in found ? found.id : found && 'tie' in found ? found.tie.recordId : undefined

const twice: RowError = { code: 'twice', message: 'Another row of the other side already means the same record here.' }
const ambiguous = (field: string): RowError => ({
  code: 'ambiguous',
  message: `Several records here have this value of ${field}, so it is not certain which one is meant.`,
})

/** Whom rows mean that come for the first time. `meant`: records that other rows of the portion mean. */
async function matched(
  db: ActorDb,
  pass: Pass,
  side: OurSide,
  rows: readonly { externalId: string; theirs: Values }[],
  meant: Set<string>,
): Promise<Map<string, Found>> {
  const found = new Map<string, Found>()
  const { matchBy } = pass.connection
  if (matchBy === null || !pass.fields.some(({ ours }) => ours === matchBy)) return found
  const keyed = rows.flatMap(({ externalId, theirs }) => {
    const value = theirs[matchBy]
    return value ? [{ externalId, value, key: value.toLowerCase() }] : []
  })
  const matches = await side.match(matchBy, [...new Set(keyed.map(({ value }) => value))])
  const ids = [...new Set([...matches.values()].flatMap((some) => (some.length === 1 ? some : [])))]
  const ties = await tiesByRecord(db, pass.connection.id, ids)
  const taken = new Set<string>()
  for (const { externalId, value, key } of keyed) {
    const [id, another] = matches.get(value) ?? []
    const tie = ties.get(id ?? '')
    // Two rows of theirs are never one of ours, and a second row with the same key would make a double.
    if (taken.has(key) || pass.claims?.keys.has(key)) found.set(externalId, { error: twice })
    else if (another !== undefined) found.set(externalId, { error: ambiguous(matchBy) })
    else if (
      id !== undefined &&
      (meant.has(id) || pass.claims?.records.has(id) || (tie?.state === 'tied' && tie.externalId !== externalId))
    )
      found.set(externalId, { error: twice })
    else if (id !== undefined) {
      found.set(externalId, tie ? { tie } : { id })
      meant.add(id)
    }
    taken.add(key)
  }
  return found
}

/** Pairs that somebody refused stay as they are for as long as both sides say the same. */
export const notRefused = (changes: readonly Change[], refused: readonly { fields: readonly Change[] }[]): Change[] =>
  changes.filter(
    ({ field, before, after }) =>
      !refused.some((one) => one.fields.some((was) => was.field === field && was.before === before && was.after === after)),
  )
