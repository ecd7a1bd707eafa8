import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import type { FilterField } from '../../ui/filter/filter.ts'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { TagBadge } from './tag-badge.tsx'
import { useTagOptions } from './tag-options.ts'
import type { TagRef } from './tags-api.ts'

export { BulkTag } from './bulk-tag.tsx'
export { RecordTags, TagSection } from './record-tags.tsx'
export { useTagOptions } from './tag-options.ts'
export type { TagRef } from './tags-api.ts'

/** The tags of a list's records, as a column. */
export const tagColumn = <Row extends { tags?: readonly TagRef[] | undefined }>(): TableColumn<Row> => ({
  id: 'tags',
  label: t`Tags`,
  width: 110,
  priority: 3,
  cell: ({ tags }) => tags?.map((tag) => <TagBadge key={tag.id} tag={tag} />),
})

/** A list filtered by tags. The reference never changes. */
export function useTagFilter(): FilterField {
  const { tags, tagNames } = useTagOptions()
  return useMemo(() => ({ id: 'tag', label: t`Tag`, kind: 'record', search: tags, names: tagNames }), [tags, tagNames])
}
