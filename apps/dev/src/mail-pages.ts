import type { Attachment, Email } from 'postal-mime'
import { html, type Html } from './html.ts'
import type { MailSummary } from './mail-box.ts'
import { page, type Page } from './page.ts'

const time = (iso: string): Html =>
  html`<time datetime="${iso}">${new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'medium' })}</time>`

/** All messages, newest first; new ones come in by themselves, and never under a pointer or a focus that is on the list. */
export const inboxPage = (messages: readonly MailSummary[], search: string, smtpUrl: string): Page =>
  page({
    title: 'Mail inbox – Guildhall',
    style,
    script: refresh,
    body: html`<main class="inbox">
      <header>
        <div>
          <h1>Mail inbox</h1>
          <p class="dim">Everything Guildhall sends on this machine ends here (${smtpUrl}). Nothing leaves it.</p>
        </div>
        <form role="search">
          <label for="search">Search</label>
          <input id="search" name="search" type="search" value="${search}" />
          <button>Search</button>
        </form>
        <p role="status" id="news"></p>
      </header>
      <div id="messages" data-newest="${messages[0]?.id ?? ''}">${messages.length > 0 ? listOf(messages) : empty(search)}</div>
      ${messages.length > 0 && !search ? deleteAll : undefined}
    </main>`,
  })

const listOf = (messages: readonly MailSummary[]): Html =>
  html`<ol>
    ${messages.map(
      ({ id, subject, from, to, receivedAt, preview, attachments }) =>
        html`<li class="card">
          <div class="line"><a href="/messages/${id}">${subject}</a> ${time(receivedAt)}</div>
          <p class="dim">To ${to.join(', ')} · from ${from}${attachments.length > 0 ? ` · ${attachments.length} attached` : ''}</p>
          <p class="dim preview">${preview}</p>
        </li>`,
    )}
  </ol>`

const empty = (search: string): Html =>
  search
    ? html`<p class="card">No message speaks of “${search}”. <a href="/">Show all messages</a></p>`
    : html`<p class="card">No mail yet. As soon as Guildhall sends one, an invitation for example, it shows here.</p>`

const deleteAll = html`<form method="post" action="/delete-all"><button>Delete all messages</button></form>`

export const messagePage = (summary: MailSummary, email: Email): Page =>
  page({
    title: `${summary.subject} – Mail inbox`,
    style,
    policy: { 'frame-src': "'self'" },
    body: html`<main class="inbox">
      <p><a href="/">All messages</a></p>
      <h1>${summary.subject}</h1>
      <dl class="card">
        <dt>From</dt>
        <dd>${addressLine(email.from ? [email.from] : [])}</dd>
        <dt>To</dt>
        <dd>${summary.to.join(', ')}</dd>
        <dt>Received</dt>
        <dd>${time(summary.receivedAt)}</dd>
        ${summary.attachments.length > 0 ? html`<dt>Attached</dt>` : undefined}
        ${attachedTo(email).map(({ filename }, index) => html`<dd><a href="/messages/${summary.id}/attachments/${index}">${filename ?? 'unnamed'}</a></dd>`)}
      </dl>
      ${
        email.html
          ? html`<section>
              <h2>Message</h2>
              <iframe title="Message" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/messages/${summary.id}/html"></iframe>
            </section>`
          : undefined
      }
      ${
        email.text
          ? html`<section>
              <h2>${email.html ? 'Plain text' : 'Message'}</h2>
              <pre class="card text">${withLinks(email.text)}</pre>
            </section>`
          : undefined
      }
      ${!email.html && !email.text ? html`<p class="card">This message has no text.</p>` : undefined}
      <p><a href="/messages/${summary.id}/source">Source</a></p>
    </main>`,
  })

export const noMessagePage = (): Page =>
  page({
    title: 'No such message – Mail inbox',
    style,
    body: html`<main class="inbox">
      <h1>No such message</h1>
      <p>It was deleted, or is older than the last 500. <a href="/">All messages</a></p>
    </main>`,
  })

export const attachedTo = (email: Email): Attachment[] => email.attachments.filter(({ disposition }) => disposition !== 'inline')

/** A message's own markup, on a page of its own that may run nothing and load nothing; images that came with it are put in. */
export function messageHtml(email: Email): Page {
  let body = email.html ?? ''
  for (const image of email.attachments) {
    const { contentId, mimeType } = image
    if (contentId)
      body = body.replaceAll(`cid:${contentId.replaceAll(/[<>]/g, '')}`, `data:${mimeType};base64,${contentOf(image).toString('base64')}`)
  }
  return {
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Message</title><base target="_blank"><body>${body}</body></html>`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; font-src data:; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  }
}

export const contentOf = ({ content }: Attachment): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content))

const addressLine = (addresses: readonly { name?: string; address?: string | undefined }[]): string =>
  addresses.map(({ name, address }) => (name ? `${name} <${address ?? ''}>` : (address ?? ''))).join(', ')

const withLinks = (text: string): Html[] =>
  text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) => (index % 2 ? html`<a href="${part}" target="_blank" rel="noreferrer">${part}</a>` : html`${part}`))

const refresh = `
const messages = document.getElementById('messages'), news = document.getElementById('news')
setInterval(async () => {
  if (document.hidden) return
  const answer = await fetch(location.href).catch(() => undefined)
  if (!answer?.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('messages')
  if (fresh.dataset.newest === messages.dataset.newest) return
  if (messages.matches(':hover, :focus-within')) return news.replaceChildren(Object.assign(document.createElement('a'), { href: location.href, textContent: 'Show new messages' }))
  messages.replaceChildren(...fresh.children)
  messages.dataset.newest = fresh.dataset.newest
  news.textContent = 'New mail came in'
}, 3000)`

const style = `
.inbox { max-width: 960px; margin: 0 auto; padding: 24px 16px; display: grid; gap: 16px }
.inbox header { display: grid; gap: 16px }
.inbox header form { display: flex; gap: 8px; align-items: center }
.inbox header label { margin: 0 }
.inbox ol { list-style: none; margin: 0; padding: 0; display: grid; gap: 8px }
.inbox .card { padding: 12px 16px; overflow-wrap: anywhere }
.line { display: flex; flex-wrap: wrap; gap: 4px 16px; justify-content: space-between }
.line a { font-weight: 600 }
time { font-variant-numeric: tabular-nums }
.preview { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
dl { margin: 0; display: grid; grid-template-columns: auto 1fr; gap: 4px 16px }
dt { color: var(--dim) }
dd { margin: 0; grid-column: 2 }
section { display: grid; gap: 8px }
iframe { width: 100%; height: 60vh; resize: vertical; border: 1px solid var(--line); border-radius: 8px; background: #fff; color-scheme: light }
.text { white-space: pre-wrap; margin: 0; font: inherit }
`
