import type { CampaignKind, CampaignStatus, CampaignVisibility, GoalKind } from '@guildhall/contract/features/fundraising'
import type { GiftInterval, GiftStatus, TributeKind } from '@guildhall/contract/features/fundraising.gifts'
import type { FormattedDocument } from '@guildhall/contract/formatted-document'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { TransferDetails } from '../../payments/payments.transfer.public.ts'

// Functions of the database that are open to everybody; each gives out only campaigns that are on show.

export type PublicCampaignFacts = {
  id: string
  orgId: string
  name: string
  slug: string
  kind: CampaignKind
  status: Exclude<CampaignStatus, 'draft'>
  visibility: CampaignVisibility
  summary: string
  currency: string
  goalKind: GoalKind
  /** Minor units where the goal is an amount or what recurring gifts come to in a month; else a count. */
  goalValue: number | null
  startsOn: string | null
  endsOn: string | null
  /** By the calendar of the organisation. */
  today: string
  takesGifts: boolean
  coverFileId: string | null
  coverAlt: string
  /** The chapter whose campaign it is, or the organisation. */
  organiser: string
  gifts: number
  donors: number
  countedAmount: number
  pledgedAmount: number
  recurringAmount: number
}
export type PublicCampaign = PublicCampaignFacts & {
  story: FormattedDocument
  suggested: { amount: number; words: string }[]
  minAmount: number
  /** Null where no gift is too large. */
  maxAmount: number | null
  allowsRecurring: boolean
  allowsCoverFees: boolean
  feeBps: number
  feeFixed: number
  /** Where gifts go unless the donor chooses another one, first. */
  funds: { id: string; name: string; description: string }[]
  thanks: string
  shareBps: number
  shareChapter: { id: string; name: string } | null
  transfer: TransferDetails | null
}

export async function publicCampaign(db: Kysely<Schema>, idpOrg: string | undefined, slug: string): Promise<PublicCampaign | undefined> {
  const { rows } = await sql<{ found: PublicCampaign | null }>`select app.public_campaign(${idpOrg ?? null}, ${slug}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}

export async function publicCampaigns(db: Kysely<Schema>, idpOrg: string | undefined): Promise<PublicCampaignFacts[]> {
  const { rows } = await sql<{ found: PublicCampaignFacts }>`select f as found from app.public_campaigns(${idpOrg ?? null}) f`.execute(db)
  return rows.map(({ found }) => found)
}

/** A gift for the form that began it, which alone knows its attempt. */
export type BegunByForm = {
  status: GiftStatus
  amount: number
  currency: string
  interval: GiftInterval | null
  slug: string | null
  /** What was typed, while the provider's page is open; of nobody else's use after that. */
  typed: {
    donorName: string
    donorEmail: string
    /** Without the fee. */
    amount: number
    coversFees: boolean
    interval: GiftInterval | null
    fundId: string | null
    isAnonymous: boolean
    tributeKind: TributeKind | null
    tributeName: string
    message: string
  } | null
}
export async function publicGift(db: Kysely<Schema>, idpOrg: string | undefined, attempt: string): Promise<BegunByForm | undefined> {
  const { rows } = await sql<{ found: BegunByForm | null }>`select app.public_gift(${idpOrg ?? null}, ${attempt}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}

/** The gift of the actor's own that a form began. */
export async function giftOfAttempt(db: ActorDb, attempt: string): Promise<string | undefined> {
  return (await db.selectFrom('app.gifts').select('id').where('attempt', '=', attempt).executeTakeFirst())?.id
}

/** The actor's own person. */
export async function ownPerson(db: ActorDb): Promise<string | null> {
  const { rows } = await sql<{ id: string | null }>`select app.person_id() as id`.execute(db)
  return rows[0]?.id ?? null
}
