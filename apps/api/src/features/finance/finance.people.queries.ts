import { DuesState } from '@guildhall/contract/features/finance'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { amountCell } from '../../platform/lists/money-cell.ts'
import type { FilterField } from '../../platform/lists/filters.ts'

// Lists of people by what they owe: invoices `i` of a person `p`, as far as the caller reads them.

type Condition = RawBuilder<SqlBool>

const ofPerson = sql<SqlBool>`i.org_id = p.org_id and i.person_id = p.id and i.kind = 'invoice'`
const isOpen = sql<SqlBool>`i.kind = 'invoice' and i.state in ('issued', 'partly_paid')`
const isOverdue = sql<SqlBool>`(${isOpen} and i.due_on < (select app.today()))`

/** Null where nothing was invoiced that is still owed or was paid. */
export const duesOfPerson = sql`(select case
    when o.open is not null then json_build_object('state', case when o.due_on < (select app.today()) then 'overdue' else 'open' end, 'open', o.open, 'dueOn', o.due_on)
    when exists (select from app.invoices i where ${ofPerson} and i.state = 'paid') then json_build_object('state', 'paid', 'open', '[]'::json, 'dueOn', null) end
  from (select min(x.due_on) as due_on, json_agg(json_build_object('amount', x.amount, 'currency', x.currency) order by x.currency) as open from (
    select i.currency, sum(i.balance_amount) as amount, min(i.due_on) as due_on from app.invoices i where ${ofPerson} and ${isOpen} group by i.currency) x) o)`

/** "60.00 EUR", several currencies one after the other. */
export const openDuesCell = sql`(select coalesce(json_agg(concat(${amountCell(sql`x.amount`, sql`x.currency`)}, ' ', x.currency) order by x.currency), '[]') from (
    select i.currency, sum(i.balance_amount) as amount from app.invoices i where ${ofPerson} and ${isOpen} group by i.currency) x)`

const owing = (condition: Condition): Condition =>
  sql`p.id in (select i.person_id from app.invoices i where ${condition} and i.person_id is not null)`

const meets: Record<DuesState, Condition> = {
  open: owing(isOpen),
  overdue: owing(isOverdue),
  paid: sql`(${owing(sql`i.kind = 'invoice' and i.state = 'paid'`)} and not exists (select from app.invoices i where ${ofPerson} and ${isOpen}))`,
}

/** Overdue dues are open ones too. */
export const duesFilter: FilterField = {
  ops: ['is', 'isNot', 'in', 'notIn'],
  where(op, value, refuse) {
    const wanted = DuesState.array()
      .min(1)
      .safeParse(Array.isArray(value) ? value : [value])
    if (!wanted.success) return refuse(`Choose from ${DuesState.options.join(', ')}.`)
    const any: Condition = sql`(${sql.join(
      wanted.data.map((state) => meets[state]),
      sql` or `,
    )})`
    return op === 'is' || op === 'in' ? any : sql`not ${any}`
  },
}
