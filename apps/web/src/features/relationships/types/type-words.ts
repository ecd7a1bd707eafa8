import { t } from '@lingui/core/macro'
import type { RelationshipApproval, RelationshipGrant, RelationshipType } from '@guildhall/contract/features/relationships'

export const grantWords = (): Record<RelationshipGrant, string> => ({
  none: t`Nothing`,
  view: t`See the record`,
  manage: t`See the record and act for the person`,
})

export const approvalWords = (): Record<RelationshipApproval, string> => ({
  none: t`Nobody: active at once`,
  other: t`The other person`,
  office: t`An officer`,
})

/** The rules of a type, each in a few words. */
export function rulesOf({ acyclic, maxParents, grants, isMinorsOnly, forwardLabel, inverseLabel }: RelationshipType): string[] {
  return [
    acyclic && t`No circles`,
    maxParents !== null && t`${forwardLabel} at a time: at most ${maxParents}`,
    grants === 'view' && t`${forwardLabel} sees the record of the ${inverseLabel}`,
    grants === 'manage' && t`${forwardLabel} acts for the ${inverseLabel}`,
    isMinorsOnly && t`For minors only`,
  ].filter((rule) => rule !== false)
}
