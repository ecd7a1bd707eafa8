import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { traceAlong } from '../observability/tracing.ts'
import type { MailTemplate } from './templates.ts'

type Common<Params> = {
  params: Params
  /** Two mails under the same key are one. */
  dedupeKey?: string
  /** Where this one mail is essential although its template is not, or the other way round. */
  essential?: boolean
}
export type MailRecipient = { accountId: string } | { personId: string } | { address: string }

const columns = <Params extends Record<string, unknown>>(
  template: MailTemplate<Params>,
  { params, dedupeKey, essential }: Common<Params>,
) => ({
  template: template.key,
  params,
  essential: essential ?? template.essential,
  dedupe_key: dedupeKey,
  trace: traceAlong()['traceparent'],
})

/**
 * Writes a mail down in the caller's transaction: it is sent exactly when that commits. An address is for those who keep the accounts; everybody
 * else names an account or a person. Answers its id, or null when it was written before under the same key.
 */
export async function sendMail<Params extends Record<string, unknown>>(
  tx: ActorDb,
  template: MailTemplate<Params>,
  { to, ...mail }: Common<Params> & { to: MailRecipient },
): Promise<string | null> {
  const { rows } = await sql<{
    id: string | null
  }>`select app.queue_mail(${row({ ...columns(template, mail), ...recipientOf(to) })}) as id`.execute(tx)
  return rows[0]?.id ?? null
}

/** The same for jobs that nobody in particular asked for; the worker's role only. */
export async function sendMailFor<Params extends Record<string, unknown>>(
  tx: Kysely<Schema>,
  orgId: string,
  template: MailTemplate<Params>,
  { to, ...mail }: Common<Params> & { to: MailRecipient },
): Promise<string | null> {
  const { rows } = await sql<{
    id: string | null
  }>`select app.queue_mail_for(${orgId}, ${row({ ...columns(template, mail), ...recipientOf(to) })}) as id`.execute(tx)
  return rows[0]?.id ?? null
}

/** To each of the administrators, whose addresses no request sees; for what anybody may cause. Answers how many there are. */
export async function mailAdministrators<Params extends Record<string, unknown>>(
  tx: Kysely<Schema>,
  orgId: string,
  template: MailTemplate<Params>,
  mail: Common<Params> & { dedupeKey: string },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select app.queue_administrator_mail(${orgId}, ${row(columns(template, mail))}) as n`.execute(tx)
  return rows[0]?.n ?? 0
}

const row = (mail: Record<string, unknown>) => sql`${JSON.stringify(mail)}::jsonb`

const recipientOf = (to: MailRecipient) =>
  'accountId' in to ? { account: to.accountId } : 'personId' in to ? { person: to.personId } : { address: to.address }
