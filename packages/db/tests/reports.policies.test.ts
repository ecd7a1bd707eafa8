import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, account } of [stage.west, stage.foreign])
    await stage.admin.query(
      `with mine as (insert into app.reports (org_id, account_id, name, question) values ($1, $2, 'Mine', '{}') returning id),
         ours as (insert into app.reports (org_id, account_id, name, question, shared_with) values ($1, $2, 'Ours', '{}', 'organisation') returning id),
         places as (insert into app.report_places (org_id, account_id, report_id) select $1, $2, id from ours),
         seen as (insert into app.report_thumbnails (org_id, account_id, report_id, rows) select $1, $2, id, '[]' from ours),
         runs as (insert into app.report_runs (org_id, account_id, question) values ($1, $2, '{}')),
         s as (insert into app.report_schedules (org_id, account_id, report_id, cadence, formats, next_on) select $1, $2, id, 'daily', '{csv}', '2099-01-01' from ours returning id)
       insert into app.report_recipients (org_id, schedule_id, account_id) select $1, s.id, $2 from s`,
      [orgId, account],
    )
})
afterAll(() => stage.end())

const columns = ['west', 'foreign'] as const
/** Owners and administrators, those who read reports, and everybody else. */
const grid = (above: string, readers: string, others = '-') =>
  expected(`
             west  foreign
    owner      ${above}  -
    admin      ${above}  -
    officer    ${readers}  -
    former     ${others}  -
    safeguarding  ${others}  -
    finance    ${readers}  -
    communications  ${readers}  -
    events     ${readers}  -
    leader     ${others}  -
    member     ${others}  -
    guest      ${others}  -
    suspended  -  -
    stranger   -  ${above}`)
const ofOrg = ({ orgId }: Place) => `org_id = '${orgId}'`
const shared = ({ orgId }: Place) => `(select id from app.reports where org_id = '${orgId}' and shared_with = 'organisation' limit 1)`

describe('reports', () => {
  const reports = (sharing: 'me' | 'organisation') => ({
    table: 'reports',
    row: ({ orgId }: Place) => `org_id = '${orgId}' and shared_with = '${sharing}'`,
    insert: ({ orgId }: Place) =>
      `(org_id, account_id, name, question, shared_with) values ('${orgId}', app.account_id(), 'New', '{}', '${sharing}')`,
    update: `name = 'x'`,
    remove: true as const,
  })

  test('of somebody else are private; who reads reports saves their own', async () => {
    expect(await tryAll(stage, reports('me'), columns)).toBe(grid('I', 'I'))
  })

  test('that are shared are seen by those who read reports, and shared by owners and administrators', async () => {
    expect(await tryAll(stage, reports('organisation'), columns)).toBe(grid('SI', 'S'))
  })

  test('are starred and looked at by each for themselves', async () => {
    for (const [table, column, value] of [
      ['report_places', 'is_starred', 'true'],
      ['report_thumbnails', 'rows', `'[]'`],
    ] as const) {
      const attempts = {
        table,
        row: ofOrg,
        insert: (place: Place) =>
          `(org_id, account_id, report_id, ${column}) select '${place.orgId}', app.account_id(), x.id, ${value} from ${shared(place)} x returning 1`,
        update: `${column} = ${value}`,
      }
      expect(await tryAll(stage, attempts, columns), table).toBe(grid('I', 'I'))
    }
  })

  test('are run and mailed for who reads reports, unseen by everybody else', async () => {
    expect(
      await tryAll(
        stage,
        {
          ...{ table: 'report_runs', row: ofOrg, update: `done = 0` },
          insert: ({ orgId }) => `(org_id, account_id, question) values ('${orgId}', app.account_id(), '{}')`,
        },
        columns,
      ),
    ).toBe(grid('I', 'I'))
    expect(
      await tryAll(
        stage,
        {
          ...{ table: 'report_schedules', row: ofOrg, update: `touched_at = now()`, remove: true },
          insert: (place) =>
            `(org_id, account_id, report_id, cadence, formats, next_on) select '${place.orgId}', app.account_id(), x.id, 'daily', '{csv}', '2099-01-01' from ${shared(place)} x returning 1`,
        },
        columns,
      ),
    ).toBe(grid('I', 'I'))
    // Of a schedule that somebody does not see, nobody adds or takes away recipients.
    expect(
      await tryAll(
        stage,
        {
          ...{ table: 'report_recipients', row: ofOrg, remove: true },
          insert: (place) =>
            `(org_id, schedule_id, account_id) select '${place.orgId}', id, app.account_id() from app.report_schedules where org_id = '${place.orgId}' returning 1`,
        },
        columns,
      ),
    ).toBe(grid('-', '-'))
  })

  test('are mailed to others by who may share only, and wait for the day that the calendar names', async () => {
    const { database, actors, west } = stage
    const recipients = (role: 'owner' | 'finance', account: string) =>
      database.asActor(actors[role], async (db) => {
        const report = await db
          .insertInto('app.reports')
          .values({ org_id: west.orgId, account_id: actors[role].accountId, name: 'Own', question: '{}' })
          .returning('id')
          .executeTakeFirstOrThrow()
        const schedule = await db
          .insertInto('app.report_schedules')
          .values({
            ...{ org_id: west.orgId, account_id: actors[role].accountId, report_id: report.id },
            ...{ cadence: 'daily', formats: ['csv'], next_on: '2099-01-01' },
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await db.insertInto('app.report_recipients').values({ org_id: west.orgId, schedule_id: schedule.id, account_id: account }).execute()
      })
    await recipients('owner', west.account)
    await recipients('finance', actors.finance.accountId)
    await expect(recipients('finance', west.account)).rejects.toThrow('row-level security')
    const next = await stage.admin.query(
      `select app.report_next(c, d::date)::text as next from (values ('daily', '2026-12-31'), ('weekly', '2026-11-30'), ('weekly', '2026-12-06'), ('monthly', '2026-01-31'), ('quarterly', '2026-11-30'), ('quarterly', '2026-10-01')) v (c, d)`,
    )
    expect(next.rows.map((row: { next: string }) => row.next)).toEqual([
      ...['2027-01-01', '2026-12-07', '2026-12-07', '2026-02-01', '2027-01-01', '2027-01-01'],
    ])
  })
})
