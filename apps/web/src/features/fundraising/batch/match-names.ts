import { t } from '@lingui/core/macro'
import { useCallback, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { isSameName } from './batch-rows.ts'
import type { BatchRow } from './batch-rows.ts'

const atOnce = 4

/** People whom pasted names stand for: where exactly one in the directory is called so. */
export function useMatchNames(setRows: (change: (rows: readonly BatchRow[]) => readonly BatchRow[]) => void) {
  const { list } = useApi().data.people
  const [told, setTold] = useState('')
  const match = useCallback(
    async (rows: readonly BatchRow[]) => {
      const names = [...new Set(rows.map(({ donor }) => donor.name.trim()).filter(Boolean))]
      if (names.length === 0) return
      setTold(t`Looking for the donors in the directory…`)
      let found = 0
      const look = async (name: string) => {
        const { items } = await list.call({ q: name, sort: 'match', limit: 5 })
        const same = items.filter(({ displayName }) => isSameName(displayName, name))
        const [person] = same
        if (same.length !== 1 || !person) return
        found++
        setRows((now) =>
          now.map((row) =>
            row.donor.personId === null && isSameName(row.donor.name, name)
              ? { ...row, donor: { personId: person.id, name: person.displayName } }
              : row,
          ),
        )
      }
      const waiting = [...names]
      const work = async () => {
        // Whoever could not be looked up stays a name.
        for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await look(name).catch(() => undefined)
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      const all = names.length
      setTold(t`${found} of ${all} names found in the directory. The others are kept as typed.`)
    },
    [list, setRows],
  )
  return { match, told }
}
