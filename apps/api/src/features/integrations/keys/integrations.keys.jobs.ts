import type { Schedule } from '../../../platform/schedules/schedules.ts'
import { warnOfExpiry } from './integrations.keys.queries.ts'

/** Who made a key is told 14 and 3 days before it expires. */
export const keySchedules = (): Schedule[] => [
  {
    name: 'keys-expiring',
    rule: { every: 'day', at: '06:10' },
    missed: 'once',
    run: async (db, { org }) => {
      await warnOfExpiry(db, org)
    },
  },
]
