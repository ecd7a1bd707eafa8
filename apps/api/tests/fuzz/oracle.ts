import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Answer } from '../calls.ts'
import { problemSchema } from '../operations.ts'
import type { Operation, Schema } from '../operations.ts'
import type { Case } from './arbitraries.ts'

const ajv = new Ajv2020({ strict: false, allErrors: false, ownProperties: true })
addFormats.default(ajv)

const compiled = new WeakMap<Schema, ValidateFunction>()
function validatorOf(schema: Schema, change: (schema: Schema) => Schema = (same) => same): ValidateFunction {
  const known = compiled.get(schema)
  if (known) return known
  const made = ajv.compile(change(schema))
  compiled.set(schema, made)
  return made
}

/** What leaves has the documented fields and no others. */
function closed(schema: Schema): Schema {
  const { properties, items, anyOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(Object.entries(properties).map(([key, inner]) => [key, closed(inner)])) } : {}),
    ...(properties && additionalProperties === undefined ? { additionalProperties: false } : {}),
    ...(items ? { items: closed(items) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(closed) } : {}),
  }
}

/** Words of the machine room that no answer may carry. */
const innards =
  /node_modules|\.ts:\d+|at async |violates (unique|check|foreign|not-null|row)|permission denied for|invalid input syntax|duplicate key value|current transaction is aborted|SQLSTATE|"stack"/

/** What is wrong with an answer, or null: of an operation's documented statuses, of the documented shape, and telling nothing of the inside. */
export function faultOf(operation: Operation, one: Case, answer: Answer): string | null {
  const { status, body } = answer
  if (status >= 500) return `answered ${status}: ${body.slice(0, 200)}`
  const documented = operation.responses[String(status)]
  if (!documented) return `answered ${status}, which is not documented`
  const leak = innards.exec(body)
  if (leak && !JSON.stringify(one).includes(leak[0])) return `speaks of its inside: ${leak[0]}`
  const type = [answer.headers['content-type'] ?? ''].flat().join().split(';')[0] ?? ''
  if (!/\bno-store\b/.test(String(answer.headers['cache-control']))) return `answered ${status} for caches to keep`
  if (status === 204) return body === '' ? null : 'answered 204 with a body'
  const content = documented[type] ?? documented['*/*']
  if (!content) return `answered ${status} as ${type || 'nothing'}, documented is ${Object.keys(documented).join(', ')}`
  // A file of any type is documented as no more than that.
  if (type.endsWith('json') && documented[type]) {
    const validate = status >= 400 ? validatorOf(problemSchema) : validatorOf(content.schema, closed)
    if (!validate(JSON.parse(body))) return `answered ${status} in another shape than documented: ${ajv.errorsText(validate.errors)}`
  }
  if (status < 300) {
    const wrong = inputFault(operation, one)
    if (wrong) return `answered ${status} although ${wrong}`
  }
  return null
}

/** Why the committed document does not allow this request, or null. */
function inputFault(operation: Operation, one: Case): string | null {
  const where = { path: one.path, query: one.query }
  for (const part of ['path', 'query'] as const) {
    for (const [name, value] of Object.entries(where[part])) {
      const parameter = operation.parameters.find((each) => each.in === part && each.name === name)
      if (!parameter) return `there is no parameter ${name}`
      const reason = textFault(parameter.schema, value)
      if (reason) return `${part} ${name} ${reason}`
    }
  }
  for (const { name, in: part, required } of operation.parameters)
    if (required && part !== 'header' && where[part][name] === undefined) return `${name} is missing`
  if (operation.ifMatch && one.ifMatch === null) return 'If-Match is missing'
  if (!operation.body) return null
  if (one.body === undefined) return operation.body.required ? 'there is no body' : null
  const validate = validatorOf(operation.body.schema)
  return validate(one.body) ? null : `the body ${ajv.errorsText(validate.errors)}`
}

/** A parameter is a text on the wire; what it may say follows from the schema. */
function textFault(schema: Schema, value: unknown): string | null {
  if (Array.isArray(value)) return 'comes more than once'
  const text = String(value)
  if (schema.format === 'uuid') return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? null : 'is no id'
  if (schema.format === 'date') return /^\d{4}-\d{2}-\d{2}$/.test(text) ? null : 'is no date'
  if (schema.enum) return schema.enum.includes(text) ? null : 'is not among the choices'
  if (schema.type === 'integer') {
    const number = Number(text)
    return text.trim() !== '' &&
      Number.isInteger(number) &&
      number >= (schema.minimum ?? -Infinity) &&
      number <= (schema.maximum ?? Infinity)
      ? null
      : 'is out of range'
  }
  if (schema.type === 'string') return Array.from(text).length > (schema.maxLength ?? Infinity) ? 'is too long' : null
  return null
}
