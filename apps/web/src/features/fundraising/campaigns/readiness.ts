import { t } from '@lingui/core/macro'
import type { Campaign } from '../fundraising-api.ts'

/** A field of the giving page, as `?field=` names it. */
export type PageField = 'name' | 'summary' | 'story' | 'cover' | 'suggested' | 'limits' | 'fund' | 'goal' | 'dates' | 'thanks'
export type Finding = { field: PageField; text: string }

/** What keeps a campaign from being started. */
export function missingOf({ fund, endsOn }: Pick<Campaign, 'fund' | 'endsOn'>, today: string): Finding[] {
  return [
    ...(fund === null ? [{ field: 'fund' as const, text: t`Choose the fund that gifts go to.` }] : []),
    ...(endsOn !== null && endsOn < today
      ? [{ field: 'dates' as const, text: t`The last day has passed. Choose a later one, or none.` }]
      : []),
  ]
}

/** What would make the page better, without keeping it from being started. */
export function adviceOf(campaign: Campaign): Finding[] {
  const { summary, story, coverFileId, suggested, goal } = campaign
  return [
    ...(goal === null ? [{ field: 'goal' as const, text: t`Set a goal` }] : []),
    ...(summary === '' ? [{ field: 'summary' as const, text: t`Add a summary` }] : []),
    ...(story.content.length === 0 ? [{ field: 'story' as const, text: t`Tell the story` }] : []),
    ...(coverFileId === null ? [{ field: 'cover' as const, text: t`Add a cover picture` }] : []),
    ...(suggested.length === 0 ? [{ field: 'suggested' as const, text: t`Suggest amounts` }] : []),
  ]
}
