import { msg, plural, t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { noSuchRecord } from '../../platform/api/no-such-record.ts'
import { usePageTitle } from '../../platform/navigation/page-title.ts'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../platform/api/problem.ts'
import { useRememberRecord } from '../../platform/activity/recent-records.ts'
import { inOrder, openTo, SectionContent } from '../../platform/navigation/sections.tsx'
import { useRights } from '../../platform/session/session.ts'
import { useSlot } from '../../platform/navigation/slots.tsx'
import type { GroupTab } from '../../platform/navigation/slots.tsx'
import { DetailHeader, PathTabs } from '../../ui/page/detail-header.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Page, PageHeader } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { GroupAbout } from './group-about.tsx'
import { GroupJoin } from './group-join.tsx'
import { GroupMembers } from './group-members.tsx'
import { GroupSettings } from './group-settings.tsx'
import { useGroup } from './groups-api.ts'
import type { Group } from './groups-api.ts'
import { kindWords, statusWords } from './groups-words.tsx'

export const route = createLazyRoute('/signed-in/groups/$groupId')({ component: GroupPage })

/** What belongs to the group itself; other features add theirs. */
const own: readonly GroupTab[] = [
  { key: 'about', label: msg`About`, order: 10, content: GroupAbout },
  { key: 'members', label: msg`Members`, order: 20, content: GroupMembers },
  { key: 'settings', label: msg`Settings`, order: 100, may: ({ group: { may } }) => may.edit || may.archive, content: GroupSettings },
]

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
  const { i18n } = useLingui()
  const tabs = inOrder(own, useSlot('groupTabs'))
  const asked = tabs.find(({ key }) => key === view)
  usePageTitle(data?.name ?? (error ? t`Group` : undefined), asked && asked.key !== 'about' ? i18n._(asked.label) : undefined)
  useRememberRecord(data && { kind: 'group', id: groupId, label: data.name, to: `/groups/${groupId}` })
  if (data) return <Loaded group={data} tabs={tabs} asked={asked} />
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

type LoadedProps = { group: Group; tabs: readonly GroupTab[]; asked: GroupTab | undefined }

function Loaded({ group, tabs, asked }: LoadedProps) {
  const { i18n } = useLingui()
  const { number } = useFormats()
  const subject = { group }
  const open = openTo(tabs, subject, useRights())
  const shown = open.find(({ key }) => key === asked?.key) ?? open[0]
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
          {open.map(({ key, label }) => (
            <Link
              key={key}
              to="/groups/$groupId"
              params={{ groupId: group.id }}
              search={key === 'about' ? {} : { view: key }}
              activeOptions={{ exact: true }}
              aria-current={key === shown?.key ? 'page' : undefined}
              replace
            >
              {i18n._(label)}
              {key === 'members' && group.requests ? ` (${number(group.requests)})` : ''}
            </Link>
          ))}
        </PathTabs>
      </DetailHeader>
      {shown && <SectionContent key={shown.key} asked={asked} shown={shown} subject={subject} />}
    </Page>
  )
}
