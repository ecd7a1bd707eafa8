import { t } from '@lingui/core/macro'
import type { LineProblemKind, LineRecord } from '@guildhall/contract/features/relationships.lines'
import type { RelationshipState } from '@guildhall/contract/features/relationships'
import { ChapterLink, PersonLink } from '../../../platform/records/record-links.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Tone } from '../../../ui/display/status-badge.tsx'

/** A person's or a chapter's name, which leads to its page. */
export const RecordLink = ({ record, ofChapters }: { record: LineRecord; ofChapters: boolean }) =>
  ofChapters ? <ChapterLink chapter={record} /> : <PersonLink person={{ id: record.id, displayName: record.name }} />

const tones: Record<RelationshipState, Tone> = { proposed: 'info', active: 'good', ended: 'neutral', rejected: 'bad' }
export const RelationshipBadge = ({ state }: { state: RelationshipState }) => (
  <StatusBadge tone={tones[state]}>{stateText(state)}</StatusBadge>
)

function stateText(state: RelationshipState): string {
  switch (state) {
    case 'proposed':
      return t`Proposed`
    case 'active':
      return t`Active`
    case 'ended':
      return t`Ended`
    case 'rejected':
      return t`Rejected`
  }
}

/** What is wrong, in a few words: the chip that counts it and the heading of each. */
export function problemName(kind: LineProblemKind): string {
  switch (kind) {
    case 'cycle':
      return t`Cycle`
    case 'too_many_parents':
      return t`Too many above`
    case 'minor_without_guardian':
      return t`Minor without guardian`
    case 'guardian_under_age':
      return t`Guardian under age`
    case 'guardian_younger':
      return t`Guardian younger than the child`
    case 'guardian_is_managed':
      return t`Guardian who has a guardian`
    case 'majority_soon':
      return t`Coming of age`
    case 'ended_parent':
      return t`Above someone who left`
    case 'cross_chapter':
      return t`Across chapters`
    case 'dead_end':
      return t`Dead end`
  }
}

/** What to do about it. */
export function problemAdvice(kind: LineProblemKind, ofChapters: boolean): string {
  switch (kind) {
    case 'cycle':
      return t`End one of these relationships: nobody can stand below themselves.`
    case 'too_many_parents':
      return t`More people stand above than this kind allows. End the wrong ones.`
    case 'minor_without_guardian':
      return t`No active guardian is recorded. Add one.`
    case 'guardian_under_age':
      return t`The guardian is not of age. Check the birth dates or end the relationship.`
    case 'guardian_younger':
      return t`Check both birth dates or end the relationship.`
    case 'guardian_is_managed':
      return t`Somebody with a guardian cannot act for others. End one of the two relationships.`
    case 'majority_soon':
      return t`The guardian’s rights end on the day of majority. Tell both of them.`
    case 'ended_parent':
      return ofChapters
        ? t`The chapter above is closed. Give this one another parent in its settings.`
        : t`The person above is no longer active. Move those below, or end the relationship.`
    case 'cross_chapter':
      return t`They belong to different chapters. Check whether this is right.`
    case 'dead_end':
      return ofChapters
        ? t`Nothing is below this chapter, and it has no members.`
        : t`Nobody in this line is active any more, so it cannot grow.`
  }
}
