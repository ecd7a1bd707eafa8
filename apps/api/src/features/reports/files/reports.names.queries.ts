import type { ReportQuestion } from '@guildhall/contract/features/reports'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { isId } from '../../../platform/records/is-id.ts'
import { sourceOf } from '../subjects/reports.subjects.queries.ts'

const bare = { today: '2000-01-01', timezone: 'UTC', currency: 'EUR', asOf: null }

/** Names of the records that a question is filtered by, as far as the reader sees them; the filter is printed with the report. */
export async function filteredNames(db: ActorDb, question: ReportQuestion): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  if (question.kind !== 'own') return names
  const { fields } = sourceOf(question.subject, bare)
  for (const { field, value } of question.filter?.and.flatMap(({ or }) => or) ?? []) {
    const { label } = fields[field] ?? {}
    const ids = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string').filter(isId)
    if (!label || ids.length === 0) continue
    const { rows } = await sql<{ id: string; name: string | null }>`
      select i::text as id, ${label(sql`i`)} as name from unnest(${ids}::uuid[]) i`.execute(db)
    for (const { id, name } of rows) if (name !== null) names.set(id, name)
  }
  return names
}

export async function timezoneOf(db: ActorDb): Promise<string> {
  const { rows } = await sql<{
    timezone: string
  }>`select o.timezone from app.organisations o where o.org_id = (select app.org_id())`.execute(db)
  return rows[0]?.timezone ?? 'UTC'
}
