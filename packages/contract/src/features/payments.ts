import * as z from 'zod'
import { act, del, get, patch, post, put } from '../base.ts'
import { CalendarDate, ChapterRef, Id, Instant, ListInput, Money, PersonRef, Version, lines, page, text } from '../shapes.ts'

const tag = 'Payments'

export const PaymentMethod = z.enum(['card', 'bank_transfer', 'cash', 'cheque', 'other'])
export const RefundFailure = z
  .enum(['balance', 'card_closed', 'declined', 'disputed', 'refunded_before', 'too_much', 'cancelled', 'unknown'])
  .describe(
    'Why the payment provider did not give it. balance: the organisation has too little there; card_closed: the card is lost, expired or closed; declined: by the bank of the payer; disputed: the bank has taken the money back; refunded_before: at the provider itself; too_much: more than is left of the payment; cancelled: at the provider',
  )
export type RefundFailure = z.infer<typeof RefundFailure>
export const PaymentState = z.enum(['pending', 'settled', 'partly_refunded', 'refunded', 'disputed', 'failed', 'cancelled', 'reversed'])
export type PaymentMethod = z.infer<typeof PaymentMethod>
export type PaymentState = z.infer<typeof PaymentState>

export const Payment = z.object({
  id: Id,
  kind: z.enum(['manual', 'checkout', 'charge']).describe('Recorded by hand, paid on a page of the provider, or charged to a saved card'),
  method: PaymentMethod,
  state: PaymentState,
  failure: z.enum(['declined', 'confirmation_needed', 'expired']).nullable(),
  money: Money,
  refunded: Money,
  unallocated: Money.describe('What pays no invoice: paid too much, or not allocated yet'),
  person: PersonRef.nullable().describe('Who paid, as far as you may see them'),
  chapter: ChapterRef.nullable().describe('The chapter that paid, where that is a chapter'),
  invoice: z.object({ id: Id, number: z.string().nullable() }).nullable().describe('The invoice that it was begun for'),
  receivedOn: CalendarDate.nullable(),
  settledAt: Instant.nullable(),
  reference: z.string(),
  note: z.string(),
  isTest: z.boolean().describe('No money moved'),
  counts: z.boolean().describe('Whether it pays invoices; test payments in production do not'),
  disputeState: z.enum(['open', 'won', 'lost']).nullable(),
  reversal: z.object({ at: Instant, reason: z.string() }).nullable(),
  allocations: z
    .array(z.object({ invoiceId: Id, number: z.string().nullable(), amount: z.int() }))
    .describe('In the order in which it pays them'),
  refunds: z.array(
    z.object({
      id: Id,
      money: Money,
      state: z.enum(['pending', 'settled', 'failed']),
      failure: RefundFailure.nullable().describe('Why it failed'),
      reason: z.string(),
      createdAt: Instant,
    }),
  ),
  createdAt: Instant,
  may: z.object({ refund: z.boolean(), reverse: z.boolean(), allocate: z.boolean() }),
  version: Version,
})
export type Payment = z.infer<typeof Payment>

/** What payments can be filtered by. Amounts are in whole units of the payment’s currency; the day is the one it was received, settled or begun on. */
export const paymentsFilterFields = {
  state: { kind: 'choice', options: PaymentState.options },
  method: { kind: 'choice', options: PaymentMethod.options },
  day: { kind: 'date' },
  money: { kind: 'number' },
  person: { kind: 'id', of: 'person' },
  chapter: { kind: 'id', of: 'chapter' },
  books: { kind: 'id', of: 'chapter' },
  unallocated: { kind: 'flag' },
  test: { kind: 'flag' },
} as const satisfies Record<
  string,
  { kind: 'choice' | 'id' | 'text' | 'date' | 'number' | 'flag'; options?: readonly string[]; of?: string }
>
export const PaymentSort = z.enum(['created', 'day', 'money'])
export type PaymentSort = z.infer<typeof PaymentSort>
export const PaymentListInput = ListInput.extend({
  invoiceId: Id.optional(),
  personId: Id.optional(),
  chapterId: Id.optional().describe('In the books of this chapter and the chapters below it'),
  q: z.string().max(200).optional().describe('The number of an invoice, a reference, or the name of who paid'),
  sort: z.string().max(40).optional().describe('created, day or money; -created (the newest first) unless stated'),
}).meta({ examples: [{ filter: '{"and":[{"or":[{"field":"state","op":"in","value":["settled"]}]}]}' }] })

/** What the payments of a filter come to, for each currency. */
export const PaymentTotals = z.object({
  currency: z.string(),
  payments: z.int().describe('Settled ones, refunded or not; tests that count for nothing are left out'),
  received: z.int().describe('What they came to, in the smallest unit'),
  refunded: z.int().describe('What of that went back'),
})
export type PaymentTotals = z.infer<typeof PaymentTotals>

const OnePayment = z.strictObject({ paymentId: Id })
/** Of a payment, of a refund: never nothing. */
const Paid = Money.extend({ amount: z.int().min(1).max(9_007_199_254_740_991) })
const Allocations = z.array(z.strictObject({ invoiceId: Id, amount: z.int().min(1).max(9_007_199_254_740_991) })).max(100)
const allocationsExample = [{ invoiceId: '01920000-0000-7000-8000-000000000021', amount: 4200 }]

export const NewPayment = z.strictObject({
  method: PaymentMethod.exclude(['card']),
  money: Paid,
  receivedOn: CalendarDate,
  reference: text(140).default(''),
  note: text(500).default(''),
  personId: Id.optional(),
  chapterId: Id.optional(),
  allocations: Allocations.default([]),
  differenceId: Id.optional().describe('The payment that only the provider knows, and that this writes down'),
})
export type NewPayment = z.infer<typeof NewPayment>

export const SavedMethod = z.object({
  id: Id,
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  isCharged: z.boolean().describe('Charged for renewals'),
  createdAt: Instant,
})
export type SavedMethod = z.infer<typeof SavedMethod>

const Account = {
  accountHolder: text(140),
  accountNumber: text(60).describe('IBAN, or the number of the account where there are none. Empty where nobody can pay by transfer'),
  bankCode: text(60).describe('BIC, sort code or routing number'),
  bankName: text(140),
  transferNote: lines(500).describe('Anything else that payers should know'),
}
export const TransferAccount = z.object({
  accountHolder: z.string(),
  accountNumber: z.string(),
  bankCode: z.string(),
  bankName: z.string(),
  transferNote: z.string(),
})
export type TransferAccount = z.infer<typeof TransferAccount>
export const PaymentSettings = TransferAccount.extend({
  byCard: z.boolean().describe('Whether a payment provider is configured'),
  isTestMode: z.boolean().describe('Its payments move no money'),
  mayEdit: z.boolean(),
  version: Version,
})
export type PaymentSettings = z.infer<typeof PaymentSettings>
export const PaymentSettingsChange = z
  .strictObject(Account)
  .partial()
  .meta({ examples: [{ accountHolder: 'Demo Society', accountNumber: 'DE02120300000000202051' }] })

export const PaymentDifference = z.object({
  id: Id,
  kind: z.enum(['unknown_here', 'unknown_there', 'amount', 'refunds']),
  providerRef: z.string(),
  paymentId: Id.nullable(),
  ours: z.int().nullable(),
  theirs: z.int().nullable(),
  currency: z.string().nullable(),
  foundAt: Instant,
})
export type PaymentDifference = z.infer<typeof PaymentDifference>
const OneDifference = z.strictObject({ differenceId: Id })

export const paymentsData = {
  list: get('/payments', 'listPayments', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 50,
    tag,
    summary: 'Payments that you may see; the newest first unless stated',
  })
    .input(PaymentListInput)
    .output(page(Payment)),
  totals: get('/payments/totals', 'getPaymentTotals', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'What the payments of a list come to: received and refunded, for each currency',
  })
    .input(PaymentListInput.pick({ invoiceId: true, personId: true, chapterId: true, q: true, filter: true }))
    .output(
      z.object({
        items: z.array(PaymentTotals),
        differences: z
          .int()
          .nullable()
          .describe(
            'Open differences of these payments from the provider; without a filter also of payments unknown here. Null for who may not see them',
          ),
      }),
    ),
  get: get('/payments/{paymentId}', 'getPayment', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'A payment with what it pays and its refunds',
  })
    .input(OnePayment)
    .output(Payment),
  record: post('/payments', 'recordPayment', {
    needs: 'finance.manage',
    tag,
    summary: 'Record money that came by bank transfer, in cash or as a cheque, and which invoices it pays',
  })
    .input(
      NewPayment.meta({
        examples: [{ method: 'cash', money: { amount: 4200, currency: 'EUR' }, receivedOn: '2026-11-20', allocations: allocationsExample }],
      }),
    )
    .output(Payment),
  allocate: act('/payments/{paymentId}/allocate', 'allocatePayment', {
    needs: 'finance.manage',
    tag,
    summary: 'Let what is left of a payment pay invoices',
  })
    .input(OnePayment.extend({ allocations: Allocations.min(1) }).meta({ examples: [{ allocations: allocationsExample }] }))
    .output(Payment),
  reverse: act('/payments/{paymentId}/reverse', 'reversePayment', {
    needs: 'finance.manage',
    tag,
    summary: 'Correct a payment that was recorded by mistake: it stays on record and pays nothing',
  })
    .input(OnePayment.extend({ reason: text(500, 1) }).meta({ examples: [{ reason: 'Recorded twice' }] }))
    .output(Payment),
  methods: {
    list: get('/payment-methods', 'listPaymentMethods', {
      needs: 'signed-in',
      tag,
      summary: 'How you can pay: your saved cards, whether invoices can be paid by card, and the account for bank transfers',
    }).output(
      z.object({
        items: z.array(SavedMethod),
        canPayOnline: z.boolean(),
        isTestMode: z.boolean().describe('Payments by card move no money'),
        testsCount: z.boolean().describe('Test payments pay invoices; never in production'),
        transfer: TransferAccount.nullable(),
      }),
    ),
    prefer: put('/payment-methods/{methodId}/preferred', 'preferPaymentMethod', {
      needs: 'signed-in',
      tag,
      status: 204,
      summary: 'Choose the saved card of yours that is charged for renewals',
    })
      .input(z.strictObject({ methodId: Id }))
      .output(z.void()),
  },
  settings: {
    get: get('/payment-settings', 'getPaymentSettings', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'The bank account for transfers, and whether a payment provider is configured',
    }).output(PaymentSettings),
    update: patch('/payment-settings', 'updatePaymentSettings', {
      needs: 'finance.manage',
      tag,
      summary: 'Change the bank account for transfers',
    })
      .input(PaymentSettingsChange)
      .output(PaymentSettings),
  },
  differences: get('/payment-differences', 'listPaymentDifferences', {
    needs: 'signed-in',
    tag,
    summary: 'Where we and the payment provider differ, as the last nightly comparison found',
  }).output(
    z.object({
      items: z.array(PaymentDifference),
      comparedAt: Instant.nullable().describe('When payments were last compared'),
      may: z.object({ answer: z.boolean() }),
    }),
  ),
}

export const paymentsActions = {
  pay: post('/invoices/{invoiceId}/pay', 'payInvoice', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    status: 200,
    // Repeating it answers the same page; a key would keep a transaction open while the provider is asked.
    idempotent: false,
    perHour: 60,
    summary: 'Begin to pay an invoice by card: the address of the page to pay on',
    description: 'As long as it is not paid, the same page is answered. With `saveCard`, your card is kept for renewals.',
  })
    .input(
      z
        .strictObject({
          invoiceId: Id,
          saveCard: z.boolean().default(false),
          eventId: Id.optional().describe('Leads back to the page of this event; to the profile unless stated'),
        })
        .meta({ examples: [{ saveCard: false }] }),
    )
    .output(z.object({ paymentId: Id, url: z.url() })),
  check: post('/payments/{paymentId}/check', 'checkPayment', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    status: 204,
    idempotent: false,
    perHour: 120,
    summary: 'Have the payment provider asked again how a payment stands, where a notice of it may be lost',
  })
    .input(OnePayment)
    .output(z.void()),
  compare: post('/payment-differences/compare', 'comparePayments', {
    needs: 'finance.manage',
    tag,
    status: 204,
    idempotent: false,
    perHour: 20,
    summary: 'Compare all payments with the payment provider now, as is done every night',
  })
    .input(z.strictObject({}))
    .output(z.void()),
  answerDifference: post('/payment-differences/{differenceId}/answer', 'answerPaymentDifference', {
    needs: 'finance.manage',
    tag,
    status: 204,
    summary: 'Ignore a difference while it stays the same, or accept the amount of the provider',
  })
    .input(
      OneDifference.extend({ answer: z.enum(['ignored', 'accepted']), reason: text(500, 1) }).meta({
        examples: [{ answer: 'ignored', reason: 'A payment of the shop' }],
      }),
    )
    .output(z.void()),
  refund: act('/payments/{paymentId}/refund', 'refundPayment', {
    needs: 'finance.manage',
    recentSignIn: true,
    tag,
    summary: 'Give money back: by the provider what was paid by card, otherwise by hand',
  })
    .input(OnePayment.extend({ amount: z.int().min(1), reason: text(500, 1) }).meta({ examples: [{ amount: 1, reason: 'Paid twice' }] }))
    .output(Payment),
  removeMethod: del('/payment-methods/{methodId}', 'removePaymentMethod', {
    needs: 'signed-in',
    tag,
    summary: 'Remove a saved card of yours, here and at the provider',
  })
    .input(z.strictObject({ methodId: Id }))
    .output(z.void()),
}
