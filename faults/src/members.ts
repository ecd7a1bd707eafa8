import type pg from 'pg'
import type { Stage } from './stage.ts'

/** An organisation whose members all have a term that costs something and ends in so many days; its id. */
export async function foundMembers(admin: pg.Pool, size: number, endsIn: number): Promise<string> {
  const client = await admin.connect()
  try {
    await client.query('begin')
    const found = await client.query<{ id: string }>(`select app.found_organisation('renewals', 'Renewals', null, null) as id`)
    const org = found.rows[0]?.id ?? ''
    // What triggers derive is not what is looked at, and would take longer than all the rest.
    await client.query('set local session_replication_role = replica')
    await client.query(`insert into app.chapters (org_id, name, code, status) values ($1, 'Root', 'R', 'active')`, [org])
    await client.query(
      `insert into app.membership_types (org_id, name, period, months, price_amount, price_currency, needs_approval, chapter_share_bps)
       values ($1, 'Full member', 'rolling', 12, 6000, 'EUR', false, 2500)`,
      [org],
    )
    await client.query(
      `insert into app.people (org_id, given_name, family_name, display_name, sort_name, search, home_chapter_id)
       select $1, 'Ann', n::text, 'Ann ' || n, n::text, n::text, c.id from generate_series(1, $2::int) n, app.chapters c where c.org_id = $1`,
      [org, size],
    )
    await client.query(
      `insert into app.person_contacts (org_id, person_id, street, city, postal_code, country)
       select org_id, id, 'Main Street 1', 'Springfield', '12345', 'US' from app.people where org_id = $1`,
      [org],
    )
    await client.query(
      `insert into app.memberships (org_id, person_id, type_id, chapter_id, status, starts_on, ends_on, grace_until, paid_on)
       select p.org_id, p.id, t.id, p.home_chapter_id, 'active', current_date + $2::int - 365, current_date + $2::int, current_date + $2::int + 30, current_date + $2::int - 365
       from app.people p join app.membership_types t on t.org_id = p.org_id where p.org_id = $1`,
      [org, endsIn],
    )
    await client.query(
      `insert into app.membership_terms (org_id, membership_id, person_id, status, period, months, starts_on, ends_on, settled_on, price_amount, price_currency, grace_days)
       select org_id, id, person_id, 'settled', 'rolling', 12, starts_on, ends_on, starts_on, 6000, 'EUR', 30 from app.memberships where org_id = $1`,
      [org],
    )
    await client.query('commit')
    await client.query('analyze')
    return org
  } finally {
    client.release()
  }
}

/** What the calendar does to memberships on a day: `run` early, `remind` by day, which charges saved cards first. */
export const beginDay = ({ admin }: Stage, org: string, does: 'run' | 'remind' = 'run') =>
  admin.query(
    `insert into pgboss.job (name, data, retry_limit, retry_delay, expire_seconds, heartbeat_seconds, dead_letter, keep_until)
     values ('memberships', jsonb_build_object('does', $2::text, 'org', $1::uuid, 'on', current_date), 50, 1, 3600, 10, 'dead', now() + interval '1 day')`,
    [org, does],
  )

export const dayIsOver = async ({ admin }: Stage) =>
  (await admin.query(`select from pgboss.job where name = 'memberships' and state < 'completed'`)).rowCount === 0
