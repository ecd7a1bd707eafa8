import type { PeopleColumn } from '@guildhall/contract/features/people'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { duesOfPerson } from '../../finance/finance.people.public.ts'
import { givingOfPerson } from '../../fundraising/people/fundraising.people.public.ts'
import { standingOfPerson } from '../../membership/membership.people.public.ts'
import { chapterRef, groupRef, isCurrent, orNull } from '../../../platform/lists/json-refs.ts'

/** What every row of the people list shows: of `p` and its home chapter `c` alone. */
export const personColumns = sql`p.id, p.display_name as "displayName", p.given_name as "givenName", p.family_name as "familyName",
  p.preferred_name as "preferredName", p.suffix, p.member_no as "memberNo", p.lifecycle, ${orNull('c', chapterRef)} as "homeChapter",
  p.joined_on as "joinedOn", p.grad_year as "gradYear", p.employer, p.job_title as "jobTitle", p.deleted_at as "archivedAt", p.version,
  p.created_at as "createdAt", p.updated_at as "updatedAt", p.picture_id as "pictureId"`
export const homeChapterJoin = sql`left join app.chapters c on c.org_id = p.org_id and c.id = p.home_chapter_id`

const list = (rows: RawBuilder<unknown>) => sql`(select coalesce(json_agg(x), '[]') from (${rows}) x)`
const mine = (alias: string) => sql`${sql.ref(`${alias}.org_id`)} = p.org_id and ${sql.ref(`${alias}.person_id`)} = p.id`

export const tagsOf =
  list(sql`select t.id, t.name, t.color, t.audience from app.person_tags pt join app.tags t on t.org_id = pt.org_id and t.id = pt.tag_id
  where ${mine('pt')} order by t.name_key`)

/** Columns of other tables, each looked up for the rows of a page only. What the caller may not see is not there. */
export const furtherColumns: Readonly<Record<PeopleColumn, RawBuilder<unknown>>> = {
  primaryEmail: sql`(select e.address from app.person_emails e where ${mine('e')} order by e.is_primary desc, e.created_at, e.id limit 1)`,
  primaryPhone: sql`(select f.number from app.person_phones f where ${mine('f')} order by f.is_primary desc, f.created_at, f.id limit 1)`,
  city: sql`coalesce((select k.city from app.person_contacts k where ${mine('k')}), '')`,
  country: sql`coalesce((select k.country from app.person_contacts k where ${mine('k')}), '')`,
  tags: tagsOf,
  positions: list(sql`select s.id as "positionId", s.title, ${chapterRef('q')} as chapter
    from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id join app.chapters q on q.org_id = s.org_id and q.id = s.chapter_id
    where ${mine('h')} and ${isCurrent('h')} order by q.depth, s.title_key`),
  groups: list(sql`select g.id, g.name, m.title from app.group_members m join app.groups g on g.org_id = m.org_id and g.id = m.group_id
    where ${mine('m')} and m.status = 'active' and ${isCurrent('m')} and g.archived_at is null order by g.sort_name`),
  chapters:
    list(sql`select q.id, q.name, q.code, a.kind from app.affiliations a join app.chapters q on q.org_id = a.org_id and q.id = a.chapter_id
    where ${mine('a')} and ${isCurrent('a')} order by a.is_primary desc, q.name`),
  membership: standingOfPerson,
  dues: duesOfPerson,
  giving: givingOfPerson,
}

/** The person's children for the whole person: everything there is, past and future too. */
export const personChildren = {
  emails: list(sql`select e.id, e.address, e.label, e.is_primary as "isPrimary", e.visible_to as "visibleTo" from app.person_emails e
    where ${mine('e')} order by e.is_primary desc, e.created_at, e.id`),
  phones: list(sql`select f.id, f.number, f.label, f.is_primary as "isPrimary", f.visible_to as "visibleTo" from app.person_phones f
    where ${mine('f')} order by f.is_primary desc, f.created_at, f.id`),
  externalIds: list(
    sql`select x.system, x.external_id as "externalId" from app.person_external_ids x where ${mine('x')} order by x.system`,
  ),
  contact: sql`(select json_build_object('street', k.street, 'city', k.city, 'region', k.region, 'postalCode', k.postal_code, 'country', k.country,
    'website', k.website, 'links', k.links, 'visibleTo', k.visible_to) from app.person_contacts k where ${mine('k')})`,
  private: sql`(select json_build_object('birthDate', v.birth_date, 'gender', v.gender, 'deceasedOn', v.deceased_on)
    from app.person_private v where ${mine('v')})`,
  officeNote: sql`(select n.note from app.person_office_notes n where ${mine('n')})`,
  groups:
    list(sql`select m.id, ${groupRef('g')} as "group", m.role, m.title, m.side, m.rank, m.status, m.starts_on as "startsOn", m.ends_on as "endsOn",
      case when m.ends_on < (select app.today()) then 'past' when m.starts_on > (select app.today()) then 'future' else 'current' end as "when"
    from app.group_members m join app.groups g on g.org_id = m.org_id and g.id = m.group_id where ${mine('m')} order by m.ends_on desc nulls first, g.sort_name`),
}

export { list as jsonList, mine as ofPerson }
