import type { Group } from '@guildhall/contract/features/groups'

/** Why the caller cannot join, in words for them; only for a group that answered `join: null`. */
export function whyNotJoin({ mine, archivedAt, joinPolicy }: Pick<Group, 'mine' | 'archivedAt' | 'joinPolicy'>): {
  reason: string
  detail: string
} {
  if (mine?.status === 'requested') return { reason: 'already_requested', detail: 'You asked to join already; the leaders will answer.' }
  if (mine) return { reason: 'already_member', detail: 'You are in this group already.' }
  if (archivedAt) return { reason: 'archived', detail: 'This group is archived and accepts no new members.' }
  if (joinPolicy === 'invite') return { reason: 'invite_only', detail: 'This group takes people in by invitation only.' }
  return { reason: 'no_person', detail: 'Your account is not linked to a person yet; ask the organisation’s office.' }
}
