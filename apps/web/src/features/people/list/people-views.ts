import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterCondition } from '../../../ui/filter/filter.ts'
import type { BuiltInView, Look } from '../../lists/lists-public.tsx'

const only = (condition: FilterCondition) => ({ filter: { and: [{ or: [condition] }] } })

/** The views everybody has; one's own chapter and the archive only for those they mean something to. */
export function usePeopleViews({ home, archive }: { home: { id: string; name: string } | null | undefined; archive: boolean }) {
  const homeId = home?.id
  const homeName = home?.name
  return useMemo((): [BuiltInView, ...BuiltInView[]] => {
    const month = `${new Date().toISOString().slice(0, 8)}01`
    const dayBefore = new Date(Date.parse(month) - 86_400_000).toISOString().slice(0, 10)
    return [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'active', label: t`Active`, spec: only({ field: 'lifecycle', op: 'in', value: ['active'] }) },
      ...(homeId && homeName ? [{ id: 'home', label: homeName, spec: only({ field: 'chapter', op: 'in', value: [homeId] }) }] : []),
      { id: 'new', label: t`New this month`, spec: { ...only({ field: 'joinedOn', op: 'after', value: dayBefore }), sort: '-joinedOn' } },
      ...(archive ? [{ id: 'archived', label: t`Archived`, spec: only({ field: 'archived', op: 'is', value: true }) }] : []),
    ]
  }, [homeId, homeName, archive])
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
