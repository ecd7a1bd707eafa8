import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { IconClockHour4, IconLock } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { usePageTitle } from '../../platform/page-title.ts'
import { useRights } from '../../platform/session.ts'
import { useKnownTab } from '../../platform/tabs.ts'
import { PathTabs } from '../../ui/detail-header.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../ui/skeletons.tsx'
import { Tags } from '../people/people-public.tsx'
import { needs, tabs, tabWords } from './account-tabs.ts'
import type { Tab } from './account-tabs.ts'

export const route = createLazyRoute('/signed-in/account-management/{-$tab}')({ component: AccountPage })

const Accounts = lazy(async () => ({ default: (await import('./accounts-tab.tsx')).AccountsTab }))
const Roles = lazy(async () => ({ default: (await import('./roles-tab.tsx')).RolesTab }))
const Requests = lazy(async () => ({ default: (await import('./requests-tab.tsx')).RequestsTab }))
const OrganisationSettings = lazy(async () => ({ default: (await import('./organisation-tab.tsx')).OrganisationTab }))
const Audit = lazy(async () => ({ default: (await import('./audit-tab.tsx')).AuditTab }))
const Recordings = lazy(async () => ({ default: (await import('../recordings/recordings-public.tsx')).Recordings }))
const Imports = lazy(async () => ({ default: (await import('../imports/imports-public.tsx')).Imports }))

function AccountPage() {
  const { tab: named } = route.useParams()
  const can = useRights()
  const asked = useKnownTab(named, tabs)
  const words = tabWords()
  const shown = tabs.filter((tab) => can(needs[tab]))
  const tab = shown.includes(asked) ? asked : shown[0]
  usePageTitle(tab ? words[tab] : t`Account management`)
  return (
    <Page>
      <PageHeader title={t`Account management`} />
      {tab === undefined ? (
        <EmptyState icon={<IconLock size={32} stroke={1.5} />} title={t`Your role does not open this`}>
          <Trans>Someone who manages accounts in your organisation can give you the right to see it.</Trans>
        </EmptyState>
      ) : (
        <>
          <PathTabs label={t`Sections of account management`}>
            {shown.map((key, index) => (
              <Link
                key={key}
                to="/account-management/{-$tab}"
                params={{ tab: index === 0 && key === 'accounts' ? undefined : key }}
                activeOptions={{ exact: true }}
                aria-current={key === tab ? 'page' : undefined}
                replace
              >
                {words[key]}
              </Link>
            ))}
          </PathTabs>
          {named !== undefined && tab !== asked && (
            <p role="status">
              <Trans>
                {words[asked]} is not yours to open; this is {words[tab]}.
              </Trans>
            </p>
          )}
          <Suspense
            fallback={
              <Loading label={t`Loading`}>
                <SkeletonLines count={8} />
              </Loading>
            }
          >
            <TabContent tab={tab} />
          </Suspense>
        </>
      )}
    </Page>
  )
}

function TabContent({ tab }: { tab: Tab }) {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  switch (tab) {
    case 'accounts':
      return <Accounts status={undefined} />
    case 'invitations':
      return <Accounts status="invited" />
    case 'roles':
      return <Roles />
    case 'requests':
      return <Requests />
    case 'recordings':
      return <Recordings />
    case 'organisation':
      return <OrganisationSettings />
    case 'imports':
      return <Imports search={search} onOpen={(importId) => void navigate({ search: (before) => ({ ...before, file: importId }) })} />
    case 'tags':
      return <Tags />
    case 'audit':
      return <Audit />
    case 'membership-types':
    case 'fields':
    case 'duplicates':
    case 'api':
    case 'webhooks':
    case 'privacy': {
      const name = tabWords()[tab]
      return (
        <EmptyState icon={<IconClockHour4 size={32} stroke={1.5} />} title={t`${name}: planned`}>
          <Trans>This section is on its way and not part of this version yet.</Trans>
        </EmptyState>
      )
    }
  }
}
