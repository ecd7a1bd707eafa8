import { MembershipStanding } from '@guildhall/contract/features/membership'
import type { Filter, FilterCondition } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, dateField, flagField, idField, refusing } from '../../platform/lists/filters.ts'
import type { Position } from '../../platform/lists/keyset.ts'
import type { FilterField } from '../../platform/lists/filters.ts'

// Lists of people by the membership that counts: `s`, one row of app.membership_standings for each person `p` who has one. Its policy is that of memberships.

type Condition = RawBuilder<SqlBool>
/** See ChapterForm of the people list: left to the planner, looked up for each person, or collected first. */
type Form = 'join' | 'walk' | 'set'

const standings = sql`app.membership_standings s`
const ofPerson = sql<SqlBool>`s.org_id = p.org_id and s.person_id = p.id`

/** The membership that counts of a person `p`, for a row of a list. */
export const standingOfPerson = sql`(select json_build_object('id', s.membership_id, 'type', json_build_object('id', y.id, 'name', y.name), 'status', s.status,
    'startsOn', s.starts_on, 'endsOn', s.ends_on, 'autoRenew', s.auto_renew)
  from ${standings} join app.membership_types y on y.org_id = s.org_id and y.id = s.type_id where ${ofPerson})`

/** One value of it, for a cell. */
export const standingCell = (cell: RawBuilder<unknown>) =>
  sql`(select ${cell} from ${standings} join app.membership_types y on y.org_id = s.org_id and y.id = s.type_id where ${ofPerson})`

// Filters ---------------------------------------------------------------------------------------------------------------------------

const status = choiceField(sql`s.status`, MembershipStanding.options)

/** Each as a condition on `s`. */
const fields = {
  membershipType: idField(sql`s.type_id`),
  membershipStatus: {
    ops: status.ops,
    where(op, value, refuse) {
      const words = Array.isArray(value) ? value : [value]
      const known = MembershipStanding.safeParse(words[0])
      // Of one status, the index has its people in the order in which their terms end.
      return words.length === 1 && known.success && (op === 'is' || op === 'in')
        ? sql`s.status = ${known.data}`
        : status.where(op, value, refuse)
    },
  },
  termStart: dateField(sql`s.starts_on`),
  termEnd: dateField(sql`s.ends_on`),
  autoRenew: flagField(sql`s.auto_renew`),
} satisfies Record<string, FilterField>
export type StandingField = keyof typeof fields
const isStanding = (field: string): field is StandingField => Object.hasOwn(fields, field)

const has = (condition: Condition, form: Form): Condition => {
  switch (form) {
    case 'join':
      return sql`p.id in (select s.person_id from ${standings} where ${condition})`
    case 'walk':
      // offset 0 keeps the planner from turning it into a join.
      return sql`exists (select from ${standings} where ${ofPerson} and ${condition} offset 0)`
    case 'set':
      return sql`p.id = any (array(select s.person_id from ${standings} where ${condition}))`
  }
}

/** Operators that people without a membership meet, with what those do not meet who have one. */
const opposite = { isNot: 'is', notIn: 'in', empty: 'notEmpty' } as const
const isNegative = (op: string): op is keyof typeof opposite => Object.hasOwn(opposite, op)

const related = (field: FilterField, form: Form): FilterField => ({
  ops: field.ops,
  where: (op, value, refuse) =>
    isNegative(op)
      ? sql`not ${has(field.where(opposite[op], value, refuse), form === 'set' ? 'join' : form)}`
      : has(field.where(op, value, refuse), form),
})

export const standingFilters = (form: Form): Record<StandingField, FilterField> => ({
  membershipType: related(fields.membershipType, form),
  membershipStatus: related(fields.membershipStatus, form),
  termStart: related(fields.termStart, form),
  termEnd: related(fields.termEnd, form),
  autoRenew: related(fields.autoRenew, form),
})

/** `where`: on `s`. `rest`: what else the filter asks. */
export type CommonStanding = { where: Condition; rest: Filter }

/** What the membership of everybody in the list must be, as far as the filter says so in groups of its own; null where it does not. */
export function commonStanding(filter: Filter | undefined): CommonStanding | null {
  const conditions: Condition[] = []
  const rest = filter?.and.filter(({ or }, nth) => {
    const condition = only(or, nth)
    if (condition) conditions.push(condition)
    return !condition
  })
  return rest && conditions.length > 0 ? { where: sql`(${sql.join(conditions, sql` and `)})`, rest: { and: rest } } : null
}

function only(or: readonly FilterCondition[], nth: number): Condition | undefined {
  const [one] = or
  if (or.length !== 1 || !one || !isStanding(one.field)) return undefined
  const field: FilterField = fields[one.field]
  if (!field.ops.includes(one.op) || isNegative(one.op)) return undefined
  return field.where(one.op, one.value, refusing(`filter.and.${nth}.or.0`, one.field))
}

export const hasStanding = ({ where }: CommonStanding, form: Form): Condition => has(where, form)
/** Whether so many have such a membership that looking each person up is quicker than collecting them. */
export const manyStandings = ({ where }: CommonStanding): Condition =>
  sql`((select count(*) from (select from ${standings} where ${where} limit 5001) n) > 5000)`
/** People with such a membership, one by one, who meet a condition on `p`. */
export const countStandings = ({ where }: CommonStanding, person: Condition, limit: number) =>
  sql<number>`(select count(*)::int from (select from (select s.org_id, s.person_id from ${standings} where ${where} offset 0) s
    cross join lateral (select from app.people p where p.org_id = s.org_id and p.id = s.person_id and ${person} offset 0) p limit ${sql.lit(limit)}) counted)`

// Sorting ---------------------------------------------------------------------------------------------------------------------------

/** What a person is sorted by, of one person; null without a membership that ends. */
export const termEndKey = sql`(select s.ends_on from ${standings} where ${ofPerson})`
export const withoutTermEnd: Condition = sql`not exists (select from ${standings} where ${ofPerson} and s.ends_on is not null)`

type Walk = {
  /** On `p`. */
  where: Condition
  after: readonly [key: unknown, id: unknown] | null
  descending: boolean
  limit: number
}

/** People along the ends of their memberships, as far as the caller reads them; `id` and `key`. */
export function walkByTermEnd({ where, after, descending, limit }: Walk, standing: Condition = sql`true`): RawBuilder<unknown> {
  const direction = descending ? sql`desc` : sql`asc`
  const onward = after
    ? sql`(s.ends_on, s.person_id) ${descending ? sql`<` : sql`>`} (${after[0]}::text::date, ${after[1]}::uuid)`
    : sql`s.ends_on is not null`
  // offset 0: from the memberships to their people, never the other way round.
  return sql`(select p.id, s.ends_on as key from ${standings}
    cross join lateral (select p.id from app.people p where p.org_id = s.org_id and p.id = s.person_id and ${where} offset 0) p
    where ${standing} and ${onward} order by s.ends_on ${direction}, s.person_id ${direction} limit ${sql.lit(limit)})`
}

/** The same of those with such a membership alone: first those whose membership ends, then the others. */
export function pageByTermEnd(
  standing: CommonStanding,
  { after, ...walk }: Omit<Walk, 'after'> & { after: Position | null },
): RawBuilder<unknown> {
  const { where, descending, limit } = walk
  const [value, id] = after ?? []
  const direction = descending ? sql`desc` : sql`asc`
  const onward = after && value === null ? sql`s.person_id ${descending ? sql`<` : sql`>`} ${id}::uuid` : sql`true`
  const endless = sql`(select p.id, s.ends_on as key from ${standings}
    cross join lateral (select p.id from app.people p where p.org_id = s.org_id and p.id = s.person_id and ${where} offset 0) p
    where ${standing.where} and s.ends_on is null and ${onward} order by s.person_id ${direction} limit ${sql.lit(limit)})`
  if (after && value === null) return endless
  const keyed = walkByTermEnd({ ...walk, after: after ? [value, id] : null }, standing.where)
  return sql`select * from (${keyed} union all ${endless}) both_kinds limit ${sql.lit(limit)}`
}
