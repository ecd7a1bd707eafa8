import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteRecords } from '../../platform/navigation/palette.ts'

/** Lets the palette find __records_words__ by name. */
export function __Area__PaletteSource() {
  const { list } = useApi().data.__area__
  usePaletteRecords({
    group: t`__Records_words__`,
    search: async (q, signal) => {
      const { items } = await list.call({ q, sort: 'match', limit: 6 }, { signal })
      return items.map(({ id, name, chapter }) => ({
        id: `__record__:${id}`,
        label: name,
        ...(chapter && { hint: chapter.name }),
        to: `/__record_url__/${id}`,
      }))
    },
  })
  return null
}
