import { afterAll, beforeAll, expect, test } from 'vitest'
import { isId, prepare, send } from '../calls.ts'
import { operations } from '../operations.ts'
import type { Operation, Schema } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Rows, Stage } from '../stage.ts'
import { canariesIn, maySee } from './canaries.ts'
import { lineOf } from './policy.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage('references')
})
afterAll(() => stage.end())

type Attempt = { operation: Operation; what: string; rows: Rows; extra?: Record<string, unknown> }

/** Sends what an owner may send but for one reference, and says where it was accepted, changed a row or told something. */
async function accepted(attempts: Attempt[]): Promise<string[]> {
  const findings: string[] = []
  for (const { operation, what, rows, extra } of attempts) {
    const line = lineOf(operation.path)
    if (!line) continue
    const { call } = prepare(operation, line, rows, stage.versions)
    const answer = await send(stage, extra ? { ...call, body: { ...(call.body as object), ...extra } } : call, stage.callers.owner.token)
    const changes = await stage.journal.changes()
    await stage.journal.undo()
    const said = `${operation.path}, ${what}`
    if (answer.status < 300) findings.push(`${said}: accepted with ${answer.status}`)
    if (answer.status >= 500) findings.push(`${said}: answered ${answer.status}`)
    if (changes.length > 0) findings.push(`${said}: changed ${changes.map(({ table }) => table).join(', ')}`)
    if (canariesIn(answer.body).some((canary) => !maySee('owner', canary))) findings.push(`${said}: showed ${answer.body}`)
  }
  return findings
}

/** Rows an owner may act on: the own ones where only those count. */
const rowsOf = (operation: Operation): Rows => {
  const line = lineOf(operation.path)
  const own = line?.right.columns.includes('own') && !line.right.has('owner', 'west')
  return own ? { ...stage.places.west, ...stage.callers.owner.own } : stage.places.west
}
const namesOf = (operation: Operation) => {
  const line = lineOf(operation.path)
  return line ? [...new Set(prepare(operation, line, rowsOf(operation), stage.versions).names)] : []
}

/** References that only leave something out, or count for another kind of list: a foreign one changes nothing. */
const withoutEffect = new Set([
  'data.people.duplicates, foreign exceptId',
  'actions.lists.exports.create, foreign groupId',
  'data.notifications.read, foreign ids',
])

test('every reference in turn to a row of another organisation is refused', { timeout: 600_000 }, async () => {
  const attempts = operations.flatMap((operation) => [
    ...namesOf(operation).map((name): Attempt => ({
      operation,
      what: `foreign ${name}`,
      rows: { ...rowsOf(operation), [name]: stage.places.foreign[name] ?? '' },
    })),
    ...furtherReferences(operation).filter(({ what }) => !withoutEffect.has(`${operation.path}, ${what}`)),
  ])
  console.log(`references: ${attempts.length} to another organisation`)
  expect(await accepted(attempts)).toEqual([])
})

/** References that the body may have beside those of the policy line. */
function furtherReferences(operation: Operation): Attempt[] {
  const schema = operation.body?.schema
  const sent = prepare(operation, lineOf(operation.path) as never, rowsOf(operation), stage.versions).call.body as
    Record<string, unknown> | undefined
  return Object.entries(schema?.properties ?? {}).flatMap(([key, inner]: [string, Schema]) => {
    const many = inner.type === 'array' && isId(inner.items)
    if (!(many || isId(inner)) || (sent && key in sent)) return []
    const stem = key.replace(/Ids?$/, '').replace(/^(parent|except|default)/, '')
    const named = `${stem.charAt(0).toLowerCase()}${stem.slice(1)}Id`
    const id = stage.places.foreign[named] ?? stage.places.foreign[operation.url.includes('group') ? 'groupId' : 'chapterId']
    return [{ operation, what: `foreign ${key}`, rows: rowsOf(operation), extra: { [key]: many ? [id] : id } }]
  })
}

test('a child under another parent, and a parent with another child, are not there', { timeout: 600_000 }, async () => {
  const nested = operations.filter(({ url }) => (url.match(/\{/g) ?? []).length >= 2)
  const attempts = nested.flatMap((operation) => {
    const inPath = namesOf(operation).slice(0, (operation.url.match(/\{/g) ?? []).length)
    // What a path names by a key is there under every parent that has one.
    if (inPath.length < 2) return []
    return inPath.map((name): Attempt => ({
      operation,
      what: `${name} of another place`,
      rows: { ...stage.places.west, [name]: stage.places.east[name] ?? '' },
    }))
  })
  console.log(`references: ${attempts.length} of children and parents`)
  expect(attempts.length).toBeGreaterThan(20)
  expect(await accepted(attempts)).toEqual([])
})

test('no column of the database can be set that a procedure does not name', { timeout: 600_000 }, async () => {
  const { rows } = await stage.world.admin.query<{ name: string }>(
    `select distinct column_name::text as name from information_schema.columns where table_schema = 'app'`,
  )
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const columns = [...new Set([...rows.flatMap(({ name }) => [name, camel(name)]), 'role', 'verified', 'admin', 'price', 'createdBy'])]
  const findings: string[] = []
  let tried = 0
  for (const operation of operations.filter(({ body }) => body !== null)) {
    const line = lineOf(operation.path)
    if (!line) continue
    const { call } = prepare(operation, line, rowsOf(operation), stage.versions)
    const inner = operation.body?.schema.properties ?? {}
    const extra = columns.filter((column) => !(column in inner) && !operation.url.includes(`{${column}}`))
    tried += extra.length
    const answer = await send(
      stage,
      { ...call, body: { ...(call.body as object), ...Object.fromEntries(extra.map((column) => [column, 'x'])) } },
      stage.callers.owner.token,
    )
    if (answer.status !== 400) findings.push(`${operation.path} answered ${answer.status}`)
    const unnamed = extra.filter((column) => !answer.body.includes(`\\"${column}\\"`))
    if (unnamed.length > 0) findings.push(`${operation.path} does not refuse ${unnamed.join(', ')}`)
    if ((await stage.journal.changes()).length > 0) findings.push(`${operation.path} changed rows`)
  }
  console.log(`mass assignment: ${tried} unknown fields`)
  expect(findings).toEqual([])
})

test('every object that is sent in refuses what it does not know', () => {
  const open: string[] = []
  const walk = (schema: Schema, at: string) => {
    if (schema.type === 'object' && schema.additionalProperties !== false && typeof schema.additionalProperties !== 'object') open.push(at)
    for (const [key, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${at}.${key}`)
    if (schema.items) walk(schema.items, `${at}[]`)
    for (const each of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) walk(each, at)
  }
  for (const { id, body } of operations) if (body) walk(body.schema, id)
  expect(open).toEqual([])
})
