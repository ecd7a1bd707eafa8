import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import type { Option } from '../../ui/filter/filter.ts'

const shown = 20

/** Type-ahead over what people belong to, and the names of ids that an address carries. The references never change. */
export function usePeopleOptions() {
  const api = useApi()
  const cache = useQueryClient()
  return useMemo(() => {
    const tags = () => cache.query({ ...api.data.people.tags.list.queryOptions(), staleTime: 60_000 })
    const kept = 300_000
    return {
      chapters: async (q: string, signal: AbortSignal): Promise<Option[]> => {
        const { items } = await api.data.chapters.list.call({ ...(q && { q }), limit: shown }, { signal })
        return items.map(({ id, name, code }) => ({ value: id, label: name, hint: code }))
      },
      chapterNames: (ids: string[]): Promise<Option[]> =>
        Promise.all(
          ids.map(async (chapterId) => {
            const { id, name } = await cache.query({
              ...api.data.chapters.get.queryOptions({ input: { chapterId } }),
              staleTime: kept,
            })
            return { value: id, label: name }
          }),
        ),
      groups: async (q: string, signal: AbortSignal): Promise<Option[]> => {
        const { items } = await api.data.groups.list.call({ ...(q && { q }), limit: shown }, { signal })
        return items.map(({ id, name, chapter }) => ({ value: id, label: name, hint: chapter?.name }))
      },
      groupNames: (ids: string[]): Promise<Option[]> =>
        Promise.all(
          ids.map(async (groupId) => {
            const { id, name } = await cache.query({ ...api.data.groups.get.queryOptions({ input: { groupId } }), staleTime: kept })
            return { value: id, label: name }
          }),
        ),
      tags: async (q: string): Promise<Option[]> => {
        const { items } = await tags()
        const sought = fold(q)
        return items
          .filter(({ name }) => fold(name).includes(sought))
          .map(({ id, name, people, audience }) => ({
            value: id,
            label: name,
            hint: audience === 'officers' ? t`Officers only · ${people}` : String(people),
          }))
      },
      findTag: async (tagId: string) => (await tags()).items.find(({ id }) => id === tagId),
      tagNames: async (ids: string[]): Promise<Option[]> => {
        const { items } = await tags()
        return ids.map((id) => ({ value: id, label: items.find((tag) => tag.id === id)?.name ?? t`a tag that no longer exists` }))
      },
    }
  }, [api, cache])
}

export const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLocaleLowerCase()
