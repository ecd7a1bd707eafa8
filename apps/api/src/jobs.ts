import type { QueueName } from '@guildhall/db'
import { mailAccessRequest, mailInvitation } from './features/account/account.jobs.ts'
import { exportJob } from './features/lists/lists.exports.jobs.ts'
import { bulkJob } from './features/people/bulk/people.bulk.jobs.ts'
import { importJobs } from './features/imports/running/imports.jobs.ts'
import { mailContactNotice } from './features/site/site.jobs.ts'
import { importable } from './import-plans.ts'
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
    exports: exportJob(services),
    daily: dailyUpkeep(services),
    counts: refreshDataHealth(services),
    schedules: tickSchedules(services, organisationSchedules(services)),
    scheduled: runScheduled(services, organisationSchedules(services)),
  }
}

/** A mail job says by its kind which feature writes the mail. */
function mailOf(services: Services): JobHandler {
  const kinds: Record<string, JobHandler> = {
    contact: mailContactNotice(services),
    invitation: mailInvitation(services),
    'access-request': mailAccessRequest(services),
  }
  return async (data, job) => {
    const send = kinds[data['kind'] ?? '']
    if (!send) throw new Error(`no feature writes mails of the kind ${data['kind']}`)
    await send(data, job)
  }
}

/** What runs by the clock of each organisation. */
export const organisationSchedules = (services: Services): Schedule[] => upkeepSchedules(services)

/** What runs by the clock, in UTC. */
export const schedules: { queue: QueueName; cron: string }[] = [
  { queue: 'daily', cron: '10 3 * * *' },
  { queue: 'counts', cron: '*/10 * * * *' },
  { queue: 'schedules', cron: '* * * * *' },
]
