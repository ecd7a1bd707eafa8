import type { FundraisingSettings, FundraisingSettingsChange } from '@guildhall/contract/features/fundraising'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

export type Settings = Omit<FundraisingSettings, 'takesCards'>

/** Where nobody has saved any yet, they are the defaults of the table. */
const settings = sql`
  select json_build_object('feeBps', coalesce(s.fee_bps, 0), 'feeFixed', coalesce(s.fee_fixed, 0), 'maxAmount', case when s.org_id is null then 10000000 else s.max_amount end,
    'thankYouDays', coalesce(s.thank_you_days, 3), 'thankYouSubject', coalesce(s.thank_you_subject, ''), 'thankYouBody', coalesce(s.thank_you_body, ''),
    'mayEdit', (select app.everywhere('gifts.manage')), 'version', coalesce(s.version, 1)) as item
  from (select app.org_id() as org_id) o left join app.fundraising_settings s on s.org_id = o.org_id`

export async function findSettings(db: ActorDb): Promise<Settings | undefined> {
  const { rows } = await sql<{ item: Settings }>`${settings}`.execute(db)
  return rows[0]?.item
}
/** For those who see campaigns somewhere. */
export async function readSettings(db: ActorDb): Promise<Settings | undefined> {
  const { rows } = await sql<{ item: Settings }>`
    ${settings} where (select app.everywhere('fundraising.read')) or (select app.scope('fundraising.read')) <> '{}'`.execute(db)
  return rows[0]?.item
}

export async function updateSettings(db: ActorDb, version: number, { maxAmount, ...change }: FundraisingSettingsChange): Promise<Settings> {
  await sql`insert into app.fundraising_settings (org_id) select app.org_id() where app.everywhere('gifts.manage') on conflict (org_id) do nothing`.execute(
    db,
  )
  const columns = {
    ...columnsOf('app.fundraising_settings', change),
    ...(maxAmount !== undefined && { max_amount: sql`${maxAmount}::bigint` }),
  }
  return updateRecord(db, 'app.fundraising_settings', { version }, columns, () => findSettings(db))
}
