import { sql } from 'kysely'
import { subjectOf } from '../../platform/records/timeline-source.ts'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'

/** Who came to an event, for those who see the registration and the event. */
export const eventsTimelineSource: TimelineSource = {
  kinds: ['event-attended'],
  from: sql`from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id`,
  where: sql`r.status = 'checked_in'`,
  person: sql`r.person_id`,
  id: sql`r.id`,
  when: { at: sql`r.checked_in_at` },
  subject: subjectOf(sql`e.id`, sql`e.title`),
}
