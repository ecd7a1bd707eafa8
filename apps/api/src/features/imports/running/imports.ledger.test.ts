import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import { linesByKey } from './imports.ledger.queries.ts'

/** Entries of the ledger that the transaction has looked at so far, in the table or in its indexes. */
async function lookedAt(db: ActorDb): Promise<number> {
  const { rows } = await sql<{ entries: number }>`
    select sum(pg_stat_get_xact_tuples_returned(c.oid))::int as entries from pg_class c
    where c.oid = 'app.import_rows'::regclass or c.oid in (select i.indexrelid from pg_index i where i.indrelid = 'app.import_rows'::regclass)`.execute(
    db,
  )
  return rows[0]?.entries ?? Number.NaN
}

test('keys are looked up in a large ledger without reading it; control: read as a whole it is seen to be', async ({
  api,
  admin,
  person,
}) => {
  const { orgId, accountId } = await person({ idpRoles: ['org-admin'] })
  const made = await admin.query<{ id: string }>(
    `insert into app.imports (org_id, kind, file_name, file_size, file_hash, file_key, created_by) values ($1, 'people', 'x.csv', 1, 'x', 'x', $2) returning id`,
    [orgId, accountId],
  )
  const importId = made.rows[0]?.id ?? ''
  const size = 20_000
  await admin.query(
    `insert into app.import_rows (org_id, import_id, phase, line, step, outcome, key) select $1, $2, 'run', n, n, 'create', 'key ' || n from generate_series(1, $3::int) n`,
    [orgId, importId, size],
  )
  // The test's database is too short-lived for the server to have counted these rows by itself, or it counted those of other tests.
  await admin.query('analyze app.import_rows')
  const keys = ['key 7', 'key 700', 'nobody’s', 'key 20000']
  await api.services.database.asActor({ orgId, accountId, idpRoles: ['org-admin'] }, async (db) => {
    const lines = await linesByKey(db, orgId, importId, 'run', keys)
    expect([...lines].sort()).toEqual([
      ['key 20000', 20_000],
      ['key 7', 7],
      ['key 700', 700],
    ])
    expect(await lookedAt(db)).toBeLessThanOrEqual(2 * keys.length)
    await sql`select count(*) from app.import_rows where import_id = ${importId} and lower(key) = any (${keys})`.execute(db)
    expect(await lookedAt(db)).toBeGreaterThanOrEqual(size)
  })
})
