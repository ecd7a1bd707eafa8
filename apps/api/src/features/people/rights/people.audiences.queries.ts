import type { AudienceView } from '@guildhall/contract/features/people'
import type { Permission } from '@guildhall/contract/permissions'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isCurrent } from '../../../platform/lists/json-refs.ts'
import { statement } from '../../../platform/records/statement.ts'

// What members and officers in general see: the decisions are those of the policies, asked for a reader who holds what such people hold.

const allows = (role: 'member' | 'chapter-admin', permission: Permission): RawBuilder<boolean> =>
  sql`exists (select from app.roles r join app.role_permissions g on g.org_id = r.org_id and g.role_id = r.id
    where r.key = ${sql.lit(role)} and g.permission = ${sql.lit(permission)})`

/** Held in the whole organisation: membership reaches that far where the directory does. */
const everywhere = (permission: Permission) => sql<boolean>`(o.directory_reach = 'organisation' and ${allows('member', permission)})`
/** Held there or in a chapter of the person, by membership of it or by an office in it. */
const here = (permission: Permission) =>
  sql<boolean>`(${everywhere(permission)} or (x.audience <> 'elsewhere' and ${allows('member', permission)})
    or (x.audience = 'officer' and ${allows('chapter-admin', permission)}))`

const seesPerson = sql<boolean>`app.sees_person(false, coalesce(p.minor_until > (select app.today()), false),
  ${everywhere('people.sensitive')}, ${here('people.sensitive')}, ${everywhere('people.directory')}, ${here('people.directory')})`
const seesContact = (forMembers: boolean) =>
  sql<boolean>`app.sees_contact(false, ${sql.lit(forMembers)}, ${everywhere('people.contact')}, ${here('people.contact')}, false,
    ${everywhere('people.directory')})`

/** What members, and officers, of the caller's chapters and of others see of the caller; no row for an account without a person. */
export const audiencesQuery = () =>
  statement(sql<AudienceView>`select x.audience, ${seesPerson} as "seesPerson", case when ${seesPerson} then array_remove(array[
      case when ${seesContact(false)} then 'officers' end, case when ${seesContact(true)} then 'members' end], null) else '{}' end as sees
    from app.people p join app.organisations o on o.org_id = p.org_id
    cross join (values (1, 'elsewhere'), (2, 'chapter'), (3, 'officer')) x (place, audience)
    where p.id = (select app.person_id())
      and (x.audience = 'elsewhere' or exists (select from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id and ${isCurrent('a')}))
    order by x.place`)
