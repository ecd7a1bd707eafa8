import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, tryAll } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
})
afterAll(() => stage.end())

const columns = ['west', 'east', 'foreign'] as const
const me = (org: string) => `'${org}'::uuid`

test('people are seen by members, changed by officers in their part of the tree, and removed by undoing an import', async () => {
  const found = await tryAll(
    stage,
    {
      table: 'people',
      row: ({ person }) => `id = '${person}'`,
      insert: ({ orgId }) => `(org_id, given_name, created_by) values (${me(orgId)}, 'New', app.account_id())`,
      update: `bio = 'x'`,
      remove: true,
    },
    columns,
  )
  // Whoever enters people in one chapter enters them in the organisation: which chapter, the affiliation says.
  expect(found).toBe(
    expected(`
             west  east  foreign
    owner      SIUD  SIUD  -
    admin      SIUD  SIUD  -
    officer    SIUD  SI    -
    former     S     S     -
    safeguarding  S     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SIUD`),
  )
})

test('a person who is entered with a chapter is entered by officers of that chapter', async () => {
  const found = await tryAll(
    stage,
    {
      table: 'people',
      row: () => 'false',
      insert: ({ orgId, chapter }) =>
        `(org_id, given_name, created_by, home_chapter_id) values (${me(orgId)}, 'New', app.account_id(), '${chapter}')`,
    },
    columns,
  )
  expect(found).toBe(
    expected(`
             west  east  foreign
    owner      I     I     -
    admin      I     I     -
    officer    I     -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     I`),
  )
})

test('minors are seen only by those who may see sensitive data there', async () => {
  expect(await tryAll(stage, { table: 'people', row: ({ minor }) => `id = '${minor}'`, update: `bio = 'x'`, remove: true }, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SUD   SUD   -
    admin      SUD   SUD   -
    officer    -     -     -
    former     -     -     -
    safeguarding  S     -     -
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

test('an address that its owner opened to members is seen by members', async () => {
  const seen = (role: 'member' | 'guest') =>
    stage.database.asActor(stage.actors[role], (db) =>
      db.selectFrom('app.person_emails').select('address').where('person_id', '=', stage.east.person).execute(),
    )
  await stage.admin.query(`update app.person_emails set visible_to = 'members' where person_id = $1`, [stage.east.person])
  expect(await seen('member')).toHaveLength(1)
  expect(await seen('guest')).toHaveLength(0)
  await stage.admin.query(`update app.person_emails set visible_to = 'officers' where person_id = $1`, [stage.east.person])
})

test('nobody reads or changes what officers note about themselves', async () => {
  await stage.admin.query(`insert into app.person_office_notes (org_id, person_id, note) values ($1, $2, 'x')`, [
    stage.west.orgId,
    stage.west.person,
  ])
  const { west, actors } = stage
  const owner = { ...actors.owner, accountId: west.account }
  const touched = await stage.database.asActor(owner, async (db) => {
    const seen = await sql`select from app.person_office_notes where person_id = ${west.person}`.execute(db)
    const changed = await sql`update app.person_office_notes set note = 'z' where person_id = ${west.person}`.execute(db)
    const removed = await sql`delete from app.person_office_notes where person_id = ${west.person}`.execute(db)
    return [seen.rows.length, Number(changed.numAffectedRows ?? 0), Number(removed.numAffectedRows ?? 0)]
  })
  expect(touched).toEqual([0, 0, 0])
})

test('one’s own ids in other systems are not there, and neither are the entries about them', async () => {
  const { west, actors, admin } = stage
  await admin.query(
    `insert into app.person_external_ids (org_id, person_id, system, external_id) select org_id, person_id, 'civicrm', 'own' from app.accounts where id = $1`,
    [actors.member.accountId],
  )
  expect(
    (await admin.query(`select from app.audit_entries where org_id = $1 and diff ->> 'external_id' = 'own'`, [west.orgId])).rowCount,
  ).toBe(1)
  const seen = await stage.database.asActor(actors.member, async (db) => {
    const rows = await sql`select from app.person_external_ids`.execute(db)
    const entries = await sql`select from app.audit_entries where entity = 'person_external_ids'`.execute(db)
    return [rows.rows.length, entries.rows.length]
  })
  expect(seen).toEqual([0, 0])
})

const rowOfTag = (which: 'tag' | 'memberTag') => (place: { tag: string; memberTag: string }) => `id = '${place[which]}'`
const carried = (which: 'tag' | 'memberTag') => (place: { person: string; tag: string; memberTag: string }) =>
  `person_id = '${place.person}' and tag_id = '${place[which]}'`

test('officers’ tags are words for whoever may change people or see what is sensitive, anywhere; officers add some', async () => {
  const attempts = {
    table: 'tags',
    row: rowOfTag('tag'),
    insert: ({ orgId }: { orgId: string }) => `(org_id, name) values (${me(orgId)}, 'Fresh')`,
    update: `color = 'red'`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(
    expected(`
             west  foreign
    owner      SIUD  -
    admin      SIUD  -
    officer    SI    -
    former     -     -
    safeguarding  S     -
    finance    -     -
    communications  -     -
    events     -     -
    leader     -     -
    member     -     -
    guest      -     -
    suspended  -     -
    stranger   -     SIUD`),
  )
})

test('members’ tags are words of the whole organisation', async () => {
  const attempts = { table: 'tags', row: rowOfTag('memberTag'), update: `audience = 'officers'`, remove: true } as const
  expect(await tryAll(stage, attempts, ['west', 'foreign'])).toBe(
    expected(`
             west  foreign
    owner      SUD   -
    admin      SUD   -
    officer    S     -
    former     S     -
    safeguarding  S     -
    finance    S     -
    communications  S     -
    events     S     -
    leader     S     -
    member     S     -
    guest      -     -
    suspended  -     -
    stranger   -     SUD`),
  )
})

test('who carries an officers’ tag is seen by those with a right over the person, and decided by officers', async () => {
  const attempts = {
    table: 'person_tags',
    row: carried('tag'),
    insert: ({ orgId, blank, tag }: { orgId: string; blank: string; tag: string }) =>
      `(org_id, person_id, tag_id) values (${me(orgId)}, '${blank}', '${tag}')`,
    remove: true,
  } as const
  expect(await tryAll(stage, attempts, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SID   SID   -
    admin      SID   SID   -
    officer    SID   -     -
    former     -     -     -
    safeguarding  S     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SID`),
  )
})

test('who carries a members’ tag is seen with the person', async () => {
  expect(await tryAll(stage, { table: 'person_tags', row: carried('memberTag'), remove: true }, columns)).toBe(
    expected(`
             west  east  foreign
    owner      SD    SD    -
    admin      SD    SD    -
    officer    SD    S     -
    former     S     S     -
    safeguarding  S     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SD`),
  )
})

test('what a bulk change did is for whoever started it alone', async () => {
  for (const { orgId, account, person } of [stage.west, stage.foreign]) {
    await stage.admin.query(
      `with j as (insert into app.job_progress (org_id, account_id, kind, title) values ($1, $2, 'bulk', 'x') returning id)
       insert into app.bulk_effects (org_id, job_id, record_id) select $1, j.id, $3 from j`,
      [orgId, account, person],
    )
  }
  const attempts = {
    table: 'bulk_effects',
    row: ({ person }: { person: string }) => `record_id = '${person}'`,
    insert: ({ orgId, blank }: { orgId: string; blank: string }) =>
      `(org_id, job_id, record_id) select j.org_id, j.id, '${blank}' from app.job_progress j where j.org_id = '${orgId}'`,
    update: `before = '{}'`,
    remove: true,
  } as const
  const found = await tryAll(stage, attempts, ['west', 'foreign'])
  expect(found).not.toMatch(/[SIUD]/)
})

test('people keep their own page, but not what the office decides', async () => {
  const change = (set: string) =>
    stage.database.asActor(stage.actors.member, async (db) => {
      const { numAffectedRows } = await sql.raw(`update app.people set ${set} where id = (select app.person_id())`).execute(db)
      return numAffectedRows
    })
  expect(await change(`bio = 'I like boats.'`)).toBe(1n)
  for (const set of [`family_name = 'Other'`, `lifecycle = 'alumni'`, `joined_on = '2000-01-01'`, 'deleted_at = now()']) {
    await expect(change(set)).rejects.toThrow('this field is kept by the office')
  }
  await expect(change(`member_no = '1'`)).rejects.toThrow('the office assigns member numbers')
})
