import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { serveLocally, type Reply } from './local-server.ts'
import { openMailbox, type Mailbox } from './mail-box.ts'
import { attachedTo, contentOf, inboxPage, messageHtml, messagePage, noMessagePage } from './mail-pages.ts'
import { takeMail } from './mail-smtp.ts'
import { freePort } from './ports.ts'
import { refuseInProduction } from './refuse-in-production.ts'

export type MailInboxOptions = {
  /** Of the page to read the mail on; 0 for any free one. */
  port: number
  /** Where mail is taken; 0 for any free one. */
  smtpPort: number
  dataDir: string
  log?: (line: string) => void
}

export type MailInbox = { url: string; smtpUrl: string; stop: () => Promise<void> }

/**
 * Takes every mail that is sent and delivers none: it is read on a page instead, or by a test as `/messages.json?search=…` and
 * `/messages/{id}.json`. For development; refuses to run in production.
 */
export async function startMailInbox({ dataDir, log = () => {}, ...ports }: MailInboxOptions): Promise<MailInbox> {
  refuseInProduction('The mail inbox, which delivers nothing,')
  const mailbox = await openMailbox(join(dataDir, 'mail'))
  const port = ports.port || (await freePort())
  const smtpPort = ports.smtpPort || (await freePort())
  const smtpUrl = `smtp://127.0.0.1:${smtpPort}`
  const stopSmtp = await takeMail({ mailbox, port: smtpPort, log })
  const answer = (request: IncomingMessage, _response: unknown, url: URL) => answerPage(mailbox, smtpUrl, request, url)
  const stopPages = await serveLocally({ port, log, answer }).catch(async (error: unknown) => {
    await stopSmtp()
    throw error
  })
  const stop = async () => {
    await Promise.all([stopSmtp(), stopPages()])
  }
  return { url: `http://localhost:${port}`, smtpUrl, stop }
}

async function answerPage(mailbox: Mailbox, smtpUrl: string, request: IncomingMessage, url: URL): Promise<Reply> {
  if (request.method === 'POST' && url.pathname === '/delete-all') return deleteAll(mailbox, request)
  const search = url.searchParams.get('search') ?? ''
  if (url.pathname === '/') return inboxPage(find(mailbox, search), search, smtpUrl)
  if (url.pathname === '/messages.json') return json(find(mailbox, search))
  return (await answerMessage(mailbox, url.pathname)) ?? { status: 404, ...noMessagePage() }
}

const find = (mailbox: Mailbox, search: string) => {
  const wanted = search.trim().toLowerCase()
  return mailbox
    .list()
    .filter(({ to, from, subject, preview }) => [...to, from, subject, preview].some((text) => text.toLowerCase().includes(wanted)))
}

async function answerMessage(mailbox: Mailbox, pathname: string): Promise<Reply | undefined> {
  const [, area, name = '', part = '', index = ''] = pathname.split('/')
  const message = area === 'messages' ? await mailbox.find(name.replace(/\.json$/, '')) : undefined
  if (!message) return undefined
  const { summary, email, source } = message
  if (name.endsWith('.json')) return json({ ...summary, text: email.text, html: email.html, headers: email.headers })
  if (part === '') return messagePage(summary, email)
  if (part === 'html') return messageHtml(email)
  if (part === 'source') return file('text/plain; charset=utf-8', source)
  const attachment = part === 'attachments' ? attachedTo(email)[Number(index)] : undefined
  if (!attachment) return undefined
  const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(attachment.filename ?? 'unnamed')}`
  return file('application/octet-stream', contentOf(attachment), { 'content-disposition': disposition })
}

/** Another site's form may be sent here too; a browser says where a form came from. */
async function deleteAll(mailbox: Mailbox, { headers }: IncomingMessage): Promise<Reply> {
  const from = headers['sec-fetch-site']
  if (from !== undefined && from !== 'same-origin') return { status: 403, headers: {}, body: '' }
  await mailbox.clear()
  return { status: 303, headers: { location: '/' }, body: '' }
}

const file = (type: string, body: Buffer, headers: Record<string, string> = {}): Reply => ({
  headers: {
    'content-type': type,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    ...headers,
  },
  body,
})

const json = (value: unknown): Reply => ({
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(value),
})
