import { sql } from 'kysely'
import { spanSource, subjectOf } from '../../platform/records/timeline-source.ts'

export const chaptersTimelineSource = spanSource({
  began: 'office-began',
  ended: 'office-ended',
  from: sql`from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.chapters q on q.org_id = s.org_id and q.id = s.chapter_id`,
  person: sql`h.person_id`,
  id: sql`h.id`,
  startsOn: sql`h.starts_on`,
  endsOn: sql`h.ends_on`,
  subject: subjectOf(sql`q.id`, sql`q.name`),
  params: sql`json_build_object('title', s.title)`,
})
