import type { paymentsActions, paymentsData } from '@guildhall/contract/features/payments'
import { right } from '../grid.ts'
import { may } from '../line.ts'
import type { AreaRows, PolicyOf } from '../line.ts'
import { rights } from '../rights.ts'

export const paymentsRights = {
  seePayments: right(
    'See payments and refunds',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   x    x     -
     finance         .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  managePayments: right(
    'Record, allocate, reverse and refund payments',
    `                west below east org
     finance         x    x     x    x
     admin           x    x     x    x
     owner           x    x     x    x`,
  ),
  seeDifferences: right(
    'See where payments differ from what the payment provider says',
    `                org
     finance         x
     admin           x
     owner           x`,
  ),
  payInvoices: right(
    'Pay invoices by card',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -
     finance         .   x    x     x
     admin           .   x    x     x
     owner           .   x    x     x`,
  ),
  compareNow: right(
    'Compare payments with the payment provider now',
    `                org
     finance         x
     admin           x
     owner           x`,
  ),
  answerDifferences: right(
    'Answer differences from the payment provider',
    `                west below east
     finance         x    x     x
     admin           x    x     x
     owner           x    x     x`,
  ),
  setAccount: right(
    'Change the bank account for transfers',
    `                org
     finance         x
     admin           x
     owner           x`,
  ),
  ownCards: right(
    'Remove a saved card, and choose the one that is charged',
    `                own west below east
     former          x   -    -     -
     member          x   -    -     -
     leader          x   -    -     -
     officer         x   -    -     -`,
  ),
}
const { seePayments, managePayments, seeDifferences, payInvoices, compareNow, answerDifferences, setAccount, ownCards } = paymentsRights

export const paymentsKinds = { payment: seePayments, paymentDifference: seeDifferences }

export const paymentsRows: AreaRows = async ({ add, orgId, chapterId, canary, people }) => {
  const number = (kind: string) => `${kind}-${chapterId}`.slice(0, 40)
  const invoice = (kind: string) =>
    add('invoices', {
      ...{ org_id: orgId, kind: 'invoice', person_id: people.personId, books_chapter_id: chapterId, currency: 'EUR', total_amount: 10_000 },
      ...{
        state: 'issued',
        foreign_number: number(kind),
        issued_on: '2026-01-01',
        issued_at: '2026-01-01',
        due_on: '2026-02-01',
        billing: '{"name":"x","lines":[]}',
      },
    })
  const payment = (more: Record<string, unknown> = {}) =>
    add('payments', {
      ...{ org_id: orgId, person_id: people.personId, books_chapter_id: chapterId, method: 'cash', amount: 5_000, currency: 'EUR' },
      ...{ state: 'settled', received_on: '2026-01-05', settled_at: '2026-01-05', reference: canary('payment'), note: canary('payment') },
      ...more,
    })
  const paymentId = await payment()
  await add('refunds', { org_id: orgId, payment_id: paymentId, amount: 100, currency: 'EUR', reason: canary('payment'), state: 'failed' })
  const differenceId = await add('payment_differences', {
    org_id: orgId,
    kind: 'unknown_here',
    provider_ref: `${canary('paymentDifference')} ${chapterId}`,
  })
  return {
    payableInvoiceId: await invoice('payable'),
    paymentId,
    differenceId,
    methodId: await add('payment_methods', {
      ...{ org_id: orgId, person_id: people.personId, provider_customer: 'cus_1', provider_method: `pm_${chapterId}` },
      ...{ brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2030 },
    }),
  }
}

export const paymentsPolicy: PolicyOf<typeof paymentsData> = {
  list: may(rights.account, { shows: ['payment'] }),
  totals: may(rights.account),
  get: may(seePayments, { shows: ['payment'] }),
  record: may(managePayments, {
    send: {
      ...{ method: 'cash', money: { amount: 100, currency: 'EUR' }, receivedOn: '2026-01-05' },
      allocations: [{ invoiceId: '$payableInvoiceId', amount: 100 }],
    },
  }),
  allocate: may(managePayments, { send: { allocations: [{ invoiceId: '$payableInvoiceId', amount: 100 }] } }),
  reverse: may(managePayments, { send: { reason: 'Recorded twice' } }),
  methods: { list: may(rights.account), prefer: may(ownCards) },
  settings: { get: may(rights.account), update: may(setAccount, { ids: { version: 'none' }, send: { bankName: 'Bank' } }) },
  differences: may(rights.account, { shows: ['paymentDifference'] }),
}
export const paymentsActionsPolicy: PolicyOf<typeof paymentsActions> = {
  pay: may(payInvoices, { ids: { invoiceId: 'payableInvoiceId' } }),
  // Of what was recorded by hand nobody is asked.
  check: may(seePayments, { changesNothing: true }),
  compare: may(compareNow),
  answerDifference: may(answerDifferences, { send: { answer: 'ignored', reason: 'Known' } }),
  refund: may(managePayments, { send: { amount: 100, reason: 'Paid twice' } }),
  removeMethod: may(ownCards),
}
