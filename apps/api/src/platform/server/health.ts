import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { refusalOfSignature } from '../database-checks.ts'
import type { Services } from '../services.ts'

/** `/healthz` says that the process answers, without asking anyone. `/readyz` says whether requests should be sent here. */
export function addHealth(app: FastifyInstance, services: Services): void {
  let draining = false
  app.addHook('preClose', async () => {
    draining = true
  })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const database = await withinSeconds(2, services.database.ping())
    // A key that the database no longer takes, after it was changed twice, makes every request fail.
    const keyAccepted = database && (await withinSeconds(2, accepted(services.database)))
    const ready = keyAccepted && !draining
    return reply
      .status(ready ? 200 : 503)
      .send({ status: ready ? 'ready' : 'not ready', database, keyAccepted, draining, signingKeysAgeSeconds: services.provider.keysAge() })
  })
}

/**
 * Before a server closes it says on /readyz that it will, and on each answer that the connection ends, but goes on answering for a while:
 * balancer and clients turn to another server without meeting a closed door.
 */
export function drainFirst(app: FastifyInstance, seconds: number): void {
  app.addHook('preClose', () => sleep(seconds * 1000))
}

async function accepted(database: Services['database']): Promise<void> {
  const refusal = await refusalOfSignature(database)
  if (refusal !== null) throw new Error(refusal)
}

async function withinSeconds(seconds: number, work: Promise<unknown>): Promise<boolean> {
  const timer = AbortSignal.timeout(seconds * 1000)
  return Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    new Promise<boolean>((resolve) => timer.addEventListener('abort', () => resolve(false))),
  ])
}
