import closeWithGrace from 'close-with-grace'
import { createApp } from './app.ts'
import { ConfigError, readConfig } from './platform/config.ts'
import { createLog } from './platform/observability/log.ts'
import { watchProcess, watchResources, watchSigningKeys } from './platform/observability/metrics.ts'
import { serveMetrics } from './platform/observability/metrics-server.ts'
import { drainFirst } from './platform/server/health.ts'
import { refuseForeignKey, refuseUnsafeDatabase } from './platform/database-checks.ts'
import { createServices } from './platform/services.ts'
import { startTracing } from './platform/observability/tracing.ts'
import { endWithParent } from './platform/with-parent.ts'

try {
  const config = readConfig(process.env)
  const log = createLog(config.LOG_LEVEL)
  const endTracing = await startTracing(config)
  const services = createServices(config, log)
  await refuseUnsafeDatabase(services.database)
  await refuseForeignKey(services.database)
  const app = await createApp(services)
  drainFirst(app, config.DRAIN_SECONDS)
  watchProcess(services.metrics)
  watchResources(services.metrics, services.database, config.FILES_DIR)
  watchSigningKeys(services.metrics, services.provider)
  const metrics = await serveMetrics(config, services.metrics)
  await app.listen({ port: config.PORT, host: config.HOST })
  log.info({ port: config.PORT }, 'listening')
  const { close } = closeWithGrace({ delay: (config.DRAIN_SECONDS + 20) * 1000 }, async ({ err }) => {
    if (err) log.error({ err }, 'stopping after an error')
    await app.close()
    await metrics.close()
    await services.close()
    await endTracing()
  })
  endWithParent(close)
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `Guildhall could not start: ${error instanceof Error ? error.message : String(error)}`}\n`,
  )
  process.exitCode = 1
  setTimeout(() => process.exit(1), 100).unref()
}
