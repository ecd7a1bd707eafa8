import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, expect } from 'vitest'
import { endWorld, test } from '../../src/testing.ts'
import type { Client } from '../../src/testing.ts'

afterAll(endWorld)

const problems = (status: number) => [400, 413, 415, 422].includes(status)

test('a body is read as JSON or not at all, whatever its Content-Type pretends', async ({ api, person }) => {
  const me = await person({ idpRoles: ['org-owner'] })
  const types = [
    'application/json\t',
    ' application/json',
    'application/json ;charset=utf-8',
    'application/json; charset=utf-16',
    'application/json;garbage',
    'application/json, text/plain',
    'application/jsonx',
    'application/problem+json',
    'APPLICATION/JSON',
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'application/xml',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    '',
  ]
  const wrong: string[] = []
  for (const type of types) {
    const answer = await api.app.inject({
      method: 'POST',
      url: '/data/tags',
      headers: { authorization: `Bearer ${me.token}`, 'content-type': type },
      payload: '{"name":["a"],"admin":true}',
    })
    if (!problems(answer.statusCode) || !/problem\+json/.test(String(answer.headers['content-type'])))
      wrong.push(`${JSON.stringify(type)}: ${answer.statusCode}`)
  }
  const zipped = await api.app.inject({
    method: 'POST',
    url: '/data/tags',
    headers: { authorization: `Bearer ${me.token}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    payload: gzipSync(Buffer.alloc(10_000_000, ' ')),
  })
  if (!problems(zipped.statusCode)) wrong.push(`gzip: ${zipped.statusCode}`)
  expect(wrong).toEqual([])
  expect(((await api.as(me).get('/data/tags')).body as { items: unknown[] }).items).toEqual([])
})

test('requests whose length is said twice, or wrongly, reach nobody', async ({ api, person }) => {
  const me = await person({ idpRoles: ['org-owner'] })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const body = '{"name":"Smuggled"}'
  const head = `POST /data/tags HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${me.token}\r\nContent-Type: application/json\r\n`
  const framings = [
    `${head}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    `${head}Content-Length: ${body.length}\r\nContent-Length: 5\r\n\r\n${body}`,
    `${head}Content-Length: -1\r\n\r\n${body}`,
    `${head}Content-Length: +${body.length}\r\n\r\n${body}`,
    `${head}Transfer-Encoding: xchunked\r\n\r\n${body}`,
    `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n${body}\r\n0\r\n\r\n`,
    `${head}Content-Length : ${body.length}\r\n\r\n${body}`,
    `${head} Folded: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  ]
  const answers = await Promise.all(framings.map((framing) => exchange(port, framing)))
  expect(
    answers.map((answer) => /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'closed').filter((status) => !/^(4\d\d|closed)$/.test(status)),
  ).toEqual([])
  expect(((await api.as(me).get('/data/tags')).body as { items: unknown[] }).items).toEqual([])
})

const exchange = (port: number, text: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.setTimeout(1_500, () => socket.destroy())
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })

test('a query where none is taken and a body that is no object are refused, and no character brings a statement down', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const me = api.as(await person({ org, idpRoles: ['org-owner'] }))
  expect((await me.get('/data/me?orgId=x')).status).toBe(400)
  expect((await me.post('/data/tags?color=red', { name: 'Choir' })).status).toBe(400)
  const group = (await me.post('/data/groups', { name: 'Choir' })).body as { id: string }
  for (const body of ['null', '0', '""', 'false', '[]', '"x"'])
    expect((await me.patch(`/data/groups/${group.id}`, body, { 'content-type': 'application/json', 'if-match': '1' })).status, body).toBe(
      400,
    )
  const view = { list: 'people', name: 'Wide', spec: { widths: { 'a\u0000b': 100 } } }
  expect((await me.post('/data/views', view)).status).toBe(422)
})

test('addresses, searches, filters and lists of ids that are too long are refused at once', async ({ api, person }) => {
  const client = api.as(await person({ idpRoles: ['org-owner'] }))
  const sent: [name: string, send: () => Promise<{ status: number }>, statuses: number[]][] = [
    ['ten thousand ids', () => client.put(`/data/people/${id}/tags`, { tagIds: Array.from({ length: 10_000 }, () => id) }), [400, 422]],
    ['an address of nine thousand characters', () => client.get(`/data/people?q=${'x'.repeat(9_000)}`), [400, 414]],
    ['a search of three hundred characters', () => client.get(`/data/people?q=${'x'.repeat(300)}`), [422]],
    ['a filter of nine thousand characters', () => client.get(`/data/people?filter=${'x'.repeat(8_001)}`), [400, 422]],
    [
      'an e-mail address that never ends, from a stranger',
      () => api.as(null).post('/actions/site/contact', { ...contact, email: endless }),
      [422],
    ],
    [
      'an e-mail address that never ends, of a person',
      () => client.post('/data/people', { givenName: 'A', emails: [{ address: endless }] }),
      [400, 422],
    ],
    ['an e-mail address that never ends, for an invitation', () => client.post('/data/accounts', { email: endless }), [422]],
    ['fifty-one conditions', () => client.get(`/data/groups?filter=${encodeURIComponent(JSON.stringify(conditions(51)))}`), [422]],
  ]
  const wrong: string[] = []
  for (const [name, send, statuses] of sent) {
    const start = performance.now()
    const { status } = await send()
    const took = performance.now() - start
    if (!statuses.includes(status)) wrong.push(`${name}: ${status}`)
    if (took > 1_000) wrong.push(`${name}: took ${took.toFixed(0)} ms`)
  }
  expect(wrong).toEqual([])
})

const id = '01920000-0000-7000-8000-000000000001'
const contact = { name: 'A', topic: 'B', message: 'C' }
const endless = `a@${'.a'.repeat(300_000)}@`
const conditions = (count: number) => ({
  and: Array.from({ length: Math.ceil(count / 17) }, () => ({
    or: Array.from({ length: 17 }, () => ({ field: 'name', op: 'contains', value: 'x' })),
  })),
})

// Lists --------------------------------------------------------------------------------------------------------------------------------

const lists = ['/data/people', '/data/groups', '/data/chapters', '/data/accounts']
const injections = [
  `'`,
  `''`,
  `\\`,
  `' or '1'='1`,
  `' or 1=1 --`,
  `" or ""="`,
  `1; drop table app.people`,
  `'; select pg_sleep(5); --`,
  `') or pg_sleep(5) is null --`,
  `1) union select null, null, null --`,
  `' union select version() --`,
  `name desc, (select 1/0)`,
  `(select case when (1=1) then name else code end)`,
  `name nulls first; select 1`,
  `$$; select 1; $$`,
  `$1`,
  `:name`,
  `?`,
  `%27%20or%201=1`,
  `/**/or/**/1=1`,
  `0x27`,
  `chr(39)`,
  `app.people`,
  `p.id`,
  `id::text`,
  `constructor`,
  `__proto__`,
  `{"$ne":null}`,
]

test('no text of a search, a sort or a filter is ever part of a statement', async ({ api, organisation, person }) => {
  const org = await organisation()
  const client = api.as(await person({ org, idpRoles: ['org-owner'], givenName: 'Ann', familyName: 'Alpha' }))
  const wrong: string[] = []
  let tried = 0
  for (const list of lists) {
    for (const text of injections) {
      const filter = (field: string, value: string) =>
        encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op: 'contains', value }] }] }))
      const asked: [part: string, query: string, statuses: number[]][] = [
        ['q', `q=${encodeURIComponent(text)}`, [200]],
        ['sort', `sort=${encodeURIComponent(text)}`, [400, 422]],
        ['field', `filter=${filter(text, 'x')}`, [400, 422]],
        ['value', `filter=${filter('name', text)}`, list === '/data/accounts' ? [400] : [200]],
        ['raw filter', `filter=${encodeURIComponent(text)}`, [400]],
        ['cursor', `cursor=${encodeURIComponent(text)}`, [400]],
      ]
      for (const [part, query, statuses] of asked) {
        tried += 1
        const answer = await client.get(`${list}?${query}`)
        if (!statuses.includes(answer.status)) wrong.push(`${list} ${part} ${text}: ${answer.status} ${answer.text.slice(0, 160)}`)
        else if (answer.status === 200 && (answer.body as { items: unknown[] }).items.length > 0 && !['?', '%27%20or%201=1'].includes(text))
          wrong.push(`${list} ${part} ${text}: found something`)
      }
    }
  }
  console.log(`injections: ${tried} tries`)
  expect(wrong).toEqual([])
})

test('pages are as long as allowed, and a cursor is good for its own list, filter and organisation', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const client = api.as(await person({ org, idpRoles: ['org-owner'] }))
  const other = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
  for (const limit of ['0', '-1', '201', '1000000000', '1e308', '1.5', 'x', '', '٣', 'NaN']) {
    for (const list of lists)
      expect((await client.get(`${list}?limit=${encodeURIComponent(limit)}`)).status, `${list} ${limit}`).toBeOneOf([400, 422])
  }
  for (const name of ['A', 'B', 'C']) await client.post('/data/chapters', { name, code: name })
  const cursorOf = async (one: Client, query: string) =>
    ((await one.get(`/data/chapters?limit=1${query}`)).body as { nextCursor: string }).nextCursor
  const cursor = await cursorOf(client, '')
  const bytes = Buffer.from(cursor, 'base64url')
  const forged = [
    ...Array.from({ length: 20 }, (_, index) => {
      const copy = Buffer.from(bytes)
      copy[Math.floor((index * copy.length) / 20)]! ^= 1
      return copy.toString('base64url')
    }),
    bytes.subarray(0, 13).toString('base64url'),
    bytes.subarray(12).toString('base64url'),
    '',
    'x'.repeat(1000),
  ]
  for (const each of forged) expect((await client.get(`/data/chapters?limit=1&cursor=${each}`)).status, each).toBe(400)
  for (const query of ['&sort=-name', '&q=a', `&filter=${encodeURIComponent('{"and":[]}')}`]) {
    const answer = await client.get(`/data/chapters?limit=1${query}&cursor=${cursor}`)
    if (!query.includes('filter')) expect(answer.status, query).toBe(400)
  }
  expect((await client.get(`/data/groups?cursor=${cursor}`)).status).toBe(400)
  expect((await other.get(`/data/chapters?limit=1&cursor=${cursor}`)).status).toBe(400)
  expect((await client.get(`/data/chapters?limit=1&cursor=${cursor}`)).status).toBe(200)
})

test('a change of many people counts what is hidden as not there, and leaves what is not the caller’s', async ({
  api,
  admin,
  organisation,
  chapter,
  person,
}) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const east = await chapter(org, 'East')
  const officer = await person({ org, chapterId: null, grants: [{ role: 'chapter-admin', chapterId: west }] })
  const mine = await Promise.all(Array.from({ length: 5 }, async () => (await person({ org, chapterId: west })).personId ?? ''))
  const theirs = (await person({ org, chapterId: east })).personId ?? ''
  const foreign = (await person({ org: await organisation() })).personId ?? ''
  const ids = [...mine, ...mine, theirs, foreign, id]
  const answer = await api
    .as(officer)
    .post('/actions/people/bulk', { selection: { ids }, change: { do: 'lifecycle', lifecycle: 'alumni' } })
  expect(answer.status, answer.text).toBe(200)
  expect((answer.body as { counts: object }).counts).toEqual({ matched: 5, changed: 5, unchanged: 0, refused: 0 })
  const { rows } = await admin.query<{ id: string; lifecycle: string }>('select id, lifecycle from app.people where id = any ($1)', [ids])
  expect(
    rows
      .filter(({ lifecycle }) => lifecycle === 'alumni')
      .map((row) => row.id)
      .sort(),
  ).toEqual([...mine].sort())
})
