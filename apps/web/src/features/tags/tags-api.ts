import type { Person } from '@guildhall/contract/features/people'
import type { TaggedType } from '@guildhall/contract/features/lists'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'

/** A tag as records carry it. */
export type TagRef = Person['tags'][number]

/** Whatever carries tags is read again. */
export function useTagsChanged() {
  const api = useApi()
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: api.data.key() })
}

/** Sets the tags of a record other than a person. */
export function useSetTags(recordType: TaggedType, recordId: string) {
  const api = useApi()
  const changed = useTagsChanged()
  return async (tags: readonly TagRef[]) => {
    await api.data.tags.set.call({ recordType, recordId, tagIds: tags.map(({ id }) => id) })
    await changed()
  }
}
