import type { QueueName } from '@guildhall/db'
import { invitationMail, accessRequestMail } from './features/account/account.jobs.ts'
import { commentNotices } from './features/comments/comments.jobs.ts'
import { automationJobs } from './features/communication/automations/communication.automations.jobs.ts'
import { eventJobs } from './features/events/events.jobs.ts'
import { givingJobs, givingSchedules } from './features/fundraising/plans/fundraising.plans.jobs.ts'
import { sweepFiles } from './features/files/files.jobs.ts'
import { connectionSchedules } from './features/integrations/connections/integrations.connections.jobs.ts'
import { dueSyncs } from './features/integrations/engine/integrations.due.jobs.ts'
import { countFigures } from './features/integrations/connectors/integrations.figures.jobs.ts'
import { syncJobs } from './features/integrations/engine/integrations.sync.jobs.ts'
import { keySchedules } from './features/integrations/keys/integrations.keys.jobs.ts'
import { exportJob } from './features/lists/lists.exports.jobs.ts'
import { membershipJobs, membershipSchedules } from './features/membership/membership.jobs.ts'
import { noteNotices } from './features/notes/notes.jobs.ts'
import { notificationSchedules } from './features/notifications/notifications.jobs.ts'
import { bulkJob } from './features/lists/lists.bulk.jobs.ts'
import { measureConnections, metricSchedules } from './features/integrations/metrics/integrations.metrics.jobs.ts'
import { importJobs } from './features/imports/running/imports.jobs.ts'
import { relationshipSchedules } from './features/relationships/relationships.jobs.ts'
import { paymentJobs, paymentSchedules } from './features/payments/payments.jobs.ts'
import { reportJobs, reportSchedules } from './features/reports/reports.jobs.ts'
import { contactMail } from './features/site/site.jobs.ts'
import { importable } from './import-plans.ts'
import { settlements } from './settlements.ts'
import { mailAdministrators, sendMailFor } from './platform/mail/send-mail.ts'
import type { JobHandler } from './platform/jobs/jobs.ts'
import type { Services } from './platform/services.ts'
import { dailyUpkeep, refreshDataHealth, upkeepSchedules } from './platform/jobs/upkeep.ts'
import { runScheduled, tickSchedules } from './platform/schedules/schedules.ts'
import type { Schedule } from './platform/schedules/schedules.ts'

/** Which feature works on which queue; the worker and the tests start all of them. */
export function jobHandlers(services: Services): Partial<Record<QueueName, JobHandler>> {
  return {
    imports: importJobs(services, importable),
    mail: mailOf(services),
    bulk: bulkJob(services),
    comments: commentNotices(services),
    notes: noteNotices(services),
    exports: exportJob(services),
    reports: reportJobs(services),
    memberships: membershipJobs(services),
    giving: givingJobs(services),
    events: eventJobs(services),
    automations: automationJobs(services),
    payments: paymentJobs(services, settlements),
    syncs: syncJobs(services),
    'due-syncs': dueSyncs(services),
    metrics: measureConnections(services),
    figures: countFigures(services),
    daily: dailyUpkeep(services),
    counts: refreshDataHealth(services),
    schedules: tickSchedules(services, organisationSchedules(services)),
    scheduled: runScheduled(services, organisationSchedules(services)),
    files: sweepFiles(services),
  }
}

/** Mail of versions that had no outbox, and queued each mail as a job: what still waits is written down there. */
function mailOf({ database }: Services): JobHandler {
  return async ({ kind = '', org = '', account = '', message = '' }) => {
    await database.withoutActor(async (db) => {
      if (kind === 'contact') await mailAdministrators(db, org, contactMail, { params: { message }, dedupeKey: `contact:${message}` })
      else if (kind === 'access-request')
        await mailAdministrators(db, org, accessRequestMail, { params: { account }, dedupeKey: `access-request:${account}` })
      else if (kind === 'invitation')
        await sendMailFor(db, org, invitationMail, { to: { accountId: account }, params: { account }, dedupeKey: `invitation:${account}` })
      else throw new Error(`no feature writes mails of the kind ${kind}`)
    })
  }
}

/** What runs by the clock of each organisation. */
export const organisationSchedules = (services: Services): Schedule[] => [
  ...upkeepSchedules(services),
  ...membershipSchedules(services),
  ...givingSchedules(services),
  ...paymentSchedules(services),
  ...reportSchedules(services),
  ...notificationSchedules(),
  ...relationshipSchedules(),
  ...metricSchedules(),
  ...keySchedules(),
  ...connectionSchedules(),
]

/** What runs by the clock, in UTC. */
export const schedules: { queue: QueueName; cron: string }[] = [
  { queue: 'daily', cron: '10 3 * * *' },
  { queue: 'counts', cron: '*/10 * * * *' },
  { queue: 'schedules', cron: '* * * * *' },
  { queue: 'files', cron: '*/5 * * * *' },
  { queue: 'events', cron: '* * * * *' },
  { queue: 'automations', cron: '* * * * *' },
  { queue: 'payments', cron: '*/5 * * * *' },
  { queue: 'due-syncs', cron: '* * * * *' },
  { queue: 'metrics', cron: '*/15 * * * *' },
  { queue: 'figures', cron: '7 * * * *' },
]
