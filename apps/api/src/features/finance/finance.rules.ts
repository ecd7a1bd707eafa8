import { allocate } from '@guildhall/contract/money'

type Money = { amount: number; currency: string }

/** A line as the database takes it. */
export type DraftLine = {
  text: string
  amount: number
  taxBps?: number | undefined
  taxNote?: string | undefined
  shareChapterId?: string | undefined
  shareAmount?: number | undefined
  subjectType?: string | undefined
  subjectId?: string | undefined
}

/** What is to be charged. Tax comes on top of the amount; the share is what a chapter has of it, in hundredths of a percent. */
export type LineWanted = {
  text: string
  amount: number
  tax?: { bps: number; note?: string } | undefined
  share?: { chapterId: string; bps: number } | undefined
  subject?: { type: string; id: string } | undefined
}

export type InvoiceSummary = {
  id: string
  state: string
  number: string | null
  dueOn: string | null
  paidOn: string | null
  total: Money
  balance: Money
}

/** The share of a chapter and what is left always add up to the amount. */
export function shareOf(amount: number, bps: number): number {
  const [share = 0] = allocate(amount, [bps, 10_000 - bps])
  return share
}

export const draftLine = ({ text, amount, tax, share, subject }: LineWanted): DraftLine => ({
  text,
  amount,
  taxBps: tax?.bps,
  taxNote: tax?.note,
  ...(share && { shareChapterId: share.chapterId, shareAmount: shareOf(amount, share.bps) }),
  subjectType: subject?.type,
  subjectId: subject?.id,
})
