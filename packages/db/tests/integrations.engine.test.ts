import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
const connections = { west: '', east: '', foreign: '' }
const of = (place: Place) => connections[place === stage.west ? 'west' : place === stage.east ? 'east' : 'foreign']

beforeAll(async () => {
  stage = await setStage()
  for (const name of ['west', 'east', 'foreign'] as const) {
    const { orgId, chapter } = stage[name]
    const { rows } = await stage.admin.query<{ id: string }>(
      `insert into app.connections (org_id, connector, category, name, chapter_id, state, syncs) values ($1, 'sandbox', 'crm', $2, $3, 'connected', true) returning id`,
      [orgId, name, chapter],
    )
    connections[name] = rows[0]?.id ?? ''
    await stage.admin.query(`insert into app.sandbox_records (org_id, connection_id, external_id, held) values ($1, $2, 'one', '{}')`, [
      orgId,
      connections[name],
    ])
  }
})
afterAll(() => stage.end())

const columns = ['west', 'east', 'foreign'] as const
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

test('what the sandbox holds is for those who manage the connection', async () => {
  const attempts = {
    table: 'sandbox_records',
    row: (place: Place) => `connection_id = '${of(place)}'`,
    insert: (place: Place) =>
      `(org_id, connection_id, external_id, held, is_gone) values ('${place.orgId}', '${of(place)}', 'two', '{}', false)`,
    update: `held = '{}'`,
    remove: true as const,
  }
  expect(await tryAll(stage, attempts, columns)).toBe(managed('SIU'))
})

test('runs by the clock are begun by a worker alone', async () => {
  await expect(stage.database.asActor(stage.actors.owner, (db) => sql`select app.start_due_syncs(1)`.execute(db))).rejects.toThrow(
    'permission denied',
  )
})
