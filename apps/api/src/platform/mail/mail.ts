import { createTransport } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'
import { isLoopback } from '../config.ts'
import type { Config } from '../config.ts'
import { outboundKind, traced } from '../observability/tracing.ts'
import { dkimOf } from './dkim.ts'
import { bounceAddressOf, messageIdOf, sendgridHeader } from './mail-reference.ts'
import type { MailReference } from './mail-reference.ts'
import type { MailAttachment } from './mail-content.ts'

export type Mail = {
  to: string
  replyTo?: string
  subject: string
  text: string
  html?: string
  /** Its row, which stands in its Message-ID and in the address that it comes back to. */
  reference?: MailReference
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

/** Nodemailer's own, and what one-click unsubscribing needs to be signed (RFC 8058). */
const signedHeaders =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post'

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
  const dkim = dkimOf(config)
  if (dkim) options.dkim = { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.pem, headerFieldNames: signedHeaders }
  const transport = createTransport(options)
  const sender = senderOf(config.MAIL_FROM)
  const { MAIL_BOUNCE_ADDRESS: bounces } = config
  /** By what a report about the mail finds its row. Servers that can are asked to report failures with the headers only. */
  const identify = (reference: MailReference, to: string) => ({
    messageId: messageIdOf(reference),
    envelope: {
      from: bounces ? bounceAddressOf(bounces, reference) : sender.address,
      to: { name: '', address: to },
      dsn: { id: messageIdOf(reference).slice(1, -1), return: 'headers', notify: ['failure'] },
    },
  })
  return {
    async send({ to, replyTo, subject, text, html, reference, fromName, unsubscribeUrl, pictures = [], attachments = [] }) {
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
          ...(reference ? identify(reference, to) : {}),
          ...(unsubscribeUrl ? { list: { unsubscribe: { url: unsubscribeUrl, comment: '' } } } : {}),
          headers: {
            ...(unsubscribeUrl ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
            ...(reference && config.SENDGRID_PUBLIC_KEY ? { 'X-SMTPAPI': sendgridHeader(messageIdOf(reference)) } : {}),
          },
        }),
      )
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}

export function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*)<([^<>]+)>\s*$/.exec(from) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}
