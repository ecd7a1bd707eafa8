import { actionsContract, dataContract } from '@guildhall/contract'
import { takesKey } from '@guildhall/contract/base'
import { errorCatalogue, Problem } from '@guildhall/contract/errors'
import { AudienceDefinition } from '@guildhall/contract/features/communication.audiences'
import { FormattedBlocks } from '@guildhall/contract/formatted-text'
import { MessageBody, StoredMessageBody } from '@guildhall/contract/message-body'
import type { AnyContractRouter } from '@orpc/contract'
import { OpenAPIGenerator } from '@orpc/openapi'
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4'
import * as z from 'zod'

const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter({ maxStructureDepth: 30 })] })

const problem = { $ref: '#/components/schemas/Problem' }

/** Written once, since each stands for a page of its own; what is sent and what is answered differ where the schema ends in anything. */
const named = {
  FormattedBlocks: { schema: FormattedBlocks, strategy: 'input' },
  FormattedBlocksAnswered: { schema: FormattedBlocks, strategy: 'output' },
  AudienceDefinition: { schema: AudienceDefinition, strategy: 'input' },
  AudienceDefinitionAnswered: { schema: AudienceDefinition, strategy: 'output' },
  MessageBody: { schema: MessageBody, strategy: 'input' },
  StoredMessageBody: { schema: StoredMessageBody, strategy: 'output' },
} as const

const meanings = new Map(Object.values(errorCatalogue).map(({ status, message }) => [String(status), message]))

type Document = Awaited<ReturnType<typeof generator.generate>>
type Operation = NonNullable<NonNullable<NonNullable<Document['paths']>[string]>['get']>
const Meta = z.object({
  needs: z.string(),
  ifMatch: z.boolean().optional(),
  idempotent: z.boolean().optional(),
  recentSignIn: z.boolean().optional(),
  whileActing: z.boolean().optional(),
  withKey: z.boolean().optional(),
})
type Meta = z.infer<typeof Meta>

/** Both APIs as OpenAPI 3.1, from the contracts alone. */
export async function openApiDocuments() {
  return {
    data: await openApi(
      dataContract,
      '/data',
      'Guildhall data API',
      'Rows as the caller may see and change them; each request is one transaction.',
    ),
    actions: await openApi(actionsContract, '/actions', 'Guildhall actions API', 'What reaches beyond the rows: mail, files, long work.'),
  }
}

export async function openApi(contract: AnyContractRouter, url: string, title: string, description: string) {
  const document = await generator.generate(contract, {
    info: { title, description, version: '1' },
    servers: [{ url }],
    security: [{ bearer: [] }, { apiKey: [] }],
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: "The identity provider's access token." },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ghk_…',
          description:
            'An API key of the organisation, sent in the same header. 401 with the reason `key_unknown`, `key_expired` or `key_revoked`; 403 `not_with_key` where no key is taken; 429 `key_rate` with Retry-After.',
        },
      },
    },
    commonSchemas: { Problem: { schema: Problem }, ...named },
    customErrorResponseBodySchema: () => problem,
  })
  const { schemas } = document.components ?? {}
  if (document.components && schemas) document.components.schemas = referredTo(document.paths, schemas)
  const metas = procedureMetas(contract)
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
      const operation = path?.[method]
      if (operation) complete(operation, metas.get(operation.operationId ?? ''))
    }
  }
  return document
}

/** What the paths name, and what those schemas name in turn; of shared ones that nothing names, none. */
function referredTo<Schema>(paths: unknown, schemas: Record<string, Schema>): Record<string, Schema> {
  const kept = new Set(Object.keys(schemas).filter((name) => !(name in named)))
  const keepFrom = (part: unknown) => {
    const text = JSON.stringify(part)
    for (const [name, schema] of Object.entries(schemas)) {
      if (kept.has(name) || !text.includes(`schemas/${name}"`)) continue
      kept.add(name)
      keepFrom(schema)
    }
  }
  keepFrom(paths)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => kept.has(name)))
}

const opening: Record<string, string> = {
  public: 'Open to everyone.',
  token: 'Needs a valid token.',
  'signed-in': 'Needs an active account.',
}

/** Says what the generator cannot know: headers, who may call, the media type of problems, and that 204 has no content. */
function complete(operation: Operation, meta: Meta | undefined) {
  for (const [status, response] of Object.entries(operation.responses)) {
    if ('$ref' in response) continue
    response.description = meanings.get(status) ?? response.description
    if (status === '204') delete response.content
    const json = response.content?.['application/json']
    if (Number(status) >= 400 && json) response.content = { 'application/problem+json': json }
  }
  if (!meta) return
  if (meta.needs === 'public') operation.security = []
  else if (!takesKey(meta)) operation.security = [{ bearer: [] }]
  const needs = opening[meta.needs] ?? `Needs the permission \`${meta.needs}\`.`
  operation.description = [operation.description, needs].filter(Boolean).join('\n\n')
  operation.parameters = [...(operation.parameters ?? []), ...headers(meta)]
}

const headers = ({ needs, ifMatch, idempotent, recentSignIn, whileActing }: Meta) => [
  ...(ifMatch
    ? [
        {
          name: 'If-Match',
          in: 'header',
          required: true,
          schema: { type: 'string' as const },
          description: 'The version being changed, as its ETag or number.',
          example: '"3"',
        },
      ]
    : []),
  ...(idempotent
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string' as const, maxLength: 200 },
          description: 'A name for this request; repeated under the same name within a day it answers the same and changes nothing more.',
          example: '0199f3a1-7c3e-7d2b-9c54-1b6d5a3f2e10',
        },
      ]
    : []),
  ...(recentSignIn
    ? [
        {
          name: 'Sign-In-Proof',
          in: 'header',
          required: false,
          schema: { type: 'string' as const },
          description:
            'The id token of a sign-in within the last ten minutes; not needed where the access token carries that `auth_time`. Without either, the answer is 403 with the reason `recent_sign_in`.',
        },
      ]
    : []),
  ...(whileActing && needs !== 'token'
    ? [
        {
          name: 'Acting-For',
          in: 'header',
          required: false,
          schema: { type: 'string' as const, format: 'uuid' },
          description:
            'The person for whom you act, who is asking then; 403 with the reason `acting_not_allowed` where you may not. Operations without this header refuse it with the reason `not_while_acting`.',
        },
      ]
    : []),
]

const Procedure = z.object({ '~orpc': z.object({ route: z.object({ operationId: z.string() }), meta: Meta }) })

/** What each procedure of a contract declares about itself, by operation id. */
function procedureMetas(part: unknown, found = new Map<string, Meta>()) {
  const procedure = Procedure.safeParse(part)
  if (procedure.success) found.set(procedure.data['~orpc'].route.operationId, procedure.data['~orpc'].meta)
  else if (typeof part === 'object' && part !== null) for (const inner of Object.values(part)) procedureMetas(inner, found)
  return found
}
