import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import type { Period } from '../period-fields.tsx'

/** A person’s giving at a glance: one’s own, or for those who read gifts. */
export const useGiving = (personId: string) => useQuery(useApi().data.fundraising.donors.giving.queryOptions({ input: { personId } }))

export const useGivingStatement = (personId: string, period: Period) =>
  useQuery(useApi().data.fundraising.donors.statement.queryOptions({ input: { personId, ...period } }))
