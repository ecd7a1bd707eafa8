import { t } from '@lingui/core/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { useToday } from '../../../platform/session/session.ts'
import type { MembershipValues } from './membership-dialog.tsx'
import { usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

type Membership = Person['memberships'][number]

/** What can be done with the memberships of a person; each can be undone. */
export function useMembershipWays(person: Person) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const personId = person.id
  const today = useToday()

  /** The version may have moved on by the time of an undo. */
  const update = async (
    membershipId: string,
    change: Partial<Pick<Membership, 'kind' | 'startsOn' | 'endsOn'>> & { isPrimary?: boolean },
    version?: number,
  ) => {
    const known = version ?? (await people.memberships.call({ personId })).items.find(({ id }) => id === membershipId)?.version
    const saved = await people.updateMembership.call({ personId, membershipId, ...change }, { context: { ifMatch: known } })
    await changed()
    return saved
  }
  const remove = async (membershipId: string) => {
    await people.removeMembership.call({ personId, membershipId })
    await changed()
  }
  const create = async ({ chapterId, kind, startsOn, endsOn, isPrimary }: MembershipValues) => {
    const made = await people.addMembership.call({ personId, chapterId, kind, startsOn, endsOn, ...(isPrimary && { isPrimary }) })
    await changed()
    return made
  }
  const attempt = async (act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (problem) {
      toast.error(t`The membership could not be changed.`, problem)
    }
  }
  const before = ({ kind, startsOn, endsOn }: Membership) => ({ kind, startsOn, endsOn })
  return {
    add: async (values: MembershipValues) => {
      const made = await create(values)
      toast.undo(t`${person.displayName} added to ${made.chapter.name}`, () => remove(made.id))
    },
    change: async (one: Membership, { kind, startsOn, endsOn, isPrimary }: MembershipValues) => {
      await update(one.id, { kind, startsOn, endsOn, ...(isPrimary && !one.isPrimary && { isPrimary }) }, one.version)
      toast.undo(t`Membership in ${one.chapter.name} changed`, () => update(one.id, before(one)))
    },
    end: (one: Membership) =>
      void attempt(async () => {
        await update(one.id, { endsOn: today }, one.version)
        toast.undo(t`Membership in ${one.chapter.name} ends today`, () =>
          update(one.id, { endsOn: one.endsOn, ...(one.isPrimary && { isPrimary: true }) }),
        )
      }),
    makeHome: (one: Membership) =>
      void attempt(async () => {
        const former = person.memberships.find(({ isPrimary, when }) => isPrimary && when === 'current')
        await update(one.id, { isPrimary: true }, one.version)
        const text = t`${one.chapter.name} is the home chapter`
        if (former) toast.undo(text, () => update(former.id, { isPrimary: true }))
        else toast.success(text)
      }),
    remove: (one: Membership) =>
      void attempt(async () => {
        await remove(one.id)
        toast.undo(t`Membership in ${one.chapter.name} removed`, () => create({ ...one, chapterId: one.chapter.id }))
      }),
  }
}
