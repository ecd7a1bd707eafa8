import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { fastify } from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { securityHeaders } from './headers.ts'
import { readConfig } from '../config.ts'
import { serveWebApp } from './web-app.ts'

async function startSite() {
  const root = await mkdtemp(path.join(tmpdir(), 'web-app-'))
  await mkdir(path.join(root, 'assets'))
  await mkdir(path.join(root, 'auth'))
  await writeFile(path.join(root, 'index.html'), '<style nonce="__CSP_NONCE__"></style>')
  await writeFile(path.join(root, 'auth/signinsilent.html'), 'silent')
  await writeFile(path.join(root, 'assets/app-1.js'), 'run()')
  await writeFile(path.join(root, 'assets/app-1.js.br'), brotliCompressSync('run()'))
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: 'postgres://x@localhost/x',
    ACTOR_KEY: 'a1'.repeat(32),
    ISSUER: 'http://localhost:1',
    CLIENT_ID: 'x',
    PROJECT_RESOURCE_ID: 'x',
    FILES_DIR: root,
  })
  const app = fastify()
  await serveWebApp(app, root, securityHeaders(config))
  onTestFinished(async () => {
    await app.close()
    await rm(root, { recursive: true })
  })
  return (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
}

test('every address is the application, with a nonce of its own in page and policy', async () => {
  const get = await startSite()
  const [one, two] = [await get('/members?q=x'), await get('/members')]
  const nonce = /nonce="([^"]+)"/.exec(one.body)?.[1]
  expect(nonce).toHaveLength(24)
  expect(one.headers['content-security-policy']).toContain(`'nonce-${nonce}'`)
  expect(one.headers['cache-control']).toBe('no-cache')
  expect(two.body).not.toBe(one.body)
})

test('the silent page alone may be framed, by ourselves', async () => {
  const get = await startSite()
  const silent = await get('/auth/signinsilent/zitadel')
  expect(silent.body).toBe('silent')
  expect(silent.headers['content-security-policy']).toContain("frame-ancestors 'self'")
  expect((await get('/')).headers['content-security-policy']).toContain("frame-ancestors 'none'")
})

test('the pages that end a sign-in window keep its link to the page that waits; nothing else does', async () => {
  const get = await startSite()
  for (const path of ['/auth/signinpop/zitadel', '/auth/signoutpop/zitadel'])
    expect((await get(path)).headers['cross-origin-opener-policy']).toBe('unsafe-none')
  for (const path of ['/', '/members', '/auth/signinwin/zitadel', '/auth/signinsilent/zitadel'])
    expect((await get(path)).headers['cross-origin-opener-policy']).toBe('same-origin-allow-popups')
})

test('parts of the build are kept for ever, and one that is gone is no page', async () => {
  const get = await startSite()
  expect((await get('/assets/app-1.js')).headers['cache-control']).toContain('immutable')
  const gone = await get('/assets/app-0.js')
  expect(gone.statusCode).toBe(404)
  expect(gone.headers['cache-control']).toBe('no-store')
  expect((await get('/assets/../index.html')).statusCode).not.toBe(500)
})

test('a script that the build compressed leaves so for whoever reads it, and as it is for everybody else', async () => {
  const get = await startSite()
  const small = await get('/assets/app-1.js', { 'accept-encoding': 'gzip, deflate, br, zstd' })
  expect(small.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
    vary: 'accept-encoding',
  })
  expect(small.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(brotliDecompressSync(small.rawPayload).toString()).toBe('run()')
  for (const encodings of ['gzip', 'identity', 'br;q=0']) {
    const plain = await get('/assets/app-1.js', { 'accept-encoding': encodings })
    expect([plain.body, plain.headers['content-encoding']]).toEqual(['run()', undefined])
  }
})
