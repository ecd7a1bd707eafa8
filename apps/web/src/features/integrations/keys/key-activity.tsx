import { daysFrom } from '@guildhall/contract/moments'
import { plural, t } from '@lingui/core/macro'
import { useToday } from '../../../platform/session/session.ts'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useKeyActivity } from './keys-api.ts'
import type { ApiKeyActivity } from './keys-api.ts'

const shownDays = 30

/** Requests of a key by day; nothing until it made one. */
export function KeyActivity({ apiKeyId }: { apiKeyId: string }) {
  const { day: written } = useFormats()
  const today = useToday()
  const activity = useKeyActivity(apiKeyId)
  const days = activity.data?.days ?? []
  if (days.length === 0) return null
  const requests = days.reduce((sum, day) => sum + day.requests, 0)
  const refused = days.reduce((sum, day) => sum + day.refused, 0)
  return (
    <Chart
      kind="stacked"
      upright
      partial
      title={plural(requests, { one: '# request in the last 30 days', other: '# requests in the last 30 days' })}
      summary={plural(refused, { 0: 'None of them failed.', one: '# of them failed.', other: '# of them failed.' })}
      data={{
        heading: t`Day`,
        series: [
          { key: 'answered', label: t`Answered` },
          { key: 'refused', label: t`Failed` },
        ],
        rows: everyDay(days, today).map(({ day, answered, refused: failed }) => ({
          key: day,
          label: written(day),
          short: day.slice(8),
          values: { answered, refused: failed },
        })),
      }}
    />
  )
}

/** Also the days without a request, up to today. */
function everyDay(days: ApiKeyActivity['days'], today: string) {
  const known = new Map(days.map((day) => [day.day, day]))
  return Array.from({ length: shownDays }, (_, nth) => {
    const day = daysFrom(today, nth + 1 - shownDays)
    const { requests = 0, refused = 0 } = known.get(day) ?? {}
    return { day, answered: requests - refused, refused }
  })
}
