import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { Source } from './history-line.tsx'
import { camel } from '../../../platform/activity/history-words.ts'

const lookedAt = 200

/** Who last set each fact, read from the history when it is asked for. */
export function useProvenance(personId: string, asked: boolean) {
  const { data, isPending } = useQuery({
    ...useApi().data.people.history.queryOptions({ input: { personId, entity: 'people', limit: lookedAt } }),
    enabled: asked,
  })
  return (field: string) => {
    if (isPending) return t`Looking it up`
    const entry = data?.items.find(({ changes }) => changes.some((change) => camel(change.field) === field))
    return <Source entry={entry ?? data?.items.find(({ action }) => action === 'create')} />
  }
}
