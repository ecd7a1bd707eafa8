import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { Link, createLazyRoute, useNavigate } from '@tanstack/react-router'
import { IconClockHour4, IconUserOff } from '@tabler/icons-react'
import { useDeferredValue, useEffect } from 'react'
import { AppLink } from '../../../platform/app-link.tsx'
import { noSuchRecord } from '../../../platform/no-such-record.ts'
import { usePageTitle } from '../../../platform/page-title.ts'
import { ProblemState } from '../../../platform/problem-state.tsx'
import { ApiProblem } from '../../../platform/problem.ts'
import { useRememberRecord } from '../../../platform/recent-records.ts'
import { toast } from '../../../platform/toast.tsx'
import { useKnownTab } from '../../../platform/tabs.ts'
import { PathTabs } from '../../../ui/detail-header.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeletons.tsx'
import { usePersonOverview } from '../people-api.ts'
import type { HistoryEntry, Person } from '../people-api.ts'
import { PersonActivity } from '../history/person-activity.tsx'
import { PersonHeader } from './person-header.tsx'
import { PersonHistory } from '../history/person-history.tsx'
import { PersonMemberships } from './person-memberships.tsx'
import { PersonOverview } from './person-overview.tsx'
import { PersonPositions } from './person-positions.tsx'

export const route = createLazyRoute('/signed-in/person/$personId/{-$tab}')({ component: PersonPage })

const tabs = [
  'overview',
  'activity',
  'memberships',
  'positions',
  'relationships',
  'events',
  'giving',
  'messages',
  'career',
  'files',
  'history',
] as const
type Tab = (typeof tabs)[number]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function PersonPage() {
  const { personId, tab } = route.useParams()
  // Not an id at all, so there is nothing to ask for.
  if (!uuid.test(personId)) throw noSuchRecord()
  return <KnownPerson key={personId} personId={personId} named={tab} />
}

function KnownPerson({ personId, named }: { personId: string; named: string | undefined }) {
  const query = usePersonOverview(personId)
  const tab = useKnownTab(named, tabs)
  const { data, error } = query
  usePageTitle(data?.person.displayName ?? (error ? t`Person` : undefined), tab === 'overview' ? undefined : tabWords()[tab])
  useRememberRecord(data && { kind: 'person', id: personId, label: data.person.displayName, to: `/person/${personId}` })
  if (data?.person.mergedInto) return <MergedAway into={data.person.mergedInto.id} tab={named} />
  if (data) return <Loaded person={data.person} recentChanges={data.recentChanges} tab={tab} />
  if (error instanceof ApiProblem && error.status === 404) throw noSuchRecord()
  return (
    <Page>
      {error instanceof ApiProblem && error.status === 410 ? (
        <Erased />
      ) : error ? (
        <>
          <PageHeader title={t`Person`} />
          <ProblemState problem={error} title={t`This person could not be loaded`} retry={() => void query.refetch()} />
        </>
      ) : (
        <Loading label={t`Loading`}>
          <SkeletonLines count={12} />
        </Loading>
      )}
    </Page>
  )
}

/** An old address leads to the record that stands for the person now. */
function MergedAway({ into, tab }: { into: string; tab: string | undefined }) {
  const navigate = useNavigate()
  useEffect(() => {
    toast.success(t`This record was merged into another one, which you see now.`)
    void navigate({ to: '/person/$personId/{-$tab}', params: { personId: into, tab }, replace: true })
  }, [navigate, into, tab])
  return null
}

type LoadedProps = { person: Person; recentChanges: readonly HistoryEntry[]; tab: Tab }

function Loaded({ person, recentChanges, tab }: LoadedProps) {
  // The name and the chosen tab at once, what the tab holds right after.
  const drawn = useDeferredValue<Tab | null>(tab, null)
  if (person.lifecycle === 'erased') {
    return (
      <Page>
        <Erased />
      </Page>
    )
  }
  const words = tabWords()
  const shown = tabs.filter((key) => key !== 'history' || person.may.seeHistory)
  return (
    <Page>
      <PersonHeader person={person}>
        <PathTabs label={t`Sections of ${person.displayName}`}>
          {shown.map((key) => (
            <Link
              key={key}
              to="/person/$personId/{-$tab}"
              params={{ personId: person.id, tab: key === 'overview' ? undefined : key }}
              activeOptions={{ exact: true, includeSearch: false }}
              replace
            >
              {words[key]}
            </Link>
          ))}
        </PathTabs>
      </PersonHeader>
      {drawn && <TabContent person={person} recentChanges={recentChanges} tab={drawn} />}
    </Page>
  )
}

function TabContent({ person, recentChanges, tab }: LoadedProps) {
  switch (tab) {
    case 'overview':
      return <PersonOverview person={person} recentChanges={recentChanges} />
    case 'activity':
      return <PersonActivity person={person} />
    case 'memberships':
      return <PersonMemberships person={person} />
    case 'positions':
      return <PersonPositions person={person} />
    case 'history':
      return person.may.seeHistory ? (
        <PersonHistory personId={person.id} />
      ) : (
        <>
          <p role="status">
            <Trans>The history of this person is not yours to see; this is the overview.</Trans>
          </p>
          <PersonOverview person={person} recentChanges={recentChanges} />
        </>
      )
    case 'relationships':
    case 'events':
    case 'giving':
    case 'messages':
    case 'career':
    case 'files': {
      const name = tabWords()[tab]
      return (
        <EmptyState icon={<IconClockHour4 size={32} stroke={1.5} />} title={t`${name}: planned`}>
          <Trans>This section is on its way and not part of this version yet.</Trans>
        </EmptyState>
      )
    }
  }
}

const Erased = () => (
  <>
    <PageHeader title={t`Erased person`} />
    <EmptyState
      icon={<IconUserOff size={32} stroke={1.5} />}
      title={<Trans>This person’s data was erased</Trans>}
      action={
        <Button component={AppLink} href="/members" variant="default">
          <Trans>Back to the members</Trans>
        </Button>
      }
    >
      <Trans>It cannot be brought back. Numbers in reports still count the person.</Trans>
    </EmptyState>
  </>
)

const tabWords = (): Record<Tab, string> => ({
  overview: t`Overview`,
  activity: t`Activity`,
  memberships: t`Memberships`,
  positions: t`Offices`,
  relationships: t`Relationships`,
  events: t`Events`,
  giving: t`Giving`,
  messages: t`Messages`,
  career: t`Career`,
  files: t`Files`,
  history: t`History`,
})
