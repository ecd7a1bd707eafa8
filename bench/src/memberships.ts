import type { Stage } from './stage.ts'

/** What is asked of lists by membership and dues, and how long it may take. */
export type MembershipSubject = { what: string; path: string; limitMs: number }

/** Gives everybody a membership who has none, as a register of members would have; the demo organisation stops at 200,000. */
export async function addMemberships({ admin, orgId }: Stage, log: (line: string) => void): Promise<void> {
  const started = performance.now()
  await admin.query('begin')
  await admin.query('set local session_replication_role = replica')
  const { rowCount } = await admin.query(
    `insert into app.memberships (org_id, person_id, type_id, chapter_id, status, starts_on, ends_on, grace_until, created_at, updated_at)
     select p.org_id, p.id, (select t.id from app.membership_types t where t.org_id = p.org_id order by t.created_at, t.id limit 1), p.home_chapter_id,
       case when e.ends_on >= current_date then 'active' when e.ends_on + 30 >= current_date then 'grace' else 'lapsed' end, e.ends_on - 364, e.ends_on, e.ends_on + 30, now(), now()
     from app.people p cross join lateral (select current_date + (abs(hashtext(p.id::text)) % 500) - 135 as ends_on) e
     where p.org_id = $1 and not exists (select from app.memberships m where m.org_id = p.org_id and m.person_id = p.id)`,
    [orgId],
  )
  await admin.query('select app.refresh_standings($1)', [orgId])
  await admin.query('commit')
  await admin.query('vacuum analyze app.memberships, app.membership_standings')
  log(`${rowCount} memberships in ${Math.round((performance.now() - started) / 1_000)} s`)
}

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const all = (...conditions: object[]) => encodeURIComponent(JSON.stringify({ and: conditions.map((one) => ({ or: [one] })) }))
const status = (value: string) => ({ field: 'membershipStatus', op: 'in', value: [value] })
const lapsing = all(status('active'), { field: 'termEnd', op: 'between', value: [day(0), day(30)] })

/** The views that everybody has, and what they are filtered and sorted by. */
export const membershipSubjects: readonly MembershipSubject[] = [
  { what: 'people, first page with membership and dues', path: 'people?limit=50&columns=membership,dues', limitMs: 130 },
  { what: 'people by the end of their term', path: 'people?limit=50&columns=membership&sort=termEnd', limitMs: 150 },
  { what: 'lapsing in 30 days', path: `people?limit=50&columns=membership,dues&sort=termEnd&filter=${lapsing}`, limitMs: 250 },
  { what: 'in grace', path: `people?limit=50&columns=membership,dues&sort=termEnd&filter=${all(status('grace'))}`, limitMs: 250 },
  { what: 'lapsed', path: `people?limit=50&columns=membership,dues&sort=-termEnd&filter=${all(status('lapsed'))}`, limitMs: 250 },
  { what: 'lapsed, by name', path: `people?limit=50&columns=membership&filter=${all(status('lapsed'))}`, limitMs: 250 },
  {
    what: 'overdue dues',
    path: `people?limit=50&columns=dues&filter=${all({ field: 'dues', op: 'in', value: ['overdue'] })}`,
    limitMs: 250,
  },
]
