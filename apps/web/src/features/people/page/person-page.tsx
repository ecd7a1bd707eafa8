import { Button } from '@mantine/core'
import { useLingui } from '@lingui/react'
import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { Link, createLazyRoute, useNavigate } from '@tanstack/react-router'
import { IconUserOff } from '@tabler/icons-react'
import { useDeferredValue, useEffect } from 'react'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { noSuchRecord } from '../../../platform/api/no-such-record.ts'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { useRememberRecord } from '../../../platform/activity/recent-records.ts'
import { inOrder, openTo, SectionContent } from '../../../platform/navigation/sections.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { useSlot } from '../../../platform/navigation/slots.tsx'
import type { PersonTab } from '../../../platform/navigation/slots.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { useKnownTab } from '../../../platform/navigation/tabs.ts'
import { PathTabs } from '../../../ui/page/detail-header.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { usePersonOverview } from '../people-api.ts'
import type { HistoryEntry, Person } from '../people-api.ts'
import { PersonActivity } from '../history/person-activity.tsx'
import { PersonHeader } from './person-header.tsx'
import { PersonHistory } from '../history/person-history.tsx'
import { PersonMemberships } from './person-memberships.tsx'
import { PersonOverview } from './person-overview.tsx'
import { PersonPositions } from './person-positions.tsx'

export const route = createLazyRoute('/signed-in/person/$personId/{-$tab}')({ component: PersonPage })

/** What belongs to the person's own record; other features add theirs. */
const own: readonly PersonTab[] = [
  { key: 'overview', label: msg`Overview`, order: 10, content: PersonOverview },
  { key: 'activity', label: msg`Activity`, order: 20, content: PersonActivity },
  { key: 'memberships', label: msg`Memberships`, order: 30, content: PersonMemberships },
  { key: 'positions', label: msg`Offices`, order: 40, content: PersonPositions },
  {
    key: 'history',
    label: msg`History`,
    order: 100,
    may: ({ person }) => person.may.seeHistory,
    content: ({ person }) => <PersonHistory personId={person.id} />,
  },
]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function PersonPage() {
  const { personId, tab } = route.useParams()
  // Not an id at all, so there is nothing to ask for.
  if (!uuid.test(personId)) throw noSuchRecord()
  return <KnownPerson key={personId} personId={personId} named={tab} />
}

function KnownPerson({ personId, named }: { personId: string; named: string | undefined }) {
  const query = usePersonOverview(personId)
  const { i18n } = useLingui()
  const tabs = inOrder(own, useSlot('personTabs'))
  const tab = useKnownTab(named, ['overview', ...tabs.map(({ key }) => key)])
  const title = tabs.find(({ key }) => key === tab && key !== 'overview')?.label
  const { data, error } = query
  usePageTitle(data?.person.displayName ?? (error ? t`Person` : undefined), title && i18n._(title))
  useRememberRecord(data && { kind: 'person', id: personId, label: data.person.displayName, to: `/person/${personId}` })
  if (data?.person.mergedInto) return <MergedAway into={data.person.mergedInto.id} tab={named} />
  if (data) return <Loaded person={data.person} recentChanges={data.recentChanges} tabs={tabs} asked={tab} />
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

type LoadedProps = { person: Person; recentChanges: readonly HistoryEntry[]; tabs: readonly PersonTab[]; asked: string }

function Loaded({ person, recentChanges, tabs, asked }: LoadedProps) {
  const { i18n } = useLingui()
  const can = useRights()
  const subject = { person, recentChanges }
  const open = openTo(tabs, subject, can)
  // The name and the chosen tab at once, what the tab holds right after.
  const drawn = useDeferredValue<string | null>(asked, null)
  const shown = drawn === null ? undefined : (open.find(({ key }) => key === drawn) ?? open[0])
  if (person.lifecycle === 'erased') {
    return (
      <Page>
        <Erased />
      </Page>
    )
  }
  return (
    <Page>
      <PersonHeader person={person}>
        <PathTabs label={t`Sections of ${person.displayName}`}>
          {open.map(({ key, label }) => (
            <Link
              key={key}
              to="/person/$personId/{-$tab}"
              params={{ personId: person.id, tab: key === 'overview' ? undefined : key }}
              activeOptions={{ exact: true, includeSearch: false }}
              replace
            >
              {i18n._(label)}
            </Link>
          ))}
        </PathTabs>
      </PersonHeader>
      {shown && <SectionContent key={shown.key} asked={tabs.find(({ key }) => key === drawn)} shown={shown} subject={subject} />}
    </Page>
  )
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
