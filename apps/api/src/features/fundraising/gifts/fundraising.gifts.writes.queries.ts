import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { mustTouch } from '../../../platform/records/update-record.ts'
import { findGift } from './fundraising.gifts.queries.ts'
import type { CampaignFacts } from './fundraising.gifts.rules.ts'

/** The campaign that a gift is to belong to. */
export async function mustSeeCampaign(
  db: ActorDb,
  campaignId: string | null | undefined,
  path = 'campaignId',
): Promise<CampaignFacts | null> {
  if (!campaignId) return null
  const { rows } =
    await sql<CampaignFacts>`select c.id, c.name, c.currency, c.fund_id as "fundId", c.status = 'draft' as "isDraft", c.archived_at is not null as "isArchived"
    from app.campaigns c where c.id = ${campaignId}`.execute(db)
  if (rows[0]) return rows[0]
  throw problem('UNPROCESSABLE_CONTENT', fault(path, 'gift_campaign_unknown', 'There is no such campaign.'))
}

/** An instalment of a pledge that the caller sees and that is still to be paid. */
export async function mustBeDue(db: ActorDb, instalmentId: string | null): Promise<void> {
  if (!instalmentId) return
  const { rows } = await sql<{ state: string }>`select i.state from app.pledge_instalments i where i.id = ${instalmentId}`.execute(db)
  if (!rows[0]) throw problem('UNPROCESSABLE_CONTENT', fault('instalmentId', 'instalment_unknown', 'There is no such instalment.'))
  if (rows[0].state !== 'due')
    throw problem('UNPROCESSABLE_CONTENT', fault('instalmentId', 'instalment_not_due', 'This instalment was paid or waived.'))
}

export type Recorded = {
  person_id: string | null
  donor_name: string
  donor_email: string
  campaign_id: string | null
  amount: number
  currency: string
  method: string
  received_on: string
  reference: string
  note: string
  /** None: all to the fund of the campaign. */
  allocations: readonly { fund_id: string; amount: number }[]
  is_anonymous: boolean
  tribute_kind: string | null
  tribute_name: string
  wants_receipt_mail: boolean
  instalment_id: string | null
  batch_id: string | null
}
/** A gift with its payment, settled, and its receipt; its id. */
export async function recordGift(db: ActorDb, said: Recorded): Promise<string> {
  const { rows } = await sql<{ id: string }>`select app.record_gift(${JSON.stringify(said)}::jsonb) as id`.execute(db)
  if (!rows[0]) throw new Error('a gift was neither recorded nor refused')
  return rows[0].id
}

/** The gift is as the caller knows it, and stays so until the transaction ends. */
export async function mustHoldGift(db: ActorDb, giftId: string, version: number): Promise<void> {
  const { rows } = await sql<{ held: boolean | null }>`select app.hold_gift(${giftId}, ${version}) as held`.execute(db)
  await mustTouch(rows[0]?.held ?? false, () => findGift(db, giftId), version)
}

export async function correctGift(db: ActorDb, giftId: string, said: Record<string, unknown>): Promise<void> {
  await sql`select app.correct_gift(${giftId}, ${JSON.stringify(said)}::jsonb)`.execute(db)
}

/** How many mails that makes: none where nobody can be mailed, or there is no receipt. */
export async function mailReceipt(db: ActorDb, giftId: string): Promise<number> {
  const { rows } = await sql<{ mails: number }>`select app.mail_gift_receipt(${giftId}) as mails`.execute(db)
  return rows[0]?.mails ?? 0
}
