import { readFileSync } from 'node:fs'
import { actionsContract, dataContract } from '@guildhall/contract'
import { proceduresOf } from './contract.ts'

/** A JSON schema as far as the committed documents use it. */
export type Schema = {
  type?: string | string[]
  format?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  contentMediaType?: string
  examples?: unknown[]
  $ref?: string
}
export type Parameter = { name: string; in: 'path' | 'query' | 'header'; required?: boolean; schema: Schema }
type Content = Record<string, { schema: Schema }>
export type Operation = {
  /** Where it stands in the contract, such as data.people.list. */
  path: string
  id: string
  api: 'data' | 'actions'
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With its parameters in braces: /data/people/{personId}. */
  url: string
  needs: string
  ifMatch: boolean
  recentSignIn: boolean
  upload: boolean
  idempotent: boolean
  /** So often an hour and no more. */
  isLimited: boolean
  readsPeople: boolean
  parameters: Parameter[]
  body: { required: boolean; schema: Schema } | null
  responses: Record<string, Content>
  successStatus: number
}

type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        parameters?: Parameter[]
        requestBody?: { required?: boolean; content: Content }
        responses: Record<string, { content?: Content }>
      }
    >
  >
  components: { schemas: Record<string, Schema> }
}

const documents = { data: readDocument('data'), actions: readDocument('actions') }

/** With the shared schemas where they are named. */
function readDocument(api: 'data' | 'actions'): Document {
  const file = readFileSync(new URL(`../../../openapi/${api}.json`, import.meta.url), 'utf8')
  const { schemas } = (JSON.parse(file) as Document).components
  const whole = new Map<string, unknown>()
  const inlined = (text: string): unknown =>
    JSON.parse(text, (_key, value: unknown) => {
      const name = typeof value === 'object' && value !== null && '$ref' in value ? String(value.$ref).split('/').at(-1) : undefined
      if (!name || !schemas[name]) return value
      // A shared schema may name another one.
      if (!whole.has(name)) whole.set(name, inlined(JSON.stringify(schemas[name])))
      return whole.get(name)
    })
  return inlined(file) as Document
}
export const problemSchema = documents.data.components.schemas['Problem'] ?? {}

/** What the committed OpenAPI documents and the contract say of each operation. */
export const operations: Operation[] = (['data', 'actions'] as const).flatMap((api) => {
  const declared = proceduresOf(api === 'data' ? dataContract : actionsContract, api)
  return Object.entries(documents[api].paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const found = declared.find(({ procedure }) => procedure.route.operationId === described.operationId)
      if (!found) throw new Error(`${described.operationId} stands in openapi/${api}.json but not in the contract; run npm run generate`)
      const { route, meta } = found.procedure
      const schema = described.requestBody?.content['application/json']?.schema
      return {
        path: found.path,
        id: described.operationId,
        api,
        method: method.toUpperCase() as Operation['method'],
        url: `/${api}${path}`,
        needs: meta.needs,
        ifMatch: meta.ifMatch ?? false,
        recentSignIn: meta.recentSignIn ?? false,
        upload: meta.upload ?? false,
        idempotent: meta.idempotent ?? false,
        isLimited: meta.perHour !== undefined,
        readsPeople: meta.readsPeople !== undefined,
        parameters: described.parameters ?? [],
        body: schema ? { required: described.requestBody?.required ?? false, schema } : null,
        responses: Object.fromEntries(Object.entries(described.responses).map(([status, { content }]) => [status, content ?? {}])),
        successStatus: route.successStatus,
      }
    }),
  )
})
