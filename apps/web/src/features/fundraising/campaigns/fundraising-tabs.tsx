import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import { Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { openTo } from '../../../platform/navigation/sections.tsx'
import type { Section } from '../../../platform/navigation/sections.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { PathTabs } from '../../../ui/page/detail-header.tsx'

/** Tabs across campaigns, below /fundraising/all; each is fetched with its first visit. */
export const acrossTabs: readonly Section<object>[] = [
  {
    key: 'donations',
    label: msg`Gifts`,
    order: 10,
    may: (_subject, can) => can('gifts.read') || can('gifts.record'),
    content: lazy(async () => ({ default: (await import('../gifts/gifts-tab.tsx')).GiftsTab })),
    fill: true,
  },
  {
    key: 'donors',
    label: msg`Donors`,
    order: 20,
    may: (_subject, can) => can('gifts.read'),
    content: lazy(async () => ({ default: (await import('../donors/donors-tab.tsx')).DonorsTab })),
    fill: true,
  },
  {
    key: 'recurring',
    label: msg`Recurring`,
    order: 30,
    may: (_subject, can) => can('gifts.read'),
    content: lazy(async () => ({ default: (await import('../plans/plans-tab.tsx')).PlansTab })),
    fill: true,
  },
  {
    key: 'pledges',
    label: msg`Pledges`,
    order: 40,
    may: (_subject, can) => can('gifts.read'),
    content: lazy(async () => ({ default: (await import('../pledges/pledges-tab.tsx')).PledgesTab })),
    fill: true,
  },
  {
    key: 'thanks',
    label: msg`Thank-yous`,
    order: 50,
    may: (_subject, can) => can('gifts.manage'),
    content: lazy(async () => ({ default: (await import('../thanks/thanks-tab.tsx')).ThanksTab })),
  },
  {
    key: 'funds',
    label: msg`Funds`,
    order: 60,
    may: (_subject, can) => can('fundraising.manage') || can('gifts.read'),
    content: lazy(async () => ({ default: (await import('../funds/funds-tab.tsx')).FundsTab })),
  },
  {
    key: 'payouts',
    label: msg`Payouts`,
    order: 70,
    may: (_subject, can) => can('gifts.read') || can('fundraising.manage'),
    content: lazy(async () => ({ default: (await import('../payouts/payouts-tab.tsx')).PayoutsTab })),
  },
  {
    key: 'settings',
    label: msg`Settings`,
    order: 100,
    may: (_subject, can) => can('gifts.manage') || can('fundraising.manage'),
    content: lazy(async () => ({ default: (await import('../settings/settings-tab.tsx')).FundraisingSettingsTab })),
  },
]

const nothing = {}

/** The sections of fundraising; the list of campaigns is the first of them. Whoever sees only that one needs no tabs. */
export function FundraisingTabs({ current }: { current?: string | undefined }) {
  const { i18n } = useLingui()
  const open = openTo(acrossTabs, nothing, useRights())
  if (open.length === 0) return null
  return (
    <PathTabs label={t`Sections of fundraising`}>
      <Link to="/fundraising" aria-current={current === undefined ? 'page' : undefined} activeOptions={{ exact: true }}>
        <Trans>Campaigns</Trans>
      </Link>
      {open.map(({ key, label }) => (
        <Link
          key={key}
          to="/fundraising/$campaignId/{-$tab}"
          params={{ campaignId: 'all', tab: key }}
          activeOptions={{ exact: true }}
          aria-current={current === key ? 'page' : undefined}
        >
          {i18n._(label)}
        </Link>
      ))}
    </PathTabs>
  )
}
