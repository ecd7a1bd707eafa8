import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roles, setStage } from './stage.ts'
import type { Role, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const ids = (role: Role, query: string) =>
  stage.database.asActor(stage.actors[role], async (db) => {
    const { rows } = await sql.raw<{ id: string }>(query).execute(db)
    return rows.map(({ id }) => id).sort()
  })

// A search runs past row-level security, for its indexes, and applies the same rights by itself.
test.each(roles)('%s finds by name, address and number whom the policies show', async (role) => {
  const found = (text: string) => ids(role, `select id from app.matching_people('${text}')`)
  expect(await found('person')).toEqual(await ids(role, `select id from app.people where search like '%person%'`))
  expect(await found('child')).toEqual(await ids(role, `select id from app.people where search like '%child%'`))
  expect(await found('office@example.org')).toEqual(
    await ids(role, `select distinct person_id as id from app.person_emails where address_key = 'office@example.org'`),
  )
  expect(await found('4930123456')).toEqual(
    await ids(role, `select distinct person_id as id from app.person_phones where digits like '%4930123456%'`),
  )
})

test('what policies call becomes part of the statement', async () => {
  const { rows: called } = await stage.admin.query<{ name: string }>(
    `select 'app.' || f.proname as name from pg_proc f join pg_language l on l.oid = f.prolang and l.lanname = 'sql'
      where f.pronamespace = 'app'::regnamespace and not f.prosecdef
        and exists (select from pg_policies p where p.schemaname = 'app' and (p.qual ~ ('app\\.' || f.proname || '\\(') or p.with_check ~ ('app\\.' || f.proname || '\\(')))`,
  )
  expect(called.map(({ name }) => name).sort()).toEqual(['app.people_led', 'app.people_within', 'app.sees_contact', 'app.sees_person'])
  const { rows: tables } = await stage.admin.query<{ name: string; command: string }>(
    `select distinct tablename as name, lower(cmd) as command from pg_policies where schemaname = 'app' and 'app_access' = any (roles) and cmd in ('SELECT', 'DELETE')`,
  )
  const left: string[] = []
  for (const { name, command } of tables) {
    const statement = command === 'select' ? `select 1 from app.${name}` : `delete from app.${name}`
    const plan = await stage.database.asActor(stage.actors.member, (db) =>
      sql.raw<{ 'QUERY PLAN': string }>(`explain (verbose) ${statement}`).execute(db),
    )
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
    left.push(...called.filter((f) => text.includes(`${f.name}(`)).map((f) => `${command} ${name}: ${f.name}`))
  }
  expect(left).toEqual([])
})
