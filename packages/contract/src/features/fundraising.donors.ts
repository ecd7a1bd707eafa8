import * as z from 'zod'
import { act, get, post } from '../base.ts'
import { BulkResult } from '../bulk.ts'
import { CalendarDate, ChapterRef, Cursor, Id, Instant, Limit, ListInput, Money, PersonRef, Version, lines, page, text } from '../shapes.ts'
import { GiftMoney } from './fundraising.ts'

const tag = 'Fundraising'

export const Donor = z.object({
  person: PersonRef,
  chapter: ChapterRef.nullable().describe('Home chapter'),
  lifetime: Money.describe('Settled less refunded'),
  thisYear: Money,
  lastYear: Money,
  gifts: z.int(),
  firstOn: CalendarDate,
  lastOn: CalendarDate,
  largest: Money,
  isRecurring: z.boolean(),
})
export type Donor = z.infer<typeof Donor>

/** Segments of donors: gave in the year before last and not last year; gave last year and not yet this year. */
export const DonorSegment = z.enum(['lapsed', 'notYet', 'new', 'recurring'])
export type DonorSegment = z.infer<typeof DonorSegment>

/** What donors can be filtered by. Amounts are in whole units of the organisation’s currency. */
export const donorsFilterFields = {
  segment: { kind: 'choice', options: DonorSegment.options },
  campaign: { kind: 'id', of: 'campaign' },
  chapter: { kind: 'id', of: 'chapter' },
  lifetime: { kind: 'number' },
  thisYear: { kind: 'number' },
  lastYear: { kind: 'number' },
  largest: { kind: 'number' },
  gifts: { kind: 'number' },
  firstOn: { kind: 'date' },
  lastOn: { kind: 'date' },
} as const

export const DonorListInput = ListInput.extend({
  campaignId: Id.optional().describe('Who gave to this campaign'),
  chapterId: Id.optional().describe('Members of this chapter and those below it'),
  sort: z.string().max(40).optional().describe('lifetime, thisYear, lastOn, firstOn, largest, gifts or name; -lifetime unless stated'),
}).meta({ examples: [{ sort: '-thisYear' }] })

const StatementAsked = z.strictObject({ since: CalendarDate, until: CalendarDate })
const statementExample = { since: '2026-01-01', until: '2026-12-31' }
/** What a person gave in a period, for their tax return. */
export const GivingStatement = z.object({
  since: CalendarDate,
  until: CalendarDate,
  person: PersonRef,
  totals: z.array(Money),
  gifts: z
    .array(z.object({ giftId: Id, on: CalendarDate, campaign: z.string(), receipt: z.string().nullable(), money: Money }))
    .describe('At most 500'),
})
export type GivingStatement = z.infer<typeof GivingStatement>

/** A person’s giving at a glance. */
export const GivingSummary = z.object({
  lifetime: z.array(Money),
  thisYear: z.array(Money),
  gifts: z.int(),
  firstOn: CalendarDate.nullable(),
  lastOn: CalendarDate.nullable(),
  largest: Money.nullable(),
  pledged: z.array(Money),
  years: z.array(z.object({ year: z.int(), raised: z.int() })).describe('In the organisation’s currency, oldest first, at most 20'),
})
export type GivingSummary = z.infer<typeof GivingSummary>

/** What lists of people say of giving, in the organisation’s currency. */
export const GivingOfRow = z.object({ lifetime: Money, thisYear: Money, lastYear: Money, gifts: z.int(), lastOn: CalendarDate })
export type GivingOfRow = z.infer<typeof GivingOfRow>

export const StatementRun = z.object({
  id: Id,
  since: CalendarDate,
  until: CalendarDate,
  state: z.enum(['started', 'done']),
  people: z.int(),
  mailed: z.int(),
  withoutAddress: z.int(),
  by: z.string().nullable(),
  createdAt: Instant,
})
export type StatementRun = z.infer<typeof StatementRun>

/** What a chapter has of gifts, and what it was paid. */
export const ChapterShare = z.object({
  chapter: ChapterRef,
  currency: z.string(),
  share: z.int().describe('Of settled gifts, less refunds'),
  paidOut: z.int(),
  balance: z.int().describe('Still to be paid out; below zero where gifts were refunded afterwards'),
  gifts: z.int(),
  lastPaidOn: CalendarDate.nullable(),
})
export type ChapterShare = z.infer<typeof ChapterShare>
export const Payout = z.object({
  id: Id,
  chapter: ChapterRef,
  money: Money,
  paidOn: CalendarDate,
  reference: z.string(),
  note: z.string(),
  by: z.string().nullable(),
  createdAt: Instant,
  reversal: z.object({ at: Instant, reason: z.string() }).nullable().describe('It was recorded by mistake and counts nothing'),
  version: Version,
  may: z.object({ reverse: z.boolean() }),
})
export type Payout = z.infer<typeof Payout>

export const fundraisingDonorsData = {
  list: get('/donors', 'listDonors', {
    needs: 'gifts.read',
    readsPeople: 50,
    tag,
    summary: 'Donors with what they gave; the largest first unless stated',
  })
    .input(DonorListInput)
    .output(page(Donor)),
  giving: get('/people/{personId}/giving', 'getGiving', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What a person gave: for yourself, or with gifts.read',
  })
    .input(z.strictObject({ personId: Id }))
    .output(GivingSummary),
  statement: get('/people/{personId}/giving-statement', 'getGivingStatement', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 1,
    tag,
    summary: 'All gifts of a person in a period, less refunds',
  })
    .input(StatementAsked.extend({ personId: Id }))
    .output(GivingStatement),
  runs: get('/giving-statement-runs', 'listGivingStatementRuns', {
    needs: 'gifts.manage',
    tag,
    summary: 'Statements mailed to all donors of a period, the newest first',
  })
    .input(z.strictObject({ cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(StatementRun)),
  runPreview: get('/giving-statement-runs/preview', 'previewGivingStatementRun', {
    needs: 'gifts.manage',
    tag,
    summary: 'How many donors of a period would get a statement, and how many have no address; mails nothing',
  })
    .input(StatementAsked)
    .output(z.object({ people: z.int(), withoutAddress: z.int() })),
  shares: get('/chapter-shares', 'listChapterShares', {
    needs: 'fundraising.read',
    tag,
    summary: 'What chapters have of gifts, what they were paid, and what is left',
  })
    .input(z.strictObject({ chapterId: Id.optional() }))
    .output(z.object({ items: z.array(ChapterShare).describe('At most 500'), may: z.object({ pay: z.boolean() }) })),
  payouts: get('/chapter-payouts', 'listChapterPayouts', {
    needs: 'fundraising.read',
    tag,
    summary: 'What was paid out to chapters, the newest first',
  })
    .input(z.strictObject({ chapterId: Id.optional(), cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(Payout)),
  recordPayout: post('/chapter-payouts', 'recordChapterPayout', {
    needs: 'gifts.manage',
    tag,
    summary: 'Record that a chapter was paid its share of gifts; at most what is left to it',
  })
    .input(
      z
        .strictObject({
          chapterId: Id,
          money: GiftMoney,
          paidOn: CalendarDate,
          reference: text(140).default(''),
          note: lines(500).default(''),
        })
        .meta({
          examples: [{ chapterId: '01920000-0000-7000-8000-000000000011', money: { amount: 100, currency: 'EUR' }, paidOn: '2026-11-20' }],
        }),
    )
    .output(Payout),
  reversePayout: act('/chapter-payouts/{payoutId}/reverse', 'reverseChapterPayout', {
    needs: 'gifts.manage',
    tag,
    summary: 'Reverse a payout that was recorded by mistake: it stays on record and counts nothing',
  })
    .input(z.strictObject({ payoutId: Id, reason: text(500, 1) }).meta({ examples: [{ reason: 'Recorded for the wrong chapter' }] }))
    .output(Payout),
}

export const fundraisingDonorsActions = {
  printStatement: post('/people/{personId}/giving-statement/pdf', 'printGivingStatement', {
    needs: 'signed-in',
    whileActing: true,
    status: 200,
    idempotent: false,
    perHour: 120,
    tag,
    summary: 'The statement of what a person gave as PDF',
  })
    .input(StatementAsked.extend({ personId: Id }).meta({ examples: [statementExample] }))
    .output(z.file()),
  mailStatements: post('/giving-statement-runs', 'mailGivingStatements', {
    needs: 'gifts.manage',
    perHour: 20,
    tag,
    summary: 'Mail every donor of a period a statement as PDF: each exactly once, also when the work is interrupted',
  })
    .input(
      StatementAsked.extend({ personIds: z.array(Id).max(1000).optional().describe('Only these') }).meta({ examples: [statementExample] }),
    )
    .output(z.object({ run: StatementRun, result: BulkResult })),
}
