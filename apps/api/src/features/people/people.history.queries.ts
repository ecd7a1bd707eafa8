import type { HistoryEntry, Lifecycle } from '@guildhall/contract/features/people'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { statement } from '../../platform/records/statement.ts'
import { unlessArchived } from './rights/people.rights.queries.ts'

type Which = { before?: number | undefined; entity?: string | undefined }

const subject = sql`case e.entity
  when 'affiliations' then (select q.name from app.chapters q where q.id = e.chapter_id)
  when 'group_members' then (select g.name from app.groups g where g.id = e.group_id)
  when 'person_tags' then (select t.name from app.tags t where t.id = app.audit_value(e.action, e.diff, 'tag_id')::uuid)
  when 'position_holders' then (select s.title || ', ' || q.name from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.chapters q on q.org_id = s.org_id and q.id = s.chapter_id where h.id = e.entity_id)
  when 'people_field_values' then (select f.label from app.fields f where f.id = e.record_id)
  when 'relationships' then (select concat(t.name, ': ', coalesce(w.display_name, '…'), ', ', coalesce(s.display_name, '…')) from app.relationships r
    join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id
    left join app.people w on w.org_id = r.org_id and w.id = r.from_person_id left join app.people s on s.org_id = r.org_id and s.id = r.to_person_id
    where r.id = e.entity_id)
  end`

// Keys of other records say nothing to a reader; the subject names them.
const named = (value: RawBuilder<unknown>) => sql`case when e.entity = 'people_field_values' then coalesce(
  (select to_jsonb(c.label) from app.field_choices c where c.field_id = e.record_id and c.id::text = ${value} #>> '{}'),
  (select to_jsonb(w.display_name) from app.fields f join app.people w on w.org_id = f.org_id and f.type = 'person' and w.id::text = ${value} #>> '{}' where f.id = e.record_id),
  ${value}) else ${value} end`
const changes = sql`(select coalesce(json_agg(json_build_object('field', d.field, 'before', ${named(sql`d.before`)}, 'after', ${named(sql`d.after`)}) order by d.field), '[]')
  from app.audit_changes(e.action, e.diff) d where d.field <> 'id' and d.field not like '%\\_id')`

/** For whom the maker of entry `e` acted, as far as the reader may see them. */
const actedFor = sql`case when e.acting_for is not null then coalesce((select w.display_name from app.people w where w.org_id = e.org_id and w.id = e.acting_for), '') end`

/** Entries about a person, newest first, as far as the caller may read them: row-level security weighs each entry's own permission. */
export const historyItems = (person: RawBuilder<unknown>, { before, entity }: Which, limit: number): RawBuilder<HistoryEntry[]> => {
  const newest = (about: RawBuilder<unknown>) => sql`(select * from app.audit_entries e where ${about}
    ${before === undefined ? sql`` : sql`and e.seq < ${before}`} ${entity === undefined ? sql`` : sql`and e.entity = ${entity}`}
    order by e.seq desc limit ${sql.lit(limit)})`
  // A relationship is about two people: the first as the person of the entry, the second as its record. Each part walks along an index of its own.
  return sql`(
  select coalesce(json_agg(x), '[]') from (
    select e.seq, e.at, case when e.account_id is not null then json_build_object('accountId', e.account_id, 'name', coalesce(n.name, ''), 'personId', n.person_id) end as actor, ${actedFor} as "actingFor",
      e.action, e.entity, e.entity_id as "entityId", ${subject} as subject, ${changes} as changes, e.via
    from (${newest(sql`e.person_id = ${person}`)} union all ${newest(sql`e.record_id = ${person} and e.entity = 'relationships'`)}) e
    left join app.account_name(e.account_id) n on true
    order by e.seq desc limit ${sql.lit(limit)}) x)`
}

export const historyQuery = (personId: string, which: Which, limit: number) =>
  statement(
    sql<{
      lifecycle: Lifecycle
      items: HistoryEntry[]
    }>`select p.lifecycle, ${historyItems(sql`p.id`, which, limit)} as items from app.people p where p.id = ${personId} and ${unlessArchived}`,
  )
