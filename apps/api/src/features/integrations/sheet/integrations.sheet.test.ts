import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test as base, describe, expect } from 'vitest'
import { serveLocally } from '../../../platform/server/local-server-testing.ts'
import { reachOf } from '../connectors/integrations.remote.testing.ts'
import { sheet } from './integrations.sheet.actions.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void
type Server = { answer: Answer; host: string; url: string; asked: IncomingMessage[] }
/** A server of a spreadsheet: answers what a test tells it to. */
const test = base.extend<{ server: Server }>({
  // eslint-disable-next-line no-empty-pattern -- vitest wants the destructuring
  server: async ({}, use) => {
    const served: Server = { answer: (_request, response) => void response.end(), host: '', url: '', asked: [] }
    const http = createServer((request, response) => {
      served.asked.push(request)
      served.answer(request, response)
    })
    const { close, ...at } = await serveLocally(http)
    await use(Object.assign(served, at))
    await close()
  },
})

const csv =
  (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer =>
  (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/csv', ...headers }).end(body)

async function pulled(
  server: Server,
  settings: Record<string, string> = {},
  { mark = null, token }: { mark?: string | null; token?: string } = {},
) {
  const reach = reachOf(server, { address: `${server.url}/sheet.csv`, separator: 'auto', ...settings }, token ? { token } : {})
  try {
    return await sheet.pull?.(reach, null, mark)
  } finally {
    await reach.close()
  }
}
const refusal = (server: Server, settings = {}) =>
  pulled(server, settings).then(
    () => 'read',
    (error: unknown) => (error instanceof Error && 'code' in error ? [error.code, error.message] : error),
  )

describe('a sheet', () => {
  test('is read in any encoding and with any separator; rows are known by their address, dates have one form', async ({ server }) => {
    server.answer = csv(
      Buffer.from('Vorname;E-Mail;Geboren;Ort\nJörg; JOERG@example.org ;24.12.1990;Köln\nÄnne;aenne@example.org;01.02.1985;\n', 'latin1'),
    )
    expect(await pulled(server)).toMatchObject({
      rows: [
        { externalId: 'joerg@example.org', values: { Vorname: 'Jörg', 'E-Mail': 'JOERG@example.org', Geboren: '1990-12-24', Ort: 'Köln' } },
        { externalId: 'aenne@example.org', values: { Geboren: '1985-02-01', Ort: null } },
      ],
      cursor: null,
      total: 2,
    })
    server.answer = csv('\ufeffName,Mail\n"Lake, Ada",ada@example.org\n')
    expect(await pulled(server, { separator: ',' })).toMatchObject({ rows: [{ values: { Name: 'Lake, Ada', Mail: 'ada@example.org' } }] })
  })

  test('tells rows without an id and doubles by their line', async ({ server }) => {
    server.answer = csv('id,name,name\n7,Ada,x\n,Ben,y\n7,Cleo,z\n')
    expect(await pulled(server, { idColumn: 'ID' })).toMatchObject({
      rows: [{ externalId: '7', values: { id: '7', name: 'Ada', 'name (2)': 'x' } }],
      bad: [
        { row: 'Line 3', code: 'no_key' },
        { row: 'Line 4', code: 'twice' },
      ],
    })
  })

  test('gives columns names of their own, leaves what a row does not say, and takes no id that the database could not keep', async ({
    server,
  }) => {
    server.answer = csv(`id,name,name,name (2)\n1,Ada,x,y\n${'z'.repeat(299)}\u{1f600}z,Ben,x,y\n"a\u0000b",Cleo,x,y\n`)
    expect(await pulled(server, { idColumn: 'id' })).toMatchObject({
      columns: ['id', 'name', 'name (2)', 'name (2) (2)'],
      rows: [{ externalId: '1', values: { name: 'Ada', 'name (2)': 'x', 'name (2) (2)': 'y' } }],
      bad: [
        { row: 'Line 3', code: 'bad_key' },
        { row: 'Line 4', code: 'bad_key' },
      ],
    })
    server.answer = csv(`id,${'n'.repeat(189)}\u{1f600}\n1,Ada\n`)
    expect((await pulled(server, { idColumn: 'id' }))?.columns?.every((name) => name.isWellFormed())).toBe(true)
    server.answer = csv('id,name,town\n1,Ada\n2,,\n')
    expect((await pulled(server, { idColumn: 'id' }))?.rows.map(({ values }) => values)).toEqual([
      { id: '1', name: 'Ada' },
      { id: '2', name: null, town: null },
    ])
    server.answer = csv(`id${','.repeat(600)}\n1\n`)
    expect(await refusal(server, { idColumn: 'id' })).toMatchObject(['too_large', expect.stringContaining('columns')])
  })

  test('that has not changed is not read again, by the tag of the server or a fingerprint of ours', async ({ server }) => {
    server.answer = (request, response) =>
      request.headers['if-none-match'] === '"one"'
        ? void response.writeHead(304).end()
        : csv('mail\nada@example.org\n', { etag: '"one"' })(request, response)
    const first = await pulled(server)
    expect(first).toMatchObject({ mark: '"one"' })
    expect(await pulled(server, {}, { mark: '"one"' })).toMatchObject({ isFresh: true, rows: [], mark: '"one"' })
    server.answer = csv('mail\nada@example.org\n')
    const mark = (await pulled(server))?.mark ?? null
    expect(await pulled(server, {}, { mark })).toMatchObject({ isFresh: true })
    server.answer = csv('mail\nben@example.org\n')
    expect(await pulled(server, {}, { mark })).toMatchObject({ rows: [{ externalId: 'ben@example.org' }] })
  })

  test('is followed where it leads, with its token only on its own host', async ({ server }) => {
    server.answer = (request, response) =>
      request.url === '/sheet.csv'
        ? void response.writeHead(307, { location: '/export.csv' }).end()
        : csv('mail\nada@example.org\n')(request, response)
    expect(await pulled(server, {}, { token: 'secret' })).toMatchObject({ rows: [{ externalId: 'ada@example.org' }] })
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', 'Bearer secret'])
    const { port } = new URL(server.url)
    server.asked.length = 0
    server.answer = (request, response) =>
      request.headers.host === server.host
        ? void response.writeHead(307, { location: `http://127.0.0.1:${port}/export.csv` }).end()
        : csv('mail\nada@example.org\n')(request, response)
    expect(await pulled({ ...server, host: `${server.host},127.0.0.1:${port}` }, {}, { token: 'secret' })).toMatchObject({ total: 1 })
    expect(server.asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret', undefined])
    server.answer = (_request, response) => void response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
    expect(await refusal(server)).toMatchObject(['refused', expect.any(String)])
    server.answer = (_request, response) => void response.writeHead(302, { location: '/sheet.csv' }).end()
    expect(await refusal(server)).toMatchObject(['bad_answer', expect.stringContaining('sends elsewhere')])
  })

  test('that cannot be read says why', async ({ server }) => {
    server.answer = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html><title>Sign in</title>')
    expect(await refusal(server)).toMatchObject(['bad_answer', expect.stringContaining('web page')])
    server.answer = csv('<html><body>Sign in</body></html>')
    expect(await refusal(server)).toMatchObject(['bad_answer', expect.stringContaining('web page')])
    server.answer = csv('mail\n')
    expect(await refusal(server)).toMatchObject(['bad_answer', expect.stringContaining('no rows')])
    server.answer = csv('a,b\n1,2\n')
    expect(await refusal(server)).toMatchObject(['bad_answer', expect.stringContaining('e-mail')])
    expect(await refusal(server, { idColumn: 'c' })).toMatchObject(['bad_answer', expect.stringContaining('no column')])
    server.answer = csv('', {}, 403)
    expect(await refusal(server)).toMatchObject(['unauthorized', expect.any(String)])
    server.answer = csv(`mail\n${'x@example.org\n'.repeat(50_001)}`)
    expect(await refusal(server)).toMatchObject(['too_large', expect.any(String)])
  })
})
