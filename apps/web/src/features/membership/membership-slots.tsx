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
      content: lazy(async () => ({ default: (await import('./types/types-tab.tsx')).TypesTab })),
    },
  ],
  homeCards: [
    {
      key: 'membershipRequests',
      label: msg`Membership approvals`,
      order: 20,
      may: (_, can) => can('memberships.manage'),
      content: lazy(async () => ({ default: (await import('./requests-card.tsx')).RequestsCard })),
    },
    {
      key: 'renewals',
      label: msg`Renewals`,
      order: 25,
      may: ({ home }, can) => home.scope !== 'me' && can('memberships.read'),
      content: lazy(async () => ({ default: (await import('./renewals-card.tsx')).RenewalsCard })),
    },
    {
      key: 'myMembership',
      label: msg`My membership`,
      order: 30,
      may: ({ home }) => home.scope === 'me',
      content: lazy(async () => ({ default: (await import('./my-membership-card.tsx')).MyMembershipCard })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./membership-palette.tsx')).MembershipPaletteSource }))],
  timelineTexts: [
    {
      category: 'membership',
      label: msg`Membership`,
      order: 15,
      kinds: [
        'membership-applied',
        'membership-approved',
        'membership-declined',
        'membership-began',
        'membership-renewed',
        'membership-lapsed',
        'membership-cancelled',
        'membership-paused',
        'membership-resumed',
      ],
      entry: lazy(async () => ({ default: (await import('./membership-timeline.tsx')).MembershipEntry })),
    },
  ],
  historyWords: [
    {
      entities: {
        membership_types: { noun: msg`Membership type` },
        memberships: { noun: msg`Membership`, onPerson: msg`Membership` },
        transfers: { noun: msg`Transfer`, onPerson: msg`Transfer` },
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
        movesOn: msg`Transfer date`,
        fromChapterId: msg`From chapter`,
        toChapterId: msg`To chapter`,
        completedOn: msg`Completed on`,
        sourceAt: msg`Approved by the old chapter`,
        targetAt: msg`Approved by the new chapter`,
        needsApproval: msg`Approval needed`,
        chapterShareBps: msg`Chapter share`,
      },
    },
  ],
}
