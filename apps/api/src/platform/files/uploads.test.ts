import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterAll, expect } from 'vitest'
import { endWorld, test } from '../../testing.ts'

afterAll(endWorld)

const url = '/actions/imports/people'
const part = (head: string, content: string, boundary = 'b') => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`
const disposition = (rest: string) => `Content-Disposition: form-data${rest}`
const file = (boundary = 'b', name = 'a.csv') => part(disposition(`; name="file"; filename="${name}"`), 'name\nAnn Lee', boundary)
const end = (boundary = 'b') => `--${boundary}--\r\n`
const form = (rest = '; boundary=b') => `multipart/form-data${rest}`
const long = 'x'.repeat(300)

/** What a form answers; whatever is wrong with it is its sender's. */
const forms: [what: string, type: string, body: string, status: number][] = [
  ['a form as browsers send it', form(), file() + end(), 201],
  ['a quoted boundary', form('; boundary="b: b"'), file('b: b') + end('b: b'), 201],
  ['a boundary of 70 characters', form(`; boundary=${long.slice(0, 70)}`), file(long.slice(0, 70)) + end(long.slice(0, 70)), 201],
  ['a boundary of 300 characters', form(`; boundary=${long}`), file(long) + end(long), 400],
  ['a boundary of 71 characters', form(`; boundary=${long.slice(0, 71)}`), file(long.slice(0, 71)) + end(long.slice(0, 71)), 400],
  ['no boundary', form(''), file() + end(), 400],
  ['an empty boundary', form('; boundary='), file() + end(), 400],
  ['an empty boundary in quotes', form('; boundary=""'), file() + end(), 400],
  ['two boundaries', form('; boundary=b; boundary=c'), file() + end(), 400],
  ['a boundary in parts', form("; boundary*0=b; boundary*=utf-8''b"), file() + end(), 400],
  ['a boundary with a line break', form('; boundary="b%0d%0a"'), file() + end(), 400],
  ['the boundary of another form', form('; boundary=other'), file() + end(), 400],
  ['no body', form(), '', 422],
  ['an end alone', form(), end(), 422],
  ['rubbish', form(), 'rubbish', 400],
  ['5,000 fields', form(), part(disposition('; name="a"'), '1').repeat(5_000) + file() + end(), 413],
  ['21 fields', form(), part(disposition('; name="a"'), '1').repeat(21) + file() + end(), 201],
  ['20 fields', form(), part(disposition('; name="a"'), '1').repeat(20) + file() + end(), 201],
  ['two files', form(), file() + file() + end(), 201],
  ['1,000 files', form(), file().repeat(1_000) + end(), 201],
  ['a field of 1 MB', form(), part(disposition('; name="a"'), long.repeat(3_500)) + file() + end(), 201],
  ['a head of 100 kB', form(), part(disposition(`; name="file"; filename="${long.repeat(350)}"`), 'name\nAnn') + end(), 201],
  [
    '5,000 lines of head',
    form(),
    part(disposition('; name="file"; filename="a.csv"') + '\r\nX-A: b'.repeat(5_000), 'name\nAnn') + end(),
    201,
  ],
  ['a part without a head', form(), '--b\r\n\r\nname\nAnn\r\n' + end(), 422],
  ['a part without a name', form(), part(disposition('; filename="a.csv"'), 'name\nAnn') + end(), 201],
  ['a field in place of a file', form(), part(disposition('; name="file"'), 'name\nAnn') + end(), 422],
  ['a name of every object', form(), part(disposition('; name="__proto__"; filename="a.csv"'), 'name\nAnn') + end(), 400],
  ['a field with such a name', form(), part(disposition('; name="constructor"'), '1') + file() + end(), 201],
  ['a path for a name', form(), file('b', '../../../../etc/passwd') + end(), 201],
  ['a name that turns round', form(), file('b', 'a\u202evsc.exe\u0000') + end(), 201],
  ['an encoded name that is broken', form(), part(disposition(`; name="file"; filename*=utf-9''%ZZ%00`), 'name\nAnn') + end(), 201],
  [
    'a form in a form',
    form(),
    part('Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=c', file('c') + end('c')) + end(),
    422,
  ],
  ['a file that ends too early', form(), file().slice(0, -8), 400],
  ['a head that ends too early', form(), file().slice(0, 40), 400],
  ['a mixed kind', 'multipart/mixed; boundary=b', file() + end(), 415],
]

test('a form that cannot be read is its sender’s error, never ours', async ({ api, person }) => {
  const me = await person({ idpRoles: ['org-owner'] })
  const answers: [string, number][] = []
  for (const [what, type, payload] of forms) {
    const { statusCode, headers, body } = await api.app.inject({
      method: 'POST',
      url,
      headers: { authorization: `Bearer ${me.token}`, 'content-type': type },
      payload,
    })
    answers.push([what, statusCode])
    if (statusCode >= 400)
      expect([what, headers['content-type'], body]).toEqual([what, 'application/problem+json', expect.stringMatching(/"code":"[A-Z_]+"/)])
  }
  expect(answers).toEqual(forms.map(([what, , , status]) => [what, status]))
  const { items } = (await api.as(me).get('/data/imports')).body as { items: { fileName: string }[] }
  for (const { fileName } of items) expect(fileName).not.toMatch(/[/\\\p{C}]/u)
})

test('a sender who goes in the middle of a file leaves a server that answers, and no file', async ({ api, person }) => {
  const me = await person({ idpRoles: ['org-owner'] })
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as AddressInfo
  const head = `POST ${url} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${me.token}\r\nContent-Type: ${form()}\r\nContent-Length: 100000\r\n\r\n`
  for (const sent of ['', '--b\r\n', file().slice(0, 40), file().slice(0, -8), file()])
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(head + sent, () => setTimeout(() => socket.destroy(), 50)))
      socket.on('close', () => resolve())
    })
  expect((await api.as(me).get('/data/imports')).body).toMatchObject({ items: [] })
})
