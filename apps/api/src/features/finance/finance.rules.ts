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
  creditsLineId?: string | undefined
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

/** A line of an issued invoice, with what credit notes took off it before. */
export type CreditableLine = {
  id: string
  text: string
  net: number
  tax: number
  taxBps: number
  taxNote: string
  share: { chapter: { id: string } | null; amount: number } | null
  credited: { net: number; tax: number }
}

/** The tax of a line as the database has it: halves away from zero. */
export const taxOf = (net: number, bps: number): number => {
  const [whole, rest] = [BigInt(Math.abs(net)) * BigInt(bps), 10_000n]
  return Math.sign(net) * Number((whole * 2n + rest) / (rest * 2n))
}

/**
 * The lines of a credit note. What is credited in parts comes to just what was charged: where the last part of a line leaves a difference of tax, a
 * line of its own makes up for it. Nothing where more is asked for than a line has left.
 */
export function creditLines(
  lines: readonly CreditableLine[],
  wanted: readonly { lineId: string; amount: number }[] | undefined,
  rounding: string,
): DraftLine[] | null {
  const left = ({ net, credited }: CreditableLine) => net - credited.net
  const asked = wanted ?? lines.filter((line) => left(line) !== 0).map((line) => ({ lineId: line.id, amount: Math.abs(left(line)) }))
  const credit: DraftLine[] = []
  let difference = 0
  for (const { lineId, amount } of asked) {
    const line = lines.find(({ id }) => id === lineId)
    if (!line || amount > Math.abs(left(line)) || credit.some(({ creditsLineId }) => creditsLineId === lineId)) return null
    const net = Math.sign(line.net) * amount
    const { share } = line
    credit.push({
      text: line.text,
      amount: -net,
      taxBps: line.taxBps,
      taxNote: line.taxNote,
      ...(share?.chapter && { shareChapterId: share.chapter.id, shareAmount: -shareOfPart(share.amount, net, line.net) }),
      creditsLineId: line.id,
    })
    if (net === left(line)) difference += line.tax - line.credited.tax - taxOf(net, line.taxBps)
  }
  if (difference !== 0) credit.push({ text: rounding, amount: -difference })
  return credit
}

const shareOfPart = (share: number, part: number, whole: number): number =>
  whole === 0 ? 0 : Number((BigInt(share) * BigInt(part)) / BigInt(whole))

/** What a rate is charged for; `label` stands on invoices. */
export type Period = { start: string; end: string; label: string }

const monthsOf = { month: 1, quarter: 3, half_year: 6, year: 12 } as const

/** The period of the calendar that a day is in. What is charged once has one period for ever. */
export function periodOf(kind: keyof typeof monthsOf | 'once', day: string): Period {
  if (kind === 'once') return { start: '0001-01-01', end: day, label: '' }
  const [year = 0, month = 1] = day.split('-').map(Number)
  const length = monthsOf[kind]
  const nth = Math.floor((month - 1) / length)
  const date = (months: number, before: number) => new Date(Date.UTC(year, months, 1 - before)).toISOString().slice(0, 10)
  const names = { month: `-${String(month).padStart(2, '0')}`, quarter: `-Q${nth + 1}`, half_year: `-H${nth + 1}`, year: '' }
  return { start: date(nth * length, 0), end: date((nth + 1) * length, 1), label: `${year}${names[kind]}` }
}
