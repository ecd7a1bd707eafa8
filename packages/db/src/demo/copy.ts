import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { columns } from './tables.ts'
import type { Sheet } from './tables.ts'

/** Sends what the sheet holds, table after table, and answers how many rows went. */
export async function copySheet(client: pg.Client, parts: ReturnType<Sheet['take']>): Promise<number> {
  let sent = 0
  for (const { table, text, rows } of parts) {
    const into = client.query(from(`copy app.${table} (org_id, ${columns[table].join(', ')}) from stdin`))
    await pipeline(Readable.from([text]), into)
    sent += rows
  }
  return sent
}
