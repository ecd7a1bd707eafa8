import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { IconClockHour4 } from '@tabler/icons-react'
import { noSuchRecord } from '../../platform/no-such-record.ts'
import { usePageTitle } from '../../platform/page-title.ts'
import { ProblemState } from '../../platform/problem-state.tsx'
import { ApiProblem } from '../../platform/problem.ts'
import { useRememberRecord } from '../../platform/recent-records.ts'
import { DetailHeader, PathTabs } from '../../ui/detail-header.tsx'
import { useFormats } from '../../ui/dates.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../ui/skeletons.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { GroupAbout } from './group-about.tsx'
import { GroupJoin } from './group-join.tsx'
import { GroupMembers } from './group-members.tsx'
import { GroupSettings } from './group-settings.tsx'
import { useGroup } from './groups-api.ts'
import type { Group } from './groups-api.ts'
import { kindWords, statusWords } from './groups-words.tsx'

export const route = createLazyRoute('/signed-in/groups/$groupId')({ component: GroupPage })

const tabs = ['about', 'members', 'discussion', 'events', 'files', 'settings'] as const
type Tab = (typeof tabs)[number]

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function GroupPage() {
  const { groupId } = route.useParams()
  // Not an id at all, so there is nothing to ask for.
  if (!uuid.test(groupId)) throw noSuchRecord()
  return <KnownGroup key={groupId} groupId={groupId} />
}

function KnownGroup({ groupId }: { groupId: string }) {
  const query = useGroup(groupId)
  const { data, error } = query
  const { view } = route.useSearch()
  const tab = tabs.find((key) => key === view && key !== 'about')
  usePageTitle(data?.name ?? (error ? t`Group` : undefined), tab && tabWords()[tab])
  useRememberRecord(data && { kind: 'group', id: groupId, label: data.name, to: `/groups/${groupId}` })
  if (data) return <Loaded group={data} />
  if (error instanceof ApiProblem && error.status === 404) throw noSuchRecord()
  return (
    <Page>
      {error ? (
        <>
          <PageHeader title={t`Group`} />
          <ProblemState problem={error} title={t`This group could not be loaded`} retry={() => void query.refetch()} />
        </>
      ) : (
        <Loading label={t`Loading`}>
          <SkeletonLines count={12} />
        </Loading>
      )}
    </Page>
  )
}

function Loaded({ group }: { group: Group }) {
  const { number } = useFormats()
  const { view } = route.useSearch()
  const mayChange = group.may.edit || group.may.archive
  const shown = tabs.filter((key) => key !== 'settings' || mayChange)
  const tab = shown.find((key) => key === view) ?? 'about'
  const words = tabWords()
  return (
    <Page>
      <DetailHeader
        name={group.name}
        square
        above={
          group.parent && (
            <Link to="/groups/$groupId" params={{ groupId: group.parent.id }}>
              {group.parent.name}
            </Link>
          )
        }
        status={
          <>
            {group.archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
            {group.mine && <StatusBadge tone="accent">{group.mine.title || statusWords()[group.mine.status]}</StatusBadge>}
          </>
        }
        facts={[
          kindWords()[group.kind],
          ...(group.chapter ? [group.chapter.name] : []),
          plural(group.members, { one: '# member', other: '# members' }),
        ]}
        actions={<GroupJoin group={group} />}
      >
        <PathTabs label={t`Sections of ${group.name}`}>
          {shown.map((key) => (
            <Link
              key={key}
              to="/groups/$groupId"
              params={{ groupId: group.id }}
              search={key === 'about' ? {} : { view: key }}
              activeOptions={{ exact: true }}
              aria-current={key === tab ? 'page' : undefined}
              replace
            >
              {words[key]}
              {key === 'members' && group.requests ? ` (${number(group.requests)})` : ''}
            </Link>
          ))}
        </PathTabs>
      </DetailHeader>
      <TabContent group={group} tab={tab} />
    </Page>
  )
}

function TabContent({ group, tab }: { group: Group; tab: Tab }) {
  switch (tab) {
    case 'about':
      return <GroupAbout group={group} />
    case 'members':
      return <GroupMembers group={group} />
    case 'settings':
      return <GroupSettings group={group} />
    case 'discussion':
    case 'events':
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

const tabWords = (): Record<Tab, string> => ({
  about: t`About`,
  members: t`Members`,
  discussion: t`Discussion`,
  events: t`Events`,
  files: t`Files`,
  settings: t`Settings`,
})
