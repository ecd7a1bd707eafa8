import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteRecords } from '../../platform/navigation/palette.ts'

/** Lets the palette find chapters by name and code. */
export function ChaptersPaletteSource() {
  const { list } = useApi().data.chapters
  usePaletteRecords({
    group: t`Chapters`,
    search: async (q, signal) => {
      const { items } = await list.call({ q, sort: 'match', limit: 6 }, { signal })
      return items.map(({ id, name, code, parent }) => ({
        id: `chapter:${id}`,
        label: name,
        hint: parent ? `${code} · ${parent.name}` : code,
        to: `/chapter/${id}`,
      }))
    },
  })
  return null
}
