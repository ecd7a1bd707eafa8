import * as z from 'zod'
import { get } from '../base.ts'
import { CalendarDate, Instant } from '../shapes.ts'

const tag = 'Communication'

/** What a record of the sender's domain is like, and why. */
export const senderRecordReasons = [
  'spf_ok',
  'spf_missing',
  'spf_several',
  'spf_open',
  'spf_without_sender',
  'dkim_ok',
  'dkim_missing',
  'dkim_other_key',
  'dkim_other_domain',
  'dkim_by_server',
  'dmarc_ok',
  'dmarc_missing',
  'dmarc_several',
  'dmarc_only_watches',
  'return_path_ok',
  'return_path_missing',
  'no_answer',
] as const
export type SenderRecordReason = (typeof senderRecordReasons)[number]

export const SenderRecord = z.object({
  kind: z.enum(['spf', 'dkim', 'dmarc', 'return_path']),
  state: z.enum(['ok', 'warning', 'fault', 'unknown']),
  reason: z.enum(senderRecordReasons),
  name: z.string().describe('Where it stands in the DNS'),
  type: z.enum(['TXT', 'MX']),
  found: z.array(z.string()).describe('What stands there'),
  wanted: z.string().nullable().describe('What to put there, letter by letter; null where nothing is to be done or only you know'),
})
export type SenderRecord = z.infer<typeof SenderRecord>

const counts = {
  mails: z.int(),
  delivered: z.int().describe('As far as the receiving server reported'),
  softBounces: z.int(),
  hardBounces: z.int(),
  complaints: z.int(),
}
export const MailCounts = z.object(counts)
export type MailCounts = z.infer<typeof MailCounts>

export const Deliverability = z.object({
  sender: z.object({
    address: z.string(),
    domain: z.string().nullable().describe('Null where it is no public domain'),
    checkedAt: Instant.nullable(),
    records: z.array(SenderRecord),
  }),
  intakes: z.array(z.enum(['mailgun', 'sendgrid', 'report'])).describe('Ways by which bounces and complaints come in'),
  week: MailCounts,
  month: MailCounts.describe('Of 30 days'),
  days: z
    .array(z.object({ day: CalendarDate, ...counts }))
    .describe('Of 30 days (UTC), oldest first; a report counts for the day on which its mail left'),
  domains: z.array(z.object({ domain: z.string(), ...counts })).describe('Receiving domains of 30 days, the 50 with most mail'),
  backlog: z.object({
    waiting: z.int().describe('Mails that are due'),
    oldestSeconds: z.int().nullable(),
    lastSentAt: Instant.nullable(),
    isStuck: z.boolean().describe('Mail is due, and none has left for a while'),
  }),
  alarm: z
    .object({ level: z.enum(['alert', 'pause']), raisedAt: Instant, mails: z.int(), complaints: z.int() })
    .nullable()
    .describe('The last of seven days: too many recipients reported mail as spam'),
})
export type Deliverability = z.infer<typeof Deliverability>

export const deliverability = get('/communication/deliverability', 'getDeliverability', {
  needs: 'messages.manage',
  tag,
  summary: 'How mail arrives: records of the sender’s domain, bounces, complaints, and what waits',
})
  .input(
    z
      .strictObject({
        fresh: z.boolean().optional().describe('Asks the DNS again, at most every ten seconds; otherwise what is known for some minutes'),
      })
      .meta({ examples: [{}] }),
  )
  .output(Deliverability)
