import type { FinanceSettings, FinanceSettingsChange } from '@guildhall/contract/features/finance'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { statement } from '../../platform/records/statement.ts'
import { updateRecord } from '../../platform/records/update-record.ts'

/** Where nobody has saved any yet, they are the defaults of the table. A first number that was set for another year is over. */
export const settingsQuery = () =>
  statement(sql<{ item: FinanceSettings }>`
    select json_build_object('invoiceFormat', coalesce(s.invoice_format, '{year}-{number:5}'), 'creditNoteFormat', coalesce(s.credit_note_format, 'CN-{year}-{number:5}'),
      'receiptFormat', coalesce(s.receipt_format, 'R-{year}-{number:5}'), 'invoiceStart', case when s.start_year = n.year then s.invoice_start else 1 end,
      'creditNoteStart', case when s.start_year = n.year then s.credit_note_start else 1 end, 'receiptStart', case when s.start_year = n.year then s.receipt_start else 1 end,
      'dueDays', coalesce(s.due_days, 30), 'reminderDays', coalesce(s.reminder_days, '{3,14,30}'), 'legalName', coalesce(s.legal_name, ''), 'address', coalesce(s.address, ''),
      'taxId', coalesce(s.tax_id, ''), 'invoiceFooter', coalesce(s.invoice_footer, ''),
      'next', json_build_object('year', n.year, 'invoice', n.invoice, 'creditNote', n.credit_note, 'receipt', n.receipt), 'begun', n.began,
      'mayEdit', (select app.everywhere('finance.manage')), 'version', coalesce(s.version, 1)) as item
    from app.next_numbers() n left join app.finance_settings s on s.org_id = app.org_id()`)

export async function updateSettings(
  db: ActorDb,
  version: number,
  { reminderDays, ...change }: FinanceSettingsChange,
): Promise<FinanceSettings> {
  await sql`insert into app.finance_settings (org_id) select app.org_id() where app.everywhere('finance.manage') on conflict (org_id) do nothing`.execute(
    db,
  )
  const days = reminderDays && [...new Set(reminderDays)].toSorted((one, other) => one - other)
  return updateRecord(
    db,
    'app.finance_settings',
    { version },
    columnsOf('app.finance_settings', { ...change, reminderDays: days }),
    async () => {
      const { rows } = await db.executeQuery(settingsQuery().compile())
      return rows[0]?.item
    },
  )
}
