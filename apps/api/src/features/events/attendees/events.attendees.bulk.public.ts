import { RegistrationBulkChange } from '@guildhall/contract/features/events'
import { bulkList } from '../../../platform/lists/bulk.ts'
import { applyRegistrationBulk, registrationTargets, selectedRegistrations } from './events.attendees.bulk.queries.ts'

/** Nothing of it is undone at once: a seat that was given back may have gone to the next by then. A check-in has a change that takes it back. */
export const registrationsBulk = bulkList({
  list: 'registrations',
  change: RegistrationBulkChange,
  check: async (_, selection) => void selectedRegistrations(selection),
  targets: async (_, selection, change) => registrationTargets(selection, change),
  apply: applyRegistrationBulk,
})
