import { call, refuse, until } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { command } from '../commands.ts'
import { peopleFile, prepareImport } from '../imports.ts'
import { rowOf, setStage, withClient } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { databaseUrl } from '@guildhall/db/migrate'

const migrations = ({ admin }: Stage) => rowOf<{ applied: number }>(admin, 'select count(*)::int as applied from app_private.migrations')

async function twoMigrators(stage: Stage, { check }: Run): Promise<void> {
  await withClient(stage.postgres.url, (client) => client.query('create database twins'))
  const env = { ADMIN_DATABASE_URL: databaseUrl(stage.postgres.url, 'twins'), ACTOR_KEY: stage.actorKey }
  const both = await Promise.all([1, 2, 3].map(() => command(['migrate'], env)))
  const worked = both.filter(({ output }) => /\d+ migrations applied/.test(output)).length
  const idle = both.filter(({ output }) => output.includes('there was nothing to do')).length
  check(
    'three migrators at once: one works, the others report',
    { worked, idle, codes: both.map(({ code }) => code) },
    worked === 1 && idle === 2,
  )
  const once = await withClient(env.ADMIN_DATABASE_URL, async (client) => (await client.query<{ applied: number }>('select count(*)::int as applied from app_private.migrations')).rows[0]?.applied) // prettier-ignore
  check('and every migration ran once', once, once === (await migrations(stage)).applied)
}

async function twoImporters(stage: Stage, { check, seed, size }: Run): Promise<void> {
  const file = await peopleFile(size, seed)
  const [first, second] = [await prepareImport(stage, file, 300), await prepareImport(stage, file, 300)]
  const headers = await stage.as('secretary')
  const answers = await Promise.all([first, second].map(({ id }, nth) => call(`${stage.servers[nth % 2]?.url ?? ''}/actions/imports/${id}/run`, { method: 'POST', headers }))) // prettier-ignore
  const statuses = answers.map(({ status }) => status).sort()
  check('two imports of the same file at once: one runs, the other is told', statuses, statuses.join() === '202,409')
  const winner = answers[0]?.status === 202 ? first : second
  const loser = winner === first ? second : first
  await until('the import', 300, winner.isAt('done'))
  const before = await rowOf<{ people: number }>(stage.admin, 'select count(*)::int as people from app.people where org_id = $1', [
    stage.orgId,
  ])
  refuse(await call(`${stage.servers[0]?.url ?? ''}/actions/imports/${loser.id}/run`, { method: 'POST', headers }), 202)
  await until('the second import', 300, loser.isAt('done'))
  const after = await rowOf<{ people: number }>(stage.admin, 'select count(*)::int as people from app.people where org_id = $1', [
    stage.orgId,
  ])
  const counts = (await loser.state()).counts.run ?? {}
  check('the other, run afterwards, finds nearly everybody there', counts, (counts['create'] ?? 0) <= size / 50 && after.people - before.people === (counts['create'] ?? 0)) // prettier-ignore
}

async function run(ordered: Run): Promise<void> {
  const stage = await setStage({ log: ordered.log })
  try {
    await twoMigrators(stage, ordered)
    await twoImporters(stage, ordered)
  } finally {
    await stage.stop()
  }
}

export const twoOfEverything: Case = {
  name: 'two-of-everything',
  about: 'of two migrators, schedulers and importers of the same file one acts (F26)',
  full: { kills: 0, size: 5_000 },
  run,
}
