import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteCommands, usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'

/** Views of memberships and the daily run, for whoever may use them; and "new membership for" somebody who is named after it. */
export function MembershipPaletteSource() {
  const sees = [useCan('memberships.read'), useCan('people.directory')].every(Boolean)
  const manages = useCan('memberships.manage')
  const asked = { onlyAsked: true, hint: t`Members` }
  usePaletteCommands([
    ...(sees
      ? [
          { ...asked, id: 'view:lapsing', label: t`Lapsing in 30 days`, to: '/members?view=lapsing' },
          { ...asked, id: 'view:grace', label: t`In grace period`, to: '/members?view=grace' },
          { ...asked, id: 'view:lapsed', label: t`Lapsed`, to: '/members?view=lapsed' },
        ]
      : []),
    ...(manages
      ? [
          {
            id: 'memberships:run',
            label: t`Update memberships now`,
            hint: t`What happens every night`,
            to: '/account-management/membership-types',
            onlyAsked: true,
          },
        ]
      : []),
  ])
  return sees && manages ? <NewMembership /> : null
}

const offered = 8

function NewMembership() {
  const api = useApi()
  usePaletteRecords({
    group: t`New membership`,
    search: async (query, signal) => {
      const lead = t`New membership for`
      const q = query.toLocaleLowerCase().startsWith(lead.toLocaleLowerCase()) ? query.slice(lead.length).trim() : ''
      if (q.length < 2) return []
      const { items } = await api.data.people.list.call({ q, sort: 'match', limit: offered }, { signal })
      return items.map(({ id, displayName, pictureId, homeChapter }) => ({
        id: `new-membership:${id}`,
        label: displayName,
        pictureId,
        ...(homeChapter && { hint: homeChapter.name }),
        to: `/person/${id}/memberships?new=1`,
      }))
    },
  })
  return null
}
