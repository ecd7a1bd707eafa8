import { sql } from 'kysely'
import { subjectOf } from '../../platform/records/timeline-source.ts'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'

const type = sql`join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id`
const subject = subjectOf(sql`m.id`, sql`y.name`)
const byAccount = (account: string) =>
  sql`(select json_build_object('id', w.id, 'displayName', w.display_name) from app.account_name(${sql.ref(account)}) n
    join app.people w on w.org_id = m.org_id and w.id = n.person_id)`

/** One person has few of all these. */
export const membershipTimelineSources: readonly TimelineSource[] = [
  {
    kinds: ['membership-applied', 'membership-approved', 'membership-declined'],
    kind: sql`d.kind`,
    from: sql`from app.memberships m ${type} cross join lateral (values
      ('membership-applied', case when m.decided_at is not null or m.status in ('applied', 'awaiting_approval', 'withdrawn') then m.created_at end, null),
      (case when m.status = 'declined' then 'membership-declined' else 'membership-approved' end, m.decided_at, m.decided_by)) d (kind, at, by_account)`,
    person: sql`m.person_id`,
    id: sql`m.id`,
    when: { at: sql`d.at` },
    subject,
    actor: byAccount('d.by_account'),
  },
  {
    kinds: ['membership-began', 'membership-renewed'],
    kind: sql`case when t.starts_on > m.starts_on then 'membership-renewed' else 'membership-began' end`,
    from: sql`from app.membership_terms t join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id ${type}`,
    where: sql`t.status = 'settled'`,
    person: sql`t.person_id`,
    id: sql`t.id`,
    when: { day: sql`t.starts_on` },
    subject,
    params: sql`json_build_object('until', coalesce(t.ends_on::text, ''))`,
  },
  {
    kinds: ['membership-lapsed'],
    from: sql`from app.memberships m ${type}`,
    where: sql`m.status = 'lapsed'`,
    person: sql`m.person_id`,
    id: sql`m.id`,
    when: { day: sql`(m.grace_until + 1)` },
    subject,
  },
  {
    // An index holds exactly these: the log is the only place that knows the day.
    kinds: ['membership-cancelled', 'membership-paused', 'membership-resumed'],
    kind: sql`case when e.diff -> 'status' ->> 1 = 'cancelled' then 'membership-cancelled' when e.diff -> 'status' ->> 1 = 'suspended' then 'membership-paused'
      else 'membership-resumed' end`,
    from: sql`from app.audit_entries e join app.memberships m on m.org_id = e.org_id and m.id = e.entity_id ${type}`,
    where: sql`e.entity = 'memberships' and e.action = 'update' and e.diff ? 'status'
      and (e.diff -> 'status' ->> 1 in ('cancelled', 'suspended') or e.diff -> 'status' ->> 0 = 'suspended')`,
    person: sql`e.person_id`,
    id: sql`lpad(e.seq::text, 19, '0')`,
    when: { at: sql`e.at` },
    subject,
    actor: byAccount('e.account_id'),
  },
]
