import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId } of [stage.west, stage.foreign])
    await stage.admin.query(
      `insert into app.mail_messages (org_id, template, address, params, essential) values ($1, 'test', 'ada@example.org', '{"secret": "x"}', true)`,
      [orgId],
    )
})
afterAll(() => stage.end())

const keepersOnly = (verbs: string) =>
  expected(`
             west  foreign
    owner      ${verbs}  -
    admin      ${verbs}  -
    officer    -  -
    former     -  -
    safeguarding  -  -
    finance    -  -
    communications  -  -
    events     -  -
    leader     -  -
    member     -  -
    guest      -  -
    suspended  -  -
    stranger   -  ${verbs}`)

test('mail is read by those who keep the accounts, and written through functions only', async () => {
  const attempts = {
    table: 'mail_messages',
    row: ({ orgId }: Place) => `org_id = '${orgId}'`,
    insert: ({ orgId }: Place) => `(org_id, template, address, essential) values ('${orgId}', 'test', 'b@example.org', true)`,
    update: `state = 'sent'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(keepersOnly('S'))
})

test('what a mail says is nobody’s but its recipient’s', async () => {
  await expect(
    stage.database.asActor(stage.actors.owner, (db) => sql`select params from app.mail_messages`.execute(db)),
  ).rejects.toMatchObject({
    code: '42501',
  })
})

test('who wants no mail is nobody’s to read or change', async () => {
  await stage.admin.query(
    `insert into app.mail_suppressions (org_id, address_hash, reason) select o, repeat('a', 64), 'manual' from unnest($1::uuid[]) o`,
    [[stage.west.orgId, stage.foreign.orgId]],
  )
  const attempts = {
    table: 'mail_suppressions',
    row: ({ orgId }: Place) => `org_id = '${orgId}'`,
    insert: ({ orgId }: Place) => `(org_id, address_hash, reason) values ('${orgId}', repeat('b', 64), 'manual')`,
    update: `source = 'x'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(keepersOnly('-'))
})

test('mail is sent again and cancelled by those who keep the accounts, in their organisation', async () => {
  const { rows } = await stage.admin.query<{ id: string }>('select id from app.mail_messages where org_id = $1', [stage.west.orgId])
  for (const call of ['retry_mail', 'cancel_mail']) {
    const ask = (actor: 'owner' | 'admin' | 'officer' | 'member' | 'stranger') =>
      stage.database.asActor(stage.actors[actor], async (db) => {
        const answer = await sql<{ done: boolean }>`select ${sql.raw(`app.${call}`)}(${rows[0]?.id}) as done`.execute(db)
        return answer.rows[0]?.done
      })
    for (const actor of ['officer', 'member'] as const)
      await expect(ask(actor), `${actor} ${call}`).rejects.toMatchObject({ code: '42501' })
    // Of another organisation: there is no such mail.
    expect(await ask('stranger')).toBe(false)
    expect(await ask('admin')).toBe(call === 'cancel_mail')
    expect(await ask('owner')).toBe(false)
  }
})

test('sending is the worker’s: requests can neither claim nor settle mail, nor write it for another organisation', async () => {
  for (const call of [
    `app.claim_mail(10, '1 minute', 0, 0)`,
    `app.hand_mail('${stage.west.orgId}', '${stage.west.orgId}', 1, '1 minute')`,
    `app.settle_mail('${stage.west.orgId}', '${stage.west.orgId}', 1, 'sent', '', '', '1 minute', false)`,
    `app.queue_mail_for('${stage.foreign.orgId}', '{}')`,
    `app.hold_mail(now())`,
  ])
    await expect(
      stage.database.asActor(stage.actors.owner, (db) => sql`select ${sql.raw(call)}`.execute(db)),
      call,
    ).rejects.toMatchObject({ code: '42501' })
})
