import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import { readHolds } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'

/** Invoices as an import writes them: through functions, since nobody writes in the books by themselves. */
export const invoicesTable = {
  table: 'invoices',
  key: ['id'],
  columns: { person_id: { type: 'uuid' }, chapter_id: { type: 'uuid' }, foreign_number: { type: 'text' } },
  through: { insert: 'app.import_invoices', remove: 'app.remove_imported_invoices' },
} as const satisfies TableShape

export type FoundInvoice = {
  id: string
  number: string
  own: boolean
  owedBy: string
  total: number
  currency: string
  issuedOn: string | null
}

/** Invoices that have these numbers, here or in another system. */
export async function invoicesByNumber(db: ActorDb, orgId: string, numbers: readonly string[]): Promise<FoundInvoice[]> {
  if (numbers.length === 0) return []
  const { rows } = await sql<FoundInvoice>`
    select i.id, i.number, true as own, coalesce(i.person_id, i.chapter_id) as "owedBy", i.total_amount as total, i.currency, to_char(i.issued_on, 'YYYY-MM-DD') as "issuedOn"
    from app.invoices i where i.org_id = ${orgId}::uuid and i.number collate "C" = any (${numbers}::text[])
    union all
    select i.id, i.foreign_number, false, coalesce(i.person_id, i.chapter_id), i.total_amount, i.currency, to_char(i.issued_on, 'YYYY-MM-DD')
    from app.invoices i where i.org_id = ${orgId}::uuid and i.foreign_number = any (${numbers}::text[])`.execute(db)
  return rows
}

/** In whose books invoices of these people stand, and the currency of the organisation. */
export async function booksOf(db: ActorDb, orgId: string, people: readonly string[]) {
  const { rows } = await sql<{ id: string; chapterId: string | null }>`
    select p.id, p.home_chapter_id as "chapterId" from app.people p where p.org_id = ${orgId}::uuid and p.id = any (${people}::uuid[])`.execute(
    db,
  )
  const own = await sql<{ currency: string }>`select o.currency from app.organisations o where o.org_id = ${orgId}::uuid`.execute(db)
  return { homes: new Map(rows.map(({ id, chapterId }) => [id, chapterId])), currency: own.rows[0]?.currency ?? '' }
}

/** Why invoices that an import brought cannot be removed. */
export const invoicesInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [
    {
      why: 'was paid, or is being paid, since',
      table: 'payments',
      rows: sql`select p.id, coalesce(p.person_id, p.chapter_id, p.id) as subject, '' as name from app.payments p
        where p.org_id = ${orgId}::uuid and not p.imported and (p.invoice_id = k.id
          or exists (select from app.payment_allocations a where a.org_id = p.org_id and a.payment_id = p.id and a.invoice_id = k.id))`,
    },
    {
      why: 'has a payment that was refunded or reversed since',
      table: 'payments',
      rows: sql`select p.id, coalesce(p.person_id, p.chapter_id, p.id) as subject, '' as name from app.payments p
        join app.payment_allocations a on a.org_id = p.org_id and a.payment_id = p.id and a.invoice_id = k.id
        where p.org_id = ${orgId}::uuid and p.imported and (p.state <> 'settled' or p.refunded_amount > 0)`,
    },
    {
      why: 'was corrected or voided since',
      table: 'invoices',
      rows: sql`select c.id, c.id as subject, coalesce(c.number, c.foreign_number) as name from app.invoices c
        where c.org_id = ${orgId}::uuid and (c.credits_id = k.id or (c.id = k.id and c.state = 'void'))`,
    },
  ])
