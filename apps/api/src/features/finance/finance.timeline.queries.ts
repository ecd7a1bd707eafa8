import { sql } from 'kysely'
import { amountCell } from '../../platform/lists/money-cell.ts'
import { subjectOf } from '../../platform/records/timeline-source.ts'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'

const number = sql`coalesce(i.number, i.foreign_number)`
const amount = (column: string) => sql`${amountCell(sql.ref(column), sql`i.currency`)}::text`

export const financeTimelineSources: readonly TimelineSource[] = [
  {
    kinds: ['invoice-issued', 'credit-note-issued', 'invoice-paid'],
    kind: sql`d.kind`,
    from: sql`from app.invoices i cross join lateral (values
      (case i.kind when 'invoice' then 'invoice-issued' else 'credit-note-issued' end, i.issued_on), ('invoice-paid', case when i.kind = 'invoice' then i.paid_on end)) d (kind, day)`,
    where: sql`i.state <> 'draft'`,
    person: sql`i.person_id`,
    id: sql`i.id`,
    when: { day: sql`d.day` },
    subject: subjectOf(sql`i.id`, number),
    params: sql`json_build_object('amount', ${amount('i.total_amount')}, 'currency', i.currency, 'for', i.reason)`,
  },
  {
    kinds: ['invoice-voided'],
    from: sql`from app.invoices i`,
    where: sql`i.state = 'void' and i.issued_on is not null`,
    person: sql`i.person_id`,
    id: sql`i.id`,
    when: { at: sql`i.voided_at` },
    subject: subjectOf(sql`i.id`, number),
    params: sql`json_build_object('reason', coalesce(i.void_reason, ''))`,
  },
  {
    kinds: ['payment-refunded'],
    from: sql`from app.payments y join app.refunds i on i.org_id = y.org_id and i.payment_id = y.id`,
    where: sql`i.state = 'settled'`,
    person: sql`y.person_id`,
    id: sql`i.id`,
    when: { at: sql`i.settled_at` },
    params: sql`json_build_object('amount', ${amount('i.amount')}, 'currency', i.currency)`,
  },
]
