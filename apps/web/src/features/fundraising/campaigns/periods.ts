import { t } from '@lingui/core/macro'
import type { CampaignsSearch } from '../fundraising-search.ts'

export type Period = NonNullable<CampaignsSearch['period']> | 'year'

export const periodOptions = (): { value: Period; label: string }[] => [
  { value: 'year', label: t`This year` },
  { value: 'months', label: t`Last 12 months` },
  { value: 'last', label: t`Last year` },
]

/** The first and the last day of a period. */
export function daysOf(period: Period, today: string): { since: string; until: string } {
  const year = Number(today.slice(0, 4))
  switch (period) {
    case 'year':
      return { since: `${year}-01-01`, until: today }
    case 'months':
      return { since: dayAfter(`${year - 1}${today.slice(4)}`), until: today }
    case 'last':
      return { since: `${year - 1}-01-01`, until: `${year - 1}-12-31` }
  }
}

/** 29 February of a year without one is the first of March. */
const dayAfter = (day: string) =>
  new Date(Date.parse(day.endsWith('-02-29') ? `${day.slice(0, 4)}-02-28` : day) + 86_400_000).toISOString().slice(0, 10)
