import { msg, plural, t } from '@lingui/core/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { recordId } from '../../platform/api/no-such-record.ts'
import { inOrder } from '../../platform/navigation/sections.tsx'
import { RecordFrame } from '../../platform/records/record-frame.tsx'
import { useSlot } from '../../platform/navigation/slots.tsx'
import type { GroupTab } from '../../platform/navigation/slots.tsx'
import { DetailHeader } from '../../ui/page/detail-header.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { RecordHistory } from '../people/history/history-public.ts'
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
  {
    key: 'history',
    label: msg`History`,
    order: 95,
    may: ({ group: { may } }) => may.seeHistory,
    content: ({ group }) => <RecordHistory groupId={group.id} />,
  },
  { key: 'settings', label: msg`Settings`, order: 100, may: ({ group: { may } }) => may.edit || may.archive, content: GroupSettings },
]

function GroupPage() {
  const groupId = recordId(route.useParams().groupId)
  const { view } = route.useSearch()
  const tabs = inOrder(own, useSlot('groupTabs'))
  const { number } = useFormats()
  const query = useGroup(groupId)
  return (
    <RecordFrame
      key={groupId}
      kind="group"
      id={groupId}
      to={`/groups/${groupId}`}
      noun={t`Group`}
      failed={t`This group could not be loaded`}
      query={query}
      name={({ name }) => name}
      subject={(group) => ({ group })}
      tabs={tabs}
      asked={view}
      link={(key, props) => (
        <Link to="/groups/$groupId" params={{ groupId }} search={key ? { view: key } : {}} activeOptions={{ exact: true }} {...props} />
      )}
      tabCount={({ requests }, key) => (key === 'members' && requests ? `(${number(requests)})` : undefined)}
      header={(group, sections) => <GroupHeader group={group}>{sections}</GroupHeader>}
    />
  )
}

const GroupHeader = ({ group, children }: { group: Group; children: ReactNode }) => (
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
    {children}
  </DetailHeader>
)
