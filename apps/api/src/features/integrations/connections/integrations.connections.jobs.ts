import type { Schedule } from '../../../platform/schedules/schedules.ts'
import { purgeSync } from './integrations.states.queries.ts'

/** What runs wrote is remembered for some weeks, the runs themselves for more than a year. */
export const connectionSchedules = (): Schedule[] => [
  {
    name: 'sync-purge',
    rule: { every: 'day', at: '03:40' },
    missed: 'once',
    statementTimeoutMs: 600_000,
    run: (db, { org }) => purgeSync(db, org),
  },
]
