import { sql } from 'kysely'
import { spanSource, subjectOf } from '../../platform/records/timeline-source.ts'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'

export const peopleTimelineSources: readonly TimelineSource[] = [
  {
    kinds: ['person-entered', 'status-changed'],
    kind: sql`case e.action when 'create' then 'person-entered' else 'status-changed' end`,
    from: sql`from app.audit_entries e`,
    // An index holds exactly these: the log is the only place that knows when a status was another one.
    where: sql`e.entity = 'people' and e.diff ? 'lifecycle' and e.action in ('create', 'update')`,
    person: sql`e.person_id`,
    id: sql`lpad(e.seq::text, 19, '0')`,
    when: { at: sql`e.at` },
    actor: sql`(select json_build_object('id', w.id, 'displayName', w.display_name) from app.account_name(e.account_id) n
      join app.people w on w.org_id = e.org_id and w.id = n.person_id)`,
    params: sql`case e.action when 'create' then json_build_object('via', coalesce(split_part(e.via, ':', 1), ''))
      else json_build_object('from', coalesce(e.diff -> 'lifecycle' ->> 0, ''), 'to', coalesce(e.diff -> 'lifecycle' ->> 1, '')) end`,
  },
  {
    kinds: ['tag-added'],
    from: sql`from app.person_tags x join app.tags t on t.org_id = x.org_id and t.id = x.tag_id`,
    person: sql`x.person_id`,
    id: sql`x.tag_id`,
    when: { at: sql`x.created_at` },
    subject: subjectOf(sql`t.id`, sql`t.name`),
  },
  spanSource({
    began: 'chapter-joined',
    ended: 'chapter-left',
    from: sql`from app.affiliations a join app.chapters q on q.org_id = a.org_id and q.id = a.chapter_id`,
    person: sql`a.person_id`,
    id: sql`a.id`,
    startsOn: sql`a.starts_on`,
    endsOn: sql`a.ends_on`,
    subject: subjectOf(sql`q.id`, sql`q.name`),
    params: sql`json_build_object('as', a.kind)`,
  }),
]
