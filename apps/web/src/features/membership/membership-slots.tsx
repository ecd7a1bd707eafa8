import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const membershipSlots: FeatureSlots = {
  accountTabs: [
    {
      key: 'membership-types',
      label: msg`Membership types`,
      order: 65,
      may: (_, can) => can('memberships.manage'),
      content: lazy(async () => ({ default: (await import('./types-tab.tsx')).TypesTab })),
    },
  ],
  homeCards: [
    {
      key: 'membershipRequests',
      label: msg`Membership applications`,
      order: 20,
      may: (_, can) => can('memberships.manage'),
      content: lazy(async () => ({ default: (await import('./requests-card.tsx')).RequestsCard })),
    },
    {
      key: 'myMembership',
      label: msg`My membership`,
      order: 30,
      may: ({ home }) => home.scope === 'me',
      content: lazy(async () => ({ default: (await import('./my-membership-card.tsx')).MyMembershipCard })),
    },
  ],
  historyWords: [
    {
      entities: {
        membership_types: { noun: msg`Membership type` },
        memberships: { noun: msg`Membership`, onPerson: msg`Membership` },
        membership_terms: { noun: msg`Membership term`, onPerson: msg`Membership term` },
      },
      fields: {
        autoRenew: msg`Auto-renewal`,
        graceDays: msg`Grace days`,
        renewalDays: msg`Renewal window`,
        graceUntil: msg`End of the grace period`,
        paidOn: msg`Paid on`,
        overrideStatus: msg`Override`,
        overrideUntil: msg`Override until`,
        overrideReason: msg`Reason for the override`,
        needsApproval: msg`Approval needed`,
        chapterShareBps: msg`Chapter share`,
      },
    },
  ],
}
