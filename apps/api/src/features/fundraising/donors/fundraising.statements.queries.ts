import type { GivingStatement, StatementRun } from '@guildhall/contract/features/fundraising.donors'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, SqlBool } from 'kysely'
import type { List } from '../../../platform/lists/list-page.ts'
import type { Address, Seller } from '../../finance/papers/finance.papers.public.ts'

/** What somebody gave in a period, as it is written for them. */
export type GivingPaper = {
  personId: string
  since: string
  until: string
  billing: Address
  seller: Seller
  totals: { currency: string; amount: number; gifts: number }[]
  gifts: {
    giftId: string
    on: string
    amount: number
    currency: string
    campaign: string | null
    funds: string | null
    receipt: string | null
  }[]
}

export type StatementAsked = { personId: string; since: string; until: string }
/** Undefined where it is not the caller's to see. */
export async function findGivingPaper(
  tx: Kysely<Schema>,
  orgId: string,
  { personId, since, until }: StatementAsked,
): Promise<GivingPaper | undefined> {
  const { rows } = await sql<{ paper: GivingPaper | null }>`
    select app.giving_statement(${orgId}, ${personId}, ${since}, ${until}) as paper`.execute(tx)
  return rows[0]?.paper ?? undefined
}

export async function personRefOf(db: ActorDb, personId: string): Promise<GivingStatement['person'] | undefined> {
  return db.selectFrom('app.people').select(['id', 'display_name as displayName']).where('id', '=', personId).executeTakeFirst()
}

// Runs ------------------------------------------------------------------------------------------------------------------------------------

const runItem = sql<StatementRun>`json_build_object('id', u.id, 'since', u.since, 'until', u.until, 'state', u.state, 'people', u.people, 'mailed', u.mailed,
  'withoutAddress', u.without_address, 'by', n.name, 'createdAt', u.created_at)`
const runsFrom = sql`from app.giving_runs u left join app.account_name(u.created_by) n on true`

export const runsList = (): List<StatementRun> => ({
  key: ['giving_runs'],
  item: runItem,
  from: runsFrom,
  where: [sql<SqlBool>`(select app.everywhere('gifts.manage'))`],
  order: [sql`u.id`],
  descending: true,
})

export async function findRun(db: ActorDb, runId: string): Promise<StatementRun | undefined> {
  const { rows } = await sql<{ item: StatementRun }>`select ${runItem} as item ${runsFrom} where u.id = ${runId}`.execute(db)
  return rows[0]?.item
}

/** Writes down who gets a statement; nobody is mailed yet. */
export async function startGivingRun(
  db: ActorDb,
  { since, until, personIds }: { since: string; until: string; personIds?: readonly string[] | undefined },
): Promise<string> {
  const people = personIds ? sql`${[...personIds]}::uuid[]` : sql`null`
  const { rows } = await sql<{ id: string }>`select app.start_giving_run(${since}, ${until}, ${people}) as id`.execute(db)
  return rows[0]?.id ?? ''
}
export async function noteGivingJob(db: ActorDb, runId: string, jobId: string): Promise<void> {
  await sql`select app.note_giving_job(${runId}, ${jobId})`.execute(db)
}
/** Mails the next so many statements of a run, each once; how many people that were. With the last one the run is done. */
export async function mailGivingRun(db: ActorDb, orgId: string, runId: string, most: number): Promise<number> {
  const { rows } = await sql<{ people: number }>`select app.mail_giving_run(${orgId}, ${runId}, ${most}) as people`.execute(db)
  return rows[0]?.people ?? 0
}
export async function previewGivingRun(db: ActorDb, since: string, until: string): Promise<{ people: number; withoutAddress: number }> {
  const { rows } = await sql<{ people: number; withoutAddress: number }>`
    select r.people, r.without_address as "withoutAddress" from app.giving_run_preview(${since}, ${until}) r`.execute(db)
  return rows[0] ?? { people: 0, withoutAddress: 0 }
}
