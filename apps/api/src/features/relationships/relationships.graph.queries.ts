import type { ManagedPerson, RelationshipGraph } from '@guildhall/contract/features/relationships'
import { sql } from 'kysely'
import { chapterRef, orNull } from '../../platform/lists/json-refs.ts'
import { statement } from '../../platform/records/statement.ts'

/** People that a small picture shows at most. */
const graphSize = 60

const isActive = sql`(r.state = 'active' and coalesce(r.starts_on, '-infinity') <= (select app.today()) and coalesce(r.ends_on, 'infinity') >= (select app.today()))`
const shown = sql`r.state in ('active', 'ended')`

/** Those around one person, the nearest first and among them active relationships before ended ones; no row where the person is hidden. */
export const graphQuery = (personId: string) =>
  statement(sql<{ graph: RelationshipGraph }>`
    with near (id, step, is_active) as (
      select x.id, 1, bool_or(x.is_active) from (
        select r.to_person_id as id, ${isActive} as is_active from app.relationships r where r.from_person_id = ${personId} and ${shown}
        union all select r.from_person_id, ${isActive} from app.relationships r where r.to_person_id = ${personId} and ${shown}) x
      group by x.id order by 3 desc, 1 limit ${sql.lit(graphSize + 1)}),
    far (id, step, is_active) as (
      select x.id, 2, bool_or(x.is_active) from near n cross join lateral (
        (select r.to_person_id as id, ${isActive} as is_active from app.relationships r where r.from_person_id = n.id and ${shown} limit ${sql.lit(graphSize + 1)})
        union all (select r.from_person_id, ${isActive} from app.relationships r where r.to_person_id = n.id and ${shown} limit ${sql.lit(graphSize + 1)})) x
      where x.id <> ${personId} and x.id not in (select n.id from near n)
      group by x.id order by 3 desc, 1 limit ${sql.lit(graphSize + 1)}),
    around as (select * from near union all select * from far),
    people as (
      select p.id, p.display_name, p.picture_id, 0 as step, true as is_active from app.people p where p.id = ${personId}
      union all
      select a.id, coalesce(p.display_name, n.display_name), coalesce(p.picture_id, n.picture_id), a.step, a.is_active
      from around a left join app.people p on p.id = a.id left join lateral (select * from app.related_names(array[a.id]) where p.id is null) n on true
      where p.id is not null or n.person_id is not null
      order by step, is_active desc, id limit ${sql.lit(graphSize)})
    select json_build_object(
      'people', (select json_agg(json_build_object('person', json_build_object('id', p.id, 'displayName', p.display_name, 'pictureId', p.picture_id), 'isCentre', p.step = 0)
        order by p.step, p.display_name, p.id) from people p),
      'links', (select coalesce(json_agg(json_build_object('relationshipId', r.id, 'fromPersonId', r.from_person_id, 'toPersonId', r.to_person_id, 'typeId', r.type_id,
          'label', t.forward_label, 'isActive', ${isActive}) order by r.id), '[]')
        from app.relationships r join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id
        where ${shown} and r.from_person_id in (select p.id from people p) and r.to_person_id in (select p.id from people p)),
      'isCut', (select count(*) from around) >= ${sql.lit(graphSize)}) as graph
    where exists (select from app.people p where p.id = ${personId})`)

/** For whom the caller acts, or whose record they see. */
export const familyQuery = statement(sql<{ item: ManagedPerson }>`
  select json_build_object('person', json_build_object('id', p.id, 'displayName', p.display_name, 'pictureId', p.picture_id), 'chapter', ${orNull('c', chapterRef)},
    'relationshipId', f.relationship_id, 'label', f.label, 'grants', f.grants, 'birthDate', f.birth_date, 'lapsesOn', f.lapses_on, 'hasAccount', f.has_account) as item
  from app.my_family() f join app.people p on p.id = f.person_id
  left join app.chapters c on c.org_id = p.org_id and c.id = p.home_chapter_id
  order by p.sort_name, p.id, f.relationship_id limit 50`)
