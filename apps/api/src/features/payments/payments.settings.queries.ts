import type { PaymentSettings, PaymentSettingsChange, TransferAccount } from '@guildhall/contract/features/payments'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type * as z from 'zod'
import { columnsOf } from '../../platform/records/columns.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

type Settings = TransferAccount & Pick<PaymentSettings, 'mayEdit' | 'version'>

/** Where nobody has saved any yet, they are empty. */
export const settingsQuery = () =>
  statement(sql<{ item: Settings }>`
    select json_build_object('accountHolder', coalesce(s.account_holder, ''), 'accountNumber', coalesce(s.account_number, ''), 'bankCode', coalesce(s.bank_code, ''),
      'bankName', coalesce(s.bank_name, ''), 'transferNote', coalesce(s.transfer_note, ''), 'mayEdit', (select app.everywhere('finance.manage')),
      'version', coalesce(s.version, 1)) as item
    from (select app.org_id() as org_id) o left join app.payment_settings s on s.org_id = o.org_id`)

export async function updateSettings(db: ActorDb, version: number, change: z.infer<typeof PaymentSettingsChange>): Promise<Settings> {
  await sql`insert into app.payment_settings (org_id) select app.org_id() where app.everywhere('finance.manage') on conflict (org_id) do nothing`.execute(
    db,
  )
  return updateRecord(db, 'app.payment_settings', { version }, columnsOf('app.payment_settings', change), async () => {
    const { rows } = await db.executeQuery(settingsQuery().compile())
    return rows[0]?.item
  })
}
