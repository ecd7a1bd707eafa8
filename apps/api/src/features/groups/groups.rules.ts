import type { Group } from '@guildhall/contract/features/groups'

import type { Refusal } from '../../platform/procedures/problem.ts'

/** Why the caller cannot join, in words for them; only for a group that answered `join: null`. */
export function whyNotJoin({ mine, archivedAt, joinPolicy }: Pick<Group, 'mine' | 'archivedAt' | 'joinPolicy'>): Refusal {
  if (mine?.status === 'requested') return { reason: 'already_requested', detail: 'You asked to join already; the leaders will answer.' }
  if (mine) return { reason: 'already_joined', detail: 'You are already in this group.' }
  if (archivedAt) return { reason: 'group_archived', detail: 'This group is archived and accepts no new members.' }
  if (joinPolicy === 'invite') return { reason: 'invite_only', detail: 'This group takes people in by invitation only.' }
  return { reason: 'no_person', detail: 'Your account is not linked to a person yet; ask the organisation’s office.' }
}
