import { setTimeout as sleep } from 'node:timers/promises'
import type { Case, Run } from '../case.ts'
import { until } from '../calls.ts'
import { peopleFile, prepareImport } from '../imports.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

/** What an import of people writes to, and what must be there again after its undo. */
const written = [
  'people',
  'person_emails',
  'person_phones',
  'person_contacts',
  'person_external_ids',
  'person_private',
  'person_office_notes',
  'person_tags',
  'affiliations',
  'tags',
]

async function checksums({ admin, orgId }: Stage): Promise<string> {
  const sums: string[] = []
  for (const table of written) {
    const { sum } = await rowOf<{ sum: string }>(
      admin,
      `select count(*) || ' ' || coalesce(left(encode(sha256(convert_to(string_agg(x.line, e'\\n' order by x.line), 'UTF8')), 'hex'), 8), '') as sum
         from (select (to_jsonb(t) - 'version' - 'updated_at')::text as line from app.${table} t where org_id = $1) x`,
      [orgId],
    )
    sums.push(`${table} ${sum}`)
  }
  return sums.join(', ')
}

type Outcome = { people: number; numbers: number; ledger: number; lines: number; created: number; rejected: number; unexplained: number }

/** What the import left in the database; `numbers` are different member numbers, `unexplained` rejected lines without a reason. */
const outcomeOf = ({ admin, orgId }: Stage, importId: string) =>
  rowOf<Outcome>(
    admin,
    `select (select count(*)::int from app.people p where p.org_id = $1) as people,
       (select count(distinct p.member_no)::int from app.people p where p.org_id = $1) as numbers,
       count(*)::int as ledger, count(distinct r.line)::int as lines,
       (count(*) filter (where r.outcome = 'create'))::int as created, (count(*) filter (where r.outcome = 'reject'))::int as rejected,
       (count(*) filter (where r.outcome = 'reject' and r.findings = '[]'))::int as unexplained
     from app.import_rows r where r.org_id = $1 and r.import_id = $2 and r.phase = 'run'`,
    [orgId, importId],
  )

/** Kills one of the workers again and again while something runs; each is started again, as a service manager would. */
async function killWorkers({ random, kills }: Run, { workers }: Stage, isOver: () => Promise<boolean>): Promise<number> {
  let killed = 0
  while (killed < kills && !(await isOver())) {
    await sleep(random.between(300, 1200))
    const worker = workers[random.between(0, workers.length - 1)]
    if (!worker || (await isOver())) break
    await worker.kill()
    killed += 1
    await worker.start()
  }
  return killed
}

async function run(ordered: Run): Promise<void> {
  const { check, size, seed } = ordered
  const file = await peopleFile(size, seed)
  const stage = await setStage({ log: ordered.log })
  try {
    const { people: peopleBefore } = await rowOf<{ people: number }>(stage.admin, 'select count(*)::int as people from app.people where org_id = $1', [stage.orgId]) // prettier-ignore
    const before = await checksums(stage)
    const one = await prepareImport(stage, file, 600)
    const started = performance.now()
    await one.begin('run')
    const killed = await killWorkers(ordered, stage, one.isAt('done'))
    await until('the import', 900, one.isAt('done'))
    check('seconds, restarts included', Math.round((performance.now() - started) / 1000), true)
    const found = await outcomeOf(stage, one.id)
    const counts = Object.values((await one.state()).counts.run ?? {}).reduce((sum, count) => sum + count, 0)
    const isExact = (outcome: Outcome) =>
      outcome.ledger === size && outcome.lines === size && outcome.people === peopleBefore + outcome.created
    check(
      `${killed} kills: every line is in the ledger once, and every new person once`,
      found,
      isExact(found) && found.numbers <= found.people,
    )
    check('lines counted for the office', counts, counts === size)
    check('rejected lines without a reason', found.unexplained, found.unexplained === 0)

    await one.begin('undo')
    const undoKills = await killWorkers(ordered, stage, one.isAt('undone'))
    await until('the undo', 900, one.isAt('undone'))
    const after = await checksums(stage)
    check(`${undoKills} kills: undone, every table is as it was`, after, after === before)
  } finally {
    await stage.stop()
  }
  await runWithoutLedger(ordered)
}

const controlRows = 2_000

async function runWithoutLedger({ control, log, seed }: Run): Promise<void> {
  const stage = await setStage({ workers: 1, servers: 1, log })
  try {
    const one = await prepareImport(stage, await peopleFile(controlRows, seed), 300)
    await stage.workers[0]?.stop()
    await stage.admin.query('alter table app.import_rows drop constraint import_rows_pkey')
    const worker = await stage.addWorker(new URL('../controls/forgetful-worker.ts', import.meta.url))
    await one.begin('run')
    await until('the first rows', 60, async () => (await outcomeOf(stage, one.id)).ledger > 0, 10)
    await worker.kill()
    await worker.start()
    await until('the import', 300, one.isAt('done'))
    const found = await outcomeOf(stage, one.id)
    control('without the ledger a restart brings lines in twice', `${found.ledger} lines of ${controlRows}`, found.ledger > controlRows)
  } finally {
    await stage.stop()
  }
}

export const importKills: Case = {
  name: 'import',
  about: 'an import and its undo are exact although their workers are killed on the way (F2)',
  full: { kills: 20, size: 50_000 },
  run,
}
