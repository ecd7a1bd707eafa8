import { setTimeout as sleep } from 'node:timers/promises'
import { memoryOf } from '@guildhall/bench/programs'
import { until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { beginDay, dayIsOver, foundMembers } from '../members.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

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
  await beginDay(stage, org)
  let killed = 0
  for (let nth = 1; nth <= kills; nth++) {
    const enough = Math.floor((size * nth) / (kills + 1))
    await until('some invoices', 600, async () => (await issued(stage, org)) >= enough || (await dayIsOver(stage)), 10)
    await sleep(random.between(0, 300))
    if (await dayIsOver(stage)) break
    log(`kill after ${await issued(stage, org)} invoices`)
    // Which of them has the job is its own affair.
    for (const worker of stage.workers) await worker.kill()
    killed += 1
    for (const worker of stage.workers) await worker.start()
  }
  await until('the renewals', 1_800, () => dayIsOver(stage), 100)
  return killed
}

async function run(ordered: Run): Promise<void> {
  const { kills, size, check, log } = ordered
  const stage = await setStage({ servers: 0, workers: 1, log })
  try {
    const org = await foundMembers(stage.admin, size, 10)
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
    await beginDay(stage, org)
    await until('the second run', 600, () => dayIsOver(stage), 100)
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
    const org = await foundMembers(stage.admin, size, 10)
    await stage.admin.query(`drop index app.membership_terms_open`)
    await stage.admin.query(
      `do $$ declare source text := pg_get_functiondef('app.run_memberships(uuid,date,uuid,int)'::regprocedure); begin
         if source !~ 'and not exists \\(select from app.membership_terms o' then raise exception 'the guard is written otherwise by now'; end if;
         execute regexp_replace(source, 'and not exists \\(select from app.membership_terms o[^)]*\\)', '');
       end $$`,
    )
    await beginDay(stage, org)
    await until('some invoices', 120, async () => (await issued(stage, org)) > 0, 5)
    const [worker] = stage.workers
    await worker?.kill()
    await worker?.start()
    await until('the renewals', 300, () => dayIsOver(stage), 100)
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
