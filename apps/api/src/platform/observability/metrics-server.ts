import { fastify } from 'fastify'
import type { Config } from '../config.ts'
import type { Metrics } from './metrics.ts'

/** Serves /metrics on a port of its own, which only the operator's network reaches; nothing when no port was given. */
export async function serveMetrics(
  { METRICS_PORT, METRICS_HOST }: Config,
  { registry }: Metrics,
): Promise<{ port: number; close: () => Promise<void> }> {
  if (METRICS_PORT === undefined) return { port: 0, close: async () => {} }
  const app = fastify({ logger: false, requestTimeout: 10_000 })
  app.get('/metrics', async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()))
  const address = await app.listen({ port: METRICS_PORT, host: METRICS_HOST })
  return { port: Number(new URL(address).port), close: () => app.close() }
}
