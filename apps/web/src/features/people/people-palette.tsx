import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'

const offered = 8

/** Lets the palette find people by name, e-mail, telephone or member number, as far as this reader may. Mounted once. */
export function PeoplePaletteSource() {
  return useCan('people.directory') ? <Source /> : null
}

function Source() {
  const api = useApi()
  const seesContact = useCan('people.contact')
  usePaletteRecords({
    group: t`People`,
    search: async (q, signal) => {
      const { items } = await api.data.people.list.call(
        { q, sort: 'match', limit: offered, ...(seesContact && { columns: 'primaryEmail' }) },
        { signal },
      )
      return items.map(({ id, displayName, pictureId, homeChapter, memberNo, primaryEmail }) => ({
        id: `person:${id}`,
        label: displayName,
        pictureId,
        hint: [homeChapter?.name, memberNo, primaryEmail].filter(Boolean).join(' · '),
        to: `/person/${id}`,
      }))
    },
  })
  return null
}
