import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import { createLog } from './log.ts'
import { hostileProvider, orgClaim } from '../sign-in/provider-testing.ts'

const logModule = new URL('log.ts', import.meta.url).href

test('fields that hold a secret are cut at any depth, and nothing else of the line is touched', () => {
  const lines: string[] = []
  const log = createLog('info', new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) }))
  const request = { cookie: 'a', headers: { authorization: 'b', accept: 'c' }, tokens: { here: { id_token: 'd', access_token: 1 } } }
  const before = structuredClone(request)
  const query: object = Object.assign(Object.create(null) as object, { id_token: 'g' })
  log.info({ request, query, refresh_token: 'e', cookies: 'f', none: null }, 'x')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    request: {
      cookie: '[cut]',
      headers: { authorization: '[cut]', accept: 'c' },
      tokens: { here: { id_token: '[cut]', access_token: '[cut]' } },
    },
    query: { id_token: '[cut]' },
    refresh_token: '[cut]',
    cookies: 'f',
    none: null,
  })
  expect(request).toEqual(before)
  const round: Record<string, unknown> = {}
  round['round'] = round
  log.info({ round }, 'x')
  expect(lines[1]).toContain('[Circular]')
})

test('lines wait for each other, but an error is there at once with all before it, whatever becomes of the process', () => {
  const logged = (program: string) =>
    spawnSync(process.execPath, ['--input-type=module', '-e', `import { createLog } from ${JSON.stringify(logModule)}\n${program}`], {
      encoding: 'utf8',
    })
      .stdout.split('\n')
      .filter(Boolean).length
  const die = `process.kill(process.pid, 'SIGKILL')`
  expect(logged(`const log = createLog('info'); log.info('one'); log.error('two'); ${die}`)).toBe(2)
  expect(logged(`const log = createLog('info'); log.info('one'); log.info('two'); setTimeout(() => ${die}, 5_000)`)).toBe(2)
  expect(logged(`const log = createLog('info'); log.info('one'); process.exit(3)`)).toBe(1)
  // The control: an ordinary line does wait.
  expect(logged(`const log = createLog('info'); log.info('one'); ${die}`)).toBe(0)
})

test('no token is ever written to the log, whatever goes wrong', async ({ variant, organisation, admin }) => {
  const lines: string[] = []
  const log = createLog('trace', new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) }))
  const provider = await hostileProvider()
  const org = await organisation()
  const subject = randomUUID()
  await admin.query(`insert into app.accounts (org_id, issuer, subject, status) values ($1, $2, $3, 'active')`, [
    org.id,
    provider.issuer,
    subject,
  ])
  const settings = { ISSUER: provider.issuer, INTROSPECTION_CLIENT_ID: 'api', INTROSPECTION_CLIENT_SECRET: 'introspection-secret' }
  const server = await variant(settings, log)
  const introspecting = await variant({ ...settings, AUTH_MODE: 'introspection' }, log)
  const secrets: string[] = ['introspection-secret']
  const fresh = async () => {
    const token = await provider.accessToken({ sub: subject, [orgClaim]: org.id })
    secrets.push(...token.split('.').slice(1))
    return token
  }

  for (const at of [server, introspecting]) {
    for (const fault of ['none', 'refuses', 'html', 'broken', 'empty'] as const) {
      provider.fault = fault
      const token = await fresh()
      await at.as(token).get('/data/me')
      await at.as(token).post('/data/rpc/update_account_login')
      await at.as(token).get(`/data/me?access_token=${token}`)
      await at.as(token).get(`/auth/signinwin/zitadel?code=${token}&state=${token}`)
      await at.as(token).get(`/nowhere/${token.slice(0, 60)}?id_token=${token}`)
      await at.as(`${token}x`).get('/data/me', undefined, { cookie: `token=${token}` })
      await at.as(token).post('/data/accounts', { email: token })
      const logout = await provider.logoutToken({ sub: subject, nonce: fault })
      secrets.push(...logout.split('.').slice(1))
      await at.app.inject({
        method: 'POST',
        url: '/auth/backchannel-logout',
        payload: `logout_token=${logout}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    }
  }
  // An error that carries a request with it.
  log.error(
    { err: Object.assign(new Error('failed'), { headers: { authorization: 'x' } }), headers: { authorization: `Bearer ${await fresh()}` } },
    'x',
  )
  await provider.stop()

  const written = lines.join('')
  expect(lines.length).toBeGreaterThan(50)
  expect(secrets.filter((secret) => written.includes(secret))).toEqual([])
  // The control: what is looked for would be found.
  log.info({ careless: secrets.at(-1) }, 'x')
  expect(lines.join('')).toContain(secrets.at(-1))
})
