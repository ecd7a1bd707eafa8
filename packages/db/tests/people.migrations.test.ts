import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { databaseUrl, migrate } from '../src/migrate.ts'

const all = new URL('../migrations', import.meta.url).pathname

/** An empty database as it was before a migration, and the way to bring it up to date. */
async function before(first: string) {
  const { adminUrl, prefix, actorKey } = inject('testServer')
  const database = `${prefix}_before_${first.slice(0, 14)}`
  const server = new pg.Client({ connectionString: adminUrl })
  await server.connect()
  await server.query(`create database ${pg.escapeIdentifier(database)}`).finally(() => server.end())
  const migrationsDir = await mkdtemp(join(tmpdir(), 'guildhall-migrations-'))
  for (const file of await readdir(all)) if (file < first) await copyFile(join(all, file), join(migrationsDir, file))
  await migrate({ adminUrl, database, actorKey, migrationsDir }).finally(() => rm(migrationsDir, { recursive: true }))
  const admin = new pg.Client({ connectionString: databaseUrl(adminUrl, database) })
  await admin.connect()
  return { admin, finish: () => migrate({ adminUrl, database, actorKey }) }
}

test('rows of people merged before follow, along a chain of merges', async () => {
  const { admin, finish } = await before('20261128150249')
  const one = async (text: string, values: unknown[]) => (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  const org = await one(`select app.found_organisation('m', 'm', 'm', null) as id`, [])
  const person = (name: string) => one(`insert into app.people (org_id, given_name) values ($1, $2) returning id`, [org, name])
  const [first, second, last] = [await person('First'), await person('Second'), await person('Last')]
  for (const who of [first, second])
    await admin.query(
      `insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2::uuid, $2::uuid || '@example.org', true)`,
      [org, who],
    )
  for (const [gone, stays] of [
    [first, second],
    [second, last],
  ])
    await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [gone, stays])
  await finish()
  const { rows } = await admin.query('select person_id, address, is_primary from app.person_emails order by is_primary desc')
  expect(rows).toEqual([
    { person_id: last, address: `${second}@example.org`, is_primary: true },
    { person_id: last, address: `${first}@example.org`, is_primary: false },
  ])
  await admin.end()
})

test('notes of the office move to a table of their own, and imports that could be undone still can be', async () => {
  const { admin, finish } = await before('20261123060010')
  const one = async (text: string, values: unknown[]) => (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  const org = await one(`select app.found_organisation('o', 'o', 'o', null) as id`, [])
  const person = await one(`insert into app.people (org_id, given_name) values ($1, 'Ann') returning id`, [org])
  const blank = await one(`insert into app.people (org_id, given_name) values ($1, 'Bea') returning id`, [org])
  await admin.query(
    `insert into app.person_private (org_id, person_id, gender, note) values ($1, $2, 'f', 'Call her'), ($1, $3, 'x', '')`,
    [org, person, blank],
  )
  const account = await one(`insert into app.accounts (org_id, issuer, subject, status) values ($1, 'i', 's', 'active') returning id`, [
    org,
  ])
  const file = await one(
    `insert into app.imports (org_id, kind, file_name, file_size, file_hash, file_key, format, created_by)
     values ($1, 'people', 'a.csv', 1, 'h', 'k', '{}', $2) returning id`,
    [org, account],
  )
  const key = { person_id: person }
  const lines: [outcome: string, effects: object[]][] = [
    ['update', [{ table: 'people', key: { id: person }, before: { bio: '' }, after: { bio: 'x' } }, { table: 'person_private', key, before: { gender: '', note: '' }, after: { gender: 'f', note: 'Call her' } }]],
    ['update', [{ table: 'person_private', key, before: null, after: { note: 'Call her' } }]],
    ['update', [{ table: 'person_private', key, before: { gender: '' }, after: { gender: 'f' } }]],
  ] // prettier-ignore
  for (const [line, [outcome, effects]] of lines.entries())
    await admin.query(
      `insert into app.import_rows (org_id, import_id, phase, line, step, outcome, effects) values ($1, $2, 'run', $3, $3, $4, $5)`,
      [org, file, line + 1, outcome, JSON.stringify(effects)],
    )
  const entries = async () =>
    (await admin.query(`select from app.audit_entries where org_id = $1 and entity like 'person%'`, [org])).rowCount
  const told = await entries()

  await finish()
  expect((await admin.query('select person_id, note from app.person_office_notes')).rows).toEqual([{ person_id: person, note: 'Call her' }])
  expect((await admin.query('select gender from app.person_private order by gender')).rows).toEqual([{ gender: 'f' }, { gender: 'x' }])
  expect(await entries()).toBe(told)
  const { rows } = await admin.query<{ effects: object[] }>('select effects from app.import_rows order by line')
  expect(rows.map(({ effects }) => effects)).toEqual([
    [
      { table: 'people', key: { id: person }, before: { bio: '' }, after: { bio: 'x' } },
      { table: 'person_private', key, before: { gender: '' }, after: { gender: 'f' } },
      { table: 'person_office_notes', key, before: { note: '' }, after: { note: 'Call her' } },
    ],
    [{ table: 'person_office_notes', key, before: null, after: { note: 'Call her' } }],
    [{ table: 'person_private', key, before: { gender: '' }, after: { gender: 'f' } }],
  ])
  await admin.end()
})

test('what hidden and deleted comments say moves out of sight', async () => {
  const { admin, finish } = await before('20261125035133')
  const one = async (text: string, values: unknown[]) => (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  const org = await one(`select app.found_organisation('o', 'o', 'o', null) as id`, [])
  const account = await one(`insert into app.accounts (org_id, issuer, subject, status) values ($1, 'i', 's', 'active') returning id`, [
    org,
  ])
  const group = await one(`insert into app.groups (org_id, name) values ($1, 'g') returning id`, [org])
  const doc = (text: string) => JSON.stringify({ type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] })
  for (const [text, became] of [
    ['open', {}],
    ['hidden', { hidden_at: '2026-11-01', hidden_reason: 'x' }],
    ['deleted', { deleted_at: '2026-11-01' }],
  ] as const) {
    const row = { org_id: org, record_type: 'group', record_id: group, created_by: account, body: doc(text), ...became }
    const columns = Object.keys(row)
    await admin.query(
      `insert into app.comments (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
      Object.values(row),
    )
  }
  await finish()
  const said = `#>> '{content,0,content,0,text}'`
  expect((await admin.query(`select body ${said} as said, version from app.comments order by id`)).rows).toEqual([
    { said: 'open', version: 1 },
    { said: null, version: 1 },
    { said: null, version: 1 },
  ])
  expect((await admin.query(`select body ${said} as said from app.comment_withheld order by comment_id`)).rows).toEqual([
    { said: 'hidden' },
    { said: 'deleted' },
  ])
  await admin.end()
})
