import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteRecords } from '../../platform/navigation/palette.ts'

/** Lets the palette find groups by name and code. */
export function GroupsPaletteSource() {
  const { list } = useApi().data.groups
  usePaletteRecords({
    group: t`Groups`,
    search: async (q, signal) => {
      const { items } = await list.call({ q, sort: 'match', limit: 6 }, { signal })
      return items.map(({ id, name, chapter, parent }) => ({
        id: `group:${id}`,
        label: name,
        ...((parent ?? chapter) && { hint: (parent ?? chapter)?.name ?? '' }),
        to: `/groups/${id}`,
      }))
    },
  })
  return null
}
