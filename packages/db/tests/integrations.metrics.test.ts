import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, chapter, account } of [stage.west, stage.east, stage.foreign])
    await stage.admin.query(
      `with c as (insert into app.connections (org_id, connector, category, name, chapter_id, state, syncs) values ($1, 'listmonk', 'email', 'List', $2, 'connected', true) returning id),
         h as (insert into app.metric_hours (org_id, connection_id, type, hour, total, measured, least, greatest, last, last_at) select $1, id, 'records', now(), 1, 1, 1, 1, 1, now() from c),
         d as (insert into app.metric_days (org_id, connection_id, type, day, total, measured, least, greatest, last, last_at) select $1, id, 'records', current_date, 1, 1, 1, 1, 1, now() from c),
         n as (insert into app.metric_annotations (org_id, connection_id, text) select $1, id, 'Noted' from c),
         e as (insert into app.metric_annotations (org_id, connection_id, event) select $1, id, 'paused' from c)
       insert into app.metric_alerts (org_id, connection_id, account_id, type, above) select $1, id, $3, 'errors', 1 from c`,
      [orgId, chapter, account],
    )
})
afterAll(() => stage.end())

const columns = ['west', 'east', 'foreign'] as const
/** Who manages the connection, and who sees it since it sends mail. */
const grid = (manages: string, sees: string) =>
  expected(`
             west  east  foreign
    owner      ${manages}  ${manages}  -
    admin      ${manages}  ${manages}  -
    officer    ${manages}  -  -
    former     -  -  -
    safeguarding  -  -  -
    finance    -  -  -
    communications  ${sees}  ${sees}  -
    events     -  -  -
    leader     -  -  -
    member     -  -  -
    guest      -  -  -
    suspended  -  -  -
    stranger   -  -  ${manages}`)
const connection = ({ orgId, chapter }: Place) => `(select id from app.connections where org_id = '${orgId}' and chapter_id = '${chapter}')`
const ofConnection = (place: Place) => `connection_id in ${connection(place)}`

describe('metrics', () => {
  test('are seen with their connection, and written by nobody', async () => {
    for (const table of ['metric_hours', 'metric_days'])
      expect(
        await tryAll(
          stage,
          {
            ...{ table, row: ofConnection, update: 'total = 2', remove: true },
            insert: (place) =>
              `(org_id, connection_id, type, ${table === 'metric_hours' ? 'hour' : 'day'}, total, measured, least, greatest, last, last_at)
               select '${place.orgId}', id, 'errors', current_date, 1, 1, 1, 1, 1, now() from ${connection(place)} x returning 1`,
          },
          columns,
        ),
        table,
      ).toBe(grid('S', 'S'))
  })

  test('are noted on by who manages the connection; what happened stays', async () => {
    const notes = (row: string) => ({
      ...{ table: 'metric_annotations', row: (place: Place) => `${ofConnection(place)} and ${row}`, remove: true as const },
      insert: (place: Place) =>
        `(org_id, connection_id, text, account_id) select '${place.orgId}', id, 'New', app.account_id() from ${connection(place)} x returning 1`,
    })
    expect(await tryAll(stage, notes('event is null'), columns)).toBe(grid('SID', 'S'))
    expect(await tryAll(stage, notes('event is not null'), columns)).toBe(grid('SI', 'S'))
  })

  test('are watched by each for themselves, where they see the connection', async () => {
    expect(
      await tryAll(
        stage,
        {
          ...{ table: 'metric_alerts', row: ofConnection, update: 'fired_at = now()', remove: true },
          insert: (place) =>
            `(org_id, connection_id, account_id, type, above) select '${place.orgId}', id, app.account_id(), 'records', 1 from ${connection(place)} x returning 1`,
        },
        columns,
      ),
    ).toBe(grid('I', 'I'))
  })

  test('are measured by who manages the connection', async () => {
    const { database, actors, west } = stage
    const measured = async (role: 'officer' | 'communications' | 'stranger') => {
      const { rows } = await stage.admin.query<{ id: string }>('select id from app.connections where org_id = $1 and chapter_id = $2', [
        west.orgId,
        west.chapter,
      ])
      const points = JSON.stringify([{ type: 'errors', value: 1 }])
      return database
        .asActor(actors[role], (db) =>
          sql`select app.add_metric_points(${rows[0]?.id}, ${points}::jsonb), app.set_metric_points(${rows[0]?.id}, '[]')`.execute(db),
        )
        .then(() => true)
        .catch((error: unknown) => (error instanceof Error && 'code' in error ? error.code : error))
    }
    expect([await measured('officer'), await measured('communications'), await measured('stranger')]).toEqual([true, '42501', '42501'])
  })
})
