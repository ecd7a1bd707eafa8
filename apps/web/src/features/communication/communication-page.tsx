import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { IconLock } from '@tabler/icons-react'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { openTo, SectionContent } from '../../platform/navigation/sections.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { useRights } from '../../platform/session/session.ts'
import { PathTabs } from '../../ui/page/detail-header.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { communicationTabs } from './communication-tabs.tsx'

export const route = createLazyRoute('/signed-in/communication/{-$tab}')({ component: CommunicationPage })

/** What the address without a tab stands for. */
const first = 'overview'
const nothing = {}

function CommunicationPage() {
  const { tab: named } = route.useParams()
  const { i18n } = useLingui()
  const can = useRights()
  const asked = useKnownTab(named, [first, ...communicationTabs.map(({ key }) => key)])
  const open = openTo(communicationTabs, nothing, can)
  const shown = open.find(({ key }) => key === asked) ?? open[0]
  usePageTitle(shown ? i18n._(shown.label) : t`Communication`)
  const { message } = route.useSearch()
  return (
    <Page fill={(shown?.fill ?? false) && message === undefined}>
      <PageHeader title={t`Communication`} />
      {shown === undefined ? (
        <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t`Your role does not open this`}>
          <Trans>Someone who manages accounts in your organisation can give you the right to see it.</Trans>
        </EmptyState>
      ) : (
        <>
          <PathTabs label={t`Sections of communication`}>
            {open.map(({ key, label }) => (
              <Link
                key={key}
                to="/communication/{-$tab}"
                params={{ tab: key === first ? undefined : key }}
                activeOptions={{ exact: true }}
                aria-current={key === shown.key ? 'page' : undefined}
                replace
              >
                {i18n._(label)}
              </Link>
            ))}
          </PathTabs>
          <SectionContent
            key={shown.key}
            asked={named === undefined ? undefined : communicationTabs.find(({ key }) => key === asked)}
            shown={shown}
            subject={nothing}
          />
        </>
      )}
    </Page>
  )
}
