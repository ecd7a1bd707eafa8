import { createTransport } from 'nodemailer'
import type SMTPPool from 'nodemailer/lib/smtp-pool/index.js'
import { isLoopback } from '../config.ts'
import type { Config } from '../config.ts'
import { outboundKind, traced } from '../observability/tracing.ts'

export type Mail = { to: string; replyTo?: string; subject: string; text: string; html?: string; messageId?: string }
export type Mailer = {
  send(mail: Mail): Promise<void>
  /** Resolves when the server lets us in. */
  check(): Promise<void>
  close(): void
}

/** Mail goes out through SMTP only; addresses are passed as objects so that no name or header can smuggle a second recipient. */
export function createMailer(config: Config): Mailer {
  if (!config.SMTP_URL) {
    return {
      send: () => Promise.reject(new Error('No SMTP server is configured (SMTP_URL).')),
      check: () => Promise.reject(new Error('No SMTP server is configured (SMTP_URL).')),
      close: () => {},
    }
  }
  const options: SMTPPool.Options & { url: string } = {
    url: config.SMTP_URL,
    pool: true,
    maxConnections: 5,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Neither a password nor a mail leaves unencrypted; where the server offers no encryption, nothing leaves.
    requireTLS: config.SMTP_TLS === 'required' && !isLoopback(new URL(config.SMTP_URL).hostname),
  }
  const transport = createTransport(options)
  return {
    async send({ to, replyTo, subject, text, html, messageId }) {
      await traced('mail', { kind: outboundKind }, () =>
        transport.sendMail({
          from: config.MAIL_FROM,
          to: { name: '', address: to },
          ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
          subject: subject.replace(/[\r\n]+/g, ' '),
          text,
          ...(html ? { html } : {}),
          ...(messageId ? { messageId } : {}),
        }),
      )
    },
    async check() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}
