import { randomUUID } from 'node:crypto'
import type { ApiKey, MadeApiKey } from '@guildhall/contract/features/integrations.keys'
import type { FastifyInstance } from 'fastify'
import { clientFor } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'

export type HeldKey = { key: ApiKey; secret: string; client: Client }

/** A key that somebody makes, with a client that sends it. */
export async function makeKey(app: FastifyInstance, maker: Client, wanted: Record<string, unknown> = {}): Promise<HeldKey> {
  const body = { name: 'Website', permissions: ['people.directory'], days: 30, ...wanted }
  // As the web app sends it with everything.
  const answer = await maker.post('/data/api-keys', body, { ...maker.proof, 'idempotency-key': randomUUID() })
  if (answer.status !== 201) throw new Error(`no key was made: ${answer.status} ${answer.text}`)
  const { key, secret }: MadeApiKey = answer.body
  return { key, secret, client: clientFor(app, { token: secret }) }
}
