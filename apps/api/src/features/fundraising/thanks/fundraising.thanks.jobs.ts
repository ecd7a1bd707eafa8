import { documentOf } from '@guildhall/contract/formatted-document'
import * as z from 'zod'
import type { MailTemplate } from '../../../platform/mail/templates.ts'

/** Thanks that somebody of the office wrote, just as they wrote them. */
export const giftThanksMail: MailTemplate<{ subject: string; body: string }> = {
  key: 'gift-thanks',
  essential: true,
  params: z.object({ subject: z.string(), body: z.string() }),
  write: ({ params: { subject, body } }) => ({ subject, paragraphs: [], document: documentOf(body) }),
}
