import { isContractProcedure } from '@orpc/contract'

/** The ids of every operation of a contract. */
export function operationsOf(part: unknown): string[] {
  if (isContractProcedure(part)) return [part['~orpc'].route.operationId ?? '']
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap(operationsOf) : []
}
