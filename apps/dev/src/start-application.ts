import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { join } from 'node:path'
import { logFile } from './log-files.ts'
import { nodeFlags } from './node-flags.ts'
import { PlainError } from './plain-error.ts'
import { filesIn, identity, logsIn, root, type Settings } from './settings.ts'
import { supervise, type Log, type Supervised } from './supervise.ts'

export type ApplicationOptions = {
  settings: Settings
  /** Where the API listens: the application's port, or behind the reloading web server. */
  apiPort: number
  apiDatabaseUrl: string
  workerDatabaseUrl: string
  /** For operators' commands only. */
  adminUrl: string
  actorKey: string
  issuer: string
  smtpUrl: string
  payments: { url: string; secretKey: string; webhookSecret: string }
  webDist: string | undefined
  log: Log
}

/** The two processes of the product itself, as in production but for where their settings come from. */
export function startApplication(options: ApplicationOptions): { api: Supervised; worker: Supervised; whenReady: Promise<void> } {
  const failures: string[] = []
  keepSettings(options)
  const api = startProcess('API', 'server.ts', options, failures)
  const worker = startProcess('worker', 'worker.ts', options, failures)
  return { api, worker, whenReady: waitUntilReady(options, failures) }
}

function startProcess(name: string, file: string, options: ApplicationOptions, failures: string[]): Supervised {
  const { settings, log } = options
  const output = logFile(logsIn(settings.dataDir), name.toLowerCase())
  const program = join(root, 'apps/api/src', file)
  return supervise({
    name: `The ${name}`,
    log,
    stopSignal: 'TERM',
    stopSeconds: 15,
    start: () => {
      const target = output.open()
      // The channel between us closes when we are gone, and then they end by themselves.
      const child = spawn(process.execPath, [...nodeFlags, ...(settings.watch ? ['--watch', '--watch-preserve-output'] : []), program], {
        cwd: root,
        env: { ...process.env, ...environmentOf(options) },
        stdio: ['ignore', target, target, 'ipc'],
        detached: true,
      })
      output.close(target)
      return child
    },
    explain: (how) => {
      const words = output.lastWords()
      return words && `The ${name} ended (${how}):\n${words}\n`
    },
    onExit: (reason) => failures.push(reason),
  })
}

const environmentOf = ({
  settings,
  apiPort,
  apiDatabaseUrl,
  workerDatabaseUrl,
  actorKey,
  issuer,
  smtpUrl,
  payments,
  webDist,
}: ApplicationOptions) => ({
  NODE_ENV: 'development',
  HOST: '127.0.0.1',
  PORT: String(apiPort),
  PUBLIC_URL: settings.appUrl,
  DATABASE_URL: apiDatabaseUrl,
  WORKER_DATABASE_URL: workerDatabaseUrl,
  ACTOR_KEY: actorKey,
  ISSUER: issuer,
  CLIENT_ID: identity.clientId,
  PROJECT_RESOURCE_ID: identity.projectId,
  ORG_ID: identity.orgId,
  AUTH_NAME: 'zitadel',
  MONITOR_SESSION: 'on',
  SMTP_URL: smtpUrl,
  STRIPE_API_URL: payments.url,
  STRIPE_SECRET_KEY: payments.secretKey,
  STRIPE_WEBHOOK_SECRET: payments.webhookSecret,
  MAIL_FROM: 'Guildhall <no-reply@demo.example>',
  FILES_DIR: filesIn(settings.dataDir),
  WEB_DIST: webDist ?? '',
  // Nobody is sent elsewhere by a balancer here.
  DRAIN_SECONDS: '0',
})

/** The same settings as a file, so that operators' commands typed beside `npm start` find its database. Holds passwords, as secrets.json does. */
function keepSettings(options: ApplicationOptions) {
  const lines = Object.entries({ ...environmentOf(options), ADMIN_DATABASE_URL: options.adminUrl }).map(
    ([name, value]) => `${name}="${value}"\n`,
  )
  writeFileSync(join(options.settings.dataDir, 'guildhall.env'), lines.join(''), { mode: 0o600 })
}

const patience = 60_000
const tooManyFailures = 3

async function waitUntilReady({ apiPort, settings }: ApplicationOptions, failures: readonly string[]): Promise<void> {
  const start = Date.now()
  while (!(await isReady(apiPort))) {
    if (failures.length >= tooManyFailures) throw new PlainError(failures[failures.length - 1])
    if (Date.now() - start > patience) throw new PlainError(`The API does not become ready. Its log is in ${logsIn(settings.dataDir)}.`)
    await sleep(100)
  }
}

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )
