import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
const made: Record<'west' | 'east' | 'foreign', { connection: string; run: string }> = {
  west: { connection: '', run: '' },
  east: { connection: '', run: '' },
  foreign: { connection: '', run: '' },
}
const of = (place: Place) => made[place === stage.west ? 'west' : place === stage.east ? 'east' : 'foreign']

beforeAll(async () => {
  stage = await setStage()
  const one = async (text: string, values: unknown[]) =>
    (await stage.admin.query<{ id: string }>(`${text} returning id`, values)).rows[0]?.id ?? ''
  for (const name of ['west', 'east', 'foreign'] as const) {
    const { orgId, chapter, person } = stage[name]
    const connection = await one(
      `insert into app.connections (org_id, connector, category, name, chapter_id, state, syncs) values ($1, 'sandbox', 'crm', $2, $3, 'connected', true)`,
      [orgId, name, chapter],
    )
    const run = await one(
      `insert into app.sync_runs (org_id, connection_id, trigger, mapping_version, state, finished_at) values ($1, $2, 'manual', 1, 'succeeded', now())`,
      [orgId, connection],
    )
    await stage.admin.query(`insert into app.connection_secrets (org_id, connection_id, name, sealed) values ($1, $2, 'token', 'sealed')`, [
      orgId,
      connection,
    ])
    await stage.admin.query(
      `insert into app.external_refs (org_id, connection_id, entity, person_id, external_id) values ($1, $2, 'person', $3, 'one')`,
      [orgId, connection, person],
    )
    await stage.admin.query(
      `insert into app.sync_changes (org_id, connection_id, run_id, direction, kind, state, entity, person_id, name) values ($1, $2, $3, 'in', 'update', 'planned', 'person', $4, 'One')`,
      [orgId, connection, run, person],
    )
    await stage.admin.query(
      `insert into app.sync_errors (org_id, connection_id, run_id, direction, row, code, message) values ($1, $2, $3, 'in', '1', 'bad_value', '')`,
      [orgId, connection, run],
    )
    made[name] = { connection, run }
  }
})
afterAll(() => stage.end())

const columns = ['west', 'east', 'foreign'] as const
/** Owners and administrators, and officers in their own chapter. */
const managed = (letters: string) =>
  expected(`
             west  east  foreign
    owner      ${letters}  ${letters}  -
    admin      ${letters}  ${letters}  -
    officer    ${letters}  -  -
    former     -  -  -
    safeguarding  -  -  -
    finance    -  -  -
    communications  -  -  -
    events     -  -  -
    leader     -  -  -
    member     -  -  -
    guest      -  -  -
    suspended  -  -  -
    stranger   -  -  ${letters}`)
const hangsOn = (place: Place) => `connection_id = '${of(place).connection}'`

describe('connections', () => {
  test('are seen, made and changed by those who manage integrations there, and deleted by nobody', async () => {
    const attempts = {
      table: 'connections',
      row: (place: Place) => `id = '${of(place).connection}'`,
      insert: ({ orgId, chapter }: Place) =>
        `(org_id, connector, category, name, chapter_id, owner_account_id) values ('${orgId}', 'sandbox', 'crm', 'New', '${chapter}', app.account_id())`,
      update: `name = 'x'`,
      remove: true as const,
    }
    expect(await tryAll(stage, attempts, columns)).toBe(managed('SIU'))
  })

  test('of e-mail and payments are seen, and no more, by who writes messages and reads finance', async () => {
    const seenAs = async (category: string, role: 'communications' | 'finance' | 'member') => {
      await stage.admin.query('update app.connections set category = $2 where id = $1', [made.east.connection, category])
      return stage.database.asActor(stage.actors[role], async (db) => {
        const count = async (table: string, key: string) =>
          (await sql.raw(`select 1 from app.${table} where ${key} = '${made.east.connection}'`).execute(db)).rows.length
        const changed = await sql`update app.connections set name = 'x' where id = ${made.east.connection}`.execute(db)
        return {
          ...{ connections: await count('connections', 'id'), runs: await count('sync_runs', 'connection_id') },
          ...{ secrets: await count('connection_secrets', 'connection_id'), changes: await count('sync_changes', 'connection_id') },
          ...{ errors: await count('sync_errors', 'connection_id'), changed: Number(changed.numAffectedRows ?? 0n) },
        }
      })
    }
    const seen = { connections: 1, runs: 1, secrets: 0, changes: 0, errors: 0, changed: 0 }
    const none = { ...seen, connections: 0, runs: 0 }
    expect(await seenAs('email', 'communications')).toEqual(seen)
    expect(await seenAs('email', 'finance')).toEqual(none)
    expect(await seenAs('payments', 'finance')).toEqual(seen)
    expect(await seenAs('payments', 'communications')).toEqual(none)
    expect(await seenAs('email', 'member')).toEqual(none)
    expect(await seenAs('crm', 'communications')).toEqual(none)
  })

  test('rights are asked once, however many connections there are', async () => {
    const { orgId, chapter } = stage.east
    await stage.admin.query(
      `insert into app.connections (org_id, connector, category, name, chapter_id) select $1, 'sandbox', 'crm', 'Many ' || n, $2 from generate_series(1, 150) n`,
      [orgId, chapter],
    )
    const pages = await stage.database.asActor(stage.actors.communications, async (db) => {
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>`
        explain (analyze, buffers, format json) select id from app.connections`.execute(db)
      return rows[0]?.['QUERY PLAN'][0].Plan['Shared Hit Blocks']
    })
    expect(pages).toBeLessThan(1_000)
    await stage.admin.query(`delete from app.connections where name like 'Many %'`)
  })

  test('nobody hands one to somebody else, and who says where data go owns it', async () => {
    const { connection } = made.west
    const owner = async () =>
      (await stage.admin.query<{ id: string | null }>('select owner_account_id as id from app.connections where id = $1', [connection]))
        .rows[0]?.id
    const as = (role: 'officer' | 'owner', set: string) =>
      stage.database.asActor(stage.actors[role], (db) =>
        sql.raw(`update app.connections set ${set} where id = '${connection}'`).execute(db),
      )
    await as('owner', 'owner_account_id = app.account_id()')
    await as('officer', `name = 'Renamed'`)
    expect(await owner()).toBe(stage.actors.owner.accountId)
    for (const set of [`settings = '{"people": 1}'`, `mapping = '[{"ours": "city"}]'`, 'settings_at = clock_timestamp()']) {
      await as('owner', 'owner_account_id = app.account_id()')
      await as('officer', set)
      expect(await owner(), set).toBe(stage.actors.officer.accountId)
    }
    await expect(as('officer', `owner_account_id = '${stage.actors.owner.accountId}'`)).rejects.toThrow('takes over a connection itself')
  })
})

describe('what hangs on a connection', () => {
  test.each([
    ['connection_secrets', `'token-2', 'sealed'`, 'name, sealed', `set_at = now()`, 'SIUD'],
    ['external_refs', `'event', null, null`, 'entity, person_id, external_id', `agreed = '{}'`, 'SUD'],
    ['sync_runs', `'manual', 1`, 'trigger, mapping_version', 'done = 1', 'SIU'],
  ])('%s are for those who manage it', async (table, values, names, update, letters) => {
    const attempts = {
      ...{ table, row: hangsOn, update, remove: true as const },
      ...(letters.includes('I')
        ? { insert: (place: Place) => `(org_id, connection_id, ${names}) values ('${place.orgId}', '${of(place).connection}', ${values})` }
        : {}),
    }
    expect(await tryAll(stage, attempts, columns)).toBe(managed(letters))
  })

  test('changes and errors are for those who manage it, changes of people whom they do not see for nobody', async () => {
    const changes = { table: 'sync_changes', row: hangsOn, update: `state = 'refused'`, remove: true as const }
    const errors = { table: 'sync_errors', row: hangsOn, update: `state = 'ignored'`, remove: true as const }
    expect(await tryAll(stage, changes, columns)).toBe(managed('SUD'))
    expect(await tryAll(stage, errors, columns)).toBe(managed('SU'))
    const { rows } = await stage.admin.query<{ id: string }>('insert into app.people (org_id, family_name) values ($1, $2) returning id', [
      stage.west.orgId,
      'Elsewhere',
    ])
    await stage.admin.query('update app.sync_changes set person_id = $2 where connection_id = $1', [made.west.connection, rows[0]?.id])
    const seen = (role: 'officer' | 'owner') =>
      stage.database.asActor(
        stage.actors[role],
        async (db) => (await sql`select 1 from app.sync_changes where connection_id = ${made.west.connection}`.execute(db)).rows.length,
      )
    await stage.admin.query(`insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, current_date - 3000)`, [
      stage.west.orgId,
      rows[0]?.id,
    ])
    expect([await seen('owner'), await seen('officer')]).toEqual([1, 0])
  })

  test('sealed secrets come only from the function that asks who manages the connection', async () => {
    const sealed = (role: 'officer' | 'communications', connection: string) =>
      stage.database.asActor(
        stage.actors[role],
        async (db) => (await sql`select name from app.connection_secrets_sealed(${connection})`.execute(db)).rows.length,
      )
    expect([
      await sealed('officer', made.west.connection),
      await sealed('officer', made.east.connection),
      await sealed('officer', made.foreign.connection),
    ]).toEqual([1, 0, 0])
    expect(await sealed('communications', made.west.connection)).toBe(0)
    await expect(
      stage.database.asActor(stage.actors.owner, (db) => sql`select sealed from app.connection_secrets`.execute(db)),
    ).rejects.toThrow('permission denied')
  })

  test('nobody but a manager or the worker says what becomes of it', async () => {
    const trouble = (role: 'officer' | 'communications', connection: string, orgId = stage.west.orgId) =>
      stage.database.asActor(stage.actors[role], (db) =>
        sql`select app.note_connection_trouble(${orgId}, ${connection}, 'degraded', null, null)`.execute(db),
      )
    await expect(trouble('communications', made.west.connection)).rejects.toThrow('not allowed')
    await expect(trouble('officer', made.east.connection)).rejects.toThrow('not allowed')
    await expect(trouble('officer', made.foreign.connection, stage.foreign.orgId)).rejects.toThrow('not allowed')
    await expect(stage.database.withoutActor((db) => sql`select app.purge_sync(${stage.west.orgId})`.execute(db))).rejects.toThrow(
      'permission denied',
    )
  })
})
