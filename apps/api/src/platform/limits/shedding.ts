import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { problem, problemBody } from '../procedures/problem.ts'
import type { Services } from '../services.ts'

const apiPath = /^\/(data|actions)\//
/** Above this, work that is begun makes everybody wait longer than those who are turned away. */
const maxEventLoopDelay = 1_000
const maxHeapShare = 0.8
/** Requests at work for each connection of the database; more only wait for each other. */
const atWorkPerConnection = 8
/** Whoever waits longer for a connection of the database is at the end of a queue that only grows. */
const longestWaitMs = 1_000

/** Turns requests away while there is more to do than can be done, so that those who are let in are served. Health checks and pages go on. */
export async function shedOverload(app: FastifyInstance, { database, config, metrics }: Services): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay,
    maxHeapUsedBytes: getHeapStatistics().heap_size_limit * maxHeapShare,
    sampleInterval: 1_000,
    pressureHandler: () => undefined,
  })
  const atWork = new Set<string>()
  const isQueueing = () => {
    const { waiting, waitedMs } = database.load()
    return atWork.size >= config.DATABASE_POOL * atWorkPerConnection || (waiting > config.DATABASE_POOL && waitedMs > longestWaitMs)
  }
  app.addHook('onRequest', async (request, reply) => {
    if (!apiPath.test(request.url)) return
    if (!app.isUnderPressure() && !isQueueing()) return
    metrics.shed()
    const busy = problem('SERVICE_UNAVAILABLE', { reason: 'busy', detail: 'Too much is going on right now; try again in a moment.' })
    await reply.status(503).header('retry-after', '5').type('application/problem+json').send(problemBody(busy, request.id))
  })
  // Neither whoever still sends nor whoever still reads is work; nor is a file, which mostly waits for its sender.
  app.addHook('preHandler', async ({ id, url, headers }, reply) => {
    if (!apiPath.test(url) || headers['content-type']?.startsWith('multipart/')) return
    atWork.add(id)
    // Whoever goes before the answer gets none, and no other hook tells of it.
    reply.raw.once('close', () => atWork.delete(id))
  })
  app.addHook('onSend', async ({ id }) => void atWork.delete(id))
}
