import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { CalendarDate, ChapterRef, EmailAddress, Id, Instant, ListInput, Money, PersonRef, Version, lines, page, text } from '../shapes.ts'
import { FundRef, GiftMoney, mostMoney } from './fundraising.ts'
import { PaymentMethod, PaymentState } from './payments.ts'

const tag = 'Fundraising'

export const GiftStatus = PaymentState
export type GiftStatus = z.infer<typeof GiftStatus>
export const GiftSource = z.enum(['page', 'own', 'office', 'import', 'plan'])
export type GiftSource = z.infer<typeof GiftSource>
export const TributeKind = z.enum(['honour', 'memory'])
export type TributeKind = z.infer<typeof TributeKind>
export const ThankedHow = z.enum(['mail', 'letter', 'call', 'other'])
export type ThankedHow = z.infer<typeof ThankedHow>
export const GiftInterval = z.enum(['month', 'quarter', 'year'])
export type GiftInterval = z.infer<typeof GiftInterval>

export const CampaignRef = z.object({ id: Id, name: z.string() })
export type CampaignRef = z.infer<typeof CampaignRef>

export const GiftRow = z.object({
  id: Id,
  donor: PersonRef.nullable().describe('Null of a donor who is no person of the directory, or not yet'),
  donorName: z.string().describe('As the donor wrote it, or the name of the person'),
  campaign: CampaignRef.nullable(),
  chapter: ChapterRef.nullable(),
  money: Money.describe('What the donor gave, with the fee that they cover'),
  refunded: Money,
  method: PaymentMethod,
  status: GiftStatus,
  source: GiftSource,
  isAnonymous: z.boolean().describe('The donor is not to be named in public'),
  isTest: z.boolean(),
  counts: z.boolean().describe('Whether it counts in totals; test payments in production do not'),
  planId: Id.nullable(),
  receivedOn: CalendarDate.nullable(),
  settledAt: Instant.nullable(),
  thankedAt: Instant.nullable(),
  receipt: z.object({ id: Id, number: z.string() }).nullable().describe('The one that stands'),
  createdAt: Instant,
  version: Version,
})
export type GiftRow = z.infer<typeof GiftRow>

export const GiftAllocation = z.object({ fund: FundRef, amount: z.int(), settled: z.int().describe('What of it is settled, less refunds') })
export type GiftAllocation = z.infer<typeof GiftAllocation>

export const Gift = GiftRow.extend({
  donorEmail: z.string(),
  feeCovered: z.int().describe('The part of the gift with which the donor covers the fee'),
  allocations: z.array(GiftAllocation).describe('They add up to the gift'),
  share: z.object({ chapter: ChapterRef, amount: z.int() }).nullable().describe('What a chapter has of it, less refunds'),
  tribute: z.object({ kind: TributeKind, name: z.string() }).nullable(),
  message: z.string().describe('What the donor wrote'),
  note: z.string().describe('For the office; empty for everybody else'),
  payment: z
    .object({
      id: Id,
      state: PaymentState,
      reference: z.string(),
      disputeState: z.enum(['open', 'won', 'lost']).nullable(),
      failure: z.string().nullable(),
      version: Version,
    })
    .nullable(),
  receipt: z.object({ id: Id, number: z.string(), sentAt: Instant.nullable() }).nullable(),
  receipts: z.array(z.object({ id: Id, number: z.string(), state: z.enum(['issued', 'replaced', 'void']), issuedOn: CalendarDate })),
  refunds: z.array(
    z.object({ id: Id, money: Money, state: z.enum(['pending', 'settled', 'failed']), reason: z.string(), createdAt: Instant }),
  ),
  thanked: z.object({ by: z.string().nullable(), how: ThankedHow, at: Instant }).nullable(),
  pledgeId: Id.nullable(),
  may: z.object({ edit: z.boolean(), refund: z.boolean(), reverse: z.boolean(), thank: z.boolean() }),
})
export type Gift = z.infer<typeof Gift>

/** What gifts can be filtered by. Amounts are in whole units; the day is the one on which a gift was received or settled. */
export const giftsFilterFields = {
  status: { kind: 'choice', options: GiftStatus.options },
  method: { kind: 'choice', options: PaymentMethod.options },
  source: { kind: 'choice', options: GiftSource.options },
  campaign: { kind: 'id', of: 'campaign' },
  fund: { kind: 'id', of: 'fund' },
  donor: { kind: 'id', of: 'person' },
  chapter: { kind: 'id', of: 'chapter' },
  share: { kind: 'id', of: 'chapter' },
  day: { kind: 'date' },
  money: { kind: 'number' },
  recurring: { kind: 'flag' },
  anonymous: { kind: 'flag' },
  tribute: { kind: 'flag' },
  thanked: { kind: 'flag' },
  counted: { kind: 'flag' },
  test: { kind: 'flag' },
} as const

export const GiftListInput = ListInput.extend({
  campaignId: Id.optional(),
  personId: Id.optional(),
  chapterId: Id.optional().describe('Of this chapter and those below it'),
  planId: Id.optional(),
  q: z.string().max(200).optional().describe('The donor, a reference, a tribute or the number of a receipt'),
  sort: z.string().max(40).optional().describe('created, day or money; -created (the newest first) unless stated'),
}).meta({ examples: [{ filter: '{"and":[{"or":[{"field":"status","op":"in","value":["settled"]}]}]}' }] })

export const GiftTotals = z.object({
  currency: z.string(),
  gifts: z.int(),
  settled: z.int(),
  refunded: z.int(),
  raised: z.int().describe('Settled less refunded'),
})
export type GiftTotals = z.infer<typeof GiftTotals>

const Allocations = z.array(z.strictObject({ fundId: Id, amount: z.int().min(1).max(mostMoney) })).max(20)
const Tribute = z.strictObject({ kind: TributeKind, name: text(150, 1) })

export const NewGift = z
  .strictObject({
    personId: Id.nullable().default(null).describe('Who gave; or donorName'),
    donorName: text(150).default('').describe('Of a donor who is no person of the directory'),
    donorEmail: z.union([EmailAddress.max(254, 'Keep this to 254 characters.'), z.literal('')]).default(''),
    campaignId: Id.nullable().default(null),
    money: GiftMoney,
    method: PaymentMethod.exclude(['card']),
    receivedOn: CalendarDate,
    reference: text(140).default('').describe('Number of the cheque, text of the transfer'),
    note: lines(500).default(''),
    allocations: Allocations.default([]).describe('They add up to the gift; all to the campaign’s fund unless stated'),
    isAnonymous: z.boolean().default(false),
    tribute: Tribute.nullable().default(null),
    sendReceipt: z.boolean().default(true).describe('Mail the receipt, where an address is known'),
    instalmentId: Id.nullable().default(null).describe('The instalment of a pledge that it pays'),
  })
  .meta({
    examples: [{ donorName: 'Hill Bakery', money: { amount: 5000, currency: 'EUR' }, method: 'cheque', receivedOn: '2026-11-20' }],
  })
export type NewGift = z.input<typeof NewGift>

export const GiftChange = z
  .strictObject({
    personId: Id.nullable(),
    donorName: text(150),
    campaignId: Id.nullable(),
    allocations: Allocations.min(1),
    isAnonymous: z.boolean(),
    tribute: Tribute.nullable(),
    note: lines(500),
  })
  .partial()
  .meta({ examples: [{ isAnonymous: true }] })
export type GiftChange = z.infer<typeof GiftChange>
const OneGift = z.strictObject({ giftId: Id })

export const GiftBatch = z
  .strictObject({
    campaignId: Id.nullable().default(null),
    method: PaymentMethod.exclude(['card']),
    receivedOn: CalendarDate,
    currency: z.string().regex(/^[A-Z]{3}$/),
    sendReceipts: z.boolean().default(true),
    rows: z
      .array(
        z.strictObject({
          personId: Id.nullable().default(null),
          donorName: text(150).default(''),
          amount: z.int().min(1).max(mostMoney),
          reference: text(140).default(''),
          fundId: Id.nullable().default(null),
          note: lines(500).default(''),
        }),
      )
      .min(1)
      .max(200),
  })
  .meta({
    examples: [
      {
        method: 'cheque',
        receivedOn: '2026-11-20',
        currency: 'EUR',
        rows: [{ donorName: 'Hill Bakery', amount: 5000, reference: '1001' }],
      },
    ],
  })
export type GiftBatch = z.input<typeof GiftBatch>

/** Giving by card while signed in. */
export const OwnGift = z
  .strictObject({
    campaignId: Id,
    money: GiftMoney,
    coverFee: z.boolean().default(false),
    fundId: Id.nullable().default(null),
    interval: GiftInterval.nullable().default(null).describe('Give it again and again'),
    isAnonymous: z.boolean().default(false),
    tribute: Tribute.nullable().default(null),
    message: lines(500).default(''),
    attempt: Id.describe('Made by the page; giving it again begins the same gift, never a second one'),
  })
  .meta({ examples: [{ money: { amount: 2500, currency: 'EUR' }, attempt: '01920000-0000-7000-8000-000000000099' }] })
export type OwnGift = z.input<typeof OwnGift>

export const ThankRow = z.object({
  gift: GiftRow,
  days: z.int().describe('Since it was received'),
  late: z.boolean(),
  subject: z.string().describe('The draft, filled in'),
  body: z.string(),
  canMail: z.boolean().describe('Whether an address of the donor is known that may be written to'),
})
export type ThankRow = z.infer<typeof ThankRow>

export const fundraisingGiftsData = {
  list: get('/gifts', 'listGifts', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 50,
    tag,
    summary: 'Gifts that you may see, your own among them; the newest first unless stated',
  })
    .input(GiftListInput)
    .output(page(GiftRow)),
  totals: get('/gifts/totals', 'getGiftTotals', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What the gifts of a list come to, for each currency; test payments left out',
  })
    .input(GiftListInput.pick({ campaignId: true, personId: true, chapterId: true, planId: true, q: true, filter: true }))
    .output(z.object({ items: z.array(GiftTotals) })),
  get: get('/gifts/{giftId}', 'getGift', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 1,
    tag,
    summary: 'A gift with its funds, payment, refunds and receipts',
  })
    .input(OneGift)
    .output(Gift),
  record: post('/gifts', 'recordGift', {
    needs: 'gifts.record',
    tag,
    summary: 'Record a gift that came in cash, by cheque or by bank transfer',
  })
    .input(NewGift)
    .output(Gift),
  recordBatch: post('/gifts/batch', 'recordGiftBatch', {
    needs: 'gifts.record',
    tag,
    summary: 'Record many gifts of one day and method: all, or, on an error, none',
  })
    .input(GiftBatch)
    .output(z.object({ gifts: z.int(), total: Money, giftIds: z.array(Id) })),
  update: patch('/gifts/{giftId}', 'updateGift', {
    needs: 'gifts.manage',
    tag,
    summary: 'Correct who gave, for what and for which funds; where the receipt says otherwise by then, another one replaces it',
  })
    .input(GiftChange.extend(OneGift.shape))
    .output(Gift),
  thanks: {
    list: get('/gifts/thanks', 'listGiftsToThank', {
      needs: 'gifts.manage',
      readsPeople: 50,
      tag,
      summary: 'Gifts for which nobody has thanked yet, the oldest first, each with a draft',
    })
      .input(
        z.strictObject({
          campaignId: Id.optional(),
          giftId: Id.optional().describe('Only this gift'),
          cursor: z.string().max(1000).optional(),
          limit: z.int().min(1).max(100).optional(),
        }),
      )
      .output(page(ThankRow)),
    note: act('/gifts/{giftId}/thanked', 'noteThanks', {
      needs: 'gifts.manage',
      tag,
      summary: 'Note that somebody has thanked for a gift, and how',
    })
      .input(OneGift.extend({ how: ThankedHow }).meta({ examples: [{ how: 'call' }] }))
      .output(Gift),
    undo: act('/gifts/{giftId}/thanked/undo', 'undoThanks', {
      needs: 'gifts.manage',
      tag,
      summary: 'Undo a note that somebody has thanked for a gift: it waits for thanks again',
    })
      .input(OneGift)
      .output(Gift),
    mail: act('/gifts/{giftId}/thank', 'mailThanks', {
      needs: 'gifts.manage',
      perHour: 500,
      tag,
      summary: 'Mail thanks to the donor of a gift, and note it',
    })
      .input(
        OneGift.extend({ subject: text(150, 1), body: lines(2000, 1) }).meta({
          examples: [{ subject: 'Thank you', body: 'Dear Ada, thank you.' }],
        }),
      )
      .output(Gift),
  },
}

export const fundraisingGiftsActions = {
  give: post('/gifts/give', 'giveByCard', {
    needs: 'signed-in',
    tag,
    status: 200,
    // Repeating it answers the same page; a key would keep a transaction open while the provider is asked.
    idempotent: false,
    perHour: 60,
    summary: 'Begin to give by card: the address of the page to pay on',
  })
    .input(OwnGift)
    .output(z.object({ giftId: Id, url: z.url() })),
  receipt: post('/gifts/{giftId}/receipt', 'mailGiftReceipt', {
    needs: 'gifts.manage',
    tag,
    status: 200,
    perHour: 300,
    summary: 'Mail the receipt of a gift again',
  })
    .input(OneGift)
    .output(z.object({ mails: z.int() })),
  code: post('/campaigns/{campaignId}/qr', 'printCampaignCode', {
    needs: 'fundraising.read',
    tag,
    status: 200,
    idempotent: false,
    perHour: 120,
    summary: 'The QR code of a campaign’s giving page, as SVG, to print',
  })
    .input(z.strictObject({ campaignId: Id }))
    .output(z.file()),
}
