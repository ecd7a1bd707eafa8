import { checkPorts } from './check-ports.ts'
import { lockFolder } from './folder-lock.ts'
import { startIdentityProvider } from './identity-provider.ts'
import { loadDemoOnce } from './load-demo.ts'
import { logFile, noteIn } from './log-files.ts'
import { startMailInbox } from './mail-inbox.ts'
import { startPaymentCompanion, type PaymentCompanion } from './payment-companion.ts'
import { explainDiskFault, PlainError } from './plain-error.ts'
import { freePort } from './ports.ts'
import { prepareDataFolder } from './data-folder.ts'
import { refuseInProduction } from './refuse-in-production.ts'
import { filesIn, identity, logsIn, readSettings, type Settings } from './settings.ts'
import { createShutdown, endOnSignals, type Shutdown } from './shutdown.ts'
import { startApplication } from './start-application.ts'
import { migrateDatabase, startDatabase } from './start-database.ts'
import { startWebServer } from './start-web-server.ts'
import { announce, step, tell, tellNowAndThen } from './tell.ts'
import type { Log } from './supervise.ts'
import { buildWebApp } from './web-build.ts'

/** `npm start`: everything that Guildhall needs on a bare machine, from one terminal, until Ctrl-C. */
async function start(settings: Settings, shutdown: Shutdown): Promise<void> {
  const { ports, appUrl, dataDir, watch } = settings
  const log = (line: string) => tell(`  ${line}`)
  const begun = performance.now()
  prepareDataFolder(dataDir)
  const lock = await lockFolder(dataDir, appUrl)
  await shutdown.add({ stop: lock.release })
  await checkPorts(ports)
  tell('\n  Guildhall is starting …')

  const building = watch
    ? undefined
    : step(
        buildWebApp(() => log('Building the web app …')),
        'Web app',
      )
  const note = noteIn(logFile(logsIn(dataDir), 'companions'))
  const provider = await startIdentityProvider({ port: ports.identity, appUrl, dataDir, ...identity, log: note })
  await shutdown.add(provider)
  const inbox = await startMailInbox({ port: ports.inbox, smtpPort: ports.smtp, dataDir, log: note })
  await shutdown.add(inbox)
  const payments = await startPaymentCompanion({
    port: ports.payments,
    dataDir,
    webhookUrl: `${appUrl}/webhooks/stripe`,
    feeAfterMs: 5_000,
    log: note,
  })
  await shutdown.add(payments)
  const [database, webDist] = await Promise.all([prepareDatabase(settings, provider.issuer, payments, shutdown, log), building])

  const apiPort = watch ? await freePort() : ports.app
  const application = startApplication({
    ...{ settings, apiPort, webDist, log },
    ...{ apiDatabaseUrl: database.apiUrl, workerDatabaseUrl: database.workerUrl, actorKey: database.actorKey, adminUrl: database.adminUrl },
    ...{ issuer: provider.issuer, smtpUrl: inbox.smtpUrl, payments },
  })
  const { api, worker } = application
  await shutdown.add({
    stop: () => Promise.all([api.stop(), worker.stop()]).then(() => undefined),
    kill: () => [api, worker].forEach((one) => one.kill()),
  })
  await step(application.whenReady, 'API and worker')
  if (watch) await shutdown.add(startWebServer(settings, apiPort, log))
  announce({ settings, inboxUrl: inbox.url, paymentsUrl: payments.url, place: database.place, seconds: (performance.now() - begun) / 1000 })
}

async function prepareDatabase(settings: Settings, issuer: string, payments: PaymentCompanion, shutdown: Shutdown, log: Log) {
  const database = await step(startDatabase(settings, shutdown, log), 'Database')
  await step(migrateDatabase(database), (steps) => (steps === 0 ? 'Schema' : `Schema, ${steps} new steps`))
  const onProgress = tellNowAndThen((people: number, of: number) =>
    log(`Demo organisation: ${percent(people / of)} of ${of.toLocaleString('en')} people …`),
  )
  await step(
    loadDemoOnce({
      ...{ adminUrl: database.adminUrl, issuer, size: settings.demo, filesDir: filesIn(settings.dataDir) },
      ...{ payments, onProgress },
    }),
    (said) => said,
  )
  return database
}

const percent = (share: number): string => share.toLocaleString('en', { style: 'percent' })

async function main(): Promise<void> {
  const shutdown = createShutdown(tell)
  const fail = async (error: unknown) => {
    if (shutdown.isEnding()) return
    process.exitCode = 1
    const folder = process.env['GUILDHALL_DATA'] ?? '.data'
    const disk = error instanceof Error && !(error instanceof PlainError) ? explainDiskFault(error.message, folder) : undefined
    console.error(`\n  ${disk ?? (error instanceof PlainError ? error.message : describe(error))}\n`)
    await shutdown.endAll()
    process.exit(1)
  }
  process.on('uncaughtException', (error) => void fail(error))
  process.on('unhandledRejection', (error) => void fail(error))
  endOnSignals(shutdown, (line) => tell(`\n  ${line}`))
  try {
    refuseInProduction('npm start, which brings its own identity provider and data,')
    await start(readSettings(process.env, process.argv.slice(2)), shutdown)
  } catch (error) {
    await fail(error)
  }
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

await main()
