import { t } from '@lingui/core/macro'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useRights } from '../../platform/session/session.ts'

const offered = 5

/** Lets the palette find reports: saved ones, and those that come with the product. */
export function ReportsPaletteSource() {
  const can = useRights()
  return can('reports.read') ? <Reports /> : null
}

function Reports() {
  const { list } = useApi().data.reports
  const can = useRights()
  usePaletteRecords({
    group: t`Reports`,
    search: async (q, signal) => {
      // The words of all reports are fetched when somebody first searches, not beside every page.
      const [{ standardFound }, { items }] = await Promise.all([import('./reports-found.ts'), list.call({ q, limit: offered }, { signal })])
      return [
        ...items.map(({ id, name }) => ({ id: `report:${id}`, label: name, hint: t`Saved report`, to: `/reports/${id}` })),
        ...standardFound(q, can).slice(0, offered),
      ]
    },
  })
  return null
}
