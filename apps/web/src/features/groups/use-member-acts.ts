import { t } from '@lingui/core/macro'
import type { Answer } from '../../platform/activity/answer-queue.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { useGroupsChanged } from './groups-api.ts'
import type { Group, GroupMember } from './groups-api.ts'

/** What those who run a group do with its members; removing can be taken back. */
export function useMemberActs(group: Group) {
  const { members } = useApi().data.groups
  const changed = useGroupsChanged()
  const attempt = async (act: () => Promise<void>, failed: string) => {
    try {
      await act()
      await changed()
    } catch (failure) {
      toast.error(failed, failure)
    }
  }
  return {
    /** For a queue: sent when the time for Undo is over. */
    answers: ({ id, person: { displayName } }: GroupMember): readonly [Answer, Answer] => [
      {
        label: t`Approve`,
        name: t`Approve ${displayName}`,
        outcome: t`${displayName} approved`,
        run: (context) => members.approve.call({ groupId: group.id, memberId: id }, { context }).then(changed),
        failed: t`${displayName} could not be approved.`,
      },
      {
        label: t`Decline`,
        name: t`Decline ${displayName}`,
        outcome: t`${displayName} declined`,
        run: (context) => members.decline.call({ groupId: group.id, memberId: id }, { context }).then(changed),
        failed: t`The request could not be declined.`,
      },
    ],
    remove: ({ id, person, role, title, side, rank, startsOn }: GroupMember) =>
      attempt(
        async () => {
          await members.remove.call({ groupId: group.id, memberId: id })
          toast.undo(t`${person.displayName} removed from ${group.name}`, async () => {
            await members.add.call({ groupId: group.id, personId: person.id, role, title, side, rank, startsOn })
            await changed()
          })
        },
        t`${person.displayName} could not be removed.`,
      ),
  }
}
