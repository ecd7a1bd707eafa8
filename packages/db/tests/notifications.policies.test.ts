import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, rowSecurity, rowsTouched, tryAll, withoutGuard } from './matrix.ts'
import { roles, setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, account } of [stage.west, stage.foreign]) {
    await stage.admin.query(
      `insert into app.notifications (org_id, account_id, kind, in_inbox, mail) values ($1, $2, 'group-answer', true, 'off')`,
      [orgId, account],
    )
    await stage.admin.query(
      `insert into app.notification_preferences (org_id, account_id, kind, in_inbox, mail) values ($1, $2, 'group-answer', true, 'off')`,
      [orgId, account],
    )
  }
})
afterAll(() => stage.end())

const nobody = expected(`
             west  foreign
    ${roles.map((role) => `${role} - -`).join('\n    ')}`)

test('nobody reads, writes or marks another’s notifications, administrators included', async () => {
  const attempts = {
    table: 'notifications',
    row: ({ account }: Place) => `account_id = '${account}'`,
    insert: ({ orgId, account }: Place) =>
      `(org_id, account_id, kind, in_inbox, mail) values ('${orgId}', '${account}', 'group-answer', true, 'off')`,
    update: 'read_at = now()',
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(nobody)
})

test('how somebody is told is theirs alone', async () => {
  const attempts = {
    table: 'notification_preferences',
    row: ({ account }: Place) => `account_id = '${account}'`,
    insert: ({ orgId, account }: Place) =>
      `(org_id, account_id, kind, in_inbox, mail) values ('${orgId}', '${account}', 'term-ending', true, 'off')`,
    update: `mail = 'off'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(nobody)
})

test('what somebody was told of is theirs to read and to mark, and not to change', async () => {
  const { orgId, accountId } = stage.actors.member
  await stage.admin.query(
    `insert into app.notifications (org_id, account_id, kind, in_inbox, mail) values ($1, $2, 'group-answer', true, 'off')`,
    [orgId, accountId],
  )
  const told = async (text: string) =>
    stage.database.asActor(stage.actors.member, async (db) => (await sql.raw(text).execute(db)).numAffectedRows ?? 0n)
  expect(await told('update app.notifications set read_at = now()')).toBe(1n)
  await expect(told(`update app.notifications set kind = 'other'`)).rejects.toMatchObject({ code: '42501' })
  await expect(told(`select app.queue_digests('${orgId}', 'daily', '2026-11-23')`)).rejects.toMatchObject({ code: '42501' })
})

test('control: without row-level security an administrator reads, marks and silences what is told to another', async () => {
  const { orgId, account } = stage.west
  const theirs = `org_id = '${orgId}' and account_id = '${account}'`
  for (const [table, text] of [
    ['notifications', `select from app.notifications where ${theirs}`],
    ['notifications', `update app.notifications set read_at = now() where ${theirs}`],
    ['notification_preferences', `update app.notification_preferences set mail = 'off' where ${theirs}`],
  ] as const) {
    const off = await withoutGuard(stage, rowSecurity(table), () => rowsTouched(stage, 'admin', text))
    expect([await rowsTouched(stage, 'admin', text), off]).toEqual([0, 1])
  }
})
