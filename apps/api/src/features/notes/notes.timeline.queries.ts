import { sql } from 'kysely'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'

/** That something was noted, for those who may read it there. */
export const notesTimelineSource: TimelineSource = {
  kinds: ['note-written'],
  from: sql`from app.notes n`,
  where: sql`n.record_type = 'person' and n.deleted_at is null`,
  person: sql`n.record_id`,
  id: sql`n.id`,
  when: { at: sql`n.created_at` },
  actor: sql`(select json_build_object('id', w.id, 'displayName', w.display_name) from app.people w
    where w.org_id = n.org_id and w.id = n.author_id and w.deleted_at is null and w.lifecycle <> 'erased')`,
  params: sql`json_build_object('visibility', n.visibility)`,
}
