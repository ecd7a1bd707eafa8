import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { mayWith } from '../../../platform/lists/people-rights.ts'
import {
  aboutPerson,
  chapterOf,
  choice,
  day,
  dayIn,
  differentPeople,
  heldOn,
  isThere,
  number,
  on,
  peopleFrom,
  peopleJoins,
  personRecord,
  record,
  several,
  words,
  yesNo,
} from './reports.sources.queries.ts'
import type { Sources } from './reports.sources.queries.ts'

const chapterOfRow = sql`left join app.chapters h on h.org_id = a.org_id and h.id = a.chapter_id`
const agedOn = (today: string) => sql`case when v.birth_date is not null then case
  when v.birth_date > ${on(today)} - interval '18 years' then 'under18' when v.birth_date > ${on(today)} - interval '26 years' then '18to25'
  when v.birth_date > ${on(today)} - interval '36 years' then '26to35' when v.birth_date > ${on(today)} - interval '51 years' then '36to50'
  when v.birth_date > ${on(today)} - interval '66 years' then '51to65' else 'over65' end end`
/** Accounts are for administrators, who see all of them. */
const seesAccounts = sql`(select app.everywhere('account.manage'))`

export const peopleSources: Sources<'people' | 'affiliations' | 'offices' | 'groupMembers'> = {
  people: ({ today }) => ({
    // Age and country stand in tables with policies of their own: whom the reader does not see there is unknown.
    from: sql`${peopleFrom} left join app.person_private v on v.org_id = p.org_id and v.person_id = p.id
      left join app.person_contacts k on k.org_id = p.org_id and k.person_id = p.id`,
    where: [isThere],
    id: sql`p.id`,
    chapter: sql`p.home_chapter_id`,
    person: sql`p.id`,
    day: sql`p.joined_on`,
    fields: {
      lifecycle: choice('people', 'lifecycle', sql`p.lifecycle`),
      chapter: chapterOf(sql`p.home_chapter_id`),
      joinedOn: day(sql`p.joined_on`),
      graduationYear: number(sql`p.grad_year`),
      ageGroup: choice('people', 'ageGroup', agedOn(today)),
      country: words(sql`k.country`),
      language: words(sql`p.language`),
      hasEmail: yesNo(
        sql<SqlBool>`(case when exists (select from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id) then true
          when ${mayWith('people.contact')} then false end)`,
      ),
      hasAccount: yesNo(
        sql<SqlBool>`(case when ${seesAccounts} then exists (select from app.accounts c where c.org_id = p.org_id and c.person_id = p.id) end)`,
      ),
      tag: several({
        of: 'tag',
        join: sql`left join app.person_tags g on g.org_id = p.org_id and g.person_id = p.id`,
        column: sql`g.tag_id`,
        has: (which) => sql`exists (select from app.person_tags y where y.org_id = p.org_id and y.person_id = p.id and ${which})`,
        within: sql`y.tag_id`,
      }),
    },
    measures: { people: { of: 'rows' } },
    joins: peopleJoins,
    record: personRecord,
  }),
  affiliations: ({ asOf }) => ({
    from: sql`from app.affiliations a join app.people p on p.org_id = a.org_id and p.id = a.person_id`,
    where: [isThere, ...(asOf ? [heldOn('a', asOf)] : [])],
    id: sql`a.id`,
    chapter: sql`a.chapter_id`,
    person: sql`a.person_id`,
    day: sql`a.starts_on`,
    fields: {
      kind: choice('affiliations', 'kind', sql`a.kind`),
      chapter: chapterOf(sql`a.chapter_id`),
      isPrimary: yesNo(sql`a.is_primary`),
      startedOn: day(sql`a.starts_on`),
      endedOn: day(sql`a.ends_on`),
    },
    measures: { affiliations: { of: 'rows' }, people: differentPeople(sql`a.person_id`) },
    joins: chapterOfRow,
    record: aboutPerson(sql`a.person_id`, { detail: sql`a.kind`, on: sql`a.starts_on` }),
  }),
  offices: ({ asOf }) => ({
    from: sql`from app.position_holders o join app.positions a on a.org_id = o.org_id and a.id = o.position_id
      join app.people p on p.org_id = o.org_id and p.id = o.person_id`,
    where: [isThere, ...(asOf ? [heldOn('o', asOf)] : [])],
    id: sql`o.id`,
    chapter: sql`a.chapter_id`,
    person: sql`o.person_id`,
    day: sql`o.starts_on`,
    fields: {
      position: words(sql`a.title`),
      chapter: chapterOf(sql`a.chapter_id`),
      startsOn: day(sql`o.starts_on`),
      endsOn: day(sql`o.ends_on`),
    },
    measures: { terms: { of: 'rows' }, people: differentPeople(sql`o.person_id`) },
    joins: chapterOfRow,
    record: aboutPerson(sql`o.person_id`, { detail: sql`a.title`, on: sql`o.starts_on` }),
  }),
  groupMembers: ({ timezone }) => ({
    from: sql`from app.group_members o join app.groups a on a.org_id = o.org_id and a.id = o.group_id
      join app.people p on p.org_id = o.org_id and p.id = o.person_id`,
    where: [isThere],
    id: sql`o.id`,
    chapter: sql`a.chapter_id`,
    person: sql`o.person_id`,
    day: joinedOn(timezone),
    fields: {
      group: record('group', sql`o.group_id`),
      kind: choice('groupMembers', 'kind', sql`a.kind`),
      role: choice('groupMembers', 'role', sql`o.role`),
      status: choice('groupMembers', 'status', sql`o.status`),
      chapter: chapterOf(sql`a.chapter_id`),
      joinedOn: day(joinedOn(timezone)),
    },
    measures: { members: { of: 'rows' }, people: differentPeople(sql`o.person_id`) },
    joins: chapterOfRow,
    record: aboutPerson(sql`o.person_id`, { detail: sql`a.name`, on: joinedOn(timezone) }),
  }),
}

function joinedOn(timezone: string) {
  return sql`coalesce(o.starts_on, ${dayIn(sql`o.created_at`, timezone)})`
}
