import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const commentsSlots: FeatureSlots = {
  groupTabs: [
    {
      key: 'discussion',
      label: msg`Discussion`,
      order: 30,
      // Of a private group, for those who see who is in it.
      may: ({ group }) => group.may.seeMembers,
      content: lazy(async () => ({ default: (await import('./group-discussion.tsx')).GroupDiscussion })),
    },
  ],
  timelineTexts: [
    {
      category: 'comments',
      label: msg`Comments`,
      order: 40,
      kinds: ['comment-written'],
      entry: lazy(async () => ({ default: (await import('./comment-timeline.tsx')).CommentEntry })),
    },
  ],
  historyWords: [
    {
      entities: { comments: { noun: msg`Comment` } },
      fields: { editedAt: msg`Edited`, hiddenAt: msg`Hidden`, hiddenReason: msg`Reason for hiding`, deletedAt: msg`Deleted` },
    },
  ],
}
