import { createTransport } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'
import { isLoopback } from '../config.ts'
import type { Config } from '../config.ts'
import { outboundKind, traced } from '../observability/tracing.ts'
import type { MailAttachment } from './templates.ts'

export type Mail = {
  to: string
  replyTo?: string
  subject: string
  text: string
  html?: string
  messageId?: string
  /** Name of the organisation that writes, before the sender's address. */
  fromName?: string
  /** Address that takes a POST without a body from whoever wants no more of this (RFC 8058). */
  unsubscribeUrl?: string
  /** Shown within the HTML, as `cid:`. */
  pictures?: readonly { cid: string; content: Buffer }[]
  attachments?: readonly MailAttachment[]
}
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** Resolves when the server lets us in. */
  check(): Promise<void>
  close(): void
}

/** No server is configured: mail waits for one. */
export class NoMailServer extends Error {}

/** Mail goes out through SMTP only; addresses are passed as objects so that no name or header can smuggle a second recipient. */
export function createMailer(config: Config): Mailer {
  if (!config.SMTP_URL) {
    const refuse = () => Promise.reject(new NoMailServer('No SMTP server is configured (SMTP_URL).'))
    return { send: refuse, check: refuse, close: () => {} }
  }
  const options: SMTPPool.Options & { url: string } = {
    url: config.SMTP_URL,
    pool: true,
    maxConnections: 5,
    connectionTimeout: 15_000,
    greetingTimeout: 15_000,
    socketTimeout: 45_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Neither a password nor a mail leaves unencrypted; where the server offers no encryption, nothing leaves.
    requireTLS: config.SMTP_TLS === 'required' && !isLoopback(new URL(config.SMTP_URL).hostname),
  }
  const transport = createTransport(options)
  const sender = senderOf(config.MAIL_FROM)
  return {
    async send({ to, replyTo, subject, text, html, messageId, fromName, unsubscribeUrl, pictures = [], attachments = [] }) {
      await traced('mail', { kind: outboundKind }, () =>
        transport.sendMail({
          from: { ...sender, ...(fromName ? { name: fromName } : {}) },
          to: { name: '', address: to },
          ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
          subject: subject.replace(/[\r\n]+/g, ' '),
          text,
          ...(html ? { html } : {}),
          attachments: [
            ...(html ? pictures : []).map(({ cid, content }) => ({
              cid,
              content,
              contentType: 'image/png',
              contentDisposition: 'inline' as const,
              filename: 'logo.png',
            })),
            ...attachments.map(({ name, contentType, content }) => ({ filename: name, contentType, content })),
          ],
          ...(messageId ? { messageId } : {}),
          ...(unsubscribeUrl
            ? {
                list: { unsubscribe: { url: unsubscribeUrl, comment: '' } },
                headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
              }
            : {}),
        }),
      )
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}
