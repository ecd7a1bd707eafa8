import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { dateField } from '../../../platform/lists/filters.ts'
import type { FilterField } from '../../../platform/lists/filters.ts'
import { amountCell, amountField } from '../../../platform/lists/money-cell.ts'
import { moneyOf } from '../fundraising.references.queries.ts'

// Lists of people by what they gave: `d`, one row of app.donors for each person `p` who gave, and `ty`, what they gave this year. Their policies are those of gifts.

type Condition = RawBuilder<SqlBool>

const thisYear = sql`extract(year from (select app.today()))::int`
const ofPerson = sql<SqlBool>`d.org_id = p.org_id and d.person_id = p.id`
const ofYear = (back: number) =>
  sql`coalesce((select y.amount from app.donor_years y where y.org_id = d.org_id and y.person_id = d.person_id and y.year = ${thisYear} - ${sql.lit(back)}), 0)`
const own = (amount: RawBuilder<unknown>) => moneyOf(amount, sql`d.currency`)

/** What a person `p` gave, for a row of a list; null where that is nothing, or not the caller’s to see. */
export const givingOfPerson = sql`(select json_build_object('lifetime', ${own(sql`d.lifetime_amount`)}, 'thisYear', ${own(ofYear(0))}, 'lastYear', ${own(ofYear(1))},
    'gifts', d.gifts, 'lastOn', d.last_on)
  from app.donors d where ${ofPerson})`

const cell = (value: RawBuilder<unknown>) => sql`(select ${value} from app.donors d where ${ofPerson})`
/** For files. */
export const givingCells = {
  lifetime: cell(amountCell(sql`d.lifetime_amount`, sql`d.currency`)),
  thisYear: cell(amountCell(ofYear(0), sql`d.currency`)),
  lastOn: cell(sql`d.last_on`),
}

// Filters ---------------------------------------------------------------------------------------------------------------------------

/** As a set, so that the planner may start from the donors, who are few among many. */
const among = (condition: Condition): Condition => sql`p.id in (select d.person_id from app.donors d
  left join app.donor_years ty on ty.org_id = d.org_id and ty.person_id = d.person_id and ty.year = ${thisYear} where ${condition})`

/** Operators that people who never gave meet, with what those do not meet who did. */
const opposite = { isNot: 'is', notIn: 'in', empty: 'notEmpty' } as const
const isNegative = (op: string): op is keyof typeof opposite => Object.hasOwn(opposite, op)

const ofDonor = (field: FilterField): FilterField => ({
  ops: field.ops,
  where: (op, value, refuse) =>
    isNegative(op) ? sql`not ${among(field.where(opposite[op], value, refuse))}` : among(field.where(op, value, refuse)),
})

export const givingFilters = {
  givenLifetime: ofDonor(amountField(sql`d.lifetime_amount`, sql`d.currency`)),
  givenThisYear: ofDonor(amountField(sql`coalesce(ty.amount, 0)`, sql`d.currency`)),
  lastGiftOn: ofDonor(dateField(sql`d.last_on`)),
} satisfies Record<string, FilterField>
