import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import type { InjectOptions } from 'fastify'
import { decodeJwt } from 'jose'
import type { Operation, Schema } from './operations.ts'
import type { Line } from './rights/line.ts'
import type { Rows, Stage } from './stage.ts'

/** A request as it goes out. */
export type Call = { method: Operation['method']; url: string; headers: Record<string, string>; body?: unknown }
export type Answer = { status: number; body: string; headers: Record<string, string | string[] | number | undefined> }
/** Which rows a call names, each by the stage's name for it, and which of them it is about. */
export type Prepared = { call: Call; names: string[]; target: { name: string; inPath: boolean } | null }

/** The caller's sign-in was a moment ago: `send` puts their id token in its place. */
export const justSignedIn = { 'sign-in-proof': 'now' }

async function withProof({ world }: Stage, headers: Record<string, string>, token: string | null): Promise<Record<string, string>> {
  if (token === null || headers['sign-in-proof'] !== 'now') return headers
  return { ...headers, ...(await world.issuer.proof(decodeJwt(token).sub ?? '')) }
}

/** Sends it once the server is not too busy: being turned away under load is an answer of its own, and tested on its own. */
export async function send(stage: Stage, { method, url, headers, body }: Call, token: string | null): Promise<Answer> {
  for (let tries = 0; ; tries++) {
    const response = await stage.world.app.inject({
      method,
      url,
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...(await withProof(stage, headers, token)) },
      ...(body === undefined ? {} : { payload: body as NonNullable<InjectOptions['payload']> }),
      payloadAsStream: true,
    })
    const answered = await textOf(response.stream(), response.headers['content-type'])
    const isBusy = response.statusCode === 503 && answered.includes('"reason":"busy"')
    if (!isBusy || tries === 40) return { status: response.statusCode, body: answered, headers: response.headers }
    await wait(500)
  }
}

/** A stream of events has no end of its own: its first event will do, and then its reader leaves. */
async function textOf(body: Readable, type: unknown): Promise<string> {
  if (type !== 'text/event-stream') return text(body)
  let read = ''
  for await (const chunk of body) {
    read += String(chunk)
    if (read.includes('data:') && read.endsWith('\n\n')) break
  }
  return read
}

/** An operation's request about given rows, from its policy line, its example or its schema. Throws where the stage has no such row. */
export function prepare(operation: Operation, line: Line, rows: Rows, versions: Map<string, number>): Prepared {
  const names: string[] = []
  const idOf = (parameter: string) => {
    const name = line.ids[parameter] ?? parameter
    // An id that the caller makes up.
    if (name === 'new') return randomUUID()
    const id = rows[name]
    if (id === undefined)
      throw new Error(
        `${operation.path}: the stage has no ${name}; add it in apps/api/tests/stage.ts or name another row in the policy line`,
      )
    names.push(name)
    return id
  }
  let lastId = ''
  let url = operation.url.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const schema = operation.parameters.find(({ name }) => name === parameter)?.schema
    // One of a list: what the policy line says, else the first.
    if (schema?.enum) return line.ids[parameter] ?? String(schema.enum[0])
    // A key that is no id of a row, such as the system of an external id.
    if (schema?.examples && !isId(schema)) return String(schema.examples[0])
    return (lastId = idOf(parameter))
  })
  const inPath = names.length
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.name === 'limit'))
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(name === 'limit' ? schema.maximum : exampleOf(schema, name, idOf)))}`)
  if (query.length > 0) url += `?${query.join('&')}`
  const body = operation.body ? bodyOf(operation.body.schema, line, idOf) : undefined
  const target = inPath > 0 ? { name: names[inPath - 1] ?? '', inPath: true } : names[0] ? { name: names[0], inPath: false } : null
  const version = versions.get(lastId) ?? versions.get(rows[line.ids['version'] ?? 'orgId'] ?? '') ?? 1
  const headers = { ...(operation.ifMatch && { 'if-match': `"${version}"` }), ...(operation.recentSignIn && justSignedIn) }
  return { call: { method: operation.method, url, headers, ...(body === undefined ? {} : { body }) }, names, target }
}

type IdOf = (parameter: string) => string

function bodyOf(schema: Schema, line: Line, idOf: IdOf): unknown {
  if (line.send) return filledIn(line.send, idOf)
  const example = schema.examples?.[0]
  return example === undefined ? exampleOf(schema, '', idOf) : withIds(example, schema, idOf)
}

/** Replaces each text `$name` by that row's id. */
function filledIn(value: unknown, idOf: IdOf): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? idOf(value.slice(1)) : value
  if (Array.isArray(value)) return value.map((each) => filledIn(each, idOf))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, filledIn(each, idOf)]))
  return value
}

/** The contract's own example, with ids of rows that are there. */
function withIds(example: unknown, schema: Schema, idOf: IdOf): unknown {
  if (typeof example !== 'object' || example === null || Array.isArray(example)) return example
  return Object.fromEntries(
    Object.entries(example)
      .filter(([key]) => schema.properties === undefined || key in schema.properties)
      .map(([key, value]: [string, unknown]) => [key, isId(schema.properties?.[key]) ? idOf(key) : value]),
  )
}

export const isId = (schema: Schema | undefined): boolean => schema?.format === 'uuid' || (schema?.anyOf?.some(isId) ?? false)

/** The smallest value that a schema allows: what is required, and of a change that requires nothing the first field. */
function exampleOf(schema: Schema, name: string, idOf: IdOf): unknown {
  if (isId(schema)) return idOf(name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, name, idOf)
  switch (schema.type) {
    case 'object': {
      const properties = Object.entries(schema.properties ?? {})
      const required = properties.filter(([key]) => schema.required?.includes(key))
      return Object.fromEntries(
        (required.length > 0 ? required : properties.slice(0, 1)).map(([key, inner]) => [key, exampleOf(inner, key, idOf)]),
      )
    }
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => exampleOf(schema.items ?? {}, name, idOf))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    default:
      return schema.format === 'date' ? '2026-07-01' : 'Example'.padEnd(schema.minLength ?? 0, 'e').slice(0, schema.maxLength ?? 50)
  }
}
