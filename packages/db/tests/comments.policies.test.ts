import { afterAll, beforeAll, expect, test } from 'vitest'
import { expected, rowsTouched, rowSecurity, triggerOf, tryAll, withoutGuard } from './matrix.ts'
import { setStage } from './stage.ts'
import type { Stage } from './stage.ts'

const columns = ['west', 'east', 'foreign'] as const
const nothing = `'{"type": "doc", "content": []}'`

let stage: Stage
beforeAll(async () => {
  stage = await setStage()
  for (const { orgId, group, secret, account } of columns.map((at) => stage[at]))
    for (const id of [group, secret])
      await stage.admin.query(
        `insert into app.comments (org_id, record_type, record_id, body, created_by) values ($1, 'group', $2, ${nothing}, $3)`,
        [orgId, id, account],
      )
})
afterAll(() => stage.end())

test('comments are read where the group is, changed by nobody but their author, and hidden by those who look after the group', async () => {
  const of = (group: string, update: string) =>
    tryAll(
      stage,
      { table: 'comments', row: (place) => `record_id = '${group === 'secret' ? place.secret : place.group}'`, update },
      columns,
    )
  expect(await of('open', `hidden_at = now(), hidden_reason = 'x'`)).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    SU    S     -
    former     S     S     -
    safeguarding  -     -     -
    finance    S     S     -
    communications  S     S     -
    events     S     S     -
    leader     SU    S     -
    member     S     S     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
  // What somebody said is theirs: everybody who may hide it is refused, as if there were no such right.
  expect(await of('open', `body = ${nothing}, edited_at = now()`)).toBe(
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
  expect(await of('secret', `hidden_at = now(), hidden_reason = 'x'`)).toBe(
    expected(`
             west  east  foreign
    owner      SU    SU    -
    admin      SU    SU    -
    officer    SU    -     -
    former     -     -     -
    safeguarding  -     -     -
    finance    -     -     -
    communications  -     -     -
    events     -     -     -
    leader     -     -     -
    member     -     -     -
    guest      -     -     -
    suspended  -     -     -
    stranger   -     -     SU`),
  )
})

/** A comment of somebody who is none of the cast, as what became of it left it. */
async function commented(became: string, where = stage.west.group): Promise<string> {
  const { rows } = await stage.admin.query<{ id: string }>(
    `insert into app.comments (org_id, record_type, record_id, body, created_by) values ($1, 'group', $2, ${nothing}, $3) returning id`,
    [stage.west.orgId, where, stage.west.account],
  )
  const id = rows[0]?.id ?? ''
  await stage.admin.query(`update app.comments set ${became} where id = $1`, [id])
  return id
}
const hidden = `hidden_at = now(), hidden_reason = 'x'`
const texts = (id: string) =>
  tryAll(stage, { table: 'comment_withheld', row: () => `comment_id = '${id}'`, update: `body = ${nothing}`, remove: true }, ['west'])
test('what a hidden comment says is read by those who look after the group, and what a deleted one says by nobody', async () => {
  expect(await texts(await commented(hidden))).toBe(
    expected(`
             west
    owner      S
    admin      S
    officer    S
    former     -
    safeguarding  -
    finance    -
    communications  -
    events     -
    leader     S
    member     -
    guest      -
    suspended  -
    stranger   -`),
  )
  const nobody = (await texts(await commented('deleted_at = now()'))).split('\n').slice(1)
  expect(nobody.filter((line) => !/-$/.test(line))).toEqual([])
  const { rows } = await stage.admin.query('select body from app.comments where hidden_at is not null or deleted_at is not null')
  expect(rows.every((row) => JSON.stringify(row) === '{"body":null}')).toBe(true)
})

test('the author reads their own hidden comment', async () => {
  const id = await commented(hidden)
  const read = `select from app.comment_withheld where comment_id = '${id}'`
  expect(await rowsTouched(stage, 'member', read)).toBe(0)
  for (const table of ['comments', 'comment_withheld'])
    await stage.admin.query(`update app.${table} set created_by = $2 where ${table === 'comments' ? 'id' : 'comment_id'} = $1`, [
      id,
      stage.actors.member.accountId,
    ])
  expect(await rowsTouched(stage, 'member', read)).toBe(1)
})

test('nothing is said in an archived group, and what was said there is not changed', async () => {
  const { orgId, group } = stage.west
  const me = stage.actors.member.accountId
  const add = `insert into app.comments (org_id, record_type, record_id, body, author_id, created_by)
    values ('${orgId}', 'group', '${group}', ${nothing}, (select app.person_id()), (select app.account_id()))`
  const { rows } = await stage.admin.query<{ id: string }>(
    `insert into app.comments (org_id, record_type, record_id, body, created_by) values ($1, 'group', $2, ${nothing}, $3) returning id`,
    [orgId, group, me],
  )
  const change = (set: string) => `update app.comments set ${set} where id = '${rows[0]?.id}'`
  const edit = change(`body = ${nothing}, edited_at = now()`)
  const archive = (at: string) => stage.admin.query(`update app.groups set archived_at = ${at} where id = $1`, [group])
  expect([await rowsTouched(stage, 'member', add), await rowsTouched(stage, 'member', edit)]).toEqual([1, 1])
  await archive('now()')
  try {
    for (const text of [add, edit])
      await expect(rowsTouched(stage, 'member', text)).rejects.toMatchObject({ code: '23514', constraint: 'record_closed' })
    // It can still be taken away, by its author and by those who look after the group.
    expect([await rowsTouched(stage, 'member', change('deleted_at = now()')), await rowsTouched(stage, 'leader', change(hidden))]).toEqual([
      1, 1,
    ])
    for (const [trigger, text] of [
      ['comments_open_insert', add],
      ['comments_open_update', edit],
    ] as const) {
      expect(await withoutGuard(stage, triggerOf('comments', trigger), () => rowsTouched(stage, 'member', text))).toBe(1)
    }
  } finally {
    await archive('null')
  }
})

test('control: with a guard of comments switched off, what it refuses goes through', async () => {
  const { orgId, group, secret } = stage.west
  const [isHidden, isDeleted] = [await commented(hidden), await commented('deleted_at = now()')]
  const discussion = `select from app.comments where record_id = '${secret}'`
  const text = (id: string) => `select from app.comment_withheld where comment_id = '${id}'`
  const forge = `insert into app.comments (org_id, record_type, record_id, body, created_by) values ('${orgId}', 'group', '${group}', ${nothing}, '${stage.west.account}')`
  const rewrite = `update app.comments set body = ${nothing}, edited_at = now() where created_by = '${stage.west.account}' and hidden_at is null and deleted_at is null`

  expect([
    await rowsTouched(stage, 'member', discussion),
    await withoutGuard(stage, rowSecurity('comments'), () => rowsTouched(stage, 'member', discussion)),
  ]).toEqual([0, 1])
  expect([
    await rowsTouched(stage, 'member', text(isHidden)),
    await withoutGuard(stage, rowSecurity('comment_withheld'), () => rowsTouched(stage, 'member', text(isHidden))),
  ]).toEqual([0, 1])
  expect([
    await rowsTouched(stage, 'owner', text(isDeleted)),
    await withoutGuard(stage, rowSecurity('comment_withheld'), () => rowsTouched(stage, 'owner', text(isDeleted))),
  ]).toEqual([0, 1])

  await expect(rowsTouched(stage, 'member', forge)).rejects.toMatchObject({ code: '42501' })
  expect(await withoutGuard(stage, rowSecurity('comments'), () => rowsTouched(stage, 'member', forge))).toBe(1)
  await expect(rowsTouched(stage, 'leader', rewrite)).rejects.toMatchObject({ code: '42501', constraint: 'comments_author' })
  expect(await withoutGuard(stage, triggerOf('comments', 'comments_guard'), () => rowsTouched(stage, 'leader', rewrite))).toBeGreaterThan(0)
})
