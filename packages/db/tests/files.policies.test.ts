import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, rowSecurity, rowsTouched, tryAll, withoutGuard } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Place, Stage } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, chapter, secret, person, account } of [stage.west, stage.east, stage.foreign])
    await stage.admin.query(
      `insert into app.files (org_id, record_type, record_id, use, name, type, bytes, created_by) values
        ($1, 'chapter', $2, 'attachment', 'A', 'text/plain', 1, $5), ($1, 'group', $3, 'attachment', 'A', 'text/plain', 1, $5), ($1, 'person', $4, 'picture', 'A', 'image/webp', 1, $5)`,
      [orgId, chapter, secret, person, account],
    )
})
afterAll(() => stage.end())

const tried = (kind: string, record: (place: Place) => string, use = 'attachment') =>
  tryAll(
    stage,
    {
      table: 'files',
      row: (place) => `record_type = '${kind}' and record_id = '${record(place)}'`,
      insert: (place) =>
        `(org_id, record_type, record_id, use, name, type, bytes, added_by, created_by) values ('${place.orgId}', '${kind}', '${record(place)}', '${use}', 'B', 'text/plain', 1, (select app.person_id()), (select app.account_id()))`,
      update: `name = 'x'`,
      remove: true,
    },
    ['west', 'east', 'foreign'],
  )

test('files of a chapter are seen by all and kept by who edits its page; nobody deletes one', async () => {
  expect(await tried('chapter', ({ chapter }) => chapter)).toBe(
    expected(`
             west  east  foreign
    owner      SIU   SIU   -
    admin      SIU   SIU   -
    officer    SIU   S     -
    former     S     S     -
    safeguarding  S     S     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     S     S     -
    member     S     S     -
    guest      S     S     -
    suspended  -     -     -
    stranger   -     -     SIU`),
  )
})

test('files of a secret group are as secret', async () => {
  const files = await tried('group', ({ secret }) => secret)
  expect(files).toMatch(/officer +SIU +- +-\n/)
  expect(files).toMatch(/member +- +- +-\n/)
})

test('nobody adds a file in the name of another, and notes of uploads are one’s own', async () => {
  const { orgId, chapter, account } = stage.west
  const as = (text: string) => tryAll(stage, { table: 'files', row: () => 'false', insert: () => text }, ['west'])
  const forged = await as(
    `(org_id, record_type, record_id, use, name, type, bytes, created_by) values ('${orgId}', 'chapter', '${chapter}', 'attachment', 'B', 'text/plain', 1, '${account}')`,
  )
  expect(forged).not.toMatch(/I/)
  const notes = await tryAll(
    stage,
    {
      table: 'loose_files',
      row: () => `created_by <> (select app.account_id())`,
      insert: () => `(org_id, file_id, created_by) values ('${orgId}', app.uuid7(), '${account}')`,
    },
    ['west'],
  )
  expect(notes).not.toMatch(/[SI]/)
})

test('the picture stands with the person as long as it is there', async () => {
  const { orgId, person } = stage.east
  const shown = async () =>
    (
      await stage.admin.query<{ id: string | null }>('select picture_id as id from app.people where org_id = $1 and id = $2', [
        orgId,
        person,
      ])
    ).rows[0]?.id
  const { rows } = await stage.admin.query<{ id: string }>(`select id from app.files where org_id = $1 and record_id = $2`, [orgId, person])
  expect(await shown()).toBe(rows[0]?.id)
  await stage.admin.query('update app.files set removed_at = now() where id = $1', [rows[0]?.id])
  expect(await shown()).toBeNull()
  await stage.admin.query('update app.files set removed_at = null where id = $1', [rows[0]?.id])
  expect(await shown()).toBe(rows[0]?.id)
  await stage.admin.query('delete from app.files where id = $1', [rows[0]?.id])
  expect(await shown()).toBeNull()
  const { rows: due } = await stage.admin.query('select from app.loose_files where file_id = $1 and due_at <= now()', [rows[0]?.id])
  expect(due).toHaveLength(1)
})

test('control: without row-level security a member reads the files of a secret group and adds one in another’s name', async () => {
  const { orgId, chapter, secret, account } = stage.west
  const read = `select from app.files where record_id = '${secret}'`
  const forge = `insert into app.files (org_id, record_type, record_id, use, name, type, bytes, created_by) values ('${orgId}', 'chapter', '${chapter}', 'attachment', 'B', 'text/plain', 1, '${account}')`
  const off = (text: string) => withoutGuard(stage, rowSecurity('files'), () => rowsTouched(stage, 'member', text))
  expect([await rowsTouched(stage, 'member', read), await off(read)]).toEqual([0, 1])
  await expect(rowsTouched(stage, 'member', forge)).rejects.toMatchObject({ code: '42501' })
  expect(await off(forge)).toBe(1)
})
