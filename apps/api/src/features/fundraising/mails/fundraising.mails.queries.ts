import type { GiftInterval, GiftStatus, TributeKind } from '@guildhall/contract/features/fundraising.gifts'
import type { PlanStatus } from '@guildhall/contract/features/fundraising.plans'
import type { InstalmentState, PledgeStatus } from '@guildhall/contract/features/fundraising.pledges'
import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { issueLink, openLink, tokenFromId } from '../../../platform/links/signed-links.ts'
import type { TransferDetails } from '../../payments/payments.transfer.public.ts'

type Rows = Kysely<Schema>

// What mails say, read by the worker while they leave.

export type GiftLetter = {
  giftId: string
  amount: number
  currency: string
  status: GiftStatus
  receivedOn: string | null
  campaign: string | null
  /** What the campaign says to whoever gave. */
  thanks: string
  tributeKind: TributeKind | null
  tributeName: string
  planId: string | null
  planStatus: PlanStatus | null
  planAmount: number | null
  interval: GiftInterval | null
  nextOn: string | null
  share: { chapter: string; amount: number } | null
}
export async function giftLetter(db: Rows, orgId: string, giftId: string): Promise<GiftLetter | undefined> {
  const { rows } = await sql<{ found: GiftLetter | null }>`select app.gift_mail(${orgId}, ${giftId}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}

export type PlanLetter = {
  planId: string
  status: PlanStatus
  amount: number
  currency: string
  interval: GiftInterval
  nextOn: string | null
  retryOn: string | null
  failures: number
  stoppedBy: 'donor' | 'office' | 'failures' | null
  campaign: string | null
  slug: string | null
  hasCard: boolean
}
export async function planLetter(db: Rows, orgId: string, planId: string): Promise<PlanLetter | undefined> {
  const { rows } = await sql<{ found: PlanLetter | null }>`select app.plan_mail(${orgId}, ${planId}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}

export type InstalmentLetter = {
  state: Exclude<InstalmentState, 'overdue'>
  pledgeStatus: PledgeStatus
  amount: number
  currency: string
  dueOn: string
  isOverdue: boolean
  /** What of the pledge is still to come, this instalment among it. */
  left: number
  campaign: string | null
  fund: string
  transfer: TransferDetails | null
}
export async function instalmentLetter(db: Rows, orgId: string, instalmentId: string): Promise<InstalmentLetter | undefined> {
  const { rows } = await sql<{ found: InstalmentLetter | null }>`select app.instalment_mail(${orgId}, ${instalmentId}) as found`.execute(db)
  return rows[0]?.found ?? undefined
}

/** Longer than a year, so that the link in the last receipt of a yearly gift still opens; signed links last 400 days at most. */
const linkDays = 399
/** A new link to the page on which a donor looks after their recurring gift without signing in. */
export async function planLink(db: Rows, orgId: string, planId: string): Promise<string> {
  const { path } = await issueLink(db, {
    ...{ purpose: 'recurring-gifts', subject: { type: 'recurring_plan', id: planId }, uses: 'many', orgId },
    expiresAt: new Date(Date.now() + linkDays * 86_400_000),
  })
  return path
}

/**
 * The link with which an instalment is paid without signing in. Every reminder of it has the same one: the page of the provider leads back to the link,
 * and the same payment is asked for with the same address.
 */
export async function instalmentLink(db: Rows, key: string, orgId: string, instalmentId: string): Promise<string> {
  const purpose = 'pledges'
  const token = tokenFromId(key, 'pledge instalment', { orgId, id: instalmentId })
  if (await openLink(db, { purpose, token, idpOrg: undefined })) return `/public/${purpose}/${token}`
  const { path } = await issueLink(db, {
    ...{ purpose, subject: { type: 'pledge_instalment', id: instalmentId }, uses: 'many', orgId, token },
    expiresAt: new Date(Date.now() + linkDays * 86_400_000),
  })
  return path
}
