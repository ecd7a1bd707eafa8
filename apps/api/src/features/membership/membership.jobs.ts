import type { Schedule } from '../../platform/schedules/schedules.ts'
import { runMemberships } from './membership.queries.ts'

/** What the calendar does to memberships, early in each organisation's day. */
export const membershipSchedules = (): Schedule[] => [
  {
    name: 'memberships',
    rule: { every: 'day', at: '02:00' },
    missed: 'once',
    statementTimeoutMs: 120_000,
    run: async (db, { org, dueOn }) => {
      await runMemberships(db, org, dueOn)
    },
  },
]
