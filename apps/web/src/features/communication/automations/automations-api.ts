import type {
  Automation,
  AutomationLogKind,
  AutomationRow,
  AutomationRun,
  AutomationRunState,
  AutomationStep,
  AutomationStepCounts,
  AutomationTrigger,
} from '@guildhall/contract/features/communication.automations'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'

export type {
  Automation,
  AutomationLogKind,
  AutomationRow,
  AutomationRun,
  AutomationRunState,
  AutomationStep,
  AutomationStepCounts,
  AutomationTrigger,
}

export const useAutomationsApi = () => useApi().data.communication.automations
export const useFollowUpsApi = () => useApi().data.communication.followUps

export const useAutomations = (q: string, status: AutomationRow['status'] | undefined) =>
  useInfiniteQuery(pagedOptions(useAutomationsApi().list, { limit: 50, ...(q && { q }), ...(status && { status }) }))

export const useAutomation = (automationId: string) => useQuery(useAutomationsApi().get.queryOptions({ input: { automationId } }))
export const useStepCounts = (automationId: string) => useQuery(useAutomationsApi().steps.queryOptions({ input: { automationId } }))
export const useRuns = (automationId: string, state: AutomationRunState | undefined) =>
  useInfiniteQuery(pagedOptions(useAutomationsApi().runs, { automationId, limit: 20, ...(state && { state }) }))

export function useAutomationsChanged() {
  const api = useAutomationsApi()
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: api.key() })
}
