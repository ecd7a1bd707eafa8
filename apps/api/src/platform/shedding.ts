import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { problem, problemBody } from './problem.ts'
import type { Services } from './services.ts'

const apiPath = /^\/(data|actions)\//
/** Above this, work that is begun makes everybody wait longer than those who are turned away. */
const maxEventLoopDelay = 1_000
const maxHeapShare = 0.8
/** Requests that wait for each connection of the database before more are turned away: about half a second's worth. */
const waitingPerConnection = 25

/** Turns requests away while there is more to do than can be done, so that those who are let in are served. Health checks and pages go on. */
export async function shedOverload(app: FastifyInstance, { database, config }: Services): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * maxHeapShare,
    sampleInterval: 1_000,
    pressureHandler: () => undefined,
  })
  const longestQueue = config.DATABASE_POOL * waitingPerConnection
  app.addHook('onRequest', async (request, reply) => {
    if (!apiPath.test(request.url)) return
    if (!app.isUnderPressure() && database.load().waiting < longestQueue) return
    const busy = problem('SERVICE_UNAVAILABLE', { reason: 'busy', detail: 'Too much is going on right now; try again in a moment.' })
    await reply.status(503).header('retry-after', '2').type('application/problem+json').send(problemBody(busy, request.id))
  })
}
