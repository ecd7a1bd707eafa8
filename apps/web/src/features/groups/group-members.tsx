import { ActionIcon, Button, Menu, Select } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { IconDots, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AnswerQueue } from '../../platform/activity/answer-queue.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { PersonFace } from '../../platform/records/person-face.tsx'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListBar } from '../../ui/list/list-bar.tsx'
import { Section } from '../../ui/page/page.tsx'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { MemberDialog } from './member-dialog.tsx'
import { useGroupMembers } from './groups-api.ts'
import type { Group, GroupMember } from './groups-api.ts'
import { roleWords } from './groups-words.tsx'
import { useMemberActs } from './use-member-acts.ts'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './groups.module.css'

const here = getRouteApi('/signed-in/groups/$groupId')
const statuses = ['active', 'requested', 'invited', 'former'] as const
type Status = (typeof statuses)[number]

/** Who is in the group, who waits, who was. */
export function GroupMembers({ group }: { group: Group }) {
  const { q = '', status = 'active' } = here.useSearch()
  const navigate = here.useNavigate()
  const members = useGroupMembers(group.id, q, status, group.may.seeMembers)
  const [edited, setEdited] = useState<GroupMember | 'new' | null>(null)
  const { number } = useFormats()
  if (!group.may.seeMembers) {
    return (
      <EmptyState icon={<IconUsers size={32} stroke={1.5} />} title={t`The roster is private`}>
        <Trans>Only group members can see the roster.</Trans>
      </EmptyState>
    )
  }
  const items = members.data?.items ?? []
  const words = statusWords()
  return (
    <div className={classes['stack']}>
      <ListBar
        end={
          group.may.manageMembers &&
          !group.archivedAt && (
            <Button onClick={() => setEdited('new')}>
              <Trans>Add member</Trans>
            </Button>
          )
        }
      >
        <SearchField
          label={t`Search these members`}
          value={q}
          onChange={(text) => void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })}
        />
        <Select
          aria-label={t`Show`}
          allowDeselect={false}
          data={statuses
            .filter((key) => group.may.manageMembers || key === 'active' || key === 'former')
            .map((value) => ({ value, label: words[value] }))}
          value={status}
          onChange={(value) =>
            void navigate({ search: (before) => ({ ...before, status: statuses.find((known) => known === value && known !== 'active') }) })
          }
        />
      </ListBar>
      {members.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {members.isError && (
        <ProblemState problem={members.error} title={t`The members could not be loaded`} retry={() => void members.refetch()} />
      )}
      {members.isSuccess && items.length === 0 && (
        <EmptyState icon={<IconUsers size={32} stroke={1.5} />} title={q ? t`Nobody matches` : words[status]}>
          {!q && <Trans>Nobody here.</Trans>}
        </EmptyState>
      )}
      {items.length > 0 && (
        <Section title={words[status]} count={number(members.data?.total ?? items.length)}>
          {status === 'requested' && group.may.manageMembers ? (
            <Requests group={group} items={items} />
          ) : (
            <ul className={classes['list']}>
              {items.map((member) => (
                <li key={member.id} className={classes['row']}>
                  <MemberLine member={member}>
                    {group.may.manageMembers && (status === 'active' || status === 'invited') && (
                      <MemberMenu group={group} member={member} onEdit={() => setEdited(member)} />
                    )}
                  </MemberLine>
                </li>
              ))}
            </ul>
          )}
          <ShowMore query={members} />
        </Section>
      )}
      <MemberDialog group={group} edited={edited} onClose={() => setEdited(null)} />
    </div>
  )
}

function Requests({ group, items }: { group: Group; items: readonly GroupMember[] }) {
  const { answers } = useMemberActs(group)
  const navigate = here.useNavigate()
  return (
    <AnswerQueue
      label={statusWords().requested}
      className={classes['list']}
      rows={items}
      rowId={({ id }) => id}
      answers={answers}
      onOpen={({ person }) => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: person.id } })}
    >
      {(member, tools) => <MemberLine member={member}>{tools}</MemberLine>}
    </AnswerQueue>
  )
}

function MemberLine({ member: { person, title, role, side, startsOn, endsOn }, children }: { member: GroupMember; children: ReactNode }) {
  return (
    <div className={classes['item']}>
      <span className={classes['words']}>
        <PersonFace person={person} />
        <span className={classes['minor']}>{[title, side, person.homeChapter?.name].filter(Boolean).join(' · ')}</span>
      </span>
      <span className={classes['end']}>
        {role !== 'member' && <StatusBadge tone="accent">{roleWords()[role]}</StatusBadge>}
        {(startsOn ?? endsOn) && (
          <span className={classes['minor']}>
            {startsOn && <PlainDate date={startsOn} />} – {endsOn && <PlainDate date={endsOn} />}
          </span>
        )}
        {children}
      </span>
    </div>
  )
}

function MemberMenu({ group, member, onEdit }: { group: Group; member: GroupMember; onEdit: () => void }) {
  const { remove } = useMemberActs(group)
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t`Actions for ${member.person.displayName}`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onEdit}>
          <Trans>Change</Trans>
        </Menu.Item>
        <Menu.Item color="red" onClick={() => void remove(member)}>
          <Trans>Remove from the group</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const statusWords = (): Record<Status, string> => ({
  active: t`Members`,
  requested: t`Waiting for an answer`,
  invited: t`Invited`,
  former: t`Former members`,
})
