import { prepare, send } from '../calls.ts'
import type { Answer, Prepared } from '../calls.ts'
import type { Change } from '../journal.ts'
import { operations as allOperations } from '../operations.ts'
import type { Operation } from '../operations.ts'
import type { Caller, Rows, Stage } from '../stage.ts'
import { canariesIn, kinds, knownKind, maySee } from './canaries.ts'
import type { Kind } from './canaries.ts'
import { lineOf, policy } from './policy.ts'
import type { Line } from './line.ts'
import type { Principal } from '@guildhall/db/cast-testing'
import type { Relation, Right } from './grid.ts'

export type Result = { checks: number; calls: number; findings: string[]; reached: Set<string> }
type Cell = Prepared & { operation: Operation; line: Line; caller: Caller; relation: Relation; allowed: boolean }

const missing: Rows = new Proxy({}, { get: () => '01920000-dead-7000-8000-000000000000' })
const places = ['west', 'below', 'east', 'foreign'] as const

/** Every principal with every relation and every procedure: whether it is answered as the policy says, changes no row where it must not, and shows nothing hidden. */
export async function runMatrix(stage: Stage, table: unknown = policy, operations = allOperations): Promise<Result> {
  const result: Result = { checks: 0, calls: 0, findings: [], reached: new Set() }
  const all: Cell[] = []
  for (const operation of operations) {
    const line = lineOf(operation.path, table)
    if (!line) {
      result.findings.push(`${operation.path}: has no line in the policy`)
      continue
    }
    const cells = Object.values(stage.callers).flatMap((caller) => cellsOf(stage, operation, line, caller))
    const harmless = cells.filter((cell) => !cell.allowed || !mayChange(cell))
    await refuseOrRead(stage, harmless, result)
    for (const cell of cells.filter((each) => each.allowed && mayChange(each))) await write(stage, cell, result)
    comparable(cells, result)
    all.push(...cells)
  }
  hidden(all, result)
  return result
}

const mayChange = ({ operation, line }: Cell) => operation.method !== 'GET' && !line.changesNothing

function cellsOf(stage: Stage, operation: Operation, line: Line, caller: Caller): Cell[] {
  const made = (relation: Relation, rows: Rows): Cell => {
    const prepared = prepare(operation, line, rows, stage.versions)
    return { ...prepared, operation, line, caller, relation, allowed: isAllowed(line.right, caller.principal, relation) }
  }
  const home = { ...stage.places[caller.orgId === stage.places.foreign['orgId'] ? 'foreign' : caller.home], ...caller.own }
  const { target } = prepare(operation, line, stage.places.west, stage.versions)
  if (!target) return [made('org', home)]
  const inPlaces = places
    .filter((place) => !(place === 'foreign' && caller.principal === 'stranger'))
    .map((place) => made(place, stage.places[place]))
  const own = target.name in caller.own && line.right.columns.includes('own') ? [made('own', home)] : []
  return [...own, ...inPlaces, made('missing', missing)]
}

function isAllowed(right: Right, principal: Principal, relation: Relation): boolean {
  if (relation === 'missing' || relation === 'foreign') return false
  if (principal === 'stranger' && relation !== 'own' && relation !== 'org') return false
  return right.has(principal, relation)
}

/** Whatever must not change a row: many at once, and one look at the journal for all of them. */
async function refuseOrRead(stage: Stage, cells: Cell[], result: Result): Promise<void> {
  for (let start = 0; start < cells.length; start += 12) {
    const batch = cells.slice(start, start + 12)
    const answers = await Promise.all(batch.map((cell) => send(stage, cell.call, cell.caller.token)))
    batch.forEach((cell, index) => judge(cell, answers[index] as Answer, result))
    const changes = (await stage.journal.changes()).filter(({ table }) => !batch[0]?.line.notedIn.includes(table))
    if (changes.length === 0) {
      await stage.journal.undo()
      result.checks += batch.length
      continue
    }
    await stage.journal.undo()
    // Which of them it was shows when each is sent alone.
    for (const cell of batch) {
      await send(stage, cell.call, cell.caller.token)
      const own = await stage.journal.changes()
      if (own.length > 0) result.findings.push(`${say(cell)} changed ${summary(own)}`)
      await stage.journal.undo()
    }
  }
}

/** What may change rows is sent alone, must change some, and all of it is taken back. */
async function write(stage: Stage, cell: Cell, result: Result): Promise<void> {
  const answer = await send(stage, cell.call, cell.caller.token)
  judge(cell, answer, result)
  const changes = await stage.journal.changes()
  result.checks += 1
  if (answer.status < 300 && changes.length === 0) result.findings.push(`${say(cell)} was answered ${answer.status} but changed nothing`)
  const abroad = changes.filter(({ row }) => typeof row['org_id'] === 'string' && row['org_id'] !== cell.caller.orgId)
  if (abroad.length > 0 && cell.operation.needs !== 'public')
    result.findings.push(`${say(cell)} changed another organisation: ${summary(abroad)}`)
  if (changes.length > 0) await stage.journal.undo()
}

function judge(cell: Cell, answer: Answer, result: Result): void {
  const { operation, line, caller, relation, allowed, target } = cell
  result.calls += 1
  const ok = answer.status >= 200 && answer.status < 300
  if (ok) result.reached.add(operation.id)
  seen.set(cell, answer)
  result.checks += 1
  if (allowed !== ok)
    result.findings.push(
      `${say(cell)} should be ${allowed ? 'allowed' : 'refused'} but was answered ${answer.status} ${shortened(answer.body)}`,
    )
  else if (!ok && !refusals(cell).includes(answer.status))
    result.findings.push(`${say(cell)} was refused with ${answer.status} ${shortened(answer.body)}`)

  const canaries = canariesIn(answer.body + JSON.stringify(answer.headers))
  result.checks += 1
  for (const canary of canaries)
    if (!maySee(caller.principal, canary))
      result.findings.push(`${say(cell)} was shown ${canary.kind} of ${canary.at} (answer ${answer.status})`)

  if (!ok || !allowed) return
  for (const kind of line.shows.map(knownKind)) {
    result.checks += 1
    const wanted = target ? [{ kind, at: relation === 'own' ? ownPlace(cell, kind) : relation }] : places.map((at) => ({ kind, at }))
    for (const canary of wanted)
      if (maySee(caller.principal, canary) && !canaries.some(({ kind: found, at }) => found === kind && at === canary.at))
        result.findings.push(`${say(cell)} was not shown ${kind} of ${canary.at}`)
  }
}

/** The own record of somebody without a person or place is marked with their name; what is about a place, with that of home. */
const ownPlace = ({ caller }: Cell, kind: Kind) =>
  kinds[kind].columns.includes('own') || caller.own['personId'] ? caller.principal : caller.home

/** A token that opens nothing is told so; what one may not see is not there; otherwise it is forbidden, or a value that does not exist. */
function refusals({ line, caller, relation, target, names }: Cell): number[] {
  if (caller.principal === 'anonymous') return [401]
  if (caller.principal === 'newcomer' || caller.principal === 'suspended') return [403]
  const named = target?.inPath && names.length === 1 ? [] : [422]
  if (target?.inPath) return relation === 'foreign' || relation === 'missing' ? [404, ...named] : [403, 404, ...named, ...line.refusedWith]
  return [403, 404, 409, ...named, ...line.refusedWith]
}

const seen = new WeakMap<Cell, Answer>()

/** What belongs to others and what is not there at all are answered alike, so that no id tells anything. */
function comparable(cells: Cell[], result: Result): void {
  for (const cell of cells.filter(({ relation }) => relation === 'foreign')) {
    const other = cells.find(({ caller, relation }) => caller === cell.caller && relation === 'missing')
    const [one, two] = [seen.get(cell), other && seen.get(other)]
    if (!one || !two) continue
    result.checks += 1
    if (plain(one) !== plain(two))
      result.findings.push(`${say(cell)} and the same for what is not there differ: ${plain(one)} and ${plain(two)}`)
  }
}

/** A record of the own organisation that its reader is told is not there is not there in any other answer either. */
function hidden(cells: Cell[], result: Result): void {
  const about = ({ caller, relation, target }: Cell) => `${caller.principal} ${relation} ${target?.name ?? ''}`
  const isRead = ({ operation, target }: Cell) => operation.method === 'GET' && target?.inPath && operation.url.endsWith('}')
  const notThere = new Set(cells.filter((cell) => isRead(cell) && seen.get(cell)?.status === 404).map(about))
  for (const cell of cells) {
    if (cell.relation === 'missing' || cell.names.length !== 1 || !notThere.has(about(cell))) continue
    const other = cells.find(({ caller, relation, operation }) => caller === cell.caller && relation === 'missing' && operation === cell.operation) // prettier-ignore
    const [one, two] = [seen.get(cell), other && seen.get(other)]
    if (!one || !two) continue
    result.checks += 1
    if (plain(one) !== plain(two))
      result.findings.push(`${say(cell)} tells that there is what the caller may not see: ${plain(one)} and ${plain(two)}`)
  }
}

const plain = ({ status, body }: Answer) =>
  `${status} ${body.replace(/"requestId":"[^"]*"/, '').replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')}`

const say = ({ caller, relation, operation, call }: Pick<Cell, 'caller' | 'relation' | 'operation' | 'call'>) =>
  `${caller.principal} × ${relation} × ${operation.path} (${call.method} ${call.url})`
const shortened = (body: string) => body.slice(0, 300)
const summary = (changes: Change[]) => changes.map(({ table, op }) => `${op} ${table}`).join(', ')
