import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** All organisations, for a job that works on one after another. */
export async function organisationIds(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from app.org_ids() id`.execute(db)
  return rows.map(({ id }) => id)
}
