import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { TableShape } from '../../../platform/records/row-changes.ts'
import { editedUse, readHolds } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'

/** Gifts as an import writes them: through functions, since nobody writes in the books by themselves. */
export const giftsTable = {
  table: 'gifts',
  key: ['id'],
  columns: { person_id: { type: 'uuid' }, donor_name: { type: 'text' }, foreign_id: { type: 'text' } },
  through: { insert: 'app.import_gifts', remove: 'app.remove_imported_gifts' },
} as const satisfies TableShape

export type FoundFund = { id: string; name: string; chapterId: string | null; isOpen: boolean }
export type FoundCampaign = {
  id: string
  name: string
  chapterId: string | null
  currency: string
  isDraft: boolean
  fund: FoundFund | null
}

/** Campaigns and funds by their names in lower case, and the currency of the organisation. */
export async function namedForGifts(db: ActorDb, orgId: string, campaigns: readonly string[]) {
  const funds = await sql<FoundFund>`
    select f.id, f.name, f.chapter_id as "chapterId", f.archived_at is null as "isOpen" from app.funds f
    where f.org_id = ${orgId}::uuid order by f.archived_at nulls first, f.id`.execute(db)
  const found = await sql<Omit<FoundCampaign, 'fund'> & { fundId: string | null }>`
    select c.id, c.name, c.chapter_id as "chapterId", c.currency, c.status = 'draft' as "isDraft", c.fund_id as "fundId" from app.campaigns c
    where c.org_id = ${orgId}::uuid and c.archived_at is null and lower(c.name) = any (${campaigns}::text[]) order by c.id`.execute(db)
  const own = await sql<{ currency: string }>`select o.currency from app.organisations o where o.org_id = ${orgId}::uuid`.execute(db)
  const byId = new Map(funds.rows.map((fund) => [fund.id, fund]))
  return {
    currency: own.rows[0]?.currency ?? '',
    campaigns: Map.groupBy(
      found.rows.map(({ fundId, ...campaign }): FoundCampaign => ({ ...campaign, fund: byId.get(fundId ?? '') ?? null })),
      ({ name }) => name.toLowerCase(),
    ),
    // An open fund comes before archived ones of the same name.
    funds: new Map(funds.rows.toReversed().map((fund) => [fund.name.toLowerCase(), fund])),
  }
}
export type Named = Awaited<ReturnType<typeof namedForGifts>>

export type WantedGift = {
  line: number
  foreignId: string
  personId: string | null
  donor: string
  amount: number
  currency: string
  receivedOn: string
  campaignId: string | null
  reference: string
}
export type FoundGift = { line: number; id: string; exact: boolean }

/** Which of these gifts are here, of those whom the caller sees. */
export async function giftsHere(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{
    id: string
  }>`select g.id from app.gifts g where g.org_id = ${orgId}::uuid and g.id = any (${ids}::uuid[])`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/**
 * Gifts that rows mean: by their id in the other system, and, for rows that have none, by donor, amount, day, campaign and reference.
 * Not exact is what has the id and says something else.
 */
export async function giftsOf(db: ActorDb, orgId: string, wanted: readonly WantedGift[]): Promise<FoundGift[]> {
  if (wanted.length === 0) return []
  const { rows } = await sql<FoundGift>`
    with w as (select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) x (line int, "foreignId" text, "personId" uuid, donor text, amount bigint, currency text,
      "receivedOn" date, "campaignId" uuid, reference text))
    select x.line, x.id, x.exact from (
      select w.line, g.id, g.amount = w.amount and g.currency = w.currency and (w."personId" is null or g.person_id = w."personId") as exact, 1 as place
      from w join app.gifts g on g.org_id = ${orgId}::uuid and g.foreign_id = w."foreignId" where w."foreignId" <> ''
      union all
      select w.line, g.id, true, 2 from w
      join app.gifts g on g.org_id = ${orgId}::uuid and g.received_on = w."receivedOn" and g.amount = w.amount and g.currency = w.currency and g.campaign_id is not distinct from w."campaignId"
        and g.person_id is not distinct from w."personId" and (w."personId" is not null or lower(g.donor_name) = lower(w.donor))
      left join app.payments p on p.org_id = g.org_id and p.gift_id = g.id and p.state not in ('pending', 'failed', 'cancelled')
      where w."foreignId" = '' and coalesce(p.reference, '') = w.reference) x
    order by x.place, x.id`.execute(db)
  return rows
}

/** Why gifts that an import brought cannot be removed. */
export const giftsInUse = (db: ActorDb, orgId: string, ids: readonly string[]): Promise<Hold[]> =>
  readHolds(db, ids, [
    editedUse(orgId, 'gifts'),
    {
      why: 'was refunded or reversed since',
      table: 'payments',
      rows: sql`select p.id, p.id as subject, '' as name from app.payments p
        where p.org_id = ${orgId}::uuid and p.gift_id = k.id and (not p.imported or p.state <> 'settled' or p.refunded_amount > 0)`,
    },
  ])
