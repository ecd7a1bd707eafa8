import { NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { useApi } from '../../../platform/api/api.tsx'

/** One of the organisation's tags. */
export function TagField(props: Omit<ComponentProps<typeof NativeSelect>, 'data' | 'label'>) {
  const tags = useQuery(useApi().data.tags.list.queryOptions({ input: {} }))
  const options = tags.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []
  return <NativeSelect label={t`Tag`} data={[{ value: '', label: t`Choose a tag` }, ...options]} {...props} />
}
