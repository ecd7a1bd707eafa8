import * as z from 'zod'
import { act, del, get, post } from '../base.ts'
import { CalendarDate, Cursor, Id, Instant, Limit, Money, PersonRef, Version, page, text } from '../shapes.ts'

const tag = 'Payments'

export const PaymentMethod = z.enum(['card', 'bank_transfer', 'cash', 'cheque', 'other'])
export const PaymentState = z.enum(['pending', 'settled', 'partly_refunded', 'refunded', 'disputed', 'failed', 'cancelled', 'reversed'])
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
  chapterId: Id.nullable(),
  receivedOn: CalendarDate.nullable(),
  settledAt: Instant.nullable(),
  reference: z.string(),
  note: z.string(),
  isTest: z.boolean().describe('No money moved'),
  disputeState: z.enum(['open', 'won', 'lost']).nullable(),
  reversal: z.object({ at: Instant, reason: z.string() }).nullable(),
  allocations: z.array(z.object({ invoiceId: Id, amount: z.int() })),
  refunds: z.array(
    z.object({
      id: Id,
      money: Money,
      state: z.enum(['pending', 'settled', 'failed']),
      reason: z.string(),
      createdAt: Instant,
    }),
  ),
  createdAt: Instant,
  version: Version,
})
export type Payment = z.infer<typeof Payment>

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
})
export type NewPayment = z.infer<typeof NewPayment>

export const SavedMethod = z.object({
  id: Id,
  brand: z.string(),
  last4: z.string(),
  expMonth: z.int(),
  expYear: z.int(),
  createdAt: Instant,
})

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

export const paymentsData = {
  list: get('/payments', 'listPayments', {
    needs: 'signed-in',
    readsPeople: 50,
    tag,
    summary: 'Payments that you may see, the newest first',
  })
    .input(
      z.strictObject({
        invoiceId: Id.optional(),
        personId: Id.optional(),
        state: PaymentState.optional(),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(Payment)),
  get: get('/payments/{paymentId}', 'getPayment', { needs: 'signed-in', tag, summary: 'A payment with what it pays and its refunds' })
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
    list: get('/payment-methods', 'listPaymentMethods', { needs: 'signed-in', tag, summary: 'Your saved cards' }).output(
      z.object({ items: z.array(SavedMethod), canPayOnline: z.boolean() }),
    ),
  },
  differences: get('/payment-differences', 'listPaymentDifferences', {
    needs: 'signed-in',
    tag,
    summary: 'Where we and the payment provider differ, as the last nightly comparison found',
  }).output(z.object({ items: z.array(PaymentDifference) })),
}

export const paymentsActions = {
  pay: post('/invoices/{invoiceId}/pay', 'payInvoice', {
    needs: 'signed-in',
    tag,
    status: 200,
    // Repeating it answers the same page; a key would keep a transaction open while the provider is asked.
    idempotent: false,
    perHour: 60,
    summary: 'Begin to pay an invoice by card: the address of the page to pay on',
    description: 'As long as it is not paid, the same page is answered. With `saveCard`, your card is kept for renewals.',
  })
    .input(z.strictObject({ invoiceId: Id, saveCard: z.boolean().default(false) }).meta({ examples: [{ saveCard: false }] }))
    .output(z.object({ paymentId: Id, url: z.url() })),
  refund: act('/payments/{paymentId}/refund', 'refundPayment', {
    needs: 'finance.manage',
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
