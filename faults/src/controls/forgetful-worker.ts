/** A worker that imports without looking at the ledger: what a restart does to it shows what the ledger is for. */
import { importJobs } from '@guildhall/api/features/imports/running/imports.jobs'
import { importable } from '@guildhall/api/import-plans'
import { readConfig } from '@guildhall/api/platform/config'
import { startJobs } from '@guildhall/api/platform/jobs/jobs'
import { createLog } from '@guildhall/api/platform/observability/log'
import { createServices } from '@guildhall/api/platform/services'

const config = readConfig(process.env)
const log = createLog('warn')
const url = config.WORKER_DATABASE_URL ?? config.DATABASE_URL
const services = createServices(config, log, url)
await startJobs({ url, log, handlers: { imports: importJobs(services, importable, { ledger: false }) } })
process.once('disconnect', () => process.exit(0))
