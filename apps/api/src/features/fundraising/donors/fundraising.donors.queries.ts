import { DonorSegment } from '@guildhall/contract/features/fundraising.donors'
import type { Donor, GivingSummary } from '@guildhall/contract/features/fundraising.donors'
import type { Filter } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { dateField, filterWhere, numberField } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue, FilterField } from '../../../platform/lists/filters.ts'
import { chapterRef, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { amountField } from '../../../platform/lists/money-cell.ts'
import { anybodyFound } from '../../../platform/lists/person-match.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { statement } from '../../../platform/records/statement.ts'
import { chapterField } from '../../chapters/chapters.references.public.ts'
import { moneyOf } from '../fundraising.references.queries.ts'

// In these pieces `d` is the donor, `p` the person, `h` their home chapter, `ty` and `ly` what they gave this year and last year, left joined.

const thisYear = sql`extract(year from (select app.today()))::int`
const yearOf = (alias: string, back: number) => {
  const y = (column: string) => sql.ref(`${alias}.${column}`)
  return sql`left join app.donor_years ${sql.ref(alias)} on ${y('org_id')} = d.org_id and ${y('person_id')} = d.person_id and ${y('year')} = ${thisYear} - ${sql.lit(back)}`
}
const donorsFrom = sql`from app.donors d
  join app.people p on p.org_id = d.org_id and p.id = d.person_id and p.deleted_at is null and p.lifecycle not in ('erased', 'merged')
  left join app.chapters h on h.org_id = p.org_id and h.id = p.home_chapter_id
  ${yearOf('ty', 0)} ${yearOf('ly', 1)}`

const gaveThisYear = sql`coalesce(ty.amount, 0)`
const gaveLastYear = sql`coalesce(ly.amount, 0)`
const gaveIn = (back: number) =>
  sql<SqlBool>`exists (select from app.donor_years y where y.org_id = d.org_id and y.person_id = d.person_id and y.year = ${thisYear} - ${sql.lit(back)} and y.gifts > 0)`
const isRecurring = sql<SqlBool>`exists (select from app.recurring_plans r where r.org_id = d.org_id and r.person_id = d.person_id and r.status in ('active', 'past_due'))`
const own = (amount: RawBuilder<unknown>) => moneyOf(amount, sql`d.currency`)

const donorItem = sql<Donor>`json_build_object('person', ${personRef('p')}, 'chapter', ${orNull('h', chapterRef)}, 'lifetime', ${own(sql`d.lifetime_amount`)},
  'thisYear', ${own(gaveThisYear)}, 'lastYear', ${own(gaveLastYear)}, 'gifts', d.gifts, 'firstOn', d.first_on, 'lastOn', d.last_on, 'largest', ${own(sql`d.largest_amount`)},
  'isRecurring', ${isRecurring})`

const segments: Record<DonorSegment, RawBuilder<SqlBool>> = {
  lapsed: sql`(${gaveIn(2)} and not ${gaveIn(1)} and not ${gaveIn(0)})`,
  notYet: sql`(${gaveIn(1)} and not ${gaveIn(0)})`,
  new: sql`(extract(year from d.first_on)::int = ${thisYear})`,
  recurring: isRecurring,
}
/** Somebody may be in several of them. */
const segmentField: FilterField = {
  ops: ['is', 'isNot', 'in', 'notIn'],
  where(op, value, refuse) {
    const wanted = (Array.isArray(value) ? value : [value]).map((one) => DonorSegment.safeParse(one).data)
    const asked = wanted.flatMap((one) => one ?? [])
    if (asked.length === 0 || asked.length < wanted.length) return refuse(`Choose from ${DonorSegment.options.join(', ')}.`)
    const any = sql<SqlBool>`(${sql.join(
      asked.map((one) => segments[one]),
      sql` or `,
    )})`
    return op === 'is' || op === 'in' ? any : sql`not ${any}`
  },
}

const amount = (column: RawBuilder<unknown>) => amountField(column, sql`d.currency`)
const catalogue: FilterCatalogue = {
  segment: segmentField,
  chapter: chapterField(sql`p.home_chapter_id`),
  lifetime: amount(sql`d.lifetime_amount`),
  thisYear: amount(gaveThisYear),
  lastYear: amount(gaveLastYear),
  largest: amount(sql`d.largest_amount`),
  gifts: numberField(sql`d.gifts`),
  firstOn: dateField(sql`d.first_on`),
  lastOn: dateField(sql`d.last_on`),
}

const sorts = ['lifetime', 'thisYear', 'lastOn', 'firstOn', 'largest', 'gifts', 'name'] as const
const orders: Record<(typeof sorts)[number], RawBuilder<unknown>[]> = {
  lifetime: [sql`d.lifetime_amount`, sql`d.person_id`],
  thisYear: [gaveThisYear, sql`d.person_id`],
  lastOn: [sql`d.last_on`, sql`d.person_id`],
  firstOn: [sql`d.first_on`, sql`d.person_id`],
  largest: [sql`d.largest_amount`, sql`d.person_id`],
  gifts: [sql`d.gifts`, sql`d.person_id`],
  name: [sql`p.sort_name`, sql`d.person_id`],
}

type Question = {
  campaignId?: string | undefined
  chapterId?: string | undefined
  q?: string | undefined
  filter?: Filter | undefined
  sort?: string | undefined
}

/** Whoever gives sees their own row; a list of donors is for those who see gifts. */
const seesDonors = sql<SqlBool>`((select app.everywhere('gifts.read')) or (select app.scope('gifts.read')) <> '{}')`

export function donorsList({ sort = '-lifetime', ...question }: Question): List<Donor> {
  const { by, descending } = readSort(sort, sorts, 'lifetime')
  const { campaignId, chapterId, q, filter } = question
  const filtered = filterWhere(filter, catalogue)
  const words = q?.trim()
  return {
    key: ['donors', campaignId ?? null, chapterId ?? null, words ?? '', filter ?? null, by],
    item: donorItem,
    from: donorsFrom,
    where: [
      seesDonors,
      ...(campaignId
        ? [
            sql<SqlBool>`exists (select from app.campaign_donors c where c.org_id = d.org_id and c.person_id = d.person_id and c.campaign_id = ${campaignId})`,
          ]
        : []),
      ...(chapterId
        ? [
            sql<SqlBool>`p.home_chapter_id = any (array(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}))`,
          ]
        : []),
      ...(words ? [anybodyFound(words)] : []),
      ...(filtered ? [filtered] : []),
    ],
    order: orders[by],
    descending,
  }
}

// One person ------------------------------------------------------------------------------------------------------------------------------

/** Gifts of the person that the caller sees as a donor or by gifts.read; not those they recorded for others. */
const giftsOf = (personId: string) => sql`app.gifts g where g.person_id = ${personId} and g.counted_amount > 0
  and (g.person_id = (select app.person_id()) or (select app.everywhere('gifts.read')) or g.chapter_id = any ((select app.scope('gifts.read'))::uuid[]))`
const sums = (amounts: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(json_build_object('amount', s.amount, 'currency', s.currency) order by s.currency), '[]') from (${amounts}) s)`

/** Nothing where the person is hidden, or what they give is not the caller's to see. */
export const givingQuery = (personId: string) =>
  statement(sql<{ item: GivingSummary }>`
    select json_build_object(
      'lifetime', ${sums(sql`select sum(g.counted_amount) as amount, g.currency from ${giftsOf(personId)} group by g.currency`)},
      'thisYear', ${sums(sql`select sum(g.counted_amount) as amount, g.currency from ${giftsOf(personId)} and extract(year from g.received_on) = ${thisYear} group by g.currency`)},
      'gifts', (select count(*) from ${giftsOf(personId)}),
      'firstOn', (select min(g.received_on) from ${giftsOf(personId)}),
      'lastOn', (select max(g.received_on) from ${giftsOf(personId)}),
      'largest', (select ${moneyOf(sql`g.counted_amount`, sql`g.currency`)} from ${giftsOf(personId)}
        order by g.currency <> (select o.currency from app.organisations o where o.org_id = (select app.org_id())), g.counted_amount desc, g.id limit 1),
      'pledged', ${sums(sql`select sum(l.open_amount) as amount, l.currency from app.pledges l where l.person_id = ${personId} and l.open_amount > 0 group by l.currency`)},
      'years', (select coalesce(json_agg(json_build_object('year', y.year, 'raised', y.amount) order by y.year), '[]') from (
        select extract(year from g.received_on)::int as year,
          coalesce(sum(g.counted_amount) filter (where g.currency = (select o.currency from app.organisations o where o.org_id = (select app.org_id()))), 0) as amount
        from ${giftsOf(personId)} group by 1 order by 1 desc limit 20) y)) as item
    from app.people p where p.id = ${personId} and (p.id = (select app.person_id()) or ${seesDonors})`)
