import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { dkimOf, dkimRecordOf } from './dkim.ts'
import { startDns } from './dns-testing.ts'
import type { Zone } from './dns-testing.ts'
import { createSenderDomain } from './sender-domain.ts'

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } }) // prettier-ignore
const signing = { DKIM_DOMAIN: 'guild.org', DKIM_SELECTOR: 'g1', DKIM_PRIVATE_KEY: privateKey }
const base = {
  NODE_ENV: 'development',
  DATABASE_URL: 'postgres://app_api:x@db/x',
  ACTOR_KEY: 'ab'.repeat(32),
  ISSUER: 'http://localhost:1',
  CLIENT_ID: 'web',
  PROJECT_RESOURCE_ID: 'x',
  FILES_DIR: '/tmp',
  MAIL_FROM: 'Guild <news@Guild.org>',
  SMTP_URL: 'smtps://u:8f3c@mail.guild.org',
}
const dkim = () => dkimRecordOf(dkimOf(readConfig({ ...base, ...signing })) ?? fail())
const fail = () => {
  throw new Error('no key')
}

async function examined(zone: Zone, settings: Record<string, string> = {}, silent: string[] = []) {
  const server = await startDns(zone, silent)
  onTestFinished(() => server.close())
  const sender = createSenderDomain(readConfig({ ...base, ...settings, DNS_SERVERS: server.address }))
  const state = await sender.read()
  const of = (kind: string) => state.records.find((record) => record.kind === kind)
  return { state, of, sender, server }
}

test('records that are all in order are said to be', async () => {
  const { state } = await examined(
    {
      'guild.org': { txt: ['other=1', 'v=spf1 a:mail.guild.org -all'] },
      [dkim().name]: { txt: [dkim().value] },
      '_dmarc.guild.org': { txt: ['v=DMARC1; p=quarantine; rua=mailto:x@guild.org'] },
      'bounces.guild.org': { txt: ['v=spf1 a:mail.guild.org -all'], mx: ['mail.guild.org'] },
    },
    { ...signing, MAIL_BOUNCE_ADDRESS: 'bounces@bounces.guild.org' },
  )
  expect(state.domain).toBe('guild.org')
  expect(state.records.map(({ kind, name, reason, wanted }) => [kind, name, reason, wanted])).toEqual([
    // Mail comes back to another domain, whose record counts.
    ['spf', 'bounces.guild.org', 'spf_ok', null],
    ['dkim', 'g1._domainkey.guild.org', 'dkim_ok', null],
    ['dmarc', '_dmarc.guild.org', 'dmarc_ok', null],
    ['return_path', 'bounces.guild.org', 'return_path_ok', null],
  ])
})

test('what is missing comes with the record to add', async () => {
  const { state } = await examined({ 'guild.org': {} }, { ...signing, MAIL_BOUNCE_ADDRESS: 'bounces@guild.org' })
  expect(state.records.map(({ reason, wanted }) => [reason, wanted])).toEqual([
    ['spf_missing', 'v=spf1 a:mail.guild.org ~all'],
    ['dkim_missing', dkim().value],
    ['dmarc_missing', 'v=DMARC1; p=none'],
    ['return_path_missing', '10 mail.guild.org'],
  ])
})

test.for<[string, Zone, Record<string, string>, string, Record<string, unknown>]>([
  ['two SPF records', { 'guild.org': { txt: ['v=spf1 -all', 'v=spf1 mx ~all'] } }, {}, 'spf', { state: 'fault', reason: 'spf_several' }],
  ['an SPF record for everybody', { 'guild.org': { txt: ['v=spf1 mx +all'] } }, {}, 'spf', { reason: 'spf_open', wanted: 'v=spf1 mx ~all' }],
  ['an SPF record that forgets a sender we know', { 'guild.org': { txt: ['v=spf1 mx ~all'] } }, { SMTP_URL: 'smtps://u:8f3c@smtp.eu.mailgun.org' }, 'spf', { state: 'warning', wanted: 'v=spf1 include:mailgun.org mx ~all' }],
  ['another DKIM key', { 'g1._domainkey.guild.org': { txt: ['v=DKIM1; k=rsa; p=MIIB'] } }, signing, 'dkim', { state: 'fault', reason: 'dkim_other_key' }],
  ['a DKIM key that was revoked', { 'g1._domainkey.guild.org': { txt: ['v=DKIM1; p='] } }, signing, 'dkim', { reason: 'dkim_other_key' }],
  ['signing left to the mail server', {}, {}, 'dkim', { state: 'unknown', reason: 'dkim_by_server', wanted: null }],
  ['a DMARC record that only watches', { '_dmarc.guild.org': { txt: ['v=DMARC1; p=none; sp=reject'] } }, {}, 'dmarc', { state: 'warning', reason: 'dmarc_only_watches' }],
  ['a DMARC record of the domain above', { '_dmarc.guild.org': { txt: ['v=DMARC1;p=reject'] } }, { MAIL_FROM: 'x@news.guild.org' }, 'dmarc', { state: 'ok' }],
])('%s', async ([, zone, settings, kind, expected], { expect }) => {
  const { of } = await examined(zone, settings)
  expect(of(kind)).toMatchObject(expected)
}) // prettier-ignore

test('a key that signs for a domain of somebody else does not vouch for the sender', async () => {
  const { of } = await examined({ [dkim().name]: { txt: [dkim().value] } }, { ...signing, MAIL_FROM: 'x@notguild.org' })
  expect(of('dkim')).toMatchObject({ state: 'warning', reason: 'dkim_other_domain' })
})

test('a server that does not answer says nothing of a record', async () => {
  const { of } = await examined({ 'guild.org': { txt: ['v=spf1 mx ~all'] } }, {}, ['_dmarc.guild.org'])
  expect(of('dmarc')).toMatchObject({ state: 'unknown', reason: 'no_answer', wanted: null })
  expect(of('spf')).toMatchObject({ state: 'ok' })
}, 30_000)

test('who looks often asks once; a sender of this machine is not looked up', async () => {
  const { sender, server, state } = await examined({ 'guild.org': {} })
  const before = server.asked.length
  expect(before).toBeGreaterThan(0)
  expect(await Promise.all([sender.read(), sender.read(true), sender.read()])).toEqual([state, state, state])
  expect(server.asked).toHaveLength(before)
  for (const from of ['no-reply@localhost', 'no-reply@demo.example', 'x@mail.internal']) {
    const local = await examined({}, { MAIL_FROM: from })
    expect(local.state).toEqual({ address: from, domain: null, checkedAt: null, records: [] })
    expect(local.server.asked).toEqual([])
  }
})
