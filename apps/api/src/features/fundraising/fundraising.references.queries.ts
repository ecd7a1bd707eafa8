import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { fault, problem } from '../../platform/procedures/problem.ts'

// How records of fundraising name each other in JSON, and what they refuse to refer to.

/** `campaign` or `fund` in answers; the alias is a left-joined row of app.campaigns or app.funds. */
export const namedRef = (alias: string): RawBuilder<{ id: string; name: string }> =>
  sql`json_build_object('id', ${sql.ref(`${alias}.id`)}, 'name', ${sql.ref(`${alias}.name`)})`

export const moneyOf = (amount: RawBuilder<unknown>, currency: RawBuilder<unknown>): RawBuilder<{ amount: number; currency: string }> =>
  sql`json_build_object('amount', ${amount}, 'currency', ${currency})`

type Fund = { id: string; archived: boolean }
/** A fund that something refers to must be there for the caller, and open where money is to go to it; null and nothing refer to none. */
export async function mustSeeFunds(db: ActorDb, wanted: readonly { fundId: string | null | undefined; path: string }[]): Promise<void> {
  const ids = wanted.flatMap(({ fundId }) => fundId ?? [])
  if (ids.length === 0) return
  const { rows } = await sql<Fund>`
    select f.id, f.archived_at is not null as archived from app.funds f where f.id = any (${ids}::uuid[])`.execute(db)
  for (const { fundId, path } of wanted) {
    if (!fundId) continue
    const fund = rows.find(({ id }) => id === fundId.toLowerCase())
    if (!fund) throw problem('UNPROCESSABLE_CONTENT', fault(path, 'gift_fund_unknown', 'There is no such fund.'))
    if (fund.archived) throw problem('UNPROCESSABLE_CONTENT', fault(path, 'fund_archived', 'This fund is archived. Choose another one.'))
  }
}

/** Which of these funds still take gifts. */
export async function openFunds(db: ActorDb, fundIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select f.id from app.funds f where f.id = any (${[...fundIds]}::uuid[]) and f.archived_at is null`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Whether the caller sees the person as somebody who is there. */
export async function mustSeePeople(db: ActorDb, wanted: readonly { personId: string | null | undefined; path: string }[]): Promise<void> {
  const ids = wanted.flatMap(({ personId }) => personId ?? [])
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string }>`select p.id from app.people p
    where p.id = any (${ids}::uuid[]) and p.deleted_at is null and p.lifecycle not in ('erased', 'merged')`.execute(db)
  const missing = wanted.find(({ personId }) => personId && !rows.some(({ id }) => id === personId.toLowerCase()))
  if (missing) throw problem('UNPROCESSABLE_CONTENT', fault(missing.path, 'person_not_found', 'There is no such person.'))
}

/** The currency of the organisation, of amounts that name no other. */
export async function usualCurrency(db: ActorDb): Promise<string> {
  const { rows } = await sql<{ currency: string }>`select currency from app.organisations where org_id = (select app.org_id())`.execute(db)
  return rows[0]?.currency ?? 'EUR'
}

/** The day by the organisation's clock. */
export async function todayOf(db: ActorDb): Promise<string> {
  const { rows } = await sql<{ today: string }>`select app.today()::text as today`.execute(db)
  return rows[0]?.today ?? ''
}
