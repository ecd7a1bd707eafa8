import { createHash } from 'node:crypto'
import { publicEventPath } from '@guildhall/contract/public-paths'
import type { Texts } from '../../../platform/texts/texts.ts'
import { entryOf } from '../calendar/events.calendar.entries.rules.ts'
import { calendarFile } from '../calendar/events.calendar.rules.ts'
import type { FeedRow, FeedWindow, OpenedFeed } from './events.feeds.queries.ts'

const day = 86_400_000
/** What a calendar holds: two months back, and what is planned for the 13 months ahead, the earlier ones where those are too many. */
export const windowAt = (now: number): FeedWindow => {
  const hour = Math.floor(now / 3_600_000) * 3_600_000
  return { since: new Date(hour - 60 * day).toISOString(), until: new Date(hour + 400 * day).toISOString(), most: 1000 }
}

export const nameOf = (i18n: Texts, { kind, name, organisation }: OpenedFeed): string =>
  kind === 'personal' ? i18n._('{organisation}: my events', { organisation }) : (name ?? organisation)

/** The same for as long as the calendar says the same; raise the number when files are written in another way. */
export const feedTag = (name: string, rows: readonly FeedRow[]) =>
  `W/"${createHash('sha256')
    .update(JSON.stringify([1, name, rows]))
    .digest('base64url')
    .slice(0, 22)}"`

/** `isPublic`: entries lead to public pages. What somebody waits for, or is not let in to yet, is tentative. */
export function feedFile(name: string, rows: readonly FeedRow[], publicUrl: string, isPublic: boolean): string {
  const entries = rows.map(({ isTentative = false, ...row }) => {
    const entry = entryOf(row, publicUrl, isPublic ? publicEventPath(row.id) : undefined)
    return isTentative && entry.status === 'confirmed' ? { ...entry, status: 'tentative' as const } : entry
  })
  return calendarFile(entries, name)
}
