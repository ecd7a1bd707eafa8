import type { AuditEntry, AuditInput } from '@guildhall/contract/features/account'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, groupRef, orNull, personRef } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'

// `e` is the entry, `n` who made it, `p`, `c` and `g` the person, chapter and group that it is about.

const last = (column: string) => sql`app.audit_value(e.action, e.diff, ${sql.lit(column)})`

const subject = sql`case e.entity
  when 'chapters' then coalesce(c.name, ${last('name')})
  when 'groups' then coalesce(g.name, ${last('name')})
  when 'people' then p.display_name
  when 'positions' then coalesce((select s.title from app.positions s where s.id = e.entity_id), ${last('title')})
  when 'position_holders' then (select s.title || ', ' || q.name from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.chapters q on q.org_id = s.org_id and q.id = s.chapter_id where h.id = e.entity_id)
  when 'affiliations' then c.name
  when 'group_members' then g.name
  when 'record_tags' then (select t.name from app.tags t where t.id = ${last('tag_id')}::uuid)
  when 'person_tags' then (select t.name from app.tags t where t.id = ${last('tag_id')}::uuid)
  when 'tags' then coalesce((select t.name from app.tags t where t.id = e.entity_id), ${last('name')})
  when 'accounts' then (select x.name from app.account_name(e.entity_id) x)
  when 'grants' then (select r.name || ', ' || coalesce(x.name, '') from app.grants q join app.roles r on r.org_id = q.org_id and r.id = q.role_id
    left join app.account_name(q.account_id) x on true where q.id = e.entity_id)
  when 'relationships' then (select concat(t.name, ': ', coalesce(w.display_name, '…')) from app.relationships r join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id
    left join app.people w on w.org_id = r.org_id and w.id = r.to_person_id where r.id = e.entity_id)
  -- Any other record: its name as the log knew it last.
  else (select app.audit_value(r.action, r.diff, 'name') from app.audit_entries r where r.org_id = e.org_id and r.record_id = e.record_id
    and r.entity_id = e.record_id and r.diff ? 'name' order by r.seq desc limit 1)
  end`

// Keys of other records say nothing to a reader; the subject names them.
const changes = sql`(select coalesce(json_agg(d order by d.field), '[]') from app.audit_changes(e.action, e.diff) d where d.field <> 'id' and d.field not like '%\\_id')`

export const auditItem = sql<AuditEntry>`json_build_object('seq', e.seq, 'at', e.at,
  'actor', case when e.account_id is not null then json_build_object('accountId', e.account_id, 'name', coalesce(n.name, ''), 'personId', n.person_id) end,
  'actingFor', case when e.acting_for is not null then coalesce((select w.display_name from app.people w where w.org_id = e.org_id and w.id = e.acting_for), '') end,
  'action', e.action, 'entity', e.entity, 'entityId', e.entity_id, 'subject', ${subject}, 'changes', ${changes}, 'via', e.via, 'requestId', e.request_id,
  'person', ${orNull('p', personRef)}, 'chapter', ${orNull('c', chapterRef)}, 'group', ${orNull('g', groupRef)})`

/** To follow `from app.audit_entries e`, or anything else that yields `e`. */
export const auditJoins = sql`left join app.account_name(e.account_id) n on true
  left join app.people p on p.org_id = e.org_id and p.id = e.person_id
  left join app.chapters c on c.org_id = e.org_id and c.id = e.chapter_id
  left join app.groups g on g.org_id = e.org_id and g.id = e.group_id`

/** The log as far as row-level security lets the caller read it, newest first. */
export function auditList(input: z.infer<typeof AuditInput>): List<AuditEntry> {
  const { accountId, entity, entityId, personId, chapterId, groupId, recordId, action, from, until } = input
  const zone = sql`(select o.timezone from app.organisations o)`
  const where: RawBuilder<SqlBool>[] = []
  if (accountId) where.push(sql`e.account_id = ${accountId}`)
  if (entity) where.push(sql`e.entity = ${entity}`)
  if (entityId) where.push(sql`e.entity_id = ${entityId}`)
  if (personId) where.push(sql`e.person_id = ${personId}`)
  if (chapterId) where.push(sql`e.chapter_id = ${chapterId}`)
  if (groupId) where.push(sql`e.group_id = ${groupId}`)
  if (recordId) where.push(sql`e.record_id = ${recordId}`)
  if (action) where.push(sql`e.action = ${action}`)
  if (from) where.push(sql`e.at >= ${from}::date::timestamp at time zone ${zone}`)
  if (until) where.push(sql`e.at < (${until}::date + 1)::timestamp at time zone ${zone}`)
  const { cursor: _cursor, limit: _limit, ...wanted } = input
  return {
    key: ['audit', wanted],
    item: auditItem,
    from: sql`from app.audit_entries e ${auditJoins}`,
    where,
    order: [sql`e.seq`],
    descending: true,
  }
}

export async function verifyAudit(db: ActorDb): Promise<{ checked: number; firstBroken: number | null; verifiedAt: string }> {
  const { rows } = await sql<{ checked: number; firstBroken: number | null; verifiedAt: string }>`
    select v.checked, v.first_broken as "firstBroken", now() as "verifiedAt" from app.verify_audit() v`.execute(db)
  const [row] = rows
  if (!row) throw new Error('verify_audit answered nothing')
  return row
}
