import type { Transfer, TransferListInput, TransferState } from '@guildhall/contract/features/membership'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, mayInChapter } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { kindOf } from '../../platform/notify.ts'
import { statement } from '../../platform/records/statement.ts'

const open = sql`t.state in ('requested', 'source_ok', 'target_ok', 'approved')`
/** Only asked where somebody is an officer there: whether they decide about another officer takes a look at offices. */
const decides = (chapter: string) => {
  const id = sql.ref(`t.${chapter}`)
  return sql`(${mayInChapter('memberships.manage', id)} and app.decides_membership(t.person_id, ${id}))`
}
const mayApprove = sql<SqlBool>`(t.state in ('requested', 'source_ok', 'target_ok')
  and ((t.source_at is null and ${decides('from_chapter_id')}) or (t.target_at is null and ${decides('to_chapter_id')})))`

const item = sql<Transfer>`json_build_object('id', t.id, 'person', json_build_object('id', t.person_id, 'displayName', coalesce(p.display_name, n.display_name)),
  'from', ${chapterRef('f')}, 'to', ${chapterRef('c')}, 'state', t.state, 'movesOn', t.moves_on, 'note', t.note, 'reason', t.reason,
  'requestedAt', t.created_at, 'sourceAt', t.source_at, 'targetAt', t.target_at, 'completedOn', t.completed_on, 'version', t.version,
  'may', json_build_object('approve', ${mayApprove}, 'reject', ${open} and (${decides('from_chapter_id')} or ${decides('to_chapter_id')}),
    'withdraw', ${open} and (t.person_id = (select app.person_id()) or t.requested_by = (select app.account_id())) is true))`
const from = sql`from app.transfers t
  join app.chapters f on f.org_id = t.org_id and f.id = t.from_chapter_id
  join app.chapters c on c.org_id = t.org_id and c.id = t.to_chapter_id
  left join app.people p on p.org_id = t.org_id and p.id = t.person_id
  left join app.transfer_people() n on n.person_id = t.person_id
  `
const named = sql<SqlBool>`(p.id is not null and p.deleted_at is null or n.person_id is not null)`

export function transfersList(input: z.infer<typeof TransferListInput>): List<Transfer> {
  const { chapterId, mineToDecide } = input
  const where: RawBuilder<SqlBool>[] = [named]
  if (input.open) where.push(sql`${open}`)
  if (mineToDecide) where.push(mayApprove)
  if (chapterId) {
    const below = sql`(select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId})`
    where.push(sql`(t.from_chapter_id in ${below} or t.to_chapter_id in ${below})`)
  }
  return {
    key: ['transfers', input.open ?? false, chapterId ?? null, mineToDecide ?? false],
    item,
    from,
    where,
    order: [sql`t.id`],
    descending: true,
  }
}

export const transfersOfPersonQuery = (personId: string) =>
  statement(
    sql<{ item: Transfer }>`select ${item} as item ${from} where t.person_id = ${personId} and ${named} order by t.id desc limit 50`,
  )

/** Whether the caller may ask for a transfer of this person; no row for somebody who is hidden. */
export const askerQuery = (personId: string) =>
  statement(
    sql<{ mayRequest: boolean }>`select p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased')
      and exists (select from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id and a.kind = 'member' and a.starts_on <= (select app.today())
        and (a.ends_on is null or a.ends_on >= (select app.today())))
      and (p.id is not distinct from (select app.person_id()) or ${mayInChapter('memberships.manage', sql`p.home_chapter_id`)})
      and not exists (select from app.transfers t where t.org_id = p.org_id and t.person_id = p.id and ${open}) as "mayRequest"
      from app.people p where p.id = ${personId}`,
  )

export async function findTransfer(db: ActorDb, transferId: string): Promise<Transfer | undefined> {
  const { rows } = await sql<{ item: Transfer }>`select ${item} as item ${from} where t.id = ${transferId} and ${named}`.execute(db)
  return rows[0]?.item
}

export async function ownPerson(db: ActorDb): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select app.person_id() as id`.execute(db)
  return rows[0]?.id ?? null
}

type Wanted = { personId: string; toChapterId: string; movesOn: string; note: string }
export async function requestTransfer(db: ActorDb, { personId, toChapterId, movesOn, note }: Wanted): Promise<string> {
  const { rows } = await sql<{ id: string }>`select app.request_transfer(${personId}, ${toChapterId}, ${movesOn}, ${note}) as id`.execute(
    db,
  )
  return rows[0]?.id ?? ''
}

/** False when it has changed since that version. */
export async function answerTransfer(db: ActorDb, transferId: string, agreed: boolean, reason: string, version: number): Promise<boolean> {
  const { rows } = await sql<{
    done: boolean
  }>`select app.answer_transfer(${transferId}, ${agreed}, ${reason}, ${version}) as done`.execute(db)
  return rows[0]?.done ?? false
}
export async function withdrawTransfer(db: ActorDb, transferId: string, version: number): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select app.withdraw_transfer(${transferId}, ${version}) as done`.execute(db)
  return rows[0]?.done ?? false
}

/** Those who have to answer are told of a request, everybody concerned of how it ended. */
export async function tellOfTransfer(db: ActorDb, transferId: string, state: TransferState): Promise<void> {
  const isWaiting = state === 'requested' || state === 'source_ok' || state === 'target_ok'
  const note = JSON.stringify(kindOf(isWaiting ? 'transfer-request' : 'transfer-answer'))
  await sql`select app.tell_of_transfer(${transferId}, ${note}::jsonb)`.execute(db)
}

/** Carries out those whose day has come. */
export const runTransfers = (db: ActorDb | Kysely<Schema>, org: string, on: string) =>
  sql`select app.run_transfers(${org}, ${on}, ${JSON.stringify(kindOf('transfer-answer'))}::jsonb)`.execute(db)
