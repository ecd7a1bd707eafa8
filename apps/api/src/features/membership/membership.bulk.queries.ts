import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { keepEffects } from '../../platform/lists/bulk-effects.ts'
import type { BulkEffect } from '../../platform/lists/bulk-effects.ts'
import { mayInChapter } from '../../platform/lists/json-refs.ts'
import { draftInvoices, issueInvoices } from '../finance/finance.public.ts'

// Changes of many people `p` that are about the membership that counts, `s`; `m` is that membership.

type Condition = RawBuilder<SqlBool>
export type MembershipChange = { do: 'stopAutoRenew' } | { do: 'renew' }
type Work = { orgId: string; jobId: string }

const manages = mayInChapter('memberships.manage', sql`s.chapter_id`)
const held = sql`app.membership_standings s join app.memberships m on m.org_id = s.org_id and m.id = s.membership_id
  join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id`
const ofPerson = sql<SqlBool>`s.org_id = p.org_id and s.person_id = p.id`

/** Somebody without a membership is no one's to refuse: they are left as they are. */
export const mayChangeHeld: Condition = sql`not exists (select from app.membership_standings s where ${ofPerson} and not ${manages})`

const charged = sql<SqlBool>`exists (select from app.membership_terms t join app.invoice_lines l on l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id
  join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.state <> 'void' where t.org_id = m.org_id and t.membership_id = m.id and t.status = 'open')`

const wanted: Record<MembershipChange['do'], Condition> = {
  stopAutoRenew: sql`(m.auto_renew and m.status not in ('cancelled', 'declined', 'withdrawn'))`,
  // What is free is settled at once, one by one; what has no end has no next term.
  renew: sql`(m.status in ('active', 'grace', 'lapsed') and m.leaves_on is null and m.ends_on is not null and y.archived_at is null and y.price_amount > 0 and y.period <> 'lifetime' and not ${charged})`,
}
export const heldDiffers = (change: MembershipChange): Condition =>
  sql`exists (select from ${held} where ${ofPerson} and ${wanted[change.do]})`

/** Why somebody gets no invoice for a renewal; the words are those of the screen. */
export const whyNotRenewed = sql`coalesce((select case when m.status = 'suspended' then 'paused' when m.status = 'cancelled' then 'cancelled'
    when m.status not in ('active', 'grace', 'lapsed') then 'awaiting' when m.leaves_on is not null then 'leaving' when m.ends_on is null or y.period = 'lifetime' then 'lifetime'
    when y.archived_at is not null then 'type_archived' when y.price_amount = 0 then 'free' else 'invoiced' end
  from ${held} where ${ofPerson}), 'no_membership')`

export async function applyHeldChange(
  db: ActorDb,
  { orgId, jobId }: Work,
  change: MembershipChange,
  ids: readonly string[],
): Promise<number> {
  const people = sql`${[...ids]}::uuid[]`
  if (change.do === 'stopAutoRenew')
    return keepEffects(
      db,
      { orgId, jobId },
      sql`update app.memberships m set auto_renew = false from app.membership_standings s where s.person_id = any (${people}) and m.org_id = s.org_id and m.id = s.membership_id
        and m.auto_renew returning m.person_id, m.id`,
      sql`jsonb_build_object('id', changed.id)`,
      'person_id',
    )
  const { rows: terms } = await sql<{ term: string }>`select o.term
    from (select m.id from ${held} where s.person_id = any (${people}) and ${wanted.renew} order by m.id) w cross join lateral app.open_membership_term(w.id) o`.execute(
    db,
  )
  // A statement does not see what its own functions add.
  const { rows: opened } =
    await sql<Opened>`select t.person_id as "personId", t.id as term, t.price_amount::float8 as amount, t.price_currency as currency, y.name as text,
      m.chapter_id as "chapterId", t.chapter_share_bps as "shareBps"
    from app.membership_terms t join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id
    where t.id = any (${terms.map(({ term }) => term)}::uuid[]) order by t.id`.execute(db)
  const drafts = await draftInvoices(
    db,
    orgId,
    opened.map(({ personId, term, amount, currency, text, chapterId, shareBps }) => ({
      owedBy: { personId },
      currency,
      reason: text,
      dedupeKey: `membership_term:${term}`,
      lines: [
        {
          text,
          amount,
          subject: { type: 'membership_term', id: term },
          share: chapterId !== null && shareBps > 0 ? { chapterId, bps: shareBps } : undefined,
        },
      ],
    })),
  )
  // None of them is free, so that issuing settles nothing.
  await issueInvoices(db, orgId, drafts, {})
  await keepEffects(
    db,
    { orgId, jobId },
    sql`select x.* from jsonb_to_recordset(${JSON.stringify(opened)}::jsonb) x ("personId" uuid, term uuid)`,
    sql`jsonb_build_object('term', changed.term)`,
    'personId',
  )
  return opened.length
}
type Opened = { personId: string; term: string; amount: number; currency: string; text: string; chapterId: string | null; shareBps: number }

/** As far as the caller may still, and nothing was paid since; how many. */
export async function revertHeldChange(db: ActorDb, change: MembershipChange, effects: readonly BulkEffect[]): Promise<number> {
  const kept = (name: string) => effects.flatMap(({ before }) => (typeof before[name] === 'string' ? [before[name]] : []))
  const { rows } =
    change.do === 'stopAutoRenew'
      ? await sql`update app.memberships m set auto_renew = true where m.id = any (${kept('id')}::uuid[]) and not m.auto_renew
          and m.status not in ('cancelled', 'declined', 'withdrawn') returning 1`.execute(db)
      : await sql`select app.take_back_renewals(${kept('term')}::uuid[])`.execute(db)
  return rows.length
}
