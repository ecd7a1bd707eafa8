import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { mustFind } from '../../platform/procedures/problem.ts'
import { begunColumns } from './payments.queries.ts'
import type { BegunPayment, Counting } from './payments.queries.ts'

type Rows = Kysely<Schema>

/** What somebody gives, as the database takes it. */
export type GiftSaid = {
  attempt: string
  /** Without the fee that is covered. */
  amount: number
  currency: string
  covers_fees: boolean
  fund_id: string | null
  interval: string | null
  is_anonymous: boolean
  tribute_kind: string | null
  tribute_name: string
  message: string
}

/** Begins a gift of the actor's own. */
export async function beginGift(tx: Rows, said: GiftSaid & { campaign_id: string }, { isLive, counts }: Counting): Promise<BegunPayment> {
  const { rows } = await sql<BegunPayment>`
    select ${begunColumns} from app.begin_gift(${JSON.stringify(said)}::jsonb, ${isLive}, ${counts}) b`.execute(tx)
  return mustFind(rows[0])
}

/** Begins a gift of somebody without an account; undefined where no such campaign is on show. */
export async function beginPublicGift(
  tx: Rows,
  { idpOrg, slug }: { idpOrg: string | undefined; slug: string },
  said: GiftSaid & { donor_name: string; donor_email: string },
  { isLive, counts }: Counting,
): Promise<BegunPayment | undefined> {
  const { rows } = await sql<BegunPayment>`
    select ${begunColumns} from app.begin_public_gift(${idpOrg ?? null}, ${slug}, ${JSON.stringify(said)}::jsonb, ${isLive}, ${counts}) b
    where b.payment_id is not null`.execute(tx)
  return rows[0]
}

/** Begins to pay an instalment of a pledge of the actor's own. */
export async function beginInstalment(tx: Rows, instalmentId: string, { isLive, counts }: Counting): Promise<BegunPayment> {
  const { rows } = await sql<BegunPayment>`
    select ${begunColumns} from app.begin_instalment(${instalmentId}, ${isLive}, ${counts}) b`.execute(tx)
  return mustFind(rows[0])
}

/** The same by the link in a reminder; undefined where the link is not valid. */
export async function beginInstalmentByLink(
  tx: Rows,
  { idpOrg, secretHash }: { idpOrg: string | undefined; secretHash: string },
  { isLive, counts }: Counting,
): Promise<BegunPayment | undefined> {
  const { rows } = await sql<BegunPayment>`
    select ${begunColumns} from app.begin_instalment_by_link(${idpOrg ?? null}, ${secretHash}, ${isLive}, ${counts}) b where b.payment_id is not null`.execute(
    tx,
  )
  return rows[0]
}

/** An attempt to charge what a recurring gift has due; null where nothing is due, or there is no card. */
export async function beginPlanCharge(tx: Rows, orgId: string, planId: string, { isLive, counts }: Counting): Promise<string | null> {
  const { rows } = await sql<{
    id: string | null
  }>`select app.begin_plan_charge(${orgId}, ${planId}, ${isLive}, ${counts}) as id`.execute(tx)
  return rows[0]?.id ?? null
}

/** Begins to pay what a recurring gift has due, by its link; undefined where nothing has failed. */
export async function beginPlanPayment(
  tx: Rows,
  { idpOrg, secretHash }: { idpOrg: string | undefined; secretHash: string },
  { isLive, counts }: Counting,
): Promise<BegunPayment | undefined> {
  const { rows } = await sql<BegunPayment>`
    select ${begunColumns} from app.begin_plan_payment_by_link(${idpOrg ?? null}, ${secretHash}, ${isLive}, ${counts}) b where b.payment_id is not null`.execute(
    tx,
  )
  return rows[0]
}
