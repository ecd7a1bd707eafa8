import { sql } from 'kysely'
import { chapterOf, choice, day, differentPeople, isThere, on, record, recordOf, yesNo } from './reports.sources.queries.ts'
import type { Sources } from './reports.sources.queries.ts'

const inChapter = sql`left join app.chapters h on h.org_id = m.org_id and h.id = m.chapter_id`
const typeName = sql`(select y.name from app.membership_types y where y.org_id = m.org_id and y.id = m.type_id)`

/** What counts of a membership while somebody has set another status for some time. */
const statusOn = (today: string) => sql`case when m.override_until >= ${on(today)} then m.override_status else m.status end`

/** Terms that had begun by a day, and what they say of it: which is paid for, and until when grace lasts. */
const begun = (asOf: string) => sql`join (
    select t.org_id, t.membership_id, bool_or(t.ends_on is null or t.ends_on >= ${on(asOf)}) as covers, bool_or(t.ends_on + t.grace_days >= ${on(asOf)}) as in_grace,
      case when bool_or(t.ends_on is null) then null else max(t.ends_on) end as ends_on, min(t.starts_on) as starts_on
    from app.membership_terms t where t.status = 'settled' and t.starts_on <= ${on(asOf)} group by t.org_id, t.membership_id) b
  on b.org_id = m.org_id and b.membership_id = m.id`
const statusThen = (
  asOf: string,
) => sql`case when m.status = 'cancelled' and coalesce(m.cancelled_on, m.ends_on + 1) <= ${on(asOf)} then 'cancelled'
  when b.covers then 'active' when b.in_grace then 'grace' else 'lapsed' end`

export const membershipSources: Sources<'memberships' | 'terms'> = {
  memberships: ({ asOf, today }) => {
    // Of today, what is written counts: nobody could say so of another day once a status was set for some time.
    const status = asOf && asOf !== today ? statusThen(asOf) : statusOn(today)
    const startsOn = asOf ? sql`b.starts_on` : sql`m.starts_on`
    const endsOn = asOf ? sql`b.ends_on` : sql`m.ends_on`
    return {
      from: sql`from app.memberships m join app.people p on p.org_id = m.org_id and p.id = m.person_id ${asOf ? begun(asOf) : sql``}`,
      where: [isThere],
      id: sql`m.id`,
      chapter: sql`m.chapter_id`,
      person: sql`m.person_id`,
      day: startsOn,
      fields: {
        status: choice('memberships', 'status', status),
        type: record('membershipType', sql`m.type_id`),
        chapter: chapterOf(sql`m.chapter_id`),
        startsOn: day(startsOn),
        endsOn: day(endsOn),
        autoRenew: yesNo(sql`m.auto_renew`),
      },
      measures: { memberships: { of: 'rows' }, people: differentPeople(sql`m.person_id`) },
      joins: inChapter,
      record: recordOf({
        kind: 'membership',
        id: sql`m.id`,
        personId: sql`m.person_id`,
        name: sql`p.display_name`,
        chapter: 'h',
        detail: status,
        on: startsOn,
      }),
    }
  },
  terms: ({ currency }) => ({
    from: sql`from app.membership_terms t join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id
      join app.people p on p.org_id = m.org_id and p.id = m.person_id`,
    where: [isThere],
    id: sql`t.id`,
    chapter: sql`m.chapter_id`,
    person: sql`t.person_id`,
    day: sql`t.starts_on`,
    fields: {
      status: choice('terms', 'status', sql`t.status`),
      type: record('membershipType', sql`m.type_id`),
      chapter: chapterOf(sql`m.chapter_id`),
      startsOn: day(sql`t.starts_on`),
      endsOn: day(sql`t.ends_on`),
      settledOn: day(sql`t.settled_on`),
    },
    measures: { terms: { of: 'rows' }, price: { of: 'sum', value: sql`t.price_amount`, counts: sql`t.price_currency = ${currency}` } },
    joins: inChapter,
    record: recordOf({
      kind: 'membership',
      id: sql`m.id`,
      personId: sql`m.person_id`,
      name: sql`p.display_name`,
      chapter: 'h',
      detail: typeName,
      on: sql`t.starts_on`,
      amount: { amount: sql`t.price_amount`, currency: sql`t.price_currency` },
    }),
  }),
}
