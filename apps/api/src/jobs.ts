import type { QueueName } from '@guildhall/db'
import type { JobHandler } from './platform/jobs.ts'
import type { Services } from './platform/services.ts'

/** Which feature works on which queue; the worker and the tests start all of them. */
export function jobHandlers(_services: Services): Partial<Record<QueueName, JobHandler>> {
  return {}
}

/** What runs by the clock, in UTC. */
export const schedules: { queue: QueueName; cron: string }[] = []
