import type { Schedule } from '../../platform/schedules/schedules.ts'
import { endDueRelationships, warnOfMajority } from './relationships.schedule.queries.ts'

/** What the calendar does to relationships: some end on their last day, those for minors at majority, of which everybody is told 60 days before. */
export const relationshipSchedules = (): Schedule[] => [
  {
    name: 'relationships-due',
    rule: { every: 'day', at: '00:05' },
    missed: 'once',
    run: async (db, { org, dueOn }) => {
      await endDueRelationships(db, org, dueOn)
      await warnOfMajority(db, org, dueOn)
    },
  },
]
