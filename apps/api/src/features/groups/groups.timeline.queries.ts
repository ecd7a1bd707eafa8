import { sql } from 'kysely'
import { spanSource, subjectOf } from '../../platform/records/timeline-source.ts'

export const groupsTimelineSource = spanSource({
  began: 'group-joined',
  ended: 'group-left',
  from: sql`from app.group_members m join app.groups g on g.org_id = m.org_id and g.id = m.group_id`,
  where: sql`m.status in ('active', 'removed')`,
  person: sql`m.person_id`,
  id: sql`m.id`,
  startsOn: sql`m.starts_on`,
  endsOn: sql`m.ends_on`,
  subject: subjectOf(sql`g.id`, sql`g.name`),
  params: sql`json_build_object('title', m.title)`,
})
