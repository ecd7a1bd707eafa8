import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepare, send } from '../calls.ts'
import type { Call } from '../calls.ts'
import { operations } from '../operations.ts'
import type { Operation } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { lineOf } from './policy.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage('repetition')
})
afterAll(() => stage.end())

/** What an owner may send, about own records where only those count. */
function callOf(operation: Operation): Call | null {
  const line = lineOf(operation.path)
  if (!line) return null
  const { west } = stage.places
  if (line.right.has('owner', 'west') || !line.right.columns.includes('own')) return prepare(operation, line, west, stage.versions).call
  const own = { ...west, ...stage.callers.owner.own }
  const { call, target } = prepare(operation, line, own, stage.versions)
  return !target || target.name in stage.callers.owner.own ? call : null
}
const asOwner = (call: Call, headers: Record<string, string> = {}) =>
  send(stage, { ...call, headers: { ...call.headers, ...headers } }, stage.callers.owner.token)

test('a change to a version that is not the present one is refused, and so is one that names none', async () => {
  const findings: string[] = []
  const versioned = operations.filter(({ ifMatch }) => ifMatch)
  for (const operation of versioned) {
    const call = callOf(operation)
    if (!call) continue
    const stale = await asOwner(call, { 'if-match': '"77"' })
    // What the state of things refuses may be said first.
    if (stale.status !== 412 && stale.status !== 409) findings.push(`${operation.path}: a stale version was answered ${stale.status}`)
    const { 'if-match': _version, ...bare } = call.headers
    const none = await send(stage, { ...call, headers: bare }, stage.callers.owner.token)
    if (none.status !== 428) findings.push(`${operation.path}: no version was answered ${none.status}`)
    const garbage = await asOwner(call, { 'if-match': 'latest' })
    if (garbage.status !== 400) findings.push(`${operation.path}: a garbled version was answered ${garbage.status}`)
    if ((await stage.journal.changes()).length > 0) findings.push(`${operation.path}: changed rows all the same`)
    await stage.journal.undo()
  }
  console.log(`versions: ${versioned.length} operations`)
  expect(findings).toEqual([])
})

test('two changes of one version: one is made, the other is told', { timeout: 600_000 }, async () => {
  const findings: string[] = []
  for (const operation of operations.filter(({ ifMatch }) => ifMatch)) {
    const call = callOf(operation)
    if (!call) continue
    const answers = await Promise.all([asOwner(call), asOwner(call)])
    const made = answers.filter(({ status }) => status < 300).length
    const others = answers.filter(({ status }) => status >= 300).map(({ status }) => status)
    if (made > 1 || others.some((status) => ![404, 409, 412, 422].includes(status)))
      findings.push(`${operation.path}: ${answers.map(({ status }) => status).join(' and ')}`)
    await stage.journal.undo()
  }
  expect(findings).toEqual([])
})

test('under one Idempotency-Key everything happens once, and a different request is refused', { timeout: 600_000 }, async () => {
  const findings: string[] = []
  const repeatable = operations.filter(({ idempotent, needs }) => idempotent && needs !== 'public' && needs !== 'token')
  for (const operation of repeatable) {
    const call = callOf(operation)
    if (!call) continue
    const key = { 'idempotency-key': `test-${operation.id}` }
    const first = await asOwner(call, key)
    const after = await stage.journal.checksum()
    const second = await asOwner(call, key)
    if (first.status >= 300) findings.push(`${operation.path}: answered ${first.status} ${first.body.slice(0, 200)}`)
    if (second.status !== first.status || !isDeepStrictEqual(JSON.parse(second.body || 'null'), JSON.parse(first.body || 'null')))
      findings.push(`${operation.path}: answered ${first.status}, then ${second.status} ${second.body.slice(0, 200)}`)
    if ((await stage.journal.checksum()) !== after) findings.push(`${operation.path}: happened twice`)
    const other = operations.find(({ id }) => id === (operation.id === 'createTag' ? 'createView' : 'createTag'))
    const otherCall = other && callOf(other)
    const reused = otherCall && (await asOwner(otherCall, key))
    if (reused?.status !== 422) findings.push(`${operation.path}: its key took another request, answered ${reused?.status ?? 0}`)
    await stage.journal.undo()
  }
  console.log(`idempotency: ${repeatable.length} operations`)
  expect(findings).toEqual([])
})
