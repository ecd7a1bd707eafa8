import { setTimeout as sleep } from 'node:timers/promises'
import { withoutHidden } from '@guildhall/contract/text-rules'
import { sql } from 'kysely'
import { turnsOf } from '../jobs/turns.ts'
import type { Turns } from '../jobs/turns.ts'
import { jobKind, traced, traceOf } from '../observability/tracing.ts'
import type { Services } from '../services.ts'
import { textsFor } from '../texts/texts.ts'
import { failureOf, pauseAfter } from './delivery-outcome.ts'
import { writeMail } from './layout.ts'
import { mailBrandOf } from './mail-brand.ts'
import type { AnyTemplate } from './templates.ts'
import { unsubscribeUrlOf } from './unsubscribe.ts'

type Claimed = {
  orgId: string
  id: string
  attempt: number
  template: string
  params: unknown
  essential: boolean
  address: string
  accountId: string | null
  idpRoles: string[] | null
  language: string | null
  organisation: string
  locale: string
  timezone: string
  trace: string | null
}

/** A worker that has not handed a mail over within so long has it no more; longer than the mail server may take. */
const lease = '90 seconds'
/** So many are with the mail server at a time, which is as many as a worker that dies leaves unknown. */
const handedAtOnce = 5
/** While those are, the next ones are written. */
const writtenAtOnce = 8
const batch = 40
const idleMs = 1_000
/** When no mail can leave at all. */
const patienceMs = 5_000

export type Outbox = { stop(): Promise<void> }

/** Sends what waits until it is stopped; a mail that is being handed over then is finished. */
export function startOutbox(services: Services, templates: readonly AnyTemplate[]): Outbox {
  const stopping = new AbortController()
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
  const running = (async () => {
    while (!stopping.signal.aborted) {
      try {
        const { claimed, isHopeless } = await sendDue(services, templates, stopping.signal)
        if (isHopeless) await rest(patienceMs)
        else if (claimed === 0) await rest(idleMs)
      } catch (error) {
        services.log.warn({ err: error }, 'the outbox waits for the database')
        await rest(patienceMs)
      }
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

/** One round: claims what is due and sends it. */
export async function sendDue(services: Services, templates: readonly AnyTemplate[], signal?: AbortSignal) {
  const due = await claim(services, signal)
  const claimed = due.length
  let isHopeless = false
  const turns = turnsOf(handedAtOnce)
  await Promise.all(
    Array.from({ length: writtenAtOnce }, async () => {
      for (let mail = due.shift(); mail; mail = due.shift()) {
        // What was claimed and not begun is another worker's when its lease ends; so it is when no mail can leave.
        if (signal?.aborted) return
        if (await deliver(services, templates, mail, { turns, signal })) isHopeless = true
      }
    }),
  )
  return { claimed, isHopeless }
}

/** Mail to send; none only when none is due, or others have it: a claim also settles or puts off what is not sent now, and may meet nothing else. */
async function claim({ database, config }: Services, signal?: AbortSignal): Promise<Claimed[]> {
  const { MAIL_PER_DOMAIN: perDomain, MAIL_PER_ADDRESS: perAddress } = config
  for (let before = Infinity; ;) {
    const { rows } = await database.withoutActor((db) =>
      sql<Claimed>`
        select org_id as "orgId", id, attempt, template, params, essential, to_address as address, account_id as "accountId", idp_roles as "idpRoles",
          language, organisation, locale, timezone, trace
        from app.claim_mail(${batch}, ${lease}::interval, ${perDomain}, ${perAddress})`.execute(db),
    )
    if (rows.length > 0 || signal?.aborted) return rows
    const left = await database.withoutActor((db) => sql<{ waiting: number }>`select waiting from app.waiting_mail()`.execute(db))
    const waiting = left.rows[0]?.waiting ?? 0
    if (waiting === 0 || waiting >= before) return rows
    before = waiting
  }
}

/** Sends one mail and writes down what became of it; true when no mail can leave. */
async function deliver(
  services: Services,
  templates: readonly AnyTemplate[],
  mail: Claimed,
  { turns, signal }: { turns: Turns; signal: AbortSignal | undefined },
): Promise<boolean> {
  const started = performance.now()
  const about = { kind: jobKind, parent: traceOf(mail.trace) }
  return traced('job mail', about, async () => {
    const { database, mailer, log, metrics } = services
    const settle = (state: string, outcome: string, { answer = '', again = 0, bounced = false } = {}) =>
      database.withoutActor((db) =>
        sql`select app.settle_mail(${mail.orgId}, ${mail.id}, ${mail.attempt}, ${state}, ${outcome}, ${withoutHidden(answer)}, make_interval(secs => ${again}), ${bounced})`.execute(
          db,
        ),
      )
    const ended = (outcome: 'done' | 'failed') => metrics.jobEnded('mail', outcome, (performance.now() - started) / 1_000)
    let written
    try {
      written = await compose(services, templates, mail)
    } catch (error) {
      log.error({ err: error, mail: mail.id, template: mail.template }, 'a mail could not be written')
      ended('failed')
      await settle(mail.attempt >= 5 ? 'failed' : 'queued', 'not_rendered', { again: pauseAfter(mail.attempt, false) })
      return false
    }
    if (!written || 'refusal' in written) {
      await settle('suppressed', written?.refusal ?? 'nothing_to_tell')
      return false
    }
    return turns(async () => {
      // What is only written when the worker stops is another one's when its lease ends.
      if (signal?.aborted) return false
      const { rows } = await database.withoutActor((db) =>
        sql<{
          ours: boolean
        }>`select app.hand_mail(${mail.orgId}, ${mail.id}, ${mail.attempt}, ${lease}::interval, ${written.subject}) as ours`.execute(db),
      )
      if (!rows[0]?.ours) return false
      try {
        await mailer.send(written)
      } catch (error) {
        const { state, outcome, answer, bounced, everywhere } = failureOf(error, mail.attempt)
        log.warn({ mail: mail.id, template: mail.template, outcome, answer: everywhere ? answer : undefined }, 'a mail did not leave')
        ended('failed')
        await settle(state, outcome, { answer, bounced, again: pauseAfter(mail.attempt, everywhere) })
        return everywhere
      }
      await settle('sent', '')
      ended('done')
      return false
    })
  })
}

async function compose(services: Services, templates: readonly AnyTemplate[], mail: Claimed) {
  const template = templates.find(({ key }) => key === mail.template)
  if (!template) throw new Error(`no feature writes mails of the kind ${mail.template}`)
  const { config, database, log } = services
  const i18n = textsFor(mail.language ?? undefined, mail.locale)
  const content = await template.compose({
    i18n,
    params: mail.params,
    organisation: { id: mail.orgId, name: mail.organisation, timezone: mail.timezone },
    mailId: mail.id,
    recipient: mail.accountId === null ? null : { orgId: mail.orgId, accountId: mail.accountId, idpRoles: mail.idpRoles ?? [] },
    database,
    config,
    log,
  })
  if (!content || 'refusal' in content) return content
  const unsubscribeUrl = mail.essential ? undefined : await unsubscribeUrlOf(services, mail)
  const brand = await mailBrandOf(services, { orgId: mail.orgId, name: mail.organisation })
  const hasLayout = 'layOut' in content
  const { subject, html, text } = hasLayout
    ? await content.layOut({ brand, unsubscribeUrl })
    : await writeMail(content, { i18n, brand, publicUrl: config.PUBLIC_URL, unsubscribeUrl })
  const fromName = hasLayout ? content.fromName : undefined
  const attachments = hasLayout ? undefined : content.attachments
  return {
    to: mail.address,
    fromName: withoutHidden(fromName ?? mail.organisation),
    ...(content.replyTo ? { replyTo: content.replyTo } : {}),
    subject: withoutHidden(subject),
    html,
    text: withoutHidden(text),
    reference: { orgId: mail.orgId, mailId: mail.id },
    ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
    ...(brand.logo ? { pictures: [brand.logo] } : {}),
    ...(attachments ? { attachments } : {}),
  }
}

/** Sends nothing of what waits and is older, here or in the queue of versions that had no outbox; how many mails that were. */
export async function holdMail({ database }: Pick<Services, 'database'>, before: Date): Promise<number> {
  const { rows } = await database.withoutActor((db) =>
    sql<{ held: number }>`
      with queued as (
        update pgboss.job set state = 'cancelled', completed_on = now()
        where name = 'mail' and state < 'completed' and created_on <= ${before.toISOString()}::timestamptz returning id)
      select app.hold_mail(${before.toISOString()}) + (select count(*)::int from queued) as held`.execute(db),
  )
  return rows[0]?.held ?? 0
}
