import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconLock } from '@tabler/icons-react'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { openTo, SectionContent } from '../../../platform/navigation/sections.tsx'
import { useKnownTab } from '../../../platform/navigation/tabs.ts'
import { useRights } from '../../../platform/session/session.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { acrossTabs, FundraisingTabs } from './fundraising-tabs.tsx'

const nothing = {}
const [first = '', ...others] = acrossTabs.map(({ key }) => key)

/** Gifts, donors, recurring gifts and more across campaigns: /fundraising/all/{tab}. */
export function AllCampaigns({ tab: named }: { tab: string | undefined }) {
  const { i18n } = useLingui()
  const asked = useKnownTab(named, [first, ...others])
  const open = openTo(acrossTabs, nothing, useRights())
  const shown = open.find(({ key }) => key === asked) ?? open[0]
  usePageTitle(t`Fundraising`, shown && i18n._(shown.label))
  return (
    <Page fill={shown?.fill ?? false}>
      <PageHeader title={t`Fundraising`} />
      <FundraisingTabs current={shown?.key ?? ''} />
      {shown === undefined ? (
        <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t`Your role does not open this`}>
          <Trans>Someone who manages accounts in your organisation can give you the right to see it.</Trans>
        </EmptyState>
      ) : (
        <SectionContent
          key={shown.key}
          asked={named === undefined ? undefined : acrossTabs.find(({ key }) => key === asked)}
          shown={shown}
          subject={nothing}
        />
      )}
    </Page>
  )
}
