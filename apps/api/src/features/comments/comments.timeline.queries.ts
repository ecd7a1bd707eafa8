import { sql } from 'kysely'
import { subjectOf } from '../../platform/records/timeline-source.ts'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'

/** What somebody said about a group, where the group and its discussion are the reader's to see. */
export const commentsTimelineSource: TimelineSource = {
  kinds: ['comment-written'],
  from: sql`from app.comments c join app.groups g on g.org_id = c.org_id and g.id = c.record_id`,
  where: sql`c.record_type = 'group' and c.deleted_at is null and c.hidden_at is null`,
  person: sql`c.author_id`,
  id: sql`c.id`,
  when: { at: sql`c.created_at` },
  subject: subjectOf(sql`g.id`, sql`g.name`),
}
