import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const password = '8f3c'
const capitals = '%53ECRET'
const known = 'postgres'
const good = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://guildhall.example.org',
  DATABASE_URL: `postgres://app_api:${password}@db/guildhall`,
  WORKER_DATABASE_URL: `postgres://app_worker:${password}@db/guildhall`,
  ACTOR_KEY: createHash('sha256').update('an example').digest('hex'),
  INTEGRATIONS_KEY: createHash('sha256').update('another example').digest('hex'),
  ISSUER: 'https://login.example.org',
  CLIENT_ID: 'web',
  PROJECT_RESOURCE_ID: 'guildhall',
  FILES_DIR: '/tmp',
}

test('settings for production are accepted (the control of what follows)', () => {
  expect(readConfig(good)).toMatchObject({ NODE_ENV: 'production', SIGN_UP: 'invite', AUTH_MODE: 'jwt' })
})

test.each<[what: string, settings: Record<string, string>, says: RegExp]>([
  ['the development provider', { ISSUER: 'https://localhost:3001' }, /ISSUER: a loopback/],
  ['a loopback provider under another name', { ISSUER: 'https://id.localhost' }, /ISSUER: a loopback/],
  ['a loopback provider by address', { ISSUER: 'https://127.0.0.1:3001' }, /ISSUER: a loopback/],
  ['a loopback provider by address, version 6', { ISSUER: 'https://[::1]:3001' }, /ISSUER: a loopback/],
  ['a loopback provider by a mapped address', { ISSUER: 'https://[::ffff:127.0.0.1]' }, /ISSUER: a loopback/],
  ['a provider over plain http', { ISSUER: 'http://login.example.org' }, /ISSUER: use https/],
  ['pages over plain http', { PUBLIC_URL: 'http://guildhall.example.org' }, /PUBLIC_URL: use https/],
  ['an example key', { ACTOR_KEY: 'ab'.repeat(32) }, /ACTOR_KEY: this is an example key/],
  ['no key for secrets of integrations', { INTEGRATIONS_KEY: '' }, /INTEGRATIONS_KEY: the key .* is missing/],
  ['the same key for secrets', { INTEGRATIONS_KEY: createHash('sha256').update('an example').digest('hex') }, /INTEGRATIONS_KEY: this is/],
  ['a key of one byte', { ACTOR_KEY: '9c'.repeat(32) }, /ACTOR_KEY: this is an example key or a pattern/],
  ['a key that counts', { ACTOR_KEY: '0123456789abcdef'.repeat(4) }, /ACTOR_KEY: this is an example key or a pattern/],
  ['a key that counts all the way', { ACTOR_KEY: Buffer.from(Array.from({ length: 32 }, (_, n) => n)).toString('hex') }, /ACTOR_KEY: this/],
  ['the password of the example', { DATABASE_URL: 'postgres://app_api:secret@db/guildhall' }, /DATABASE_URL: set a real password/],
  ['the same in capitals', { DATABASE_URL: `postgres://app_api:${capitals}@db/guildhall` }, /DATABASE_URL: set a real password/],
  ['the example’s mail server', { SMTP_URL: 'smtps://user:secret@mail.example.org:465' }, /SMTP_URL: set a real password/],
  ['mail without TLS', { SMTP_URL: 'smtp://mail.example.org?ignoreTLS=true' }, /SMTP_URL: leave TLS as it is/],
  ['mail to anybody’s certificate', { SMTP_URL: 'smtps://mail.example.org?tls.rejectUnauthorized=false' }, /SMTP_URL: leave TLS as it is/],
  ['no password for the database', { DATABASE_URL: 'postgres://app_api@db/guildhall' }, /DATABASE_URL: set a real password/],
  ['a password everybody knows', { DATABASE_URL: `postgres://app_api:${known}@db/guildhall` }, /DATABASE_URL: set a real password/],
  ['the same for the worker', { WORKER_DATABASE_URL: 'postgres://app_worker:app_worker@db/x' }, /WORKER_DATABASE_URL: set a real password/],
  ['an administrator of the database', { DATABASE_URL: `postgres://postgres:${password}@db/guildhall` }, /DATABASE_URL: use the role/],
])('A26 production with %s is refused, development is not', (_what, settings, says) => {
  expect(() => readConfig({ ...good, ...settings })).toThrow(says)
  expect(() => readConfig({ ...good, ...settings, NODE_ENV: 'development' })).not.toThrow()
})

test('mail may go without TLS to this machine, or where an operator says so', () => {
  for (const settings of [
    { SMTP_URL: 'smtp://127.0.0.1:25?ignoreTLS=true' },
    { SMTP_URL: 'smtp://relay:25?ignoreTLS=true', SMTP_TLS: 'optional' },
  ])
    expect(() => readConfig({ ...good, ...settings })).not.toThrow()
})

test('all faults are told at once', () => {
  const bad = { ...good, PUBLIC_URL: 'http://a.example', ACTOR_KEY: 'aa'.repeat(32), DATABASE_URL: 'postgres://postgres:secret@db/x' }
  expect(() => readConfig(bad)).toThrow(/PUBLIC_URL.*ACTOR_KEY.*DATABASE_URL: set a real.*DATABASE_URL: use the role/s)
})

test.each<[what: string, settings: Record<string, string>, says: RegExp]>([
  ['a key without a signing secret', { STRIPE_SECRET_KEY: `sk_test_${password}abcdefgh` }, /STRIPE_WEBHOOK_SECRET: the signing secret/],
  ['a signing secret without a key', { STRIPE_WEBHOOK_SECRET: 'whsec_abcdefgh' }, /STRIPE_SECRET_KEY: the key that belongs/],
  ['a publishable key', { STRIPE_SECRET_KEY: 'pk_live_abcdefgh' }, /STRIPE_SECRET_KEY: must be a secret or restricted key/],
  ['a secret that is none', { STRIPE_WEBHOOK_SECRET: 'abcdefgh' }, /STRIPE_WEBHOOK_SECRET.*must be the signing secret/],
])('payments with %s are refused', (_what, settings, says) => {
  expect(() => readConfig({ ...good, ...settings })).toThrow(says)
})

test('live keys are for production, other addresses than Stripe’s for development', () => {
  const of = (kind: string) => ({
    STRIPE_SECRET_KEY: `rk_${kind}_${password}abcdefgh`,
    STRIPE_WEBHOOK_SECRET: 'whsec_abcdefgh, whsec_ijklmnop',
  })
  expect(readConfig({ ...good, ...of('live') })).toMatchObject({ STRIPE_WEBHOOK_SECRET: ['whsec_abcdefgh', 'whsec_ijklmnop'] })
  expect(() => readConfig({ ...good, ...of('live'), NODE_ENV: 'development' })).toThrow(
    /STRIPE_SECRET_KEY: a live key is for production only/,
  )
  const elsewhere = { ...of('test'), STRIPE_API_URL: 'http://localhost:3004' }
  expect(() => readConfig({ ...good, ...elsewhere })).toThrow(/STRIPE_API_URL: is for development only/)
  expect(() => readConfig({ ...good, ...elsewhere, NODE_ENV: 'development' })).not.toThrow()
})
