import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api.tsx'
import { toast } from '../../platform/toast.tsx'
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
    approve: ({ id, person }: GroupMember) =>
      attempt(
        async () => {
          await members.approve.call({ groupId: group.id, memberId: id })
          toast.success(t`${person.displayName} is now in ${group.name}`)
        },
        t`${person.displayName} could not be let in.`,
      ),
    decline: ({ id, person }: GroupMember) =>
      attempt(
        async () => {
          await members.decline.call({ groupId: group.id, memberId: id })
          toast.success(t`The request of ${person.displayName} is declined`)
        },
        t`The request could not be declined.`,
      ),
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
