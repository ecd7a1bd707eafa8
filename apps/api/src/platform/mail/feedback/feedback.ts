import { createHash } from 'node:crypto'
import { withoutHidden } from '@guildhall/contract/text-rules'
import { sql } from 'kysely'
import type { Services } from '../../services.ts'
import type { MailReference } from '../mail-reference.ts'

export type FeedbackKind = 'delivered' | 'soft_bounce' | 'hard_bounce' | 'complaint'

/** What was reported of one mail. */
export type Feedback = {
  mail: MailReference
  kind: FeedbackKind
  at: Date | null
  /** What the receiving server said. */
  detail: string
  /** By which a second report of the same is known. */
  eventId: string
}
export type FeedbackSource = 'mailgun' | 'sendgrid' | 'report'

export const hashOfBody = (body: Buffer | string): string => createHash('sha256').update(body).digest('hex')

/** Server answers name the recipient, who is known by the mail; what is kept names nobody. */
const withoutAddresses = (detail: string) =>
  detail
    .slice(0, 2_000)
    .split(/([\s<>()"',;:]+)/)
    .map((word) => (word.includes('@') ? '…' : word))
    .join('')

/** Takes in what was reported, all of it in one transaction, and counts what became of each. */
export async function takeFeedback(
  { database, metrics }: Pick<Services, 'database' | 'metrics'>,
  source: FeedbackSource,
  reported: readonly Feedback[],
): Promise<void> {
  // In one order, so that two reports about the same mails do not wait for each other in a circle.
  const ordered = reported.toSorted((a, b) => (a.mail.mailId < b.mail.mailId ? -1 : a.mail.mailId > b.mail.mailId ? 1 : 0))
  const outcomes = await database.withoutActor(async (db) => {
    const taken: string[] = []
    for (const { mail, kind, at, detail, eventId } of ordered) {
      const said = withoutHidden(withoutAddresses(detail)).replace(/\s+/g, ' ').trim().slice(0, 300)
      const { rows } = await sql<{ outcome: string }>`
        select app.take_mail_feedback(${mail.orgId}, ${mail.mailId}, ${kind}, ${at?.toISOString() ?? null}::timestamptz, ${said}, ${source}, ${eventId.slice(0, 200)}) as outcome`.execute(
        db,
      )
      taken.push(rows[0]?.outcome ?? 'unknown')
    }
    return taken
  })
  for (const outcome of outcomes) metrics.mailFeedback(source, outcome)
}
