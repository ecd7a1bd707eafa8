import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const relationshipsSlots: FeatureSlots = {
  personTabs: [
    {
      key: 'relationships',
      label: msg`Relationships`,
      // Everybody reads their own, and proposes one on the page of somebody else.
      order: 45,
      content: lazy(async () => ({ default: (await import('./person/person-relationships.tsx')).PersonRelationships })),
    },
  ],
  accountTabs: [
    {
      key: 'relationship-types',
      label: msg`Relationship types`,
      order: 67,
      may: (_, can) => can('organisation.manage'),
      content: lazy(async () => ({ default: (await import('./types/types-tab.tsx')).TypesTab })),
    },
  ],
  homeCards: [
    {
      key: 'relationshipsToConfirm',
      label: msg`Relationships to confirm`,
      order: 15,
      framed: true,
      content: lazy(async () => ({ default: (await import('./proposals/proposals-card.tsx')).ProposalsCard })),
    },
  ],
  overlays: [lazy(async () => ({ default: (await import('./family/acting-banner.tsx')).ActingBanner }))],
  paletteSources: [lazy(async () => ({ default: (await import('./relationships-palette.tsx')).RelationshipsPaletteSource }))],
  historyWords: [
    {
      entities: {
        relationships: { noun: msg`Relationship`, onPerson: msg`Relationship` },
        relationship_types: { noun: msg`Relationship type` },
      },
      fields: {
        typeId: msg`Type`,
        fromPersonId: msg`First person`,
        toPersonId: msg`Second person`,
        state: msg`Status`,
        proposedBy: msg`Proposed by`,
        answeredBy: msg`Answered by`,
        answeredAt: msg`Answered`,
        endedBy: msg`Ended by`,
        endedAt: msg`Ended`,
        verifiedBy: msg`Verified by`,
        verifiedAt: msg`Verified`,
        key: msg`Key`,
        forwardLabel: msg`First person is called`,
        inverseLabel: msg`Second person is called`,
        acyclic: msg`No circles`,
        maxParents: msg`First persons at a time`,
        grants: msg`Opens the record`,
        approval: msg`Who agrees`,
        isMinorsOnly: msg`For minors only`,
      },
      values: {
        'relationships.state': { proposed: msg`Proposed`, active: msg`Active`, ended: msg`Ended`, rejected: msg`Rejected` },
        'relationship_types.grants': { none: msg`No`, view: msg`To see`, manage: msg`To see and act for` },
        'relationship_types.approval': { none: msg`Nobody`, other: msg`The other person`, office: msg`The office` },
      },
      lists: { relationships: msg`Relationships` },
    },
  ],
}
