import { openDatabase } from '@guildhall/db'
import type { Database } from '@guildhall/db'
import { createChanges } from './records/changes.ts'
import type { Changes } from './records/changes.ts'
import type { Config } from './config.ts'
import { openFiles } from './files/open-files.ts'
import type { Files } from './files/files.ts'
import { inspect } from './files/inspection.ts'
import { createIdentities } from './sign-in/identity.ts'
import type { Identities } from './sign-in/identity.ts'
import { createJobs } from './jobs/jobs.ts'
import type { Jobs } from './jobs/jobs.ts'
import type { Log } from './observability/log.ts'
import { createMailer } from './mail/mail.ts'
import type { Mailer } from './mail/mail.ts'
import { createSenderDomain } from './mail/sender-domain.ts'
import type { SenderDomain } from './mail/sender-domain.ts'
import { createOutgoing } from './outgoing/outgoing.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import { openPayments } from './payments/open-payments.ts'
import type { PaymentProvider } from './payments/payment-provider.ts'
import { createPeopleReading } from './limits/people-reading.ts'
import type { PeopleReading } from './limits/people-reading.ts'
import { createMetrics } from './observability/metrics.ts'
import type { Metrics } from './observability/metrics.ts'
import { createKeyRates } from './limits/key-rates.ts'
import type { KeyRates } from './limits/key-rates.ts'
import { createKeyUses } from './sign-in/key-uses.ts'
import type { KeyUses } from './sign-in/key-uses.ts'
import { createProvider } from './sign-in/provider.ts'
import type { Provider } from './sign-in/provider.ts'
import { createTokens } from './sign-in/token.ts'
import type { Tokens } from './sign-in/token.ts'
import { traceDatabase } from './observability/tracing.ts'

/** Everything that outlives a request; made once per process. */
export type Services = {
  config: Config
  log: Log
  metrics: Metrics
  database: Database
  provider: Provider
  tokens: Tokens
  identities: Identities
  changes: Changes
  jobs: Jobs
  mailer: Mailer
  /** What receiving servers find about the sender of all mail. */
  senderDomain: SenderDomain
  files: Files
  /** Says what an uploaded file is, whatever it is called; only the control of its test puts something else here. */
  inspect: typeof inspect
  reading: PeopleReading
  keyRates: KeyRates
  keyUses: KeyUses
  outgoing: Outgoing
  /** Undefined where none is configured. */
  payments: PaymentProvider | undefined
  close(): Promise<void>
}

export function createServices(config: Config, log: Log, databaseUrl = config.DATABASE_URL): Services {
  const opened = openDatabase({
    url: databaseUrl,
    actorKey: config.ACTOR_KEY,
    poolSize: config.DATABASE_POOL,
    onError: (error) => log.warn({ err: error }, 'a database connection broke'),
  })
  const database = config.TRACES_URL ? traceDatabase(opened) : opened
  const provider = createProvider(config, log)
  const tokens = createTokens(config, provider, log)
  const identities = createIdentities(database, tokens, config)
  const reading = createPeopleReading(database, config, log)
  const keyUses = createKeyUses(database, log)
  const changes = createChanges({ database, identities, log, url: databaseUrl })
  const mailer = createMailer(config)
  const outgoing = createOutgoing({ allowed: allowedIn(config), userAgent: `Guildhall (+${config.PUBLIC_URL})` })
  const jobs = createJobs(databaseUrl, (error) => log.warn({ err: error }, 'the job sender lost its connection'))
  return {
    config,
    log,
    metrics: createMetrics(),
    database,
    provider,
    tokens,
    mailer,
    senderDomain: createSenderDomain(config),
    identities,
    changes,
    jobs,
    files: openFiles(config),
    inspect,
    reading,
    keyRates: createKeyRates(database),
    keyUses,
    outgoing,
    payments: openPayments(config, outgoing),
    async close() {
      mailer.close()
      await outgoing.close()
      await reading.close()
      await keyUses.close()
      await changes.close()
      await jobs.close()
      await database.close()
    },
  }
}

/** The payment provider of a developer's machine is on that machine. */
function allowedIn({ OUTGOING_ALLOW, STRIPE_API_URL }: Config): string[] {
  if (STRIPE_API_URL === undefined) return OUTGOING_ALLOW
  const { hostname, port, protocol } = new URL(STRIPE_API_URL)
  return [...OUTGOING_ALLOW, `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`]
}
