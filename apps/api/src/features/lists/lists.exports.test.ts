import type { Export } from '@guildhall/contract/features/lists'
import { parse } from 'csv-parse/sync'
import readXlsxFile from 'read-excel-file/node'
import { expect } from 'vitest'
import { unguardText } from '@guildhall/contract/formula-guard'
import { test } from '../../testing.ts'
import type { Client, TestPerson } from '../../testing.ts'

type Api = {
  as(person: TestPerson | null): Client
  app: { inject(options: object): Promise<{ rawPayload: Buffer; statusCode: number; headers: Record<string, unknown> }> }
}
const everybody = { all: {}, except: [] }
const enter = async (client: Client, body: object) => {
  const answer = await client.post('/data/people', body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as { id: string }
}
const ask = (client: Client, body: object) =>
  client.post('/actions/exports', { list: 'people', format: 'csv', selection: everybody, columns: ['displayName'], ...body })

async function finished(client: Client, answer: { status: number; body: unknown; text: string }): Promise<Export> {
  if (answer.status !== 202) throw new Error(answer.text)
  const { id } = answer.body as Export
  for (;;) {
    const found = (await client.get(`/data/exports/${id}`)).body as Export
    if (found.job.status !== 'queued' && found.job.status !== 'running') return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
async function file(api: Api, person: TestPerson, exportId: string) {
  const { rawPayload, statusCode, headers } = await api.app.inject({
    method: 'GET',
    url: `/actions/exports/${exportId}/file`,
    headers: { authorization: `Bearer ${person.token}` },
  })
  return { statusCode, headers, content: rawPayload }
}
const table = (content: Buffer) => parse(content, { bom: true })

test('an export has the columns asked for, in the order asked for, of the rows that match, in the order of the list', async ({
  api,
  organisation,
  person,
  worker,
}) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'], chapterId: null })
  const owner = api.as(me)
  const tag = (await owner.post('/data/tags', { name: 'Choir' })).body as { id: string }
  await enter(owner, {
    givenName: 'Ann',
    familyName: 'Alpha',
    joinedOn: '2021-05-05',
    gradYear: 2010,
    memberNo: '007',
    chapterId: org.rootChapterId,
    emails: [{ address: 'a@x.org' }],
    phones: [{ number: '+4930901820' }],
    tagIds: [tag.id],
    contact: { city: 'Bern' },
    private: { birthDate: '1980-02-29' },
  })
  await enter(owner, { givenName: 'Bob', familyName: 'Beta', joinedOn: '2020-05-05', lifecycle: 'alumni' })
  await enter(owner, { givenName: 'Cyd', familyName: 'Gamma' })
  const columns = [
    'familyName',
    'givenName',
    'memberNo',
    'joinedOn',
    'gradYear',
    'primaryEmail',
    'primaryPhone',
    'tags',
    'city',
    'birthDate',
    'homeChapter',
    'doNotContact',
  ]
  const done = await finished(owner, await ask(owner, { columns, sort: '-joinedOn' }))
  expect(done).toMatchObject({ rows: 3, downloadable: true, job: { status: 'done', done: 3, total: 3 } })
  const { content, headers } = await file(api, me, done.id)
  expect(headers['content-type']).toMatch('text/csv')
  expect(String(headers['content-disposition'])).toMatch(/people-\d{4}-\d{2}-\d{2}\.csv/)
  expect(table(content)).toEqual([
    [
      'Family name',
      'Given name',
      'Member number',
      'Joined on',
      'Graduation year',
      'Email',
      'Phone',
      'Tags',
      'City',
      'Birth date',
      'Chapter',
      'Do not contact',
    ],
    ['Alpha', 'Ann', '007', '2021-05-05', '2010', 'a@x.org', '+4930901820', 'Choir', 'Bern', '1980-02-29', 'Root', 'no'],
    ['Beta', 'Bob', '', '2020-05-05', '', '', '', '', '', '', '', 'no'],
    ['Gamma', 'Cyd', '', '', '', '', '', '', '', '', '', 'no'],
  ])
  const filtered = await finished(
    owner,
    await ask(owner, {
      format: 'xlsx',
      columns: ['displayName', 'gradYear'],
      selection: { all: { q: 'a', filter: { and: [{ or: [{ field: 'lifecycle', op: 'is', value: 'active' }] }] } }, except: [] },
    }),
  )
  const sheets = (await readXlsxFile((await file(api, me, filtered.id)).content)) as unknown as { data: unknown[][] }[]
  expect(sheets[0]?.data).toEqual([
    ['Display name', 'Graduation year'],
    ['Ann Alpha', 2010],
  ])
  expect(((await owner.get('/data/exports')).body as { items: Export[] }).items.map((item) => item.id)).toEqual([filtered.id, done.id])
})

test('what looks like a formula is neutralised and comes back unchanged when it is read again', async ({
  api,
  organisation,
  person,
  worker,
}) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'], chapterId: null })
  const owner = api.as(me)
  const names = [
    '=1+1',
    '+cmd',
    '-2',
    '@SUM(A1)',
    '＝1',
    "'=quoted",
    'a;=1',
    'plain "quoted", comma',
    "O'Brien",
    'Null',
    '=HYPERLINK("http://x.example")',
    '山田',
  ]
  for (const familyName of names) await enter(owner, { familyName })
  for (const format of ['csv', 'xlsx']) {
    const done = await finished(owner, await ask(owner, { format, columns: ['familyName'] }))
    const { content } = await file(api, me, done.id)
    const rows = format === 'csv' ? table(content) : ((await readXlsxFile(content)) as unknown as { data: string[][] }[])[0]?.data
    const cells = (rows ?? []).slice(1).map((row) => row[0] ?? '')
    for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]|;[=+\-@]/)
    expect(cells.map(unguardText).sort()).toEqual(names.toSorted())
  }
})

test('a file is for the account that asked for it, and for seven days', async ({ api, organisation, person, admin, worker }) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'] })
  const owner = api.as(me)
  const done = await finished(owner, await ask(owner, {}))
  const other = await person({ org, idpRoles: ['org-owner'] })
  expect((await file(api, other, done.id)).statusCode).toBe(404)
  expect((await api.as(other).get(`/data/exports/${done.id}`)).status).toBe(404)
  expect((await api.as(null).get(`/actions/exports/${done.id}/file`)).status).toBe(401)
  expect(Date.parse(done.expiresAt) - Date.parse(done.createdAt)).toBe(7 * 86_400_000)
  await admin.query('update app.exports set expires_at = now() where id = $1', [done.id])
  expect((await file(api, me, done.id)).statusCode).toBe(410)
  expect((await owner.get(`/data/exports/${done.id}`)).body).toMatchObject({ downloadable: false })
  const audit = await admin.query<{ diff: Record<string, unknown> }>(
    `select diff from app.audit_entries where org_id = $1 and action = 'export'`,
    [org.id],
  )
  expect(audit.rows.map((row) => row.diff)).toMatchObject([{ rows: 1, list: 'people', columns: ['displayName'] }])
})

test('rights decide about rows, cells and lists: officers export the own chapters, leaders names, members nothing', async ({
  api,
  organisation,
  person,
  chapter,
  admin,
  worker,
}) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const mine = await enter(owner, {
    familyName: 'Mine',
    chapterId: west,
    emails: [{ address: 'mine@x.org' }],
    private: { birthDate: '1980-01-01' },
    officeNote: 'secret',
  })
  await enter(owner, { familyName: 'Theirs', chapterId: east, emails: [{ address: 'theirs@x.org' }] })
  const officer = await person({ org, chapterId: null, grants: [{ role: 'chapter-admin', chapterId: west }] })
  const columns = ['familyName', 'primaryEmail', 'birthDate', 'note']
  const done = await finished(api.as(officer), await ask(api.as(officer), { columns }))
  expect(table((await file(api, officer, done.id)).content).slice(1)).toEqual([['Mine', 'mine@x.org', '', '']])
  const member = api.as(await person({ org }))
  for (const list of ['people', 'groups', 'chapters'])
    expect((await ask(member, { list, columns: [list === 'people' ? 'displayName' : 'name'] })).status).toBe(403)
  expect((await ask(api.as(await person({ org, chapterId: null })), {})).status).toBe(403)
  const group = (await admin.query<{ id: string }>(`insert into app.groups (org_id, name) values ($1, 'Readers') returning id`, [org.id]))
    .rows[0]?.id
  const leader = await person({ org, familyName: 'Leader' })
  await admin.query(
    `insert into app.group_members (org_id, group_id, person_id, role) values ($1, $2, $3, 'leader'), ($1, $2, $4, 'member')`,
    [org.id, group, leader.personId, mine.id],
  )
  const names = await finished(
    api.as(leader),
    await ask(api.as(leader), { list: 'group_members', groupId: group, columns: ['familyName', 'role', 'primaryEmail'] }),
  )
  expect(
    table((await file(api, leader, names.id)).content)
      .slice(1)
      .toSorted(),
  ).toEqual([
    ['Leader', 'leader', ''],
    ['Mine', 'member', ''],
  ])
  expect((await ask(member, { list: 'group_members', groupId: group, columns: ['familyName'] })).status).toBe(403)
  // Rights that end before the worker begins count no more.
  await admin.query(`update app.grants set ends_on = current_date - 1 where account_id = $1`, [officer.accountId])
  expect((await ask(api.as(officer), { columns })).status).toBe(403)
})

test('groups and chapters are exported with the filter of their lists', async ({ api, organisation, person, chapter, admin, worker }) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'] })
  const owner = api.as(me)
  await chapter(org, 'West')
  await admin.query(`insert into app.groups (org_id, name, kind) values ($1, 'Readers', 'interest'), ($1, 'Board', 'committee')`, [org.id])
  const chapters = await finished(
    owner,
    await ask(owner, { list: 'chapters', columns: ['name', 'parent', 'members'], selection: { all: { q: 'we' }, except: [] } }),
  )
  expect(table((await file(api, me, chapters.id)).content)).toEqual([
    ['Name', 'Parent', 'Members'],
    ['West', 'Root', '0'],
  ])
  const groups = await finished(
    owner,
    await ask(owner, {
      list: 'groups',
      columns: ['name', 'kind'],
      selection: { all: { filter: { and: [{ or: [{ field: 'kind', op: 'is', value: 'committee' }] }] } }, except: [] },
    }),
  )
  expect(table((await file(api, me, groups.id)).content)).toEqual([
    ['Name', 'Kind'],
    ['Board', 'committee'],
  ])
})

test('what cannot be exported is refused at once', async ({ api, organisation, person, admin }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
  const group = '01920000-0000-7000-8000-000000000001'
  for (const [body, status, said] of [
    [{ columns: ['displayName', 'password'] }, 400, 'password'],
    [{ columns: [] }, 422, 'columns'],
    [{ list: 'accounts' }, 422, 'list'],
    [{ format: 'docx' }, 422, 'format'],
    [{ sort: 'secret' }, 400, 'secret'],
    [{ selection: { all: { filter: { and: [{ or: [{ field: 'secret', op: 'is', value: 1 }] }] } }, except: [] } }, 400, 'secret'],
    [{ list: 'group_members', columns: ['title'] }, 422, 'groupId'],
    [{ list: 'group_members', columns: ['title'], groupId: group }, 403, 'may not'],
  ] as const) {
    const answer = await ask(owner, body)
    expect([body, answer.status]).toEqual([body, status])
    expect(answer.text).toContain(said)
  }
  await admin.query(`insert into app.people (org_id, family_name) select $1, 'P' || n from generate_series(1, 1001) n`, [org.id])
  const unreasoned = await ask(owner, {})
  expect(unreasoned.status).toBe(422)
  expect(unreasoned.text).toContain('reason')
  expect((await ask(owner, { reason: 'Newsletter' })).status).toBe(202)
})

test('the catalogue of columns names what an export can have', async ({ api, person }) => {
  const member = api.as(await person())
  const columns = (await member.get('/data/exports/columns?list=people')).body as { items: { key: string; header: string; kind: string }[] }
  expect(columns.items).toContainEqual({ key: 'primaryPhone', header: 'Phone', kind: 'text' })
  expect((await member.get('/data/exports/columns?list=secrets')).status).toBe(422)
})

test('an export that is no longer wanted stops, and no file comes of it', async ({ api, organisation, person }) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const other = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const { id } = (await ask(me, {})).body as Export
  expect((await other.post(`/actions/exports/${id}/cancel`)).status).toBe(404)
  expect(await me.post(`/actions/exports/${id}/cancel`)).toMatchObject({ status: 200, body: { job: { status: 'cancelled' } } })
  expect(await me.get(`/data/exports/${id}`)).toMatchObject({ body: { downloadable: false, job: { status: 'cancelled' } } })
  expect((await me.get(`/actions/exports/${id}/file`)).status).toBe(409)
})

test('a PDF holds what the list shows its reader, in so many rows and columns', async ({ api, organisation, person, worker }) => {
  expect(worker).toBeUndefined()
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'], chapterId: null })
  const owner = api.as(me)
  await enter(owner, { givenName: 'Łukasz', familyName: 'Żółć' })
  await enter(owner, { givenName: 'محمد', familyName: '李' })
  const done = await finished(owner, await ask(owner, { format: 'pdf', columns: ['displayName', 'memberNo', 'primaryEmail'] }))
  expect(done).toMatchObject({ rows: 2, downloadable: true, job: { status: 'done' } })
  const { content, headers } = await file(api, me, done.id)
  expect(headers['content-type']).toMatch('application/pdf')
  expect(String(headers['content-disposition'])).toMatch(/people-\d{4}-\d{2}-\d{2}\.pdf/)
  expect(content.subarray(0, 5).toString()).toBe('%PDF-')
  const columns = ['displayName', 'givenName', 'familyName', 'memberNo', 'primaryEmail', 'primaryPhone', 'city', 'joinedOn', 'gradYear']
  expect(await ask(owner, { format: 'pdf', columns })).toMatchObject({ status: 422, body: { errors: [{ path: 'columns' }] } })
  const member = api.as(await person({ org }))
  expect(await ask(member, { format: 'pdf' })).toMatchObject({ status: 403 })
})
