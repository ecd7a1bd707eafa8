import { t } from '@lingui/core/macro'
import type { Relationship, RelationshipApproval, RelationshipTypeRef } from '@guildhall/contract/features/relationships'

type Side = Relationship['from']
/** One relationship as seen from one of the two: who the other is, and what they are. */
export type Seen = { other: Side; role: string }

export const seenFrom = ({ from, to, type }: Pick<Relationship, 'from' | 'to' | 'type'>, personId: string): Seen =>
  from.id === personId ? { other: to, role: type.inverseLabel } : { other: from, role: type.forwardLabel }

/** Both of the two are called the same: there is no first and second for a reader. */
export const isMutual = ({ forwardLabel, inverseLabel }: Pick<RelationshipTypeRef, 'forwardLabel' | 'inverseLabel'>) =>
  forwardLabel === inverseLabel

/** "Ada Byron, Big of Ben Ito" */
export const pairText = ({ from, to, type }: Pick<Relationship, 'from' | 'to' | 'type'>): string =>
  isMutual(type)
    ? t`${from.displayName} and ${to.displayName} (${type.name})`
    : t`${from.displayName}, ${type.forwardLabel} of ${to.displayName}`

/** What becomes of one that is recorded by somebody it is about. */
export function approvalText(approval: RelationshipApproval, other: string): string {
  switch (approval) {
    case 'none':
      return t`It is active at once.`
    case 'other':
      return other ? t`${other} is asked to agree.` : t`The other person is asked to agree.`
    case 'office':
      return t`The office is asked to agree.`
  }
}
