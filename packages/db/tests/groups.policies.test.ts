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
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
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
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
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
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
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
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
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

  const asLeader = (text: string) =>
    stage.database.asActor(stage.actors.leader, async (db) => (await sql.raw(text).execute(db)).numAffectedRows)
  const former = async (status: string, startsOn: string | null, endsOn: string | null) => {
    const { orgId, group } = stage.west
    const { rows } = await stage.admin.query<{ id: string }>(
      `with p as (insert into app.people (org_id, given_name) values ($1, 'Former') returning id)
       insert into app.group_members (org_id, group_id, person_id, status, starts_on, ends_on) select $1, $2, p.id, $3, $4, $5 from p returning id`,
      [orgId, group, status, startsOn, endsOn],
    )
    return rows[0]?.id ?? ''
  }
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

  test('who left are invited, not opened again', async () => {
    const change = (id: string, set: string) => asLeader(`update app.group_members set ${set} where id = '${id}'`)
    const ended = await former('active', '2020-01-01', '2021-01-01')
    const today = await former('active', '2020-01-01', day(0))
    const soon = await former('active', day(3), day(3))
    const removed = await former('removed', '2020-01-01', '2021-01-01')
    const declined = await former('declined', null, '2021-01-01')
    const withdrawn = await former('requested', null, '2021-01-01')
    for (const [id, set] of [
      [ended, 'ends_on = null'],
      [ended, `ends_on = '${day(9)}'`],
      [ended, `starts_on = '${day(0)}', ends_on = null`],
      [ended, `status = 'requested', ends_on = null`],
      [today, 'ends_on = null'],
      [soon, 'ends_on = null'],
      [removed, `status = 'active', ends_on = null`],
      [declined, `status = 'requested', ends_on = null`],
      [withdrawn, 'ends_on = null'],
      [withdrawn, `status = 'active', ends_on = null`],
    ] as const) {
      await expect(change(id, set), set).rejects.toThrow('invite this person')
    }
    expect(await change(ended, `starts_on = '2019-01-01', title = 'Chair'`)).toBe(1n)
    expect(await change(removed, `status = 'invited', starts_on = null, ends_on = null`)).toBe(1n)
  })

  test('who run still, or who asked themselves, are prolonged and let in', async () => {
    const change = (id: string, set: string) => asLeader(`update app.group_members set ${set} where id = '${id}'`)
    expect(await change(await former('active', '2020-01-01', day(9)), 'ends_on = null')).toBe(1n)
    expect(await change(await former('active', '2020-01-01', null), `starts_on = '2019-01-01', role = 'moderator'`)).toBe(1n)
    expect(await change(await former('requested', null, null), `status = 'active', starts_on = '${day(0)}'`)).toBe(1n)
  })

  test('are not said to have asked by those who would let them in', async () => {
    const { orgId, group } = stage.west
    const { blank } = stage.east
    await expect(
      asLeader(
        `insert into app.group_members (org_id, group_id, person_id, status) values ('${orgId}', '${group}', '${blank}', 'requested')`,
      ),
    ).rejects.toThrow('invite this person')
    const invited = await former('invited', null, null)
    await expect(asLeader(`update app.group_members set status = 'requested' where id = '${invited}'`)).rejects.toThrow(
      'invite this person',
    )
  })

  test('are not led by an officer who made themselves leader of people out of reach', async () => {
    const { orgId, chapter } = stage.west
    const { rows } = await stage.admin.query<{ id: string }>(
      `insert into app.groups (org_id, chapter_id, name) values ($1, $2, 'Shared') returning id`,
      [orgId, chapter],
    )
    const group = rows[0]?.id ?? ''
    const asOfficer = (text: string) =>
      stage.database.asActor(stage.actors.officer, async (db) => (await sql.raw(text).execute(db)).numAffectedRows)
    const lead = (role: string) =>
      asOfficer(`insert into app.group_members (org_id, group_id, person_id, role) values ('${orgId}', '${group}', ${me}, '${role}')`)
    await stage.admin.query('insert into app.group_members (org_id, group_id, person_id) values ($1, $2, $3)', [
      orgId,
      group,
      stage.east.person,
    ])
    await expect(lead('leader')).rejects.toThrow('makes themselves leader')
    expect(await lead('member')).toBe(1n)
    const promote = () => asOfficer(`update app.group_members set role = 'leader' where group_id = '${group}' and person_id = ${me}`)
    await expect(promote()).rejects.toThrow('makes themselves leader')
    await stage.admin.query('update app.group_members set ends_on = current_date where group_id = $1 and person_id = $2', [
      group,
      stage.east.person,
    ])
    expect(await promote()).toBe(1n)
  })
})

describe('the place of a group', () => {
  const attempt = (role: 'leader' | 'officer' | 'admin', group: string, set: string) =>
    stage.database.asActor(
      stage.actors[role],
      async (db) => (await sql.raw(`update app.groups set ${set} where id = '${group}'`).execute(db)).numAffectedRows,
    )
  const subgroup = async (chapter: string | null) => {
    const { rows } = await stage.admin.query<{ id: string }>(
      `insert into app.groups (org_id, chapter_id, name, visibility) values ($1, $2, 'Moving', 'private') returning id`,
      [stage.west.orgId, chapter],
    )
    const id = rows[0]?.id ?? ''
    await stage.admin.query(
      `insert into app.group_members (org_id, group_id, person_id, role) select $1, $2, person_id, 'leader' from app.accounts where id = $3`,
      [stage.west.orgId, id, stage.actors.leader.accountId],
    )
    return id
  }

  test('is not for its leaders', async () => {
    const { west, east } = stage
    const group = await subgroup(west.chapter)
    for (const set of [
      `chapter_id = '${east.chapter}'`,
      'chapter_id = null',
      `parent_id = '${west.group}'`,
      `code = 'mine'`,
      `visibility = 'members'`,
      `visibility = 'public'`,
    ]) {
      await expect(attempt('leader', group, set), set).rejects.toThrow('Ask an officer there')
    }
    expect(await attempt('leader', group, `name = 'Renamed', description = 'Ours', join_policy = 'invite', visibility = 'secret'`)).toBe(1n)
    expect(await attempt('leader', await subgroup(null), `website = 'https://example.org', capacity = 5`)).toBe(1n)
    await expect(attempt('leader', await subgroup(null), `visibility = 'public'`)).rejects.toThrow('Ask an officer there')
  })

  test('is for those who manage groups where it was and where it comes to', async () => {
    const { west, east } = stage
    const group = await subgroup(west.chapter)
    expect(
      await attempt('officer', group, `chapter_id = '${west.leaf}', code = 'moved', visibility = 'members', parent_id = '${west.group}'`),
    ).toBe(1n)
    await expect(attempt('officer', group, `parent_id = '${east.group}'`)).rejects.toThrow('do not manage the parent group')
    await expect(attempt('officer', group, `chapter_id = '${east.chapter}'`)).rejects.toThrow()
    await expect(attempt('officer', group, 'chapter_id = null')).rejects.toThrow()
    await expect(
      stage.database.asActor(stage.actors.officer, (db) =>
        db
          .insertInto('app.groups')
          .values({ org_id: west.orgId, chapter_id: west.chapter, parent_id: east.group, name: 'Below theirs' })
          .execute(),
      ),
    ).rejects.toThrow('do not manage the parent group')
    expect(await attempt('admin', group, `chapter_id = null, parent_id = '${east.group}', visibility = 'public'`)).toBe(1n)
    // What its parent does, happens to it.
    await stage.admin.query('update app.groups set parent_id = $2 where id = $1', [group, west.secret])
    expect(
      await stage.database.asActor(stage.actors.officer, (db) => db.deleteFrom('app.groups').where('id', '=', west.secret).execute()),
    ).toHaveLength(1)
  })
})
