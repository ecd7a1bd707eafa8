import fc from 'fast-check'
import { justSignedIn, prepare, send } from '../calls.ts'
import type { Answer, Call } from '../calls.ts'
import type { Operation } from '../operations.ts'
import { canariesIn, maySee } from '../rights/canaries.ts'
import { lineOf } from '../rights/policy.ts'
import type { Principal } from '@guildhall/db/cast-testing'
import type { Stage } from '../stage.ts'
import { cases } from './arbitraries.ts'
import type { Case } from './arbitraries.ts'
import { faultOf } from './oracle.ts'

export type Report = { cases: number; statuses: Map<number, number>; reached: Set<string>; findings: string[] }
type Options = { cases: number; seed: number; send?: typeof send; findingsPerOperation?: number }

/** Who sends the cases: somebody who may everything, somebody who may some of it, somebody who may little, and nobody. */
const senders: readonly Principal[] = ['owner', 'officer', 'member', 'owner', 'owner', 'officer', 'member', 'anonymous']

/** Sends generated requests to each operation; every finding is the smallest request that shows it, as a line for the shell. */
export async function fuzz(stage: Stage, operations: Operation[], { cases: total, seed, send: deliver = send }: Options): Promise<Report> {
  const report: Report = { cases: 0, statuses: new Map(), reached: new Set(), findings: [] }
  const each = Math.ceil(total / operations.length)
  for (const operation of operations) {
    const known = idsOf(stage)
    let last = ''
    const property = fc.asyncProperty(cases(operation, known), fc.constantFrom(...senders), async (one, principal) => {
      const call = written(stage, operation, one)
      const { token } = stage.callers[principal]
      const answer = await deliver(stage, call, token)
      report.cases += 1
      report.statuses.set(answer.status, (report.statuses.get(answer.status) ?? 0) + 1)
      if (answer.status < 300) report.reached.add(operation.id)
      // What counts against a limit is taken back, too, or most cases would only meet the limit.
      if (operation.isLimited || (answer.status < 300 && operation.method !== 'GET')) await stage.journal.undo()
      const fault = faultOf(operation, one, answer) ?? leakOf(principal, answer)
      last = fault ? `${operation.id} ${fault}\n  ${curl(call, principal)}` : last
      return fault === null
    })
    const example = exampleOf(stage, operation)
    const result = await fc.check(property, { numRuns: each, seed, examples: example ? [example] : [], endOnFailure: false })
    // Without a fault of its own, what broke is the walk: taking back what the operation wrote, say.
    if (result.failed)
      report.findings.push(
        `${last || `${operation.id} ${String(result.errorInstance)}`}\n  seed ${seed}, after ${result.numRuns} cases and ${result.numShrinks} shrinks`,
      )
    await tidy(stage, operation, report)
  }
  return report
}

/** A refused request leaves nothing; operations that are open to everybody may note who knocked. */
async function tidy(stage: Stage, operation: Operation, report: Report): Promise<void> {
  const line = lineOf(operation.path)
  const left = (await stage.journal.changes()).filter(({ table }) => !line?.notedIn.includes(table) && operation.needs !== 'public')
  if (left.length > 0)
    report.findings.push(`${operation.id} refused a request and left ${left.map(({ op, table }) => `${op} ${table}`).join(', ')}`)
  await stage.journal.undo()
}

/** Rows of the caller's organisation, of another one, and one that is not there. */
function idsOf(stage: Stage) {
  const { west, east, foreign } = stage.places
  const byName = new Map<string, string[]>()
  return (parameter: string): readonly string[] => {
    const known = byName.get(parameter)
    if (known) return known
    const stem = parameter.replace(/Ids?$/, '').replace(/^(parent|except|default)/, '')
    const names = Object.keys(west).filter((name) => name.toLowerCase().endsWith(`${stem.toLowerCase()}id`))
    const found = names.flatMap((name) => [west[name], east[name], foreign[name]]).filter((id): id is string => id !== undefined)
    byName.set(parameter, found)
    return found
  }
}

function written(stage: Stage, operation: Operation, one: Case): Call {
  let lastId = ''
  const path = operation.url.replace(/\{(\w+)\}/g, (_, name: string) => {
    lastId = String(one.path[name])
    // An empty piece or dots would be another address.
    return encodeURIComponent(lastId.toWellFormed()).replace(/^\.+$/, 'dots') || '%20'
  })
  const query = Object.entries(one.query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((each) => each !== undefined)
      .map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(String(each).toWellFormed())}`),
  )
  const version = stage.versions.get(lastId) ?? stage.versions.get(stage.places.west['orgId'] ?? '') ?? 1
  return {
    method: operation.method,
    url: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: {
      ...(one.ifMatch === null ? {} : { 'if-match': one.ifMatch === 'current' ? `"${version}"` : one.ifMatch }),
      ...(one.idempotencyKey === null ? {} : { 'idempotency-key': encodeURI(one.idempotencyKey) }),
      ...(operation.recentSignIn && justSignedIn),
      ...(one.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(one.body === undefined ? {} : { body: JSON.stringify(one.body) }),
  }
}

/** The request of the policy table and somebody who may send it, so that every operation is reached for certain. */
function exampleOf(stage: Stage, operation: Operation): [Case, Principal] | null {
  const line = lineOf(operation.path)
  if (!line) return null
  const { west } = stage.places
  const isOwn = line.right.columns.includes('own') && !line.right.has('owner', 'west')
  const { target } = prepare(operation, line, west, stage.versions)
  const principal =
    isOwn && target
      ? ((['owner', 'member'] as const).find((each) => target.name in stage.callers[each].own) ?? 'owner')
      : ((['owner', 'newcomer', 'officer'] as const).find((each) => line.right.has(each, 'west') || line.right.has(each, 'org')) ?? 'owner')
  const { call } = prepare(operation, line, isOwn ? { ...west, ...stage.callers[principal].own } : west, stage.versions)
  const [path = '', query = ''] = call.url.split('?')
  const names = [...operation.url.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')
  const pieces = path.split('/').filter((_, index) => /^\{\w+\}$/.test(operation.url.split('/')[index] ?? ''))
  const example: Case = {
    path: Object.fromEntries(names.map((name, index) => [name, pieces[index]])),
    query: Object.fromEntries(new URLSearchParams(query)),
    body: call.body,
    ifMatch: call.headers['if-match'] ?? null,
    idempotencyKey: null,
  }
  return [example, principal]
}

function leakOf(principal: Principal, answer: Answer): string | null {
  const hidden = canariesIn(answer.body).find((canary) => !maySee(principal, canary))
  return hidden ? `shows ${principal} ${hidden.kind} of ${hidden.at}` : null
}

/** A line for the shell that sends the same request. */
export function curl({ method, url, headers, body }: Call, principal: Principal): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const sent = { ...(principal === 'anonymous' ? {} : { authorization: `Bearer $${principal.toUpperCase()}` }), ...headers }
  const options = Object.entries(sent).map(([name, value]) =>
    value.includes('$') && name === 'authorization' ? `-H "${name}: ${value}"` : `-H ${quoted(`${name}: ${value}`)}`,
  )
  return [
    'curl',
    '-i',
    '-X',
    method,
    ...options,
    ...(body === undefined ? [] : ['--data-raw', quoted(typeof body === 'string' ? body : JSON.stringify(body))]),
    quoted(`http://localhost:3000${url}`),
  ].join(' ')
}
