import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'

const built = test.extend<{
  site: (url: string, method?: 'GET' | 'POST') => Promise<{ status: number; header: (name: string) => string }>
}>({
  site: async ({ variant }, use) => {
    const root = await mkdtemp(join(tmpdir(), 'guildhall-web-'))
    await mkdir(join(root, 'assets'))
    await mkdir(join(root, 'auth'))
    await writeFile(join(root, 'index.html'), '<style nonce="__CSP_NONCE__"></style>')
    for (const name of ['signinpop', 'signoutpop', 'signinsilent']) await writeFile(join(root, `auth/${name}.html`), name)
    await writeFile(join(root, 'assets/app-1.js'), 'run()')
    for (const file of ['favicon.svg', 'color-scheme.js']) await writeFile(join(root, file), '')
    const { app } = await variant({ WEB_DIST: root, PUBLIC_URL: 'https://guildhall.example', ISSUER: 'https://login.example' })
    await use(async (url, method = 'GET') => {
      const { statusCode, headers } = await app.inject({
        method,
        url,
        ...(method === 'POST' ? { payload: '{', headers: { 'content-type': 'application/json' } } : {}),
      })
      return { status: statusCode, header: (name) => String(headers[name] ?? '') }
    })
    await rm(root, { recursive: true })
  },
})

const pages = [
  '/',
  '/members',
  '/privacy',
  '/nowhere',
  '/auth/signinwin/zitadel',
  '/auth/signinpop/zitadel',
  '/auth/signoutpop/zitadel',
  '/auth/signinsilent/zitadel',
  '/AUTH/SigninSilent/Zitadel',
]
const others: [url: string, status: number, method?: 'POST'][] = [
  ['/assets/app-1.js', 200],
  ['/assets/app-0.js', 404],
  ['/favicon.svg', 200],
  ['/config.json', 200],
  ['/healthz', 200],
  ['/readyz', 200],
  ['/data/me', 401],
  ['/data/nowhere', 404],
  ['/data/rpc/update_account_login', 400, 'POST'],
  ['/actions/site/contact', 400, 'POST'],
  ['/auth/backchannel-logout', 400, 'POST'],
  ['/nowhere', 400, 'POST'],
  [`/${'x'.repeat(9_000)}`, 400],
  ['/%zz', 400],
]

describe('every answer', () => {
  built('keeps itself to itself, errors and files included', async ({ site }) => {
    for (const [url, status, method] of [...pages.map((page): [string, number] => [page, 200]), ...others] as typeof others) {
      const answer = await site(url, method)
      const where = url.slice(0, 60)
      expect(answer.status, where).toBe(status)
      expect(answer.header('x-content-type-options'), where).toBe('nosniff')
      expect(answer.header('referrer-policy'), where).toBe('no-referrer')
      // The pages that end a sign-in window keep its link to the page that waits for it.
      const opener = /^\/auth\/sign(in|out)pop\//.test(url) ? 'unsafe-none' : 'same-origin-allow-popups'
      expect(answer.header('cross-origin-opener-policy'), where).toBe(opener)
      expect(answer.header('cross-origin-resource-policy'), where).toBe('same-origin')
      expect(answer.header('strict-transport-security'), where).toBe('max-age=31536000; includeSubDomains')
      expect(answer.header('content-security-policy'), where).not.toMatch(/unsafe|\*|https:(?!\/\/login\.example)/)
      if (status >= 400) expect(answer.header('content-security-policy'), where).toBe("default-src 'none'; frame-ancestors 'none'; sandbox")
      if (status >= 400 || url.startsWith('/data')) expect(answer.header('cache-control'), where).toBe('no-store')
    }
  })

  built('that is a page runs its own scripts only and calls nobody but us and the provider', async ({ site }) => {
    for (const page of pages) {
      const policy = Object.fromEntries(
        (await site(page))
          .header('content-security-policy')
          .split('; ')
          .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
      )
      expect(policy, page).toMatchObject({
        'default-src': "'none'",
        'script-src': "'self'",
        'connect-src': "'self' https://login.example",
        'frame-src': "'self' https://login.example",
        // Renewal happens in a frame of ours; nothing else may be framed, and not even that by others.
        'frame-ancestors': page.toLowerCase().startsWith('/auth/signinsilent/') ? "'self'" : "'none'",
        'worker-src': "'self'",
        'base-uri': "'none'",
        'object-src': "'none'",
        'form-action': "'self'",
        'require-trusted-types-for': "'script'",
      })
      expect((await site(page)).header('cache-control'), page).toBe(page.toLowerCase().startsWith('/auth/') ? 'no-store' : 'no-cache')
    }
  })
})
