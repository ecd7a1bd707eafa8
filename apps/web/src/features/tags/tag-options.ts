import type { Tag } from '@guildhall/contract/features/tags'
import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import type { Option } from '../../ui/filter/filter.ts'
import { folded } from '../../ui/filter/folded.ts'

/** Type-ahead over tags, and the names of their ids that an address carries. The references never change. */
export function useTagOptions() {
  const api = useApi()
  const cache = useQueryClient()
  return useMemo(() => {
    const tags = () => cache.query({ ...api.data.tags.list.queryOptions(), staleTime: 60_000 })
    return {
      tags: async (q: string): Promise<Option[]> => {
        const { items } = await tags()
        const sought = folded(q)
        return items
          .filter(({ name }) => folded(name).includes(sought))
          .map(({ id, name, uses, audience }) => ({ value: id, label: name, hint: hintOf(audience, usesOf(uses)) }))
      },
      findTag: async (tagId: string) => (await tags()).items.find(({ id }) => id === tagId),
      tagNames: async (ids: string[]): Promise<Option[]> => {
        const { items } = await tags()
        return ids.map((id) => ({ value: id, label: items.find((tag) => tag.id === id)?.name ?? t`a tag that no longer exists` }))
      },
    }
  }, [api, cache])
}

const hintOf = (audience: Tag['audience'], uses: number) => (audience === 'officers' ? t`Officers only · ${uses}` : String(uses))

/** Records of every type together. */
export const usesOf = (uses: Tag['uses']) => Object.values(uses).reduce((sum, count) => sum + count, 0)
