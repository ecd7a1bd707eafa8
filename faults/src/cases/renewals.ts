import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '@guildhall/bench/programs'
import type pg from 'pg'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

/** An organisation whose members all have a term that costs something and ends in ten days; its id. */
async function foundMembers(admin: pg.Pool, size: number): Promise<string> {
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
       select p.org_id, p.id, t.id, p.home_chapter_id, 'active', current_date - 355, current_date + 10, current_date + 40, current_date - 355
       from app.people p join app.membership_types t on t.org_id = p.org_id where p.org_id = $1`,
      [org],
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

const begin = ({ admin }: Stage, org: string) =>
  admin.query(
    `insert into pgboss.job (name, data, retry_limit, retry_delay, expire_seconds, heartbeat_seconds, dead_letter, keep_until)
     values ('memberships', jsonb_build_object('org', $1::uuid, 'on', current_date), 50, 1, 3600, 10, 'dead', now() + interval '1 day')`,
    [org],
  )

const isOver = async ({ admin }: Stage) =>
  (await admin.query(`select from pgboss.job where name = 'memberships' and state < 'completed'`)).rowCount === 0

const issued = async ({ admin }: Stage, org: string) =>
  (await rowOf<{ n: number }>(admin, `select coalesce(max(last_number), 0) as n from app.number_series where org_id = $1`, [org])).n

type Found = {
  open: number
  members: number
  invoices: number
  charged: number
  numbers: number
  highest: number
  total: number
  entries: number
}
const outcomeOf = ({ admin }: Stage, org: string) =>
  rowOf<Found>(
    admin,
    `select (select count(*)::int from app.membership_terms t where t.org_id = $1 and t.status = 'open') as open,
       (select count(distinct t.membership_id)::int from app.membership_terms t where t.org_id = $1 and t.status = 'open') as members,
       count(*)::int as invoices, (select count(distinct l.subject_id)::int from app.invoice_lines l where l.org_id = $1) as charged,
       count(distinct i.number_place)::int as numbers, max(i.number_place) as highest, sum(i.total_amount)::float8 as total,
       (select h.seq::int from app.audit_heads h where h.org_id = $1) as entries
     from app.invoices i where i.org_id = $1 and i.state = 'issued'`,
    [org],
  )

/** Runs to the end while workers are killed after so many invoices each; how many kills there were. */
async function renew({ random, log }: Run, stage: Stage, org: string, size: number, kills: number): Promise<number> {
  await begin(stage, org)
  let killed = 0
  for (let nth = 1; nth <= kills; nth++) {
    const enough = Math.floor((size * nth) / (kills + 1))
    await until('some invoices', 600, async () => (await issued(stage, org)) >= enough || (await isOver(stage)), 10)
    await sleep(random.between(0, 300))
    if (await isOver(stage)) break
    log(`kill after ${await issued(stage, org)} invoices`)
    // Which of them has the job is its own affair.
    for (const worker of stage.workers) await worker.kill()
    killed += 1
    for (const worker of stage.workers) await worker.start()
  }
  await until('the renewals', 1_800, () => isOver(stage), 100)
  return killed
}

async function run(ordered: Run): Promise<void> {
  const { kills, size, check, log } = ordered
  const stage = await setStage({ servers: 0, workers: 1, log })
  try {
    const org = await foundMembers(stage.admin, size)
    const pid = stage.workers[0]?.pid() ?? 0
    const before = memoryOf(pid)?.peak ?? 0
    const started = performance.now()
    const killed = await renew(ordered, stage, org, size, kills)
    const seconds = Math.round((performance.now() - started) / 1_000)
    const found = await outcomeOf(stage, org)
    const isExact = ({ open, members, invoices, charged, numbers, highest }: Found) =>
      [open, members, invoices, charged, numbers, highest].every((count) => count === size)
    check(`${killed} kills, ${size} renewals in ${seconds} s: one term, one invoice and one number each`, found, isExact(found))
    if (killed === 0) {
      const growth = Math.round((memoryOf(pid)?.peak ?? 0) - before)
      check('memory that the worker took on top, in MB', growth, growth <= 200)
    }
    await begin(stage, org)
    await until('the second run', 600, () => isOver(stage), 100)
    check(
      'a second run changes nothing',
      await outcomeOf(stage, org),
      JSON.stringify(await outcomeOf(stage, org)) === JSON.stringify(found),
    )
  } finally {
    await stage.stop()
  }
  await runWithoutLooking(ordered)
}

/** Where a portion does not look what was opened before, a worker that begins anew opens it again. */
async function runWithoutLooking({ control, log }: Run): Promise<void> {
  const size = 3_000
  const stage = await setStage({ servers: 0, workers: 1, log })
  try {
    const org = await foundMembers(stage.admin, size)
    await stage.admin.query(`drop index app.membership_terms_open`)
    await stage.admin.query(
      `do $$ declare source text := pg_get_functiondef('app.run_memberships(uuid,date,uuid,int)'::regprocedure); begin
         if source !~ 'and not exists \\(select from app.membership_terms o' then raise exception 'the guard is written otherwise by now'; end if;
         execute regexp_replace(source, 'and not exists \\(select from app.membership_terms o[^)]*\\)', '');
       end $$`,
    )
    await begin(stage, org)
    await until('some invoices', 120, async () => (await issued(stage, org)) > 0, 5)
    const [worker] = stage.workers
    await worker?.kill()
    await worker?.start()
    await until('the renewals', 300, () => isOver(stage), 100)
    const found = await outcomeOf(stage, org)
    control('without a look at what is open a restart renews twice', found, found.open > found.members)
  } finally {
    await stage.stop()
  }
}

export const renewals: Case = {
  name: 'renewals',
  about: 'a day on which everybody renews ends exactly although its workers are killed on the way',
  full: { kills: 10, size: 20_000 },
  run,
}
