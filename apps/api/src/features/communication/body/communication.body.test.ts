import { randomUUID } from 'node:crypto'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { documentOf } from '@guildhall/contract/formatted-document'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import { hostile } from '@guildhall/contract/hostile-texts-testing'
import type { MessageContent, SimpleBlock } from '@guildhall/contract/message-blocks'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../platform/config.ts'
import { createMailer } from '../../../platform/mail/mail.ts'
import { colorsOf } from '../../../platform/public-pages/colors.ts'
import { fillMessage, missingValues, prepareMessage } from './communication.body.rules.ts'
import type { Preparing } from './communication.body.rules.ts'

const publicUrl = 'https://members.example.org'
const dinner = {
  id: 'e1',
  name: 'Dinner',
  startsAt: '2026-12-04T18:00:00Z',
  endsAt: '2026-12-04T21:00:00Z',
  timezone: 'Europe/Berlin',
  place: 'Old Hall',
  path: '/events/e1',
}
const prepare = (content: Partial<MessageContent>, more: Partial<Preparing> = {}) =>
  prepareMessage({
    ...{ subject: 'News', preheader: '', body: { blocks: [] }, ...content },
    ...{ language: 'en', brand: { name: 'Society', ...colorsOf('#123a8c') }, publicUrl },
    events: new Map([['e1', dinner]]),
    pictureUrl: (fileId) => `${publicUrl}/public/message-pictures/${fileId}`,
    offers: { preferences: true, unsubscribe: true },
    ...more,
  })
const links = { preferencesUrl: `${publicUrl}/public/mail/p`, unsubscribeUrl: `${publicUrl}/public/mail/u?a=1&b=2` }
const text = (value: string): SimpleBlock => ({ type: 'text', text: documentOf(value) })
const linked = (href: string): FormattedDocument => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href } }] }] }],
})
const everything: MessageContent = {
  subject: 'Hello {{first_name | friend}}',
  preheader: 'News of {{chapter | your chapter}}',
  body: {
    blocks: [
      text('{{salutation}},\n\nyour term ends on {{term_ends | the last day of the year}}.'),
      { type: 'text', text: linked('https://example.org/?a=1&b=2') },
      { type: 'button', label: 'Go, {{first_name}}', href: '/renew' },
      { type: 'picture', fileId: 'p1', alt: 'For {{first_name}}', decorative: false, href: 'https://example.org/picture', width: 'full' },
      { type: 'event', eventId: 'e1' },
      {
        type: 'columns',
        left: [text('Left {{full_name}}')],
        right: [{ type: 'picture', fileId: 'p2', alt: '', decorative: true, href: null, width: 'half' }],
      },
      { type: 'divider' },
    ],
  },
}
const ada = { first_name: 'Ada', full_name: 'Ada Lovelace', salutation: 'Dear Ada', chapter: 'London' }

/** Every tag with its attributes' names: what somebody put in must never change it. */
const skeleton = (html: string) =>
  [...html.matchAll(/<(\/?[a-z!][^\s>]*)((?:\s+[^\s=>"']+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']*))?)*)\s*\/?>/gi)]
    .map(
      ([, name, attributes]) =>
        `${name} ${[...(attributes ?? '').matchAll(/([^\s=]+)\s*=\s*("[^"]*"|'[^']*')/g)].map(([, key]) => key).join(' ')}`,
    )
    .join('\n')

test('a message is written for one recipient, as HTML and as plain text', async () => {
  const prepared = await prepare(everything)
  expect(prepared.fields.toSorted()).toEqual(['chapter', 'first_name', 'full_name', 'salutation', 'term_ends'])
  const { subject, html, text: plain } = fillMessage(prepared, ada, links)
  expect(subject).toBe('Hello Ada')
  for (const words of [
    'Dear Ada',
    'the last day of the year',
    'Go, Ada',
    'alt="For Ada"',
    'Left Ada Lovelace',
    'News of London',
    'Dinner',
    'Old Hall',
  ])
    expect(html).toContain(words)
  expect(html).toContain('Friday, December 4, 2026 at 7:00 PM GMT+1')
  expect(html).toContain('href="https://example.org/?a=1&amp;b=2"')
  expect(html).toContain(`href="${publicUrl}/renew"`)
  expect(html).toContain(`src="${publicUrl}/public/message-pictures/p1"`)
  expect(html).toContain(`href="${publicUrl}/public/mail/u?a=1&amp;b=2"`)
  expect(html).toContain('prefers-color-scheme: dark')
  expect(plain).toBe(`Dear Ada,

your term ends on the last day of the year.

here (https://example.org/?a=1&b=2)

Go, Ada:
${publicUrl}/renew

[For Ada]
https://example.org/picture

Dinner
Friday, December 4, 2026 at 7:00 PM GMT+1
Old Hall
${publicUrl}/events/e1

Left Ada Lovelace

---

-- 
You are receiving this mail from Society.
Choose what you receive: ${publicUrl}/public/mail/p
Unsubscribe: ${publicUrl}/public/mail/u?a=1&b=2
`)
})

test('what is missing is told, and stays empty', async () => {
  const prepared = await prepare({ subject: 'Hello {{first_name}} of {{chapter | us}}' })
  expect(missingValues(prepared, {})).toEqual(['first_name'])
  expect(fillMessage(prepared, {}, links).subject).toBe('Hello  of us')
  expect(fillMessage(await prepare({ subject: '{{nothing | x}}' }), {}, links).subject).toBe('{{nothing | x}}')
})

test('a link has the same number in both parts, and is led where the sender says', async () => {
  const prepared = await prepare(everything)
  expect(prepared.links).toEqual([
    'https://example.org/?a=1&b=2',
    `${publicUrl}/renew`,
    'https://example.org/picture',
    `${publicUrl}/events/e1`,
  ])
  const { html, text: plain } = fillMessage(prepared, ada, { ...links, rewriteLink: (_href, index) => `${publicUrl}/c/${index}?"<&` })
  for (const index of [0, 1, 2, 3]) {
    expect(html).toContain(`href="${publicUrl}/c/${index}?&quot;&lt;&amp;"`)
    expect(plain).toContain(`${publicUrl}/c/${index}?"<&`)
  }
  // The footer's own links are never led elsewhere.
  expect(html).toContain(`${publicUrl}/public/mail/p`)
})

test('nothing counts opens unless the sender says so; essential mail offers no unsubscribing', async () => {
  const prepared = await prepare(everything, { offers: { preferences: false, unsubscribe: false } })
  const { html } = fillMessage(prepared, ada, {})
  expect(html).not.toContain('width="1" height="1"')
  expect(html).not.toContain('Unsubscribe')
  expect(fillMessage(prepared, ada, { openUrl: `${publicUrl}/o/1` }).html).toContain(`<img src="${publicUrl}/o/1" alt="" width="1"`)
})

test('a mail in a language that is written from the right is laid out from there', async () => {
  const { html } = fillMessage(await prepare(everything, { language: 'ar' }), ada, links)
  expect(html).toContain('dir="rtl"')
  expect(html).toContain('align="right"')
})

test('nothing that people are called becomes markup, a merge field or another header', async () => {
  const prepared = await prepare(everything)
  const fill = (value: string) =>
    fillMessage(prepared, { first_name: value, full_name: value, salutation: value, chapter: value, term_ends: value }, links)
  const expected = skeleton(fill('x').html)
  for (const value of [...hostile.tags, ...hostile.links]) expect(skeleton(fill(value).html), value).toBe(expected)
  for (const value of ['{{full_name}}', '{{first_name | x}}', '%%TITLE%%', '{{{', '${1}', '$&', '$1'])
    for (const part of Object.values(fill(value))) expect(part).toContain(value.replaceAll('&', part.startsWith('<') ? '&amp;' : '&'))
  expect(fill('Ada\r\nBcc: eve@evil.example\u2028x').subject).toBe('Hello Ada Bcc: eve@evil.example x')
})

test('nothing that is written becomes markup', async () => {
  const write = async (value: string) => {
    const blocks: SimpleBlock[] = [
      { type: 'text', text: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: value }] }] } },
      { type: 'button', label: value, href: 'https://example.org' },
      { type: 'picture', fileId: 'p1', alt: value, decorative: false, href: null, width: 'full' },
      { type: 'event', eventId: 'e1' },
    ]
    const event = { ...dinner, name: value, place: value }
    const prepared = await prepare(
      { subject: value, preheader: value, body: { blocks } },
      { brand: { name: value, ...colorsOf(null) }, events: new Map([['e1', event]]), reason: value, imprint: value.replaceAll('\n', ' ') },
    )
    return skeleton(fillMessage(prepared, {}, links).html)
  }
  const expected = await write('x')
  // Laying out takes a while: the corpus goes through it a few dozen texts at once.
  for (let at = 0; at < hostile.tags.length; at += 20)
    expect(await write(hostile.tags.slice(at, at + 20).join(' ')), `from ${at}`).toBe(expected)
})

test('links that lead to no page are left out', async () => {
  for (const href of hostile.links.filter((one) => one !== '/person/1')) {
    const blocks: SimpleBlock[] = [
      { type: 'button', label: 'Go', href },
      { type: 'text', text: linked(href) },
    ]
    const prepared = await prepare({ body: { blocks } })
    expect(prepared.links, href).toEqual([])
  }
}, 60_000)

test('a mail to somebody with a hostile name has one recipient and no header of theirs', async () => {
  const heads: string[] = []
  const recipients: string[] = []
  const server = createServer((socket) => {
    let mail: string | undefined
    socket.on('error', () => undefined)
    socket.write('220 here\r\n')
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n')) {
        if (mail !== undefined && line !== '.') mail += `${line}\n`
        else if (mail !== undefined) {
          heads.push(mail.slice(0, mail.indexOf('\n\n')))
          mail = undefined
          socket.write('250 fine\r\n')
        } else if (line === 'DATA') {
          mail = ''
          socket.write('354 go on\r\n')
        } else if (line !== '') {
          if (line.startsWith('RCPT')) recipients.push(line)
          socket.write('250 fine\r\n')
        }
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const settings = {
    NODE_ENV: 'development',
    DATABASE_URL: 'postgres://app_api:x@db/x',
    ACTOR_KEY: 'ab'.repeat(32),
    ISSUER: 'http://localhost:1',
    CLIENT_ID: 'web',
  }
  const mailer = createMailer(
    readConfig({
      ...settings,
      PROJECT_RESOURCE_ID: 'x',
      FILES_DIR: '/tmp',
      SMTP_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    }),
  )
  onTestFinished(() => mailer.close())
  const prepared = await prepare(everything)
  const names = [
    'Ada',
    'Ada\r\nBcc: eve@evil.example',
    'Ada\nX-Evil: 1\n\n<script>',
    'a@b, c@d',
    '"x" <eve@evil.example>',
    'x'.repeat(1200),
    'Zoë 日本\u0000',
    'group: a@b, c@d;',
  ]
  for (const name of names) {
    const written = fillMessage(prepared, { ...ada, first_name: name, full_name: name }, links)
    await mailer.send({
      to: 'ada@example.org',
      ...written,
      unsubscribeUrl: links.unsubscribeUrl,
      reference: { orgId: randomUUID(), mailId: randomUUID() },
    })
  }
  expect(recipients).toEqual(names.map(() => 'RCPT TO:<ada@example.org>'))
  const namesOf = (head: string) => head.split('\n').filter((line) => /^\S/.test(line)).map((line) => line.slice(0, line.indexOf(':'))) // prettier-ignore
  expect(heads).toHaveLength(names.length)
  for (const head of heads) {
    expect(namesOf(head)).toEqual(namesOf(heads[0] ?? ''))
    expect(head).toMatch(/^To: ada@example\.org$/m)
  }
})

test('thousands are written in a second', async () => {
  const prepared = await prepare(everything)
  const count = 5_000
  const started = performance.now()
  for (let at = 0; at < count; at += 1) fillMessage(prepared, { ...ada, first_name: `Ada ${at}` }, links)
  const perSecond = Math.round((count / (performance.now() - started)) * 1000)
  expect(perSecond).toBeGreaterThan(1_000)
})
