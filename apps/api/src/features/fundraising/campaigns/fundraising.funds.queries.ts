import type { Fund, FundChange, NewFund } from '@guildhall/contract/features/fundraising'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { chapterRef, mayInChapter, orNull } from '../../../platform/lists/json-refs.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'

// `f` is the fund and `c` its chapter, left joined.

export const fundsLimit = 500
const from = sql`from app.funds f left join app.chapters c on c.org_id = f.org_id and c.id = f.chapter_id`
const totals = sql`app.fund_totals t where t.org_id = f.org_id and t.fund_id = f.id`
const item = sql<Fund>`json_build_object('id', f.id, 'name', f.name, 'code', f.code, 'description', f.description, 'chapter', ${orNull('c', chapterRef)},
  'settled', (select coalesce(json_agg(json_build_object('amount', t.amount, 'currency', t.currency) order by t.currency), '[]') from ${totals} and t.gifts > 0),
  'gifts', (select coalesce(sum(t.gifts), 0)::int from ${totals}), 'archivedAt', f.archived_at, 'version', f.version,
  'may', json_build_object('edit', ${mayInChapter('fundraising.manage', sql`f.chapter_id`)}))`

export const fundsQuery = ({ archived = false }: { archived?: boolean | undefined }) =>
  statement(
    sql<{
      item: Fund
    }>`select ${item} as item ${from} where (f.archived_at is not null) = ${archived} order by f.sort_name, f.id limit ${sql.lit(fundsLimit)}`,
  )

export async function findFund(db: ActorDb, fundId: string): Promise<Fund | undefined> {
  const { rows } = await sql<{ item: Fund }>`select ${item} as item ${from} where f.id = ${fundId}`.execute(db)
  return rows[0]?.item
}

/** Whether an open fund that the caller sees has this name, and how many there are. */
export async function fundsNamed(db: ActorDb, name: string, except: string | null): Promise<{ taken: boolean; open: number }> {
  const { rows } = await sql<{ taken: boolean; open: number }>`
    select coalesce(bool_or(lower(f.name) = lower(${name}) and f.id is distinct from ${except}::uuid), false) as taken, count(*)::int as open
    from app.funds f where f.archived_at is null`.execute(db)
  return rows[0] ?? { taken: false, open: 0 }
}

export async function insertFund(db: ActorDb, { orgId, accountId }: { orgId: string; accountId: string }, fund: NewFund): Promise<string> {
  const { id } = await db
    .insertInto('app.funds')
    .values({ org_id: orgId, created_by: accountId, ...columnsOf('app.funds', fund) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { fundId: string; version: number }
export const updateFund = (db: ActorDb, { fundId: id, version }: Guarded, change: FundChange): Promise<Fund> =>
  updateRecord(db, 'app.funds', { id, version }, columnsOf('app.funds', change), () => findFund(db, id))
export const archiveFund = (db: ActorDb, { fundId: id, version }: Guarded, archived: boolean): Promise<Fund> =>
  updateRecord(db, 'app.funds', { id, version }, { archived_at: archived ? sql`now()` : null }, () => findFund(db, id))
