import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const columns = ['west', 'east', 'foreign'] as const

describe('groups', () => {
  test('that are open to members are seen by them, run by their leaders and by officers of the chapter', async () => {
    const found = await tryAll(
      stage,
      {
        table: 'groups',
        row: ({ group }) => `id = '${group}'`,
        insert: ({ orgId, chapter }) => `(org_id, chapter_id, name) values ('${orgId}', '${chapter}', 'New')`,
        update: `description = 'x'`,
        remove: true,
      },
      columns,
    )
    expect(found).toBe(
      expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  S     -
    former     S     S     -
    guardian   -     -     -
    finance    S     S     -
    comms      S     S     -
    events     S     S     -
    leader     SU    S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
    )
  })

  test('that are secret do not exist for anybody else', async () => {
    expect(
      await tryAll(stage, { table: 'groups', row: ({ secret }) => `id = '${secret}'`, update: `description = 'x'`, remove: true }, columns),
    ).toBe(
      expected(`
             west  east  foreign
    owner      SUD   SUD   -
    admin      SUD   SUD   -
    officer    SUD   -     -
    former     -     -     -
    guardian   -     -     -
    finance    -     -     -
    comms      -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SUD`),
    )
  })

  test('show how many they are to those who see them', async () => {
    const attempts = {
      table: 'group_counts',
      row: ({ group }: Place) => `group_id = '${group}'`,
      insert: ({ orgId, secret }: Place) => `(org_id, group_id) values ('${orgId}', '${secret}')`,
      update: 'members = 99',
      remove: true,
    } as const
    expect(await tryAll(stage, attempts, columns)).toBe(
      expected(`
             west  east  foreign
    owner      S     S     -
    admin      S     S     -
    officer    S     S     -
    former     S     S     -
    guardian   -     -     -
    finance    S     S     -
    comms      S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     S`),
    )
  })
})

describe('members of a group', () => {
  test('are seen where the roster is open and kept by those who run it', async () => {
    const attempts = {
      table: 'group_members',
      row: ({ membership }: Place) => `id = '${membership}'`,
      insert: ({ orgId, group, blank }: Place) =>
        `(org_id, group_id, person_id, status) values ('${orgId}', '${group}', '${blank}', 'invited')`,
      update: `title = 'x'`,
      remove: true,
    } as const
    expect(await tryAll(stage, attempts, columns)).toBe(
      expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  S     -
    former     S     S     -
    guardian   -     -     -
    finance    S     S     -
    comms      S     S     -
    events     S     S     -
    leader     SIU   S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
    )
  })

  const asMember = (text: string) =>
    stage.database.asActor(stage.actors.member, async (db) => (await sql.raw(text).execute(db)).numAffectedRows)
  const me = '(select app.person_id())'

  test('join and leave by themselves, but give themselves nothing', async () => {
    const { orgId, group } = stage.west
    await stage.admin.query(`update app.groups set join_policy = 'open' where id = $1`, [group])
    const join = (role: string) =>
      asMember(
        `insert into app.group_members (org_id, group_id, person_id, role, status) values ('${orgId}', '${group}', ${me}, '${role}', 'active')`,
      )
    await expect(join('leader')).rejects.toThrow('row-level security')
    expect(await join('member')).toBe(1n)
    const change = (set: string) => asMember(`update app.group_members set ${set} where group_id = '${group}' and person_id = ${me}`)
    for (const set of [
      `role = 'leader', ends_on = '2999-12-31'`,
      `ends_on = '2999-12-31'`,
      `title = 'King', ends_on = current_date`,
      `rank = 1, status = 'active'`,
    ]) {
      await expect(change(set)).rejects.toThrow()
    }
    expect(await change(`status = 'removed', ends_on = app.today()`)).toBe(1n)
    await expect(change(`status = 'active', ends_on = null`)).rejects.toThrow('decided by the leaders')
  })

  test('do not let themselves in where others decide', async () => {
    const { orgId, group } = stage.east
    const ask = (status: string) =>
      asMember(`insert into app.group_members (org_id, group_id, person_id, status) values ('${orgId}', '${group}', ${me}, '${status}')`)
    await expect(ask('active')).rejects.toThrow('row-level security')
    expect(await ask('requested')).toBe(1n)
    await expect(
      asMember(`update app.group_members set status = 'active' where group_id = '${group}' and person_id = ${me}`),
    ).rejects.toThrow('decided by the leaders')
  })
})
