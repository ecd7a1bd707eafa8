import { t } from '@lingui/core/macro'
import type { MembershipStanding } from '@guildhall/contract/features/membership'
import { daysFrom } from '@guildhall/contract/moments'
import { useMemo } from 'react'
import { useToday } from '../../../platform/session/session.ts'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterCondition } from '../../../ui/filter/filter.ts'
import type { BuiltInView, Look } from '../../lists/lists-public.tsx'

const only = (condition: FilterCondition) => ({ filter: { and: [{ or: [condition] }] } })

/** The views everybody has; one's own chapter, memberships and the archive only for those they mean something to. */
type Readers = { home: { id: string; name: string } | null | undefined; archive: boolean; memberships: boolean; dues: boolean }
export function usePeopleViews({ home, archive, memberships, dues }: Readers) {
  const homeId = home?.id
  const homeName = home?.name
  const today = useToday()
  return useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const dayBefore = daysFrom(`${today.slice(0, 8)}01`, -1)
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'active', label: t`Active`, spec: only({ field: 'lifecycle', op: 'in', value: ['active'] }) },
      ...(homeId && homeName ? [{ id: 'home', label: homeName, spec: only({ field: 'chapter', op: 'in', value: [homeId] }) }] : []),
      { id: 'new', label: t`New this month`, spec: { ...only({ field: 'joinedOn', op: 'after', value: dayBefore }), sort: '-joinedOn' } },
      ...(memberships ? membershipViews(today, dues) : []),
      ...(archive ? [{ id: 'archived', label: t`Archived`, spec: only({ field: 'archived', op: 'is', value: true }) }] : []),
    ]
  }, [homeId, homeName, archive, memberships, dues, today])
}

/** Whose term ends soon, whose grace period runs, and who has lapsed. */
function membershipViews(today: string, dues: boolean): BuiltInView[] {
  const columns = ['name', 'homeChapter', 'membershipType', 'termEnd', 'membershipStatus', 'autoRenew', ...(dues ? ['dues'] : [])]
  const status = (value: MembershipStanding) => ({ or: [{ field: 'membershipStatus', op: 'in' as const, value: [value] }] })
  const ends = { or: [{ field: 'termEnd', op: 'between' as const, value: [today, daysFrom(today, 30)] }] }
  return [
    { id: 'lapsing', label: t`Lapsing in 30 days`, spec: { filter: { and: [status('active'), ends] }, sort: 'termEnd', columns } },
    { id: 'grace', label: t`In grace period`, spec: { filter: { and: [status('grace')] }, sort: 'termEnd', columns } },
    { id: 'lapsed', label: t`Lapsed`, spec: { filter: { and: [status('lapsed')] }, sort: '-termEnd', columns } },
  ]
}

const alwaysShown = ['name', 'lifecycle', 'homeChapter', 'positions']

/** What the list looks like before anything is chosen. */
export const useUsualLook = (seesContact: boolean) =>
  useMemo(
    (): Look => ({
      q: '',
      filter: emptyFilter,
      sort: 'name',
      columns: [...alwaysShown, ...(seesContact ? ['primaryEmail'] : []), 'tags', 'joinedOn'],
      layout: 'table',
    }),
    [seesContact],
  )
