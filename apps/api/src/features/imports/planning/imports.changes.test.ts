import type { Import, ImportKind, ImportRow } from '@guildhall/contract/features/imports'
import { describe, expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { ended, test, uploadFile, waitFor } from '../imports.testing.ts'

const none = { create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 }

async function rowsOf(client: Client, importId: string, query: string): Promise<ImportRow[]> {
  const { status, text, body } = await client.get(`/data/imports/${importId}/rows?${query}`)
  expect(status, text).toBe(200)
  return (body as { items: ImportRow[] }).items
}

async function check(client: Client, kind: ImportKind, content: string): Promise<Import> {
  const uploaded = await uploadFile(client, kind, 'list.csv', content)
  expect(uploaded.status, uploaded.text).toBe(201)
  return waitFor(client, uploaded.import.id, 'check')
}
const bringIn = async (client: Client, kind: ImportKind, content: string) => waitFor(client, (await check(client, kind, content)).id, 'run')

describe('chapters that are there', () => {
  test('the top of the organisation never changes by an import, and nothing of the file ends up below it', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const top = async () =>
      (await admin.query('select * from app.chapters where org_id = $1 and id = $2', [org.id, org.rootChapterId])).rows[0]
    const before = await top()
    const file = `code,name,parent_code,level\nUS,United States,,national\n${before.code},Mississippi,US,district\n${before.code}-01,First District,${before.code},chapter\n${before.code}-01-A,Club,${before.code}-01,club\n`
    const checked = await check(secretary, 'chapters', file)
    expect(checked.counts.check).toEqual({ ...none, create: 1, reject: 3 })
    expect(
      (await rowsOf(secretary, checked.id, 'phase=check&outcome=reject')).map(({ line, findings: [one] }) => [line, one?.code]),
    ).toEqual([
      [3, 'root_chapter'],
      [4, 'parent_rejected'],
      [5, 'parent_rejected'],
    ])
    expect((await waitFor(secretary, checked.id, 'run')).counts.run).toEqual({ ...none, create: 1, reject: 3 })
    expect(await top()).toEqual(before)

    const same = await check(secretary, 'chapters', `code,name,level\n${before.code},${before.name},${before.level}\nN,New,\n`)
    expect(same.counts.check).toEqual({ ...none, create: 1, unchanged: 1 })
  })

  test('a new name, parent or level waits until someone accepts it, with what it was, what it would be and how many people it concerns', async ({
    api,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(
      secretary,
      'chapters',
      'code,name,parent_code,level\nA,Area A,,region\nB,Area B,,region\nE,Area E,,region\nC,City,A,chapter\nD,Dale,A,chapter\n',
    )
    await bringIn(secretary, 'people', 'member_no,name,chapter_code\n1,Ann Lee,C\n2,Bob Ray,C\n')

    const file = 'code,name,parent_code,level,city\nC,Town,E,club,Ulm\nD,Dale,A,chapter,Bonn\nB,Area Two,,region,\nN,New,C,club,\n'
    const checked = await check(secretary, 'chapters', file)
    expect(checked).toMatchObject({ counts: { check: { ...none, update: 1, skip: 2, reject: 1 } }, waiting: 2 })
    expect(checked.changes.check).toEqual(
      expect.arrayContaining([
        { kind: 'name:change', rows: 2 },
        { kind: 'parentCode:change', rows: 1 },
        { kind: 'city:add', rows: 2 },
      ]),
    )
    const [first, second] = await rowsOf(secretary, checked.id, 'phase=check&waiting=true')
    expect(first).toMatchObject({
      line: 2,
      name: 'City',
      outcome: 'skip',
      accepted: false,
      findings: [{ level: 'warning', code: 'not_accepted', message: 'This changes the chapter City, with 2 people in it and below.' }],
    })
    expect(first?.changes).toEqual([
      { field: 'name', how: 'change', before: 'City', after: 'Town', hidden: false },
      { field: 'parentCode', how: 'change', before: 'Area A', after: 'Area E', hidden: false },
      { field: 'level', how: 'change', before: 'chapter', after: 'club', hidden: false },
      { field: 'city', how: 'add', before: null, after: 'Ulm', hidden: false },
    ])
    expect(second).toMatchObject({ line: 4, name: 'Area B', accepted: false })

    // Without a word these rows stay out, and what would go below them too.
    const again = await check(secretary, 'chapters', `${file} `)
    const left = await waitFor(secretary, again.id, 'run')
    expect(left.counts.run).toEqual({ ...none, update: 1, skip: 2, reject: 1 })
    expect((await rowsOf(secretary, left.id, 'outcome=skip'))[0]?.findings[0]?.message).toContain('was not accepted')

    const accepted = await secretary.post(`/actions/imports/${checked.id}/accept`, { lines: [2] })
    expect(accepted.status, accepted.text).toBe(200)
    // The row below it is looked at again.
    expect(await ended(secretary, checked.id)).toMatchObject({
      status: 'checked',
      counts: { check: { ...none, create: 1, update: 2, skip: 1 } },
      waiting: 1,
    })
    const done = await waitFor(secretary, checked.id, 'run')
    expect(done.counts.run).toEqual({ ...none, create: 1, update: 1, unchanged: 1, skip: 1 })
    const names = ((await secretary.get('/data/chapters?limit=50')).body as { items: { name: string }[] }).items.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['Town', 'Area B', 'New']))
    expect(names).not.toContain('Area Two')
    expect((await secretary.post(`/actions/imports/${done.id}/accept`)).status).toBe(409)
  })

  test('what was accepted holds only as long as the chapter is as it was shown', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(secretary, 'chapters', 'code,name\nA,Alpha\nB,Beta\n')
    // Below one that the same file makes, which has no id yet.
    const checked = await check(secretary, 'chapters', 'code,name,parent_code\nA,Able,P\nB,Baker,P\nP,Parent,\n')
    expect((await rowsOf(secretary, checked.id, 'phase=check&waiting=true')).map(({ changes }) => changes.at(-1)?.after)).toEqual([
      'P',
      'P',
    ])
    expect((await secretary.post(`/actions/imports/${checked.id}/accept`)).body).toMatchObject({
      waiting: 0,
      counts: { check: { update: 2, create: 1, skip: 0 } },
    })
    await admin.query(`update app.chapters set name = 'Between' where org_id = $1 and code = 'A'`, [org.id])
    const done = await waitFor(secretary, checked.id, 'run')
    expect(done.counts.run).toEqual({ ...none, create: 1, update: 1, skip: 1 })
    expect(
      (await admin.query(`select name from app.chapters where org_id = $1 and code in ('A', 'B') order by code`, [org.id])).rows,
    ).toEqual([{ name: 'Between' }, { name: 'Baker' }])
  })
})

describe('who and what', () => {
  test('check, report and undo name the person and every field, and rows are found by kind of change, name and number', async ({
    api,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(
      secretary,
      'people',
      'member_no,first_name,last_name,city,email\n1,Ann,Lee,Rome,ann@example.org\n2,Zoë,Ray,,\n3,Cat,Orr,Ulm,\n',
    )
    const file =
      'member_no,first_name,last_name,city,email,birthday,tag,twitter\n1,Ann,Leigh,Rome,lee@example.org,1990-04-03,Gold,annlee\n2,Zoë,Ray,Bonn,zoe@example.org,,Gold,\n3,Cat,Orr,Ulm,,,,\n4,Dan,Fox,,,,,\nX,,,,,,,\n'
    const checked = await check(secretary, 'people', file)
    expect(checked.counts.check).toEqual({ ...none, create: 1, update: 2, unchanged: 1, reject: 1 })
    const kinds = [
      { kind: 'email:add', rows: 2 },
      { kind: 'tag:add', rows: 2 },
      { kind: 'birthDate:add', rows: 1 },
      { kind: 'city:add', rows: 1 },
      { kind: 'familyName:change', rows: 1 },
      { kind: 'link:add', rows: 1 },
    ]
    expect(checked.changes).toEqual({ check: kinds, run: null, undo: null })
    const ann = [
      { field: 'familyName', how: 'change', before: 'Lee', after: 'Leigh', hidden: false },
      { field: 'email', how: 'add', before: null, after: 'lee@example.org', hidden: false },
      { field: 'link:twitter', how: 'add', before: null, after: 'annlee', hidden: false },
      { field: 'birthDate', how: 'add', before: null, after: '1990-04-03', hidden: false },
      { field: 'tag', how: 'add', before: null, after: 'Gold', hidden: false },
    ]
    const of = async (phase: string, query: string) =>
      (await rowsOf(secretary, checked.id, `phase=${phase}&${query}`)).map(({ line, name }) => [line, name])
    for (const phase of ['check', 'run']) {
      if (phase === 'run') expect((await waitFor(secretary, checked.id, 'run')).changes.run).toEqual(kinds)
      expect(await rowsOf(secretary, checked.id, `phase=${phase}&kind=familyName:change`)).toMatchObject([
        { line: 2, name: 'Ann Lee', outcome: 'update', changes: ann },
      ])
      expect(await of(phase, '')).toEqual([
        [2, 'Ann Lee'],
        [3, 'Zoë Ray'],
        [4, 'Cat Orr'],
        [5, 'Dan Fox'],
        [6, 'X'],
      ])
      expect(await of(phase, 'q=zoe')).toEqual([[3, 'Zoë Ray']])
      expect(await of(phase, 'q=5')).toEqual([[5, 'Dan Fox']])
      expect(await of(phase, 'kind=email:add&outcome=update')).toHaveLength(2)
    }
    const undone = await waitFor(secretary, checked.id, 'undo')
    expect(undone.changes.undo).toEqual(
      expect.arrayContaining([
        { kind: 'email:remove', rows: 2 },
        { kind: 'familyName:change', rows: 1 },
      ]),
    )
    const [row] = await rowsOf(secretary, checked.id, 'phase=undo&q=lee')
    expect(row).toMatchObject({ name: 'Ann Lee', outcome: 'restored' })
    expect(row?.changes).toContainEqual({ field: 'familyName', how: 'change', before: 'Leigh', after: 'Lee', hidden: false })
    expect(row?.changes).toContainEqual({ field: 'email', how: 'remove', before: 'lee@example.org', after: null, hidden: false })
  })

  test('offices and memberships are named by the person and where; private values are held back from those who may not see them', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const chief = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(chief, 'chapters', 'code,name\nA,Area\n')
    await bringIn(chief, 'people', 'member_no,name,chapter_code\n1,Ann Lee,A\n')
    await bringIn(chief, 'groups', 'code,name\nG,Board\n')
    const office = await check(chief, 'positions', 'member_no,title,chapter_code,starts_on\n1,Chair,A,2026-01-01\n9,Chair,A,2026-01-01\n')
    expect((await rowsOf(chief, office.id, 'phase=check')).map(({ name }) => name)).toEqual(['Ann Lee · Chair · Area', '9 · Chair · Area'])
    const seat = await check(chief, 'group_members', 'group_code,member_no\nG,1\n')
    expect((await rowsOf(chief, seat.id, 'phase=check')).map(({ name }) => name)).toEqual(['Ann Lee · Board'])

    const checked = await check(chief, 'people', 'member_no,name,birthday,email\n1,Ann Lee,1990-04-03,ann@example.org\n')
    // A role that sees every import, and neither birth dates nor addresses.
    const role = await admin.query<{ id: string }>(
      `insert into app.roles (org_id, key, name) values ($1, 'importer', 'Importer') returning id`,
      [org.id],
    )
    await admin.query(`insert into app.role_permissions (org_id, role_id, permission) select $1, $2, unnest($3::text[])`, [
      org.id,
      role.rows[0]?.id,
      ['people.import', 'people.directory'],
    ])
    const importer = api.as(await person({ org, grants: [{ role: 'importer' }], chapterId: null }))
    const [row] = await rowsOf(importer, checked.id, 'phase=check')
    expect(row).toMatchObject({ name: 'Ann Lee', outcome: 'update' })
    expect(row?.changes).toEqual([
      { field: 'email', how: 'add', before: null, after: null, hidden: true },
      { field: 'birthDate', how: 'add', before: null, after: null, hidden: true },
    ])
  })
})
