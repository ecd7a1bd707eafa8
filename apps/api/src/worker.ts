import closeWithGrace from 'close-with-grace'
import { startSending } from './features/communication/sending/communication.sending.jobs.ts'
import { holdWebhooks, startWebhooks } from './features/integrations/webhooks/integrations.webhooks.jobs.ts'
import { jobHandlers, schedules } from './jobs.ts'
import { mailTemplates } from './mails.ts'
import { ConfigError, readConfig } from './platform/config.ts'
import { refuseForeignKey, refuseOtherRoles, refuseUnsafeDatabase, restoredFrom } from './platform/database-checks.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { holdMail, startOutbox } from './platform/mail/outbox.ts'
import { createLog } from './platform/observability/log.ts'
import { watchProcess, watchQueues, watchResources } from './platform/observability/metrics.ts'
import { serveMetrics } from './platform/observability/metrics-server.ts'
import { readWaitingWork } from './platform/jobs/queue-states.ts'
import { createServices } from './platform/services.ts'
import { startTracing } from './platform/observability/tracing.ts'
import { endWithParent } from './platform/with-parent.ts'

try {
  const config = readConfig(process.env)
  const log = createLog(config.LOG_LEVEL).child({ process: 'worker' })
  const url = config.WORKER_DATABASE_URL ?? config.DATABASE_URL
  const endTracing = await startTracing(config)
  const services = createServices(config, log, url)
  const { metrics, database } = services
  await refuseUnsafeDatabase(services.database)
  await refuseOtherRoles(services.database)
  await refuseForeignKey(services.database)
  const restored = await restoredFrom(services.database)
  const held = restored ? await holdMail(services, restored) : 0
  if (held > 0) log.warn({ held, restored }, 'mail of the time before the restored backup is held back')
  const heldWebhooks = restored ? await holdWebhooks(services, restored) : 0
  if (heldWebhooks > 0) log.warn({ held: heldWebhooks, restored }, 'webhooks of the time before the restored backup are held back')
  const jobs = await startJobs({ url, handlers: jobHandlers(services), schedules, log, metrics })
  const outbox = startOutbox(services, mailTemplates)
  const sending = startSending(services)
  const webhooks = startWebhooks(services)
  // Numbers that are counted by the clock are there from the first minute.
  await services.database.withoutActor((db) => services.jobs.send(db, 'counts', {}))
  await services.database.withoutActor((db) => services.jobs.send(db, 'figures', {}))
  // What came due while no worker ran need not wait for the next minute.
  await services.database.withoutActor((db) => services.jobs.send(db, 'schedules', {}))
  watchProcess(metrics)
  watchResources(metrics, database, config.FILES_DIR)
  watchQueues(metrics, () => readWaitingWork(database))
  const metricsServer = await serveMetrics(config, metrics)
  log.info('working')
  const { close } = closeWithGrace({ delay: 25_000 }, async ({ err }) => {
    if (err) log.error({ err }, 'stopping after an error')
    await Promise.all([jobs.stop(), outbox.stop(), sending.stop(), webhooks.stop()])
    await metricsServer.close()
    await services.close()
    await endTracing()
  })
  endWithParent(close)
} catch (error) {
  process.stderr.write(
    `${error instanceof ConfigError ? error.message : `The worker could not start: ${error instanceof Error ? error.message : String(error)}`}\n`,
  )
  process.exitCode = 1
  setTimeout(() => process.exit(1), 100).unref()
}
