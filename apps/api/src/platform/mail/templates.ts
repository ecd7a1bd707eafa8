import type { Database } from '@guildhall/db'
import type { Actor } from '@guildhall/db'
import type * as z from 'zod'
import type { Config } from '../config.ts'
import type { Log } from '../observability/log.ts'
import type { Texts } from '../texts/texts.ts'
import type { MailBrand, Written } from './layout.ts'
import type { MailContent } from './mail-content.ts'

/** A mail with a layout of its own, such as a message made of blocks. */
export type LaidOutMail = {
  layOut(frame: { brand: MailBrand; unsubscribeUrl: string | undefined }): Promise<Written> | Written
  /** Who writes, where that is not the organisation by its name. */
  fromName?: string
  replyTo?: string
}
/** A mail that may not go to its recipient any more, and why, as a code. */
export type RefusedMail = { refusal: string }

/** All that a template may ask for while a mail is about to leave. */
export type Writing<Params> = {
  i18n: Texts
  params: Params
  organisation: { id: string; name: string; timezone: string }
  mailId: string
  /** The recipient, as whom rows are read: a mail shows nothing that its reader may not see. Null where the recipient has no account. */
  recipient: Actor | null
  database: Database
  config: Config
  log: Log
}

export type MailTemplate<Params extends Record<string, unknown> = Record<string, unknown>> = {
  key: string
  /** Sent also to whoever unsubscribed. */
  essential: boolean
  params: z.ZodType<Params>
  /** Null when there is nothing to tell any more. */
  write(writing: Writing<Params>): Promise<MailContent | null> | MailContent | null
}

/** A template as the outbox knows it: what it was queued with is read by its own schema. */
export type AnyTemplate = Pick<MailTemplate, 'key' | 'essential'> & {
  compose(writing: Writing<unknown>): Promise<MailContent | LaidOutMail | RefusedMail | null>
}

export const registered = <Params extends Record<string, unknown>>(template: MailTemplate<Params>): AnyTemplate => ({
  key: template.key,
  essential: template.essential,
  compose: async (writing) => template.write({ ...writing, params: template.params.parse(writing.params) }),
})
