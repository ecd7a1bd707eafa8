import type { ImportRow, SavedMapping } from '@guildhall/contract/features/imports'
import iconv from 'iconv-lite'
import writeExcelFile from 'write-excel-file/node'
import { describe, expect } from 'vitest'
import { createServices } from '../../platform/services.ts'
import { dailyUpkeep } from '../../platform/jobs/upkeep.ts'
import type { Client } from '../../testing.ts'
import { bringIn, test, uploadFile, waitFor } from './imports.testing.ts'

const none = { create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 }
const people = 'member_no,first_name,last_name,email,chapter_code,member_since,party\n'

async function rowsOf(client: Client, importId: string, query: string): Promise<ImportRow[]> {
  const { body } = await client.get(`/data/imports/${importId}/rows?${query}`)
  return (body as { items: ImportRow[] }).items
}

describe('the way of a file', () => {
  test('is read, checked without writing, run, and written about in the ledger', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const code =
      (await admin.query<{ code: string }>('select code from app.chapters where id = $1', [org.rootChapterId])).rows[0]?.code ?? ''
    const content = `${people}1,Ann,Lee,ann@example.org,${code},2020-05-01,Gold\n2,Bob,Ray,no-mail,${code},,\n3,Cat,Orr,,NOWHERE,,Gold\n1,Ann,Lee,,${code},,\n`
    const { import: one } = await uploadFile(secretary, 'people', '../../members.csv', content)
    expect(one).toMatchObject({
      kind: 'people',
      fileName: 'members.csv',
      status: 'uploaded',
      format: { encoding: 'utf-8', separator: ',', headerRow: 1 },
      missing: [],
      findings: [],
    })
    expect(one.columns.map(({ target }) => target)).toEqual([
      'memberNo',
      'givenName',
      'familyName',
      'email',
      'chapterCode',
      'memberSince',
      'tag',
    ])
    expect(one.sample).toHaveLength(4)

    const checked = await waitFor(secretary, one.id, 'check')
    expect(checked).toMatchObject({
      status: 'checked',
      rowsTotal: 4,
      counts: { check: { ...none, create: 1, reject: 3 }, run: null },
      job: { status: 'done', done: 4, total: 4 },
    })
    expect((await admin.query('select count(*)::int as n from app.people where org_id = $1', [org.id])).rows[0]).toEqual({ n: 0 })
    expect(
      (await rowsOf(secretary, one.id, 'phase=check&outcome=reject')).map(({ line, findings }) => [
        line,
        findings[0]?.code,
        findings[0]?.column,
        findings[0]?.value,
      ]),
    ).toEqual([
      [3, 'not_an_email', 'email', 'no-mail'],
      [4, 'unknown_chapter_code', 'chapter_code', 'NOWHERE'],
      [5, 'duplicate_row', null, null],
    ])

    const done = await waitFor(secretary, one.id, 'run')
    expect(done).toMatchObject({
      status: 'done',
      counts: { run: { ...none, create: 1, reject: 3 } },
      tag: { name: expect.stringContaining('Import ') },
    })
    const [row] = await rowsOf(secretary, one.id, 'outcome=create')
    const found = await secretary.get(`/data/people/${row?.entityId ?? ''}`)
    expect(found.body).toMatchObject({ displayName: 'Ann Lee', memberNo: '1', joinedOn: '2020-05-01' })

    const errors = await secretary.get(`/actions/imports/${one.id}/errors`)
    expect(errors.headers['content-type']).toContain('text/csv')
    expect(errors.text.split('\r\n')).toHaveLength(5)
    expect(errors.text).toContain('2,Bob,Ray,no-mail')
    expect(errors.text).toContain('member_no,first_name,last_name,email,chapter_code,member_since,party,Row,Problem')
    // Mended, it goes in by itself.
    const mended = await bringIn(secretary, 'people', errors.text.replace('no-mail', 'bob@example.org').replace('NOWHERE', code))
    expect(mended.counts.run).toEqual({ ...none, create: 2, unchanged: 1 })
  })

  test('a file of the same content is announced, and its second run writes nothing', async ({ api, organisation, person, worker: _ }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const content = 'name,email\nAnn Lee,ann@example.org\nBob Ray,\n'
    const first = await bringIn(secretary, 'people', content)
    const again = await uploadFile(secretary, 'people', 'copy.csv', content)
    expect(again.import.sameFile).toMatchObject([{ id: first.id, status: 'done' }])
    await waitFor(secretary, again.import.id, 'check')
    expect((await waitFor(secretary, again.import.id, 'run')).counts.run).toEqual({ ...none, unchanged: 2 })
  })

  test('updates what differs, empties nothing, and skips by policy', async ({ api, organisation, person, worker: _ }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(secretary, 'people', 'member_no,first_name,last_name,city,email\n1,Ann,Lee,Rome,ann@example.org\n')
    const update = 'member_no,first_name,last_name,city,email\n1,Ann,Leigh,,lee@example.org\n2,Bob,Ray,Ulm,\n'
    const skipping = await uploadFile(secretary, 'people', 'u.csv', update)
    const set = await secretary.patch(
      `/actions/imports/${skipping.import.id}`,
      { options: { onNew: 'skip' } },
      { 'if-match': String(skipping.import.version) },
    )
    expect(set.status, set.text).toBe(200)
    await waitFor(secretary, skipping.import.id, 'check')
    const done = await waitFor(secretary, skipping.import.id, 'run')
    expect(done.counts.run).toEqual({ ...none, update: 1, skip: 1 })
    const [row] = await rowsOf(secretary, done.id, 'outcome=update')
    const ann = await secretary.get(`/data/people/${row?.entityId ?? ''}`)
    expect(ann.body).toMatchObject({ displayName: 'Ann Leigh', contact: { city: 'Rome' } })
    expect((ann.body as { emails: { address: string }[] }).emails.map(({ address }) => address).sort()).toEqual([
      'ann@example.org',
      'lee@example.org',
    ])
  })

  test('chapters name their parents in any order; a circle and what hangs on a rejected row are reported', async ({
    api,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const done = await bringIn(
      secretary,
      'chapters',
      'code;name;parent_code;level\nC;Club;B;club\nB;Branch;A;chapter\nA;Area;;region\nX;X;Y;\nY;Y;X;\nZ;;A;\nW;W;Z;\nV;V;NOWHERE;\n',
    )
    expect(done.counts.run).toEqual({ ...none, create: 3, reject: 5 })
    expect((await rowsOf(secretary, done.id, 'outcome=reject')).map(({ line, findings }) => [line, findings[0]?.code])).toEqual([
      [5, 'circle'],
      [6, 'circle'],
      [7, 'missing'],
      [8, 'parent_rejected'],
      [9, 'unknown_parent'],
    ])
  })

  test('dates that can be read in two ways are asked about before a check', async ({ api, person, worker: _ }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const { import: one } = await uploadFile(secretary, 'people', 'd.csv', 'name,birthday\nAnn Lee,03/04/1990\n')
    expect(one.format.dateOrder).toBeNull()
    expect(one.findings).toMatchObject([{ level: 'error', code: 'date_order' }])
    expect((await secretary.post(`/actions/imports/${one.id}/check`)).status).toBe(422)
    const answered = await secretary.patch(
      `/actions/imports/${one.id}`,
      { format: { dateOrder: 'dmy' } },
      { 'if-match': String(one.version) },
    )
    expect((answered.body as typeof one).findings).toEqual([])
    await waitFor(secretary, one.id, 'check')
    const done = await waitFor(secretary, one.id, 'run')
    const [row] = await rowsOf(secretary, done.id, 'outcome=create')
    expect((await secretary.get(`/data/people/${row?.entityId ?? ''}`)).body).toMatchObject({ private: { birthDate: '1990-04-03' } })
  })

  test('a saved mapping is used for files with the same headers, and can be forgotten', async ({ api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const { import: one } = await uploadFile(secretary, 'people', 'a.csv', 'Who,Where\nAnn Lee,Rome\n')
    expect(one.missing).toEqual([['givenName', 'familyName', 'fullName', 'recordId']])
    const saved = await secretary.patch(
      `/actions/imports/${one.id}`,
      { mapping: ['fullName', 'city'], saveMappingAs: 'Old database' },
      { 'if-match': String(one.version) },
    )
    expect(saved.status, saved.text).toBe(200)
    const { import: next } = await uploadFile(secretary, 'people', 'b.csv', 'WHO,where\nBob Ray,Ulm\n')
    expect([next.savedMapping?.name, next.columns.map(({ target }) => target)]).toEqual(['Old database', ['fullName', 'city']])
    const { items } = (await secretary.get('/data/import-mappings?kind=people')).body as { items: SavedMapping[] }
    expect((await secretary.del(`/data/import-mappings/${items[0]?.id ?? ''}`)).status).toBe(204)
    expect((await uploadFile(secretary, 'people', 'c.csv', 'Who,Where\nCat Orr,Bonn\n')).import.savedMapping).toBeNull()
  })

  test('a stale version, an unknown field and a wrong length are refused', async ({ api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const { import: one } = await uploadFile(secretary, 'people', 'a.csv', 'name,city\nAnn Lee,Rome\n')
    const change = (body: unknown, version = one.version) =>
      secretary.patch(`/actions/imports/${one.id}`, body, { 'if-match': String(version) })
    const stale = await change({ options: { tag: 'x' } }, 99)
    expect([stale.status, stale.body]).toMatchObject([412, { reason: 'stale', current: { id: one.id, version: one.version } }])
    expect((await change({ mapping: ['fullName', 'shoeSize'] })).status).toBe(422)
    expect((await change({ mapping: ['fullName'] })).status).toBe(422)
    expect((await change({ options: { matchBy: ['code'] } })).status).toBe(422)
    expect((await secretary.post(`/actions/imports/${one.id}/run`)).status).toBe(409)
  })

  test('pasted rows and XLSX go the same way', async ({ api, person, worker: _ }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const pasted = await secretary.post('/actions/imports/people', { text: 'Vorname\tNachname\tE-Mail\nJürgen\tGröß\tj@example.org\n' })
    expect(pasted.status, pasted.text).toBe(201)
    expect(pasted.body).toMatchObject({ fileName: 'pasted.csv', format: { separator: '\t' }, missing: [] })
    const sheet = [
      ['No', 'First name', 'Last name', 'Birthday'].map((value) => ({ value, type: String })),
      [
        { value: 7, type: Number },
        { value: 'Zoë', type: String },
        { value: 'Fox', type: String },
        { value: new Date('1990-04-03T00:00:00Z'), type: Date, format: 'yyyy-mm-dd' },
      ],
    ]
    const done = await bringIn(secretary, 'people', await writeExcelFile(sheet).toBuffer(), 'members.xlsx')
    const [row] = await rowsOf(secretary, done.id, 'outcome=create')
    expect((await secretary.get(`/data/people/${row?.entityId ?? ''}`)).body).toMatchObject({
      displayName: 'Zoë Fox',
      memberNo: '7',
      private: { birthDate: '1990-04-03' },
    })
  })
})

describe('starting and stopping', () => {
  test('a start repeated with its key happens once; the same file does not run twice at a time; a cancelled run goes on', async ({
    api,
    admin,
    person,
  }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const content = 'name\nAnn Lee\n'
    const { import: one } = await uploadFile(secretary, 'people', 'a.csv', content)
    const { import: twin } = await uploadFile(secretary, 'people', 'b.csv', content)
    // Nobody works on the queue in this test.
    await admin.query(`update app.imports set status = 'checked', rows_total = 1 where id = any ($1)`, [[one.id, twin.id]])
    const key = { 'idempotency-key': `run-${one.id}` }
    const first = await secretary.post(`/actions/imports/${one.id}/run`, undefined, key)
    const second = await secretary.post(`/actions/imports/${one.id}/run`, undefined, key)
    expect([first.status, second.status]).toEqual([202, 202])
    expect((second.body as typeof one).job?.id).toBe((first.body as typeof one).job?.id)
    const refused = async (id: string) => ((await secretary.post(`/actions/imports/${id}/run`)).body as { reason: string }).reason
    expect([await refused(one.id), await refused(twin.id)]).toEqual(['import_running', 'same_file_running'])
    expect((await secretary.post(`/actions/imports/${one.id}/cancel`)).body).toMatchObject({
      status: 'cancelled',
      job: { status: 'cancelled' },
    })
    expect((await secretary.post(`/actions/imports/${one.id}/cancel`)).status).toBe(409)
    expect((await secretary.post(`/actions/imports/${one.id}/run`)).body).toMatchObject({ status: 'running', job: { status: 'queued' } })
    await secretary.post(`/actions/imports/${one.id}/cancel`)
  })
})

test('the file goes after 30 days, its ledger stays, and whoever wants to read it again is told', async ({
  api,
  admin,
  person,
  worker: _,
}) => {
  const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  const done = await bringIn(secretary, 'people', 'name,email\nAnn Lee,\nBob Ray,no-mail\n')
  const { import: waiting } = await uploadFile(secretary, 'people', 'w.csv', 'name\nCat Orr\n')
  const { import: young } = await uploadFile(secretary, 'people', 'y.csv', 'name\nDan Fox\n')
  await admin.query(`update app.imports set created_at = now() - interval '31 days' where id = any ($1)`, [[done.id, waiting.id]])
  const { config, log, files } = api.services
  const upkeep = createServices(config, log, config.WORKER_DATABASE_URL)
  await dailyUpkeep(upkeep)({}, { id: 'test', signal: new AbortController().signal }).finally(() => upkeep.close())

  for (const file of ['source', 'errors.csv']) expect(await files.size(`imports/${done.id}/${file}`)).toBeNull()
  expect(await files.size(`imports/${young.id}/source`)).toBe(13)
  expect(await rowsOf(secretary, done.id, 'phase=run')).toHaveLength(2)
  expect((await secretary.get(`/actions/imports/${done.id}/errors`)).status).toBe(404)
  const { version } = (await secretary.get(`/data/imports/${waiting.id}`)).body as typeof waiting
  const reread = await secretary.patch(`/actions/imports/${waiting.id}`, { format: { separator: ';' } }, { 'if-match': String(version) })
  expect(reread.status).toBe(410)
  expect(await waitFor(secretary, waiting.id, 'check')).toMatchObject({
    status: 'uploaded',
    error: { reason: 'file_gone', params: { days: 30 }, detail: expect.stringContaining('removed after 30 days') },
  })
})

describe('bad files', () => {
  test.for([
    ['an empty file', 'x.csv', Buffer.alloc(0), 422],
    ['a PDF', 'x.csv', Buffer.from('%PDF-1.7\n'), 415],
    ['a picture', 'x.csv', Buffer.from('89504e470d0a1a0a0000', 'hex'), 415],
    ['a locked workbook', 'x.xlsx', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 422],
    ['a damaged workbook', 'x.xlsm', Buffer.from('504b030414000000', 'hex'), 422],
    ['random bytes', 'x.csv', Buffer.from(Array.from({ length: 9000 }, (_, i) => (i * 131) % 256)), 415],
  ] as const)('%s gets a clear answer and is not kept', async ([, name, content, status], { api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const answer = await uploadFile(secretary, 'people', name, content)
    expect(answer.status, answer.text).toBe(status)
    expect((JSON.parse(answer.text) as { detail: string }).detail).toMatch(/\w+ .*\./)
    expect(((await secretary.get('/data/imports')).body as { items: unknown[] }).items).toEqual([])
  })

  test('a header without rows cannot be checked; a request without a file is refused; multipart elsewhere too', async ({ api, person }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const { import: one } = await uploadFile(secretary, 'people', 'h.csv', 'name,email\n')
    expect(one.findings).toMatchObject([{ code: 'no_rows' }])
    expect((await secretary.post(`/actions/imports/${one.id}/check`)).status).toBe(422)
    expect((await secretary.post('/actions/imports/people', {})).status).toBe(422)
    expect((await secretary.post('/actions/imports/nonsense', { text: 'a' })).status).toBeGreaterThanOrEqual(400)
    expect(
      (await secretary.post(`/actions/imports/${one.id}/check`, '--x--', { 'content-type': 'multipart/form-data; boundary=x' })).status,
    ).toBe(415)
  })

  test('a quote that is never closed stops the check before anything is written, and says where', async ({ api, person, worker: _ }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const { import: one } = await uploadFile(
      secretary,
      'people',
      'q.csv',
      `name,city\nAnn Lee,Rome\nBob Ray,"Ulm\n${'Cat Orr,Bonn\n'.repeat(50)}`,
    )
    const checked = await waitFor(secretary, one.id, 'check')
    expect([checked.status, checked.error]).toMatchObject(['uploaded', { reason: 'unbalanced_quotes', params: { row: 3 } }])
    expect((await secretary.post(`/actions/imports/${one.id}/run`)).status).toBe(409)
  })

  test('ragged rows, control characters and endless cells are refused row by row; the others go in', async ({ api, person, worker: _ }) => {
    const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
    const rows = [
      'Ann Lee,Rome',
      'Bob Ray,Ulm,more,cells',
      'Cat\u0000Orr,Bonn',
      `Dan Fox,${'x'.repeat(70_000)}`,
      'Eve Poe',
      '',
      'Gus Ham,"two\nlines"',
    ]
    const done = await bringIn(secretary, 'people', `name,city\n${rows.join('\n')}\u001a`)
    expect(done.counts.run).toEqual({ ...none, create: 3, reject: 3 })
    expect((await rowsOf(secretary, done.id, 'outcome=reject')).map(({ line, findings }) => [line, findings[0]?.code])).toEqual([
      [3, 'too_many_cells'],
      [4, 'control_character'],
      [5, 'too_long'],
    ])
  })

  test.for(['utf-16le', 'windows-1252', 'shift_jis'] as const)(
    '%s comes out as it went in',
    async (encoding, { api, person, worker: _ }) => {
      const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
      const name = encoding === 'shift_jis' ? '山田 太郎' : 'Jürgen Größ'
      const text = `name,city\n${Array.from({ length: 30 }, (_, i) => `${name},${encoding === 'shift_jis' ? '東京都' : 'Köln'} ${i}`).join('\n')}\n`
      const { import: one } = await uploadFile(secretary, 'people', 'e.csv', iconv.encode(text, encoding))
      expect([one.format.encoding, one.sample[0]?.[0]]).toEqual([encoding, name])
      const wrong = await secretary.patch(
        `/actions/imports/${one.id}`,
        { format: { encoding: 'utf-8' } },
        { 'if-match': String(one.version) },
      )
      expect((wrong.body as typeof one).sample[0]?.[0]).not.toBe(name)
    },
  )
})

describe('rights', () => {
  test('members and strangers import nothing and see no import', async ({ api, person, organisation }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const { import: one } = await uploadFile(secretary, 'people', 'a.csv', 'name\nAnn Lee\n')
    const member = api.as(await person({ org }))
    const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'], chapterId: null }))
    expect((await uploadFile(member, 'people', 'a.csv', 'name\nAnn Lee\n')).status).toBe(403)
    expect((await uploadFile(api.as(null), 'people', 'a.csv', 'name\nAnn Lee\n')).status).toBe(401)
    for (const other of [member, stranger]) {
      for (const url of [`/data/imports/${one.id}`, `/data/imports/${one.id}/rows`, `/actions/imports/${one.id}/errors`])
        expect((await other.get(url)).status).toBe(404)
      for (const act of ['check', 'run', 'undo', 'cancel']) expect((await other.post(`/actions/imports/${one.id}/${act}`)).status).toBe(404)
    }
  })

  test('whoever may no longer import sees and runs not even the own uploads', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const officer = await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] })
    const { import: one } = await uploadFile(api.as(officer), 'people', 'a.csv', 'name\nAnn Lee\n')
    expect((await api.as(officer).get(`/data/imports/${one.id}`)).status).toBe(200)
    await admin.query(`update app.grants set ends_on = current_date - 1 where account_id = $1`, [officer.accountId])
    expect((await api.as(officer).get(`/data/imports/${one.id}`)).status).toBe(404)
    for (const act of ['check', 'run', 'undo']) expect((await api.as(officer).post(`/actions/imports/${one.id}/${act}`)).status).toBe(404)
    expect((await api.as(officer).get('/data/imports')).body).toMatchObject({ items: [] })
  })

  test('an officer brings people into the own chapters only; other rows say why not', async ({
    api,
    admin,
    chapter,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const mine = await chapter(org, 'Mine')
    const below = await chapter(org, 'Below', mine)
    const other = await chapter(org, 'Other')
    const officer = await person({ org, chapterId: mine, grants: [{ role: 'chapter-admin', chapterId: mine }] })
    const stranger = await person({ org, chapterId: other, givenName: 'Far', familyName: 'Away', email: 'far@example.org' })
    await admin.query(`update app.people set member_no = 'F1' where id = $1`, [stranger.personId])
    const codes = new Map(
      (await admin.query<{ id: string; code: string }>('select id, code from app.chapters where org_id = $1', [org.id])).rows.map(
        ({ id, code }) => [id, code],
      ),
    )
    const content = `${people}1,Ann,Lee,ann@example.org,${codes.get(mine)},,\n2,Bob,Ray,,${codes.get(below)},,\n3,Cat,Orr,,${codes.get(other)},,\n4,Dan,Fox,,,,\nF1,Far,Away,,${codes.get(mine)},,\n`
    const client = api.as(officer)
    const done = await bringIn(client, 'people', content)
    expect(done.counts.check).toEqual(done.counts.run)
    expect(done.counts.run).toEqual({ ...none, create: 2, reject: 3 })
    expect((await rowsOf(client, done.id, 'outcome=reject')).map(({ line, findings }) => [line, findings[0]?.code])).toEqual([
      [4, 'not_your_chapter'],
      [5, 'chapter_needed'],
      [6, 'not_your_person'],
    ])
    const tree = await bringIn(client, 'chapters', 'code,name\nN1,New\n')
    expect(tree.counts.run).toEqual({ ...none, reject: 1 })
  })
})

describe('undo', () => {
  test('takes back what nobody touched and gives back what it changed; the rest stays and is listed', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    await bringIn(secretary, 'people', 'member_no,first_name,last_name,city\n1,Ann,Lee,Rome\n')
    const counted = async () =>
      (
        await admin.query(
          'select (select count(*)::int from app.people where org_id = $1) as people, (select count(*)::int from app.tags where org_id = $1) as tags, (select count(*)::int from app.person_emails where org_id = $1) as emails',
          [org.id],
        )
      ).rows[0] as { people: number; tags: number; emails: number }
    const before = await counted()
    const done = await bringIn(
      secretary,
      'people',
      'member_no,first_name,last_name,city,email,party\n1,Anna,Lee,Bonn,ann@example.org,Gold\n2,Bob,Ray,Ulm,bob@example.org,Gold\n3,Cat,Orr,,,\n',
    )
    expect(done.counts.run).toEqual({ ...none, create: 2, update: 1 })
    const made = await rowsOf(secretary, done.id, 'outcome=create')
    const cat = made.find(({ line }) => line === 4)?.entityId ?? ''
    const { version } = (await secretary.get(`/data/people/${cat}`)).body as { version: number }
    expect((await secretary.patch(`/data/people/${cat}`, { employer: 'Someone' }, { 'if-match': String(version) })).status).toBe(200)

    const undone = await waitFor(secretary, done.id, 'undo')
    expect([undone.status, undone.counts.undo]).toEqual(['partly_undone', { removed: 1, restored: 1, kept: 1 }])
    expect(await rowsOf(secretary, done.id, 'phase=undo&outcome=kept')).toMatchObject([{ line: 4, findings: [{ code: 'in_use' }] }])
    // Cat stays, with the tag that both imports share; everything else is as it was.
    expect(await counted()).toEqual({ people: before.people + 1, tags: before.tags, emails: before.emails })
    const ann = await admin.query(
      `select p.given_name, c.city from app.people p join app.person_contacts c on c.person_id = p.id where p.org_id = $1 and p.member_no = '1'`,
      [org.id],
    )
    expect(ann.rows).toEqual([{ given_name: 'Ann', city: 'Rome' }])
    // Nothing is left for another attempt once somebody has decided about Cat.
    expect((await secretary.del(`/data/people/${cat}`)).status).toBeLessThan(300)
    await admin.query('delete from app.people where id = $1', [cat])
    const rest = await waitFor(secretary, done.id, 'undo')
    expect([rest.status, rest.counts.undo]).toEqual(['undone', { removed: 2, restored: 1, kept: 0 }])
    expect((await secretary.post(`/actions/imports/${done.id}/undo`)).status).toBe(409)
  })

  test('what a later import changed is given back when that import is undone, and can then be undone itself', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const code =
      (await admin.query<{ code: string }>('select code from app.chapters where id = $1', [org.rootChapterId])).rows[0]?.code ?? ''
    const head = 'member_no,first_name,last_name,city,employer\n'
    await bringIn(secretary, 'people', `${head}1,Ann,Lee,Rome,\n2,Bob,Ray,,\n3,Cat,Orr,,\n`)
    const office = 'member_no,title,chapter_code,starts_on\n'
    await bringIn(secretary, 'positions', `${office}1,Chair,${code},2020-01-01\n`)
    const stateOf = async () =>
      (
        await admin.query(
          `select p.given_name, p.employer, c.city, (select max(s.max_holders) from app.positions s where s.org_id = p.org_id) as seats
           from app.people p left join app.person_contacts c on c.person_id = p.id where p.org_id = $1 order by p.member_no`,
          [org.id],
        )
      ).rows
    const before = await stateOf()
    const first = await bringIn(secretary, 'people', `${head}1,Anna,Lee,Bonn,\n4,Dan,Fox,,\n`, 'first.csv')
    const second = await bringIn(secretary, 'people', `${head}1,,Lee,Ulm,\n4,Dan,Fox,,Someone\n`, 'second.csv')
    const offices = await bringIn(secretary, 'positions', `${office}2,Chair,${code},2020-01-01\n3,Chair,${code},2020-01-01\n`)
    const early = await waitFor(secretary, first.id, 'undo')
    expect([early.status, early.counts.undo, early.undoUntil]).toEqual([
      'partly_undone',
      { removed: 0, restored: 1, kept: 1 },
      expect.any(String),
    ])
    expect(
      (await rowsOf(secretary, first.id, 'phase=undo')).map(({ findings }) => findings.map(({ message, heldBy }) => [message, heldBy])),
    ).toEqual([
      [['city was changed since by the import second.csv, so it stays.', { id: second.id, fileName: 'second.csv' }]],
      [['This person was changed since (employer), by the import second.csv, so it stays.', { id: second.id, fileName: 'second.csv' }]],
    ])
    for (const one of [second, offices, first]) expect((await waitFor(secretary, one.id, 'undo')).status).toBe('undone')
    expect(await stateOf()).toEqual(before)
  })

  test('takes back chapters, offices, groups and their members, and is refused after 7 days', async ({
    api,
    admin,
    organisation,
    person,
    worker: _,
  }) => {
    const org = await organisation()
    const secretary = api.as(await person({ org, idpRoles: ['org-admin'], chapterId: null }))
    const chapters = await bringIn(secretary, 'chapters', 'code,name,parent_code\nB,Branch,A\nA,Area,\n')
    const persons = await bringIn(secretary, 'people', 'member_no,name,chapter_code\n1,Ann Lee,B\n2,Bob Ray,B\n')
    const offices = await bringIn(
      secretary,
      'positions',
      'member_no,title,chapter_code,starts_on,ends_on\n1,Chair,B,2020-01-01,2022-01-01\n2,Chair,B,2021-01-01,\n',
    )
    const groups = await bringIn(secretary, 'groups', 'code,name,parent_code\nG2,Sub,G1\nG1,Board,\n')
    const members = await bringIn(secretary, 'group_members', 'group_code,member_no,title\nG2,1,Head\n')
    expect((await waitFor(secretary, chapters.id, 'undo')).counts.undo).toEqual({ removed: 0, restored: 0, kept: 2 })
    for (const [one, removed] of [
      [members, 1],
      [groups, 2],
      [offices, 2],
      [persons, 2],
    ] as const) {
      expect((await waitFor(secretary, one.id, 'undo')).counts.undo).toEqual({ removed, restored: 0, kept: 0 })
    }
    const left = await admin.query(
      'select (select count(*)::int from app.positions where org_id = $1) as positions, (select count(*)::int from app.groups where org_id = $1) as groups, (select count(*)::int from app.people where org_id = $1) as people',
      [org.id],
    )
    expect(left.rows[0]).toEqual({ positions: 0, groups: 0, people: 0 })
    expect((await waitFor(secretary, chapters.id, 'undo')).status).toBe('undone')
    const stopped = await bringIn(secretary, 'people', 'name\nDan Fox\n')
    for (const status of ['cancelled', 'failed']) {
      await admin.query('update app.imports set status = $2 where id = $1', [stopped.id, status])
      expect((await secretary.get(`/data/imports/${stopped.id}`)).body).toMatchObject({ status, undoUntil: expect.any(String) })
    }
    expect((await waitFor(secretary, stopped.id, 'undo')).counts.undo).toEqual({ removed: 1, restored: 0, kept: 0 })
    const late = await bringIn(secretary, 'people', 'name\nCat Orr\n')
    await admin.query(`update app.imports set finished_at = now() - interval '8 days' where id = $1`, [late.id])
    const refused = await secretary.post(`/actions/imports/${late.id}/undo`)
    expect([refused.status, (refused.body as { reason: string }).reason]).toEqual([409, 'undo_too_late'])
  })
})
