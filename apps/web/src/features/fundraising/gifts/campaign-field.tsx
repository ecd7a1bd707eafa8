import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { RecordPicker } from '../../../ui/form/record-picker.tsx'
import type { RecordPickerProps } from '../../../ui/form/record-picker.tsx'
import { useFundraisingSources } from '../fundraising-api.ts'

const begun = JSON.stringify({ and: [{ or: [{ field: 'status', op: 'notIn', value: ['draft'] }] }] })

/** A campaign that gifts can be recorded for: the office records gifts of ended ones too. */
export function CampaignField(props: Omit<RecordPickerProps, 'search' | 'names'>) {
  const { list } = useApi().data.fundraising
  const { names } = useFundraisingSources().campaigns
  const search = useMemo(
    () => async (q: string, signal: AbortSignal) => {
      const { items } = await list.call({ ...(q ? { q, sort: 'match' } : { sort: '-createdAt' }), filter: begun, limit: 20 }, { signal })
      return items.map(({ id, name, chapter }) => ({ value: id, label: name, hint: chapter?.name }))
    },
    [list],
  )
  return <RecordPicker search={search} names={names} {...props} />
}

/** The campaign chosen in a form, which says the currency and the fund of its gifts. */
export const useChosenCampaign = (campaignId: string | null) =>
  useQuery({
    ...useApi().data.fundraising.get.queryOptions({ input: { campaignId: campaignId ?? '' } }),
    enabled: campaignId !== null,
    staleTime: 60_000,
  })
