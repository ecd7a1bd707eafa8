import type { CampaignOverview, CampaignRow } from '@guildhall/contract/features/fundraising'

/** What came for a campaign until the end of a day, since its beginning. */
type DaySum = { day: string; raised: number; gifts: number; donors: number }
export type Overview = Pick<CampaignOverview, 'funds' | 'latest'> & {
  campaign: CampaignRow
  days: DaySum[]
  sizes: { from: number; gifts: number }[]
  today: string
}

export const mostPoints = 400

export const overviewOf = ({ campaign, days, sizes, today, ...parts }: Overview): CampaignOverview => ({
  ...parts,
  campaign,
  line: lineOf(days),
  sizes: sizesOf(sizes),
  milestones: milestonesOf(campaign, days),
  daysLeft: campaign.endsOn === null ? null : Math.max(0, daysBetween(today, campaign.endsOn)),
})

/** One point for each day, or for the last day of each week, or of more, where those are too many. */
export function lineOf(days: readonly DaySum[]): CampaignOverview['line'] {
  let kept = days
  for (let span = 7; kept.length > mostPoints; span += 7) kept = lastOfEach(days, span)
  let at = -1
  return kept.map(({ day, raised }) => {
    const then = yearBefore(day)
    while ((days[at + 1]?.day ?? '9999-12-31') <= then) at += 1
    return { day, raised, before: days[at]?.raised ?? null }
  })
}

const lastOfEach = (days: readonly DaySum[], span: number) =>
  days.filter(({ day }, nth) => {
    const next = days[nth + 1]
    return next === undefined || Math.floor(dayNumber(next.day) / span) !== Math.floor(dayNumber(day) / span)
  })

/** From one of 1, 2, 5, 10, 20, 50 … to the next, also those between without a gift; the last one has no end. */
export function sizesOf(counted: readonly { from: number; gifts: number }[]): CampaignOverview['sizes'] {
  const last = counted.at(-1)
  const sizes: CampaignOverview['sizes'] = []
  for (let from = counted[0]?.from ?? 0; last && from <= last.from; from = sizeAfter(from))
    sizes.push({ from, to: from === last.from ? null : sizeAfter(from), gifts: counted.find((one) => one.from === from)?.gifts ?? 0 })
  return sizes
}
const sizeAfter = (size: number) => (String(size).startsWith('2') ? (size / 2) * 5 : size * 2)

/** The first day on which so much of the goal was reached; of what recurring gifts come to, no day is known. */
function milestonesOf({ goal, goalKind }: CampaignRow, days: readonly DaySum[]): CampaignOverview['milestones'] {
  if (goal === null || goalKind === 'recurring') return []
  const column = goalKind === 'amount' ? 'raised' : goalKind
  return [25, 50, 75, 100].map((percent) => ({
    percent,
    reachedOn: days.find((day) => day[column] * 100 >= goal * percent)?.day ?? null,
  }))
}

const dayNumber = (day: string) => Date.parse(`${day}T00:00:00Z`) / 86_400_000
const daysBetween = (from: string, to: string) => dayNumber(to) - dayNumber(from)
/** The 29th of February comes a day after the 28th of the year before. */
function yearBefore(day: string): string {
  const before = `${String(Number(day.slice(0, 4)) - 1).padStart(4, '0')}${day.slice(4)}`
  return before.endsWith('-02-29') ? `${before.slice(0, -2)}28` : before
}
