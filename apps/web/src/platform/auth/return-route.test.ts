// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { safeReturnRoute } from './return-route.ts'

const origin = 'http://localhost:3000'
const host = 'evil.example'

/** Ways to write another site, or one of our callback addresses, that somebody might take for a path of ours. */
const beforeHost = [
  ...['//', '///', '////', '/\\', '/\\\\', '\\/', '\\\\', '\\\\\\', '/\\/', '//\\'],
  ...['/\t/', '/\n/', '/\r/', '\t//', '\n//', ' //', '\u0000//', '/\t\\', '/\n\\', '\u00a0//', '\ufeff//'],
  ...['/.//', '/..//', '/./\\', '/a/..//', '/a/../..//', '/a/b/../..//', '/%2e//', '/%2E%2e//', '/.%2e//', '/%2e./\\', '/a/%2e%2e//'],
  ...['/%09/', '/%0a/', '/%5c', '/%2f', '/%2f%2f', '/%252f%252f'],
  ...['https:', 'https:/', 'https://', 'https:///', 'HTTPS://', 'http:\\\\', 'ftp://', 'ws://', 'file://', 'https:\\/', 'h\nttps://'],
  ...['//localhost:3000@', '/\\localhost:3000@', 'https://localhost:3000@', 'http://localhost:3000:pw@', '@', '//user:pw@', '.', ':80@'],
  ...['／／', '/／', '∕∕', '/⁄', '⁄/', '/\u2028/', '\u3002//', '。', '/\\。', '//％2f'],
]
const others = [
  ...['javascript:alert(1)', 'java\nscript:alert(1)', ' javascript:alert(1)', 'data:text/html,<script>1</script>', 'vbscript:x'],
  ...['blob:http://localhost:3000/x', 'about:blank', 'view-source:http://localhost:3000/', 'mailto:a@b.example', 'members', '', '?x', '#x'],
  ...[
    '/auth',
    '/auth/',
    '/auth/signinwin/zitadel?code=1&state=2',
    '/AUTH/x',
    '/a/../auth/x',
    '/./auth/x',
    '/%61uth/x',
    '/auth%2fx',
    '/auth\\x',
  ],
  ...['/%', '/%zz', `/${'x'.repeat(2000)}`, 'http://localhost:3000.evil.example', 'http://localhost:30000/', 'https://localhost:3000/'],
]
const noText = [undefined, null, 0, 1, true, {}, { to: '/x' }, ['/x'], ['//evil.example'], () => '/x']
const unsafe: unknown[] = [...beforeHost.map((prefix) => `${prefix}${host}`), ...others, ...noText]

const leaves = (route: string) => new URL(route, `${origin}/auth/signinwin/zitadel`).origin !== origin

test('A17 N39 no kept route leaves this site or leads to a callback', () => {
  expect(unsafe.length).toBeGreaterThanOrEqual(80)
  for (const to of unsafe) {
    const route = safeReturnRoute(to, origin)
    expect(route, JSON.stringify(to)).toMatch(/^\/(?![/\\])/)
    expect(leaves(route), JSON.stringify(to)).toBe(false)
    expect(new URL(route, origin).pathname, JSON.stringify(to)).not.toMatch(/^\/auth(\/|$)/i)
  }
})

test('control: without the guard, and with one that looks at the first characters only, many do', () => {
  const texts = unsafe.filter((to) => typeof to === 'string').filter((to) => URL.canParse(to, origin))
  expect(texts.filter(leaves).length).toBeGreaterThan(40)
  const looked = texts.filter((to) => /^\/(?![/\\])/.test(to)).map((to) => new URL(to, origin))
  expect(looked.filter(({ pathname, search, hash }) => leaves(pathname + search + hash)).length).toBeGreaterThan(5)
})

describe('a path of this site is followed as it was kept', () => {
  test.each([
    '/',
    '/members?q=a#b',
    '/authors',
    '/chapter/x/members/all',
    '/groups?q=%2F%2Fevil',
    '/person/1?next=//evil.example',
    '/%C3%A9',
  ])('%s', (to) => {
    expect(safeReturnRoute(to, origin)).toBe(to)
  })
})
