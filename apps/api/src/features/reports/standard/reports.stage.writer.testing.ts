import type pg from 'pg'
import type { TestOrganisation } from '../../../testing.ts'

type Row = Record<string, unknown>
export type Stage = { org: TestOrganisation; today: string; chapters: Record<'root' | 'north' | 'south' | 'north1' | 'north2', string> }

export type Writer = { add: (table: string, rows: readonly Row[]) => Promise<string[]> }
export const writerOf = (admin: pg.ClientBase, orgId: string): Writer => ({
  add: async (table, rows) => {
    const names = Object.keys(rows[0] ?? {})
    if (names.length === 0) return []
    const hasId = !['gift_allocations', 'message_counts', 'person_private'].includes(table)
    const values = names.map((name) => ['r.', name].join(''))
    // The tables and columns are those of the caller, which are no values.
    const text = [
      ...['insert into app.', table, ' (org_id, ', names.join(', '), ') select $1, ', values.join(', ')],
      ...[
        ' from jsonb_populate_recordset(null::app.',
        table,
        ', $2::jsonb) with ordinality r order by r.ordinality',
        hasId ? ' returning id' : '',
      ],
    ].join('')
    const { rows: made } = await admin.query<{ id: string }>(text, [orgId, JSON.stringify(rows)])
    return made.map(({ id }) => id)
  },
})
export type Add = Writer['add']
