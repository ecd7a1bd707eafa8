import type { ActorDb } from '@guildhall/db'
import type { RowError } from '../connectors/integrations.connector.rules.ts'
import { insertErrors, unclearKeys } from './integrations.changes.queries.ts'
import type { FailedRow } from './integrations.changes.queries.ts'
import type { OurSide } from '../ours/integrations.ours.rules.ts'
import { consentsOf, keyHash, ofRun } from './integrations.planning.jobs.ts'
import type { Pass } from './integrations.planning.jobs.ts'
import type { Outgo } from './integrations.portion.jobs.ts'
import { newOutgo } from './integrations.pushing.jobs.ts'
import { insertTies, tiesByRecord } from './integrations.ties.queries.ts'

/**
 * Ours that are not there yet. The tie is committed before anything is made there: a worker that is cut off then leaves it to be found. Who shares the key by
 * which the other side knows its records with somebody who is there is no second record, and does not take the place of the first.
 */
export async function outgoesOfNews(db: ActorDb, pass: Pass, side: OurSide, ids: readonly string[]): Promise<News> {
  const open = ids.filter((id) => !pass.claims?.records.has(id))
  const records = await side.read(open)
  const says = await consentsOf(db, pass, open)
  const wanted = open.flatMap((id) => {
    const record = records.get(id)
    return record && !record.isClosed && !record.isOutside ? newOutgo(pass, record, null, says.get(id) ?? null) : []
  })
  const { unclear, held: others } = await keysTaken(db, pass, side, wanted)
  const outgoes: Outgo[] = []
  const failed: FailedRow[] = []
  const { matchBy } = pass.connection
  const made = new Set<string>()
  for (const outgo of wanted) {
    const { ourId } = outgo.push
    const key = matchBy === null ? null : (outgo.mine[matchBy] ?? null)
    const isDouble = key !== null && (others.has(ourId) || made.has(key) || pass.claims?.keys.has(key.toLowerCase()))
    if (unclear.has(ourId)) continue
    if (isDouble) failed.push({ direction: 'out', row: ourId, externalId: null, recordId: ourId, error: shared })
    else outgoes.push(outgo)
    if (key !== null) made.add(key)
  }
  if (pass.claims === null)
    await insertTies(
      db,
      pass.orgId,
      pass.connection.id,
      pass.ours.entity,
      outgoes.map(({ push }) => ({
        recordId: push.ourId,
        externalId: null,
        agreed: {},
        theirsVersion: null,
        seenIn: null,
        state: 'creating' as const,
        run: pass.runId,
      })),
    )
  else for (const key of made) pass.claims.keys.add(key.toLowerCase())
  await insertErrors(db, ofRun(pass), failed)
  return { outgoes, failed: failed.length }
}
export type News = { outgoes: Outgo[]; failed: number }

const shared: RowError = { code: 'twice', message: 'Another record here has the same address or number, and is there under it already.' }

/**
 * Of ours that are to be made there: `unclear` share the key of a row there of which nobody has said yet whose it is, and one of them would be taken for it;
 * `held` share it with one of ours that is there.
 */
async function keysTaken(
  db: ActorDb,
  pass: Pass,
  side: OurSide,
  wanted: readonly Outgo[],
): Promise<{ unclear: Set<string>; held: Set<string> }> {
  const { matchBy, id: connectionId } = pass.connection
  const keyed = wanted.flatMap(({ push, mine }) => {
    const value = matchBy === null ? null : mine[matchBy]
    return value ? [{ id: push.ourId, value, hash: keyHash(value) }] : []
  })
  if (matchBy === null || keyed.length === 0) return { unclear: new Set(), held: new Set() }
  const hashes = await unclearKeys(
    db,
    connectionId,
    keyed.map(({ hash }) => hash),
  )
  const matches = await side.match(
    matchBy,
    keyed.map(({ value }) => value),
  )
  const others = keyed.flatMap(({ id, value }) =>
    (matches.get(value) ?? []).flatMap((other) => (other === id ? [] : [{ id, value, other }])),
  )
  const ties = await tiesByRecord(
    db,
    connectionId,
    others.map(({ other }) => other),
  )
  const tied = others.filter(({ other }) => ties.get(other)?.state === 'tied' || ties.get(other)?.state === 'creating')
  const records = await side.read(tied.map(({ other }) => other))
  return {
    unclear: new Set(keyed.flatMap(({ id, hash }) => (hashes.has(hash) ? [id] : []))),
    held: new Set(tied.flatMap(({ id, value, other }) => (records.get(other)?.values[matchBy] === value ? [id] : []))),
  }
}
