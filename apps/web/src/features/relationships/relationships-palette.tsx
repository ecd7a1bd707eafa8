import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteCommands, usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'
import { chosenKind } from './lines/line-kinds.ts'

const offered = 4

/** Lets the palette open the parent-child report and the line of anybody who has one. */
export function RelationshipsPaletteSource() {
  const reports = useCan('reports.read')
  return (
    <>
      <OpenReport />
      {reports && <Lines />}
    </>
  )
}

function OpenReport() {
  const navigate = useNavigate()
  usePaletteCommands([
    {
      id: 'relationships:lines',
      label: t`Parent-child report`,
      hint: t`Reports`,
      run: () => void navigate({ to: '/reports/parent-child' }),
    },
  ])
  return null
}

/** Of the kind that the report opens with. */
function Lines() {
  const { relationships } = useApi().data
  const cache = useQueryClient()
  usePaletteRecords({
    group: t`Lines`,
    search: async (q, signal) => {
      if (q.trim().length < 3) return []
      const { items: types } = await cache.query({ ...relationships.types.queryOptions({ input: {} }), staleTime: 300_000 })
      const { kind } = chosenKind(types, undefined)
      const { items } = await relationships.lines.search.call({ kind: kind.key, q }, { signal })
      return items
        .filter(({ descendants, path }) => descendants > 0 || path.length > 0)
        .slice(0, offered)
        .map(({ record, path }) => ({
          id: `line:${record.id}`,
          label: t`Show the line of ${record.name}`,
          hint: [kind.name, path.at(-1)?.name].filter(Boolean).join(' · '),
          to: `/reports/parent-child?kind=${kind.key}&root=${record.id}`,
        }))
    },
  })
  return null
}
