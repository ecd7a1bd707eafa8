import type { NewSavedView, SavedView } from '@guildhall/contract/features/lists'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type * as z from 'zod'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { statement } from '../../platform/records/statement.ts'

const viewItem = sql<SavedView>`json_build_object('id', v.id, 'list', v.list, 'name', v.name, 'spec', v.spec, 'sharedWith', v.shared_with,
  'mine', v.account_id = (select app.account_id()), 'owner', coalesce(n.name, ''), 'version', v.version, 'createdAt', v.created_at, 'updatedAt', v.updated_at)`
const viewFrom = sql`from app.saved_views v left join app.account_name(v.account_id) n on true`

export const viewsQuery = (list: string | undefined) =>
  statement(sql<{
    items: SavedView[]
  }>`select coalesce(json_agg(${viewItem} order by v.account_id <> (select app.account_id()), lower(v.name), v.id), '[]') as items
    ${viewFrom} where ${list === undefined ? sql`true` : sql`v.list = ${list}`}`)

export async function findView(db: ActorDb, viewId: string): Promise<SavedView | undefined> {
  const { rows } = await sql<{ item: SavedView }>`select ${viewItem} as item ${viewFrom} where v.id = ${viewId}`.execute(db)
  return rows[0]?.item
}

/** Id of the new view; nothing when the account has one of that name for the list. */
export async function insertView(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  view: z.infer<typeof NewSavedView>,
): Promise<string | undefined> {
  const row = await db
    .insertInto('app.saved_views')
    .values({ org_id: orgId, account_id: accountId, ...columnsOf('app.saved_views', { ...view, spec: JSON.stringify(view.spec) }) })
    .onConflict((conflict) => conflict.columns(['org_id', 'account_id', 'list', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

type ViewChange = { name?: string | undefined; spec?: SavedView['spec'] | undefined; sharedWith?: SavedView['sharedWith'] | undefined }

export const updateView = (db: ActorDb, viewId: string, version: number, { spec, ...change }: ViewChange): Promise<SavedView> => {
  const set = { ...columnsOf('app.saved_views', change), ...(spec && { spec: JSON.stringify(spec) }) }
  return updateRecord(db, 'app.saved_views', { id: viewId, version }, set, () => findView(db, viewId))
}

export async function removeView(db: ActorDb, viewId: string): Promise<boolean> {
  return (await db.deleteFrom('app.saved_views').where('id', '=', viewId).returning('id').executeTakeFirst()) !== undefined
}
