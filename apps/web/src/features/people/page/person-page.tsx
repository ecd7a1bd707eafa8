import { Button } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { msg, t } from '@lingui/core/macro'
import { Link, createLazyRoute, useNavigate } from '@tanstack/react-router'
import { IconUserOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { recordId } from '../../../platform/api/no-such-record.ts'
import { inOrder } from '../../../platform/navigation/sections.tsx'
import { RecordFrame } from '../../../platform/records/record-frame.tsx'
import { useSlot } from '../../../platform/navigation/slots.tsx'
import type { PersonTab } from '../../../platform/navigation/slots.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { useKnownTab } from '../../../platform/navigation/tabs.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { usePersonOverview } from '../people-api.ts'
import { PersonHeader } from './person-header.tsx'
import { PersonHistory } from '../history/person-history.tsx'
import { PersonMemberships } from './person-memberships.tsx'
import { PersonOverview } from './person-overview.tsx'
import { PersonPositions } from './person-positions.tsx'

export const route = createLazyRoute('/signed-in/person/$personId/{-$tab}')({ component: PersonPage })

/** What belongs to the person's own record; other features add theirs. */
const own: readonly PersonTab[] = [
  { key: 'overview', label: msg`Overview`, order: 10, content: PersonOverview },
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

function PersonPage() {
  const { tab, ...named } = route.useParams()
  const personId = recordId(named.personId)
  const tabs = inOrder(own, useSlot('personTabs'))
  const asked = useKnownTab(tab, ['overview', ...tabs.map(({ key }) => key)])
  const query = usePersonOverview(personId)
  return (
    <RecordFrame
      key={personId}
      kind="person"
      id={personId}
      to={`/person/${personId}`}
      noun={t`Person`}
      failed={t`This person could not be loaded`}
      query={query}
      name={({ person }) => person.displayName}
      subject={({ person, recentChanges }) => ({ person, recentChanges })}
      tabs={tabs}
      asked={asked}
      link={(key, props) => (
        <Link
          to="/person/$personId/{-$tab}"
          params={{ personId, tab: key }}
          activeOptions={{ exact: true, includeSearch: false }}
          {...props}
        />
      )}
      header={({ person }, sections) => <PersonHeader person={person}>{sections}</PersonHeader>}
      instead={({ person: { mergedInto, lifecycle } }) =>
        mergedInto ? <MergedAway into={mergedInto.id} tab={tab} /> : lifecycle === 'erased' ? <Erased /> : undefined
      }
      gone={<Erased />}
    />
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

const Erased = () => (
  <Page>
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
  </Page>
)
