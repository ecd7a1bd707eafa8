import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import type { ApiKey } from '../sign-in/api-keys.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key that a request came with, also where it was refused. */
    usedKey?: ApiKey
  }
}

/** Notes each request that came with a key once it is answered. */
export function noteKeyUses(app: FastifyInstance, { keyUses }: Services): void {
  app.addHook('onResponse', async ({ usedKey, noted, method }, { statusCode }) => {
    const operation = noted?.['operation']
    if (usedKey && typeof operation === 'string') keyUses.note(usedKey, operation, method, statusCode)
  })
}
