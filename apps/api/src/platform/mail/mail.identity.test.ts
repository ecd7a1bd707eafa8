import { createHash, createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { dkimOf, dkimRecordOf } from './dkim.ts'
import { createMailer } from './mail.ts'
import type { Mail } from './mail.ts'
import { bounceAddressOf, messageIdOf, referenceIn, referenceOfAddress } from './mail-reference.ts'

const base = {
  NODE_ENV: 'development',
  DATABASE_URL: 'postgres://app_api:x@db/x',
  ACTOR_KEY: 'ab'.repeat(32),
  ISSUER: 'http://localhost:1',
  CLIENT_ID: 'web',
  PROJECT_RESOURCE_ID: 'x',
  FILES_DIR: '/tmp',
  MAIL_FROM: 'Guildhall <news@example.org>',
}

/** Sends a mail to a server that writes down what it is told, and the mail as it came. */
async function sent(settings: Record<string, string>, mail: Partial<Mail> = {}) {
  const told: string[] = []
  const source: string[] = []
  const server = createServer((socket) => {
    socket.write('220 here\r\n')
    let isText = false
    let rest = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString()).split('\r\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (isText && line !== '.') source.push(line.replace(/^\.\./, '.'))
        else {
          told.push(line)
          isText = line === 'DATA'
          socket.write(isText ? '354 go on\r\n' : line.startsWith('EHLO') ? '250-here\r\n250 DSN\r\n' : '250 fine\r\n')
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const mailer = createMailer(readConfig({ ...base, ...settings, SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  onTestFinished(() => mailer.close())
  await mailer.send({ to: 'ada@example.net', subject: 'Dues', text: 'Hello\n\n.dots and  spaces \n', ...mail })
  const [head = '', ...body] = source.join('\r\n').split('\r\n\r\n')
  return { told, head, body: `${body.join('\r\n\r\n')}\r\n` }
}

/** The check of RFC 6376 by the letter, for relaxed/relaxed. What is signed, or why it does not hold. */
function checkDkim(head: string, body: string, publicKey: string): { signed: string[]; fault?: string } {
  const fields = head.split(/\r\n(?![ \t])/).map((field) => {
    const colon = field.indexOf(':')
    return { name: field.slice(0, colon).toLowerCase().trim(), value: field.slice(colon + 1) }
  })
  const relaxed = (value: string) => value.replace(/\r\n/g, '').replace(/[ \t]+/g, ' ').trim() // prettier-ignore
  const signature = fields.find(({ name }) => name === 'dkim-signature')
  if (!signature) return { signed: [], fault: 'no signature' }
  const tags = new Map(
    signature.value.split(';').map((tag) => {
      const at = tag.indexOf('=')
      return [tag.slice(0, at).trim(), tag.slice(at + 1).replace(/\s/g, '')] as const
    }),
  )
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''))
  while (lines.at(-1) === '') lines.pop()
  const bodyHash = createHash('sha256')
    .update(lines.length > 0 ? `${lines.join('\r\n')}\r\n` : '')
    .digest('base64')
  if (tags.get('c') !== 'relaxed/relaxed' || tags.get('a') !== 'rsa-sha256') return { signed: [], fault: 'another algorithm' }
  if (tags.get('bh') !== bodyHash) return { signed: [], fault: 'the body is another' }
  const signed = (tags.get('h') ?? '').toLowerCase().split(':')
  const left = fields.toReversed()
  const text = signed
    .flatMap((name) => {
      const at = left.findIndex((field) => field.name === name)
      if (at < 0) return []
      const [field] = left.splice(at, 1)
      return [`${name}:${relaxed(field?.value ?? '')}\r\n`]
    })
    .join('')
  const own = `dkim-signature:${relaxed(signature.value.replace(/(;\s*b=)[^;]*/, '$1'))}`
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
  const holds = verify('sha256', Buffer.from(text + own), key, Buffer.from(tags.get('b') ?? '', 'base64'))
  return holds ? { signed } : { signed, fault: 'the signature is another' }
}

test('ids survive the Message-ID and the address for bounces, in whatever case a server writes them', () => {
  for (let n = 0; n < 200; n++) {
    const reference =
      n === 0
        ? { orgId: 'f'.repeat(8) + '-ffff-ffff-ffff-ffffffffffff', mailId: '00000000-0000-0000-0000-000000000000' }
        : { orgId: randomUUID(), mailId: randomUUID() }
    expect(referenceIn(`References: ${messageIdOf(reference).toUpperCase()}`)).toEqual(reference)
    const address = bounceAddressOf('mail-bounces1@example.org', reference)
    expect(address.indexOf('@')).toBeLessThanOrEqual(64)
    expect(referenceOfAddress(address)).toEqual(reference)
    expect(referenceOfAddress(address.toUpperCase())).toEqual(reference)
  }
  for (const other of ['bounces@example.org', 'bounces+x@example.org', `bounces+${'z'.repeat(50)}@example.org`, 'Ada <a@b>'])
    expect(referenceOfAddress(other)).toBeNull()
  expect(referenceIn('<4f1c@guildhall>')).toBeNull()
})

test('a mail comes back to an address of its own, and asks for reports of failure; otherwise to its sender', async () => {
  const reference = { orgId: randomUUID(), mailId: randomUUID() }
  const plain = await sent({}, { reference })
  expect(plain.told.find((line) => line.startsWith('MAIL FROM'))).toBe(
    `MAIL FROM:<news@example.org> RET=HDRS ENVID=${messageIdOf(reference).slice(1, -1)}`,
  )
  expect(plain.told).toContain('RCPT TO:<ada@example.net> NOTIFY=FAILURE')
  expect(plain.head).toContain(`Message-ID:\r\n ${messageIdOf(reference)}`)
  const own = await sent({ MAIL_BOUNCE_ADDRESS: 'bounces@example.org' }, { reference })
  const from = own.told.find((line) => line.startsWith('MAIL FROM')) ?? ''
  expect(referenceOfAddress(from)).toEqual(reference)
  expect(own.head).toMatch(/^From: Guildhall <news@example\.org>$/m)
})

test('no recipient hides in another’s address where the envelope is ours', async () => {
  const reference = { orgId: randomUUID(), mailId: randomUUID() }
  for (const to of ['ada@example.net', 'ada@example.net,eve@evil.example', 'ada@example.net>\r\nRCPT TO:<eve@evil.example']) {
    const { told } = await sent({ MAIL_BOUNCE_ADDRESS: 'bounces@example.org' }, { reference, to })
    expect(told.filter((line) => line.startsWith('RCPT'))).toHaveLength(1)
    expect(told.join('\n')).not.toMatch(/<eve@/)
  }
})

test('mail is signed so that the published key proves it, with the headers of one-click unsubscribing', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } }) // prettier-ignore
  const file = join(mkdtempSync(join(tmpdir(), 'guildhall-dkim-')), 'dkim.pem')
  writeFileSync(file, privateKey)
  const reference = { orgId: randomUUID(), mailId: randomUUID() }
  // The key from a file, and as one line of the environment.
  for (const key of [file, privateKey.replaceAll('\n', '\\n')]) {
    const settings = { DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 'guildhall', DKIM_PRIVATE_KEY: key }
    const dkim = dkimOf(readConfig({ ...base, ...settings }))
    if (!dkim) throw new Error('no key')
    const { name, value, publicKey } = dkimRecordOf(dkim)
    expect([name, value]).toEqual(['guildhall._domainkey.example.org', `v=DKIM1; k=rsa; p=${publicKey}`])
    const { head, body } = await sent(settings, {
      reference,
      html: '<p>Hello</p>',
      unsubscribeUrl: 'https://example.org/u/1',
      fromName: 'Zoë & Co',
    })
    expect(head).toMatch(/d=example\.org;/)
    const checked = checkDkim(head, body, publicKey)
    expect(checked.fault).toBeUndefined()
    expect(checked.signed).toEqual(
      expect.arrayContaining(['from', 'to', 'subject', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post']),
    )
    // Control: the check notices what was changed on the way, and a mail that nobody signed.
    expect(checkDkim(head.replace('Subject: Dues', 'Subject: Money'), body, publicKey).fault).toBe('the signature is another')
    expect(checkDkim(head, body.replace('Hello', 'Hallo'), publicKey).fault).toBe('the body is another')
    expect(checkDkim((await sent({}, { reference })).head, body, publicKey).fault).toBe('no signature')
  }
})

test.each<[string, Record<string, string>, RegExp]>([
  ['a key without a domain', { DKIM_PRIVATE_KEY: 'x' }, /DKIM_DOMAIN: missing[\s\S]*DKIM_SELECTOR: missing/],
  [
    'a file that is not there',
    { DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 's', DKIM_PRIVATE_KEY: '/nowhere' },
    /DKIM_PRIVATE_KEY: ENOENT/,
  ],
  ['a domain that is none', { DKIM_DOMAIN: 'localhost', DKIM_SELECTOR: 's', DKIM_PRIVATE_KEY: 'x' }, /DKIM_DOMAIN: must be a domain/],
  [
    'a name for bounces without room for ids',
    { MAIL_BOUNCE_ADDRESS: 'bounces-of-mail@example.org' },
    /MAIL_BOUNCE_ADDRESS: must have at most 13/,
  ],
  ['a name for bounces with a plus', { MAIL_BOUNCE_ADDRESS: 'a+b@example.org' }, /MAIL_BOUNCE_ADDRESS/],
  ['a short token', { MAIL_REPORT_TOKEN: 'secret' }, /MAIL_REPORT_TOKEN: must have 24/],
  ['a key of SendGrid that is none', { SENDGRID_PUBLIC_KEY: 'MFk' }, /SENDGRID_PUBLIC_KEY/],
])('%s is refused at the start', (_what, settings, says) => {
  expect(() => readConfig({ ...base, ...settings })).toThrow(says)
})

test('an elliptic key cannot sign', () => {
  const { privateKey } = generateKeyPairSync('ed25519', { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } }) // prettier-ignore
  expect(() => readConfig({ ...base, DKIM_DOMAIN: 'example.org', DKIM_SELECTOR: 's', DKIM_PRIVATE_KEY: privateKey })).toThrow(
    /must be an RSA key/,
  )
})
