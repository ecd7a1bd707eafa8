import type pg from 'pg'
import { yearsFrom } from './reports.random.testing.ts'

// What each report must come to, told row by row from what stands in the tables.

export type Row = Record<string, string | number | boolean | null>
export type Tables = Record<string, Row[]>
export type Fact = { measure: string; keys: (string | null)[]; n: number; once?: string }

const names = [
  ...['chapters', 'chapter_ancestors', 'people', 'affiliations', 'memberships', 'membership_terms', 'positions', 'position_holders'],
  ...[
    'gifts',
    'gift_allocations',
    'pledges',
    'pledge_instalments',
    'recurring_plans',
    'events',
    'registrations',
    'messages',
    'message_deliveries',
  ],
  ...['person_emails', 'person_phones', 'person_private', 'mail_suppressions', 'relationships'],
]
/** Days and ids as text, as JSON has them. */
export async function tablesOf(admin: pg.Pool, orgId: string): Promise<Tables> {
  const tables: Tables = {}
  for (const name of names) {
    const rowsOf = ['select to_jsonb(t) as row from app.', name, ' t where t.org_id = $1'].join('')
    const { rows } = await admin.query<{ row: Row }>(rowsOf, [orgId])
    tables[name] = rows.map(({ row }) => row)
  }
  return tables
}

export type Replayed = {
  tables: Tables
  by: string | null
  /** Chapters of the reader; null for all of them, and for what belongs to none. */
  reach: ReadonlySet<string> | null
  scope: string | null
  since: string | null
  until: string
  day: string
  isNow: boolean
  today: string
}

export const rowsIn = ({ tables }: Pick<Replayed, 'tables'>, name: string): Row[] => tables[name] ?? []
export const text = (value: Row[string] | undefined): string => (value === null || value === undefined ? '' : String(value))
const above = (replayed: Replayed, chapter: string) =>
  rowsIn(replayed, 'chapter_ancestors')
    .filter(({ chapter_id }) => chapter_id === chapter)
    .sort((a, b) => Number(b['distance']) - Number(a['distance']))
    .map(({ ancestor_id }) => text(ancestor_id))

/** Whether the reader sees what belongs to the chapter, and was asked about it. */
export function counts(replayed: Replayed, chapter: Row[string] | undefined): boolean {
  const place = text(chapter)
  if (place === '') return replayed.reach === null && replayed.scope === null
  return (
    (replayed.reach === null || replayed.reach.has(place)) && (replayed.scope === null || above(replayed, place).includes(replayed.scope))
  )
}

export function keyOf(
  replayed: Replayed,
  { day, chapter, type }: { day?: string; chapter?: Row[string] | undefined; type?: Row[string] | undefined },
): string | null {
  const place = text(chapter)
  const [year, month] = [day?.slice(0, 4), Number(day?.slice(5, 7))]
  if (replayed.by === 'month') return `${day?.slice(0, 7)}-01`
  if (replayed.by === 'quarter') return `${year}-${String(month - ((month - 1) % 3)).padStart(2, '0')}-01`
  if (replayed.by === 'year') return `${year}-01-01`
  if (replayed.by === 'type') return text(type)
  if (place === '') return null
  if (replayed.by === 'chapter') return place
  const line = above(replayed, place)
  const below = replayed.scope === null ? 1 : line.indexOf(replayed.scope) + 1
  return line[Math.min(below, line.length - 1)] ?? null
}

export const during = ({ since, until }: Replayed, day: Row[string] | undefined): boolean =>
  text(day) !== '' && (since === null || text(day) >= since) && text(day) <= until
export const inTheYear = ({ day }: Replayed, on: Row[string] | undefined) =>
  text(on) !== '' && text(on) > yearsFrom(day, -1) && text(on) <= day
