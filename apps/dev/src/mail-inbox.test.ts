import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { openMailbox } from './mail-box.ts'
import { startMailInbox, type MailInbox } from './mail-inbox.ts'

const Messages = z.array(z.object({ id: z.string(), subject: z.string(), to: z.array(z.string()), attachments: z.array(z.string()) }))

let inbox: MailInbox
let dataDir: string

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'guildhall-test-'))
  inbox = await startMailInbox({ port: 0, smtpPort: 0, dataDir })
})

afterEach(async () => {
  await inbox.stop()
  rmSync(dataDir, { recursive: true })
})

const mail = { from: 'Guildhall <no-reply@demo.example>', to: 'member@demo.example', subject: 'Welcome', text: 'Hello' }

async function send(changes: SendMailOptions = {}): Promise<void> {
  const transport = createTransport(inbox.smtpUrl)
  await transport.sendMail({ ...mail, ...changes })
  transport.close()
}

const get = async (path: string) => (await fetch(inbox.url + path)).text()
const list = async (search = '') => Messages.parse(JSON.parse(await get(`/messages.json?search=${search}`)))

test('a mail that was sent stands on the page, newest first, with blind copies in its addresses', async () => {
  expect(await get('/')).toContain('No mail yet.')
  await send()
  await send({ subject: 'Grüße & <mehr>', bcc: 'secretary@demo.example' })
  expect((await list()).map(({ subject, to }) => [subject, ...to])).toEqual([
    ['Grüße & <mehr>', 'member@demo.example', 'secretary@demo.example'],
    ['Welcome', 'member@demo.example'],
  ])
  const page = await get('/')
  expect(page).toContain('Grüße &amp; &lt;mehr&gt;')
  expect(page.indexOf('Grüße')).toBeLessThan(page.indexOf('Welcome'))
})

test('a message shows its text with links to follow, its markup caged, and its attachments', async () => {
  await send({
    text: 'Accept: https://localhost/invitation?code=1&for=you <b>',
    html: '<p>Accept</p><img src="cid:logo"><script>alert(1)</script>',
    attachments: [
      { filename: 'logo.png', content: Buffer.from('image'), cid: 'logo', contentDisposition: 'inline' },
      { filename: 'Räte "1".pdf', content: Buffer.from('paper') },
    ],
  })
  const [message] = await list()
  expect(message?.attachments).toEqual(['Räte "1".pdf'])
  const page = await get(`/messages/${message?.id}`)
  expect(page).toContain('<a href="https://localhost/invitation?code=1&amp;for=you" target="_blank"')
  expect(page).toContain('&lt;b&gt;')
  expect(page).toMatch(/<iframe[^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/)
  const caged = await fetch(`${inbox.url}/messages/${message?.id}/html`)
  expect(caged.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox allow-popups/)
  expect(await caged.text()).toContain(`<img src="data:image/png;base64,${Buffer.from('image').toString('base64')}">`)
  const paper = await fetch(`${inbox.url}/messages/${message?.id}/attachments/0`)
  expect(paper.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''R%C3%A4te%20%221%22.pdf")
  expect(await paper.text()).toBe('paper')
  expect(await get(`/messages/${message?.id}/source`)).toContain('Subject: Welcome')
})

test('a search finds by address, subject and text', async () => {
  await send({ to: 'owner@demo.example', subject: 'One' })
  await send({ subject: 'Two', text: 'The second' })
  expect(await list('OWNER')).toHaveLength(1)
  expect((await list('second')).map(({ subject }) => subject)).toEqual(['Two'])
  expect(await get('/?search=nothing')).toContain('No message speaks of “nothing”.')
})

test('mail outlives a restart, and only the last 500 are kept', async () => {
  await send()
  await inbox.stop()
  const mailbox = await openMailbox(join(dataDir, 'mail'))
  for (let number = 1; number <= 500; number++) await mailbox.add(Buffer.from(`Subject: ${number}\r\n\r\nText`), ['member@demo.example'])
  inbox = await startMailInbox({ port: 0, smtpPort: 0, dataDir })
  const messages = await list()
  expect([messages.length, messages[0]?.subject, messages.at(-1)?.subject]).toEqual([500, '500', '1'])
  expect(readdirSync(join(dataDir, 'mail'))).toHaveLength(1000)
})

test('all messages can be deleted, but not by another site', async () => {
  await send()
  const post = (site: string) =>
    fetch(`${inbox.url}/delete-all`, { method: 'POST', headers: { 'sec-fetch-site': site }, redirect: 'manual' })
  expect((await post('cross-site')).status).toBe(403)
  expect(await list()).toHaveLength(1)
  expect((await post('same-origin')).status).toBe(303)
  expect(await list()).toHaveLength(0)
  expect(readdirSync(join(dataDir, 'mail'))).toEqual([])
})

test('a message that is too large is refused, and one without anything readable still shows', async () => {
  await expect(send({ text: 'x'.repeat(11_000_000) })).rejects.toThrow(/size|large/i)
  const mailbox = await openMailbox(join(dataDir, 'mail'))
  await mailbox.add(Buffer.from([0xff, 0xfe, 0x00, 0x0a]), [])
  expect(mailbox.list()[0]?.subject).toBe('(no subject)')
})

test('an unknown message gets a page that says so, and no path leads out of the folder', async () => {
  for (const path of ['/messages/none', '/messages/..%2f..%2fidentity-keys', '/elsewhere']) {
    const response = await fetch(inbox.url + path)
    expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('No such message')])
  }
})

test('it is reached from this machine only', async () => {
  const { port } = new URL(inbox.smtpUrl)
  const elsewhere = Object.values((await import('node:os')).networkInterfaces()).flat()
  const address = elsewhere.find((one) => one && !one.internal && one.family === 'IPv4')?.address
  if (!address) return
  await expect(
    new Promise((resolve, reject) => createConnection(Number(port), address).once('connect', resolve).once('error', reject)),
  ).rejects.toThrow(/ECONNREFUSED/)
})

test('it refuses to run in production', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  await expect(startMailInbox({ port: 0, smtpPort: 0, dataDir })).rejects.toThrow(/does not run in production/)
  vi.unstubAllEnvs()
})
