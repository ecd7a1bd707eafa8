import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Invoice, InvoiceDetail } from '@guildhall/contract/features/finance'
import type { Payment, SavedMethod } from '@guildhall/contract/features/payments'
import { fake, me, uuid } from '../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../testing/render-with-api.tsx'
import { Differences } from './differences.tsx'
import { InvoicePayments } from './invoice-payments.tsx'
import { reopened } from './payments-words.tsx'

configure({ asyncUtilTimeout: 15_000 })
afterEach(() => vi.unstubAllGlobals())

const euros = (amount: number) => ({ amount, currency: 'EUR' })
const invoice: InvoiceDetail = {
  ...{ id: uuid(61), kind: 'invoice', state: 'issued', overdue: false, number: '2026-00007', chapter: null, reason: 'Dues 2027' },
  ...{
    person: { id: uuid(2), displayName: 'Olive Owner' },
    billedTo: 'Olive Owner',
    total: euros(6000),
    paid: euros(0),
    credited: euros(0),
    balance: euros(6000),
  },
  ...{
    issuedOn: '2026-11-01',
    dueOn: '2026-12-01',
    paidOn: null,
    sentAt: null,
    remindedAt: null,
    createdAt: '2026-11-01T10:00:00Z',
    version: 1,
  },
  ...{ billing: null, note: '', lines: [], payments: [], credits: [], corrects: null, voidReason: null },
  may: { edit: false, issue: false, void: true, credit: true, seeHistory: false },
}
const payment: Payment = {
  ...{ id: uuid(71), kind: 'checkout', method: 'card', state: 'pending', failure: null, money: euros(6000), refunded: euros(0) },
  ...{ unallocated: euros(0), person: { id: uuid(2), displayName: 'Olive Owner' }, chapter: null, receivedOn: null, settledAt: null },
  ...{ invoice: { id: invoice.id, number: '2026-00007' }, reference: '', note: '', isTest: false, counts: true, disputeState: null },
  ...{ reversal: null, allocations: [], refunds: [], createdAt: '2026-11-20T10:00:00Z', version: 3 },
  may: { refund: false, reverse: false, allocate: false },
}
const settled: Payment = {
  ...payment,
  ...{ state: 'settled', settledAt: '2026-11-20T10:01:00Z', allocations: [{ invoiceId: invoice.id, number: '2026-00007', amount: 6000 }] },
}
const transfer = { accountHolder: 'Demo Society', accountNumber: 'DE02 1203', bankCode: '', bankName: '', transferNote: '' }
const ways = { items: [], canPayOnline: true, isTestMode: false, testsCount: false, transfer }
const pageOf = <Item,>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

/** A zone in which it is another day than in UTC now. */
const farZone = new Date().getUTCHours() < 11 ? 'Pacific/Niue' : 'Pacific/Kiritimati'
const dayIn = (timeZone: string) => new Intl.DateTimeFormat('sv', { timeZone }).format(new Date())

type Given = { get?: () => Payment; open?: Invoice[]; methods?: typeof ways }
const profile = ({ get = () => payment, open = [invoice], methods = ways }: Given = {}) => ({
  membership: { mine: fake.data.membership.mine.handler(() => ({ items: [], types: [] })) },
  finance: {
    invoices: {
      list: fake.data.finance.invoices.list.handler(() => pageOf(open)),
      get: fake.data.finance.invoices.get.handler(() => invoice),
    },
  },
  payments: { get: fake.data.payments.get.handler(get), methods: { list: fake.data.payments.methods.list.handler(() => methods) } },
})

test('who comes back is told what the server says: waiting until the payment is settled, and a lost notice is asked for', async () => {
  let asked = 0
  let stands = payment
  const checks: unknown[] = []
  renderPath(`/profile?paid=${payment.id}`, {
    data: profile({
      get: () => {
        asked++
        return stands
      },
    }),
    actions: {
      payments: {
        check: fake.actions.payments.check.handler(({ input }) => {
          checks.push(input)
          stands = settled
        }),
      },
    },
  })
  expect(await screen.findByText(/Confirming your payment of €60.00/)).toBeVisible()
  expect(screen.queryByText(/received/)).toBeNull()
  await waitFor(() => expect(checks).toEqual([{ paymentId: payment.id }]), { timeout: 20_000 })
  expect(await screen.findByText('Payment of €60.00 received')).toBeVisible()
  expect(asked).toBeGreaterThan(4)
}, 40_000)

test('a declined card says that nothing was charged, and another way to pay is at hand with the reference', async () => {
  renderPath(`/profile?unpaid=${payment.id}`, { data: profile({ get: () => ({ ...payment, failure: 'declined' }) }) })
  expect(await screen.findByText('Your card was declined')).toBeVisible()
  expect(screen.getByText(/Nothing was charged, and invoice 2026-00007 is still open/)).toBeVisible()
  await userEvent.click(await screen.findByRole('button', { name: 'Pay another way' }))
  const dialog = await screen.findByRole('dialog', { name: 'Pay €60.00' })
  expect(await within(dialog).findByText('DE02 1203')).toBeVisible()
  expect(within(dialog).getByText('2026-00007')).toBeVisible()
})

test.each([
  ['a test payment that does not count', { ...settled, isTest: true, counts: false }, /pays no invoice: invoice 2026-00007 is still open/],
  [
    'an expired page',
    { ...payment, state: 'cancelled' as const, failure: 'expired' as const },
    /expired before it was paid. Nothing was charged/,
  ],
  ['a disputed payment', { ...settled, state: 'disputed' as const }, /Your bank has withdrawn €60.00 again/],
])('%s is told as it is, whatever the address says', async (_, stands, told) => {
  renderPath(`/profile?paid=${payment.id}`, { data: profile({ get: () => stands }) })
  expect(await screen.findByText(told)).toBeVisible()
})

test('an invoice is paid on the page of the provider, with the card saved when that is ticked', async () => {
  const assign = vi.fn<(url: string) => void>()
  vi.stubGlobal('location', Object.assign({}, globalThis.location, { assign }))
  const sent: unknown[] = []
  renderPath('/profile?section=membership', {
    data: profile(),
    actions: {
      payments: {
        pay: fake.actions.payments.pay.handler(({ input }) => {
          sent.push(input)
          return { paymentId: payment.id, url: 'https://pay.example/1' }
        }),
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Pay invoice 2026-00007' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: /Save this card for renewals/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Pay €60.00 by card' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('https://pay.example/1'))
  expect(sent).toEqual([{ invoiceId: invoice.id, saveCard: true }])
})

test('where no card can be charged, that is said and the account for transfers shown', async () => {
  renderPath('/profile?section=membership', { data: profile({ methods: { ...ways, canPayOnline: false } }) })
  await userEvent.click(await screen.findByRole('button', { name: 'Pay invoice 2026-00007' }))
  expect(await screen.findByText('Invoices cannot be paid by card here.')).toBeVisible()
  expect(screen.getByText('DE02 1203')).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Saved cards' })).toBeNull()
})

test('the card that renewals are charged to is chosen, and one is removed', async () => {
  const card = { brand: 'visa', expMonth: 12, expYear: 2090, createdAt: '2026-01-01T10:00:00Z' }
  let items: SavedMethod[] = [
    { ...card, id: uuid(81), last4: '4242', isCharged: true },
    { ...card, id: uuid(82), last4: '1881', isCharged: false, expYear: 2020 },
  ]
  const handlers = profile()
  renderPath('/profile?section=membership', {
    data: {
      ...handlers,
      payments: {
        methods: {
          list: fake.data.payments.methods.list.handler(() => ({ ...ways, items })),
          prefer: fake.data.payments.methods.prefer.handler(({ input }) => {
            items = items.map((one) => ({ ...one, isCharged: one.id === input.methodId }))
          }),
        },
      },
    },
    actions: {
      payments: {
        removeMethod: fake.actions.payments.removeMethod.handler(({ input }) => {
          items = items.filter(({ id }) => id !== input.methodId)
        }),
      },
    },
  })
  expect(await screen.findByText('Expired')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Use Visa •••• 1881 for renewals' }))
  expect(await screen.findByRole('button', { name: 'Use Visa •••• 4242 for renewals' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Remove Visa •••• 4242' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove card' }))
  await waitFor(() => expect(screen.queryByText('Visa •••• 4242')).toBeNull())
})

test('an officer records a part payment, and is told what stays open', async () => {
  const sent: unknown[] = []
  const { organisation, ...rest } = me()
  renderWithApi(<InvoicePayments invoice={{ ...invoice, person: { id: uuid(9), displayName: 'Ann Bell' } }} />, {
    data: {
      account: { me: fake.data.account.me.handler(() => ({ ...rest, organisation: { ...organisation, timezone: farZone } })) },
      payments: {
        list: fake.data.payments.list.handler(() => pageOf<Payment>([])),
        record: fake.data.payments.record.handler(({ input }) => {
          sent.push(input)
          return { ...settled, kind: 'manual', method: 'cash' }
        }),
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Record payment' }))
  const amount = await screen.findByRole('textbox', { name: 'Amount' })
  expect(amount).toHaveValue('60.00')
  expect(screen.getByLabelText('Received on')).toHaveValue(dayIn(farZone))
  expect(screen.getByText('Pays the invoice in full.')).toBeVisible()
  await userEvent.clear(amount)
  await userEvent.type(amount, '25')
  expect(screen.getByText('Part payment: €35.00 stays open.')).toBeVisible()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Method' }), 'Cash')
  await userEvent.type(screen.getByRole('textbox', { name: /^Reference/ }), 'Till 12')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Record payment' }))
  expect(await screen.findByText('Payment recorded')).toBeVisible()
  expect(sent).toMatchObject([
    { method: 'cash', money: euros(2500), reference: 'Till 12', allocations: [{ invoiceId: invoice.id, amount: 2500 }] },
  ])
})

test('a refund says what it does before it is sent; a dispute and a reversal are shown', async () => {
  const sent: unknown[] = []
  const may = { refund: true, reverse: false, allocate: false }
  const failed = {
    id: uuid(3),
    money: euros(1000),
    state: 'failed' as const,
    failure: 'balance' as const,
    reason: '',
    createdAt: '2026-11-20T10:00:00Z',
  }
  const disputed: Payment = { ...settled, id: uuid(72), state: 'disputed', disputeState: 'open', money: euros(1000) }
  renderWithApi(<InvoicePayments invoice={{ ...invoice, state: 'paid', balance: euros(0) }} />, {
    data: {
      payments: { list: fake.data.payments.list.handler(() => pageOf<Payment>([{ ...settled, may, refunds: [failed] }, disputed])) },
    },
    actions: {
      payments: {
        refund: fake.actions.payments.refund.handler(({ input }) => {
          sent.push(input)
          return settled
        }),
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: /Card, €10.00/ }))
  expect(screen.getByText(/The payer’s bank has withdrawn €10.00/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /Card, €60.00/ }))
  expect(screen.getByText(/There is too little money on your account at the payment provider./)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Refund' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refund payment' })
  const amount = await within(dialog).findByRole('textbox', { name: 'Amount' })
  await userEvent.clear(amount)
  await userEvent.type(amount, '70')
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Moved away')
  await userEvent.click(within(dialog).getByRole('button', { name: /^Refund/ }))
  expect(await within(dialog).findByText(/Refund at most €60.00/)).toBeVisible()
  await userEvent.clear(amount)
  await userEvent.type(amount, '20')
  expect(within(dialog).getByText(/€20.00 goes back to the card that was charged/)).toBeVisible()
  expect(within(dialog).getByText(/€20.00 of invoice 2026-00007 is open again/)).toBeVisible()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Refund €20.00' }))
  expect(await screen.findByText('Refund asked for at the payment provider')).toBeVisible()
  expect(sent).toEqual([{ paymentId: payment.id, amount: 2000, reason: 'Moved away' }])
})

test('a refund that needs a new sign-in keeps what was typed, asks for it and goes on', async () => {
  const sent: unknown[] = []
  const may = { refund: true, reverse: false, allocate: false }
  const { authCalls } = renderWithApi(<InvoicePayments invoice={{ ...invoice, state: 'paid', balance: euros(0) }} />, {
    data: { payments: { list: fake.data.payments.list.handler(() => pageOf<Payment>([{ ...settled, may }])) } },
    actions: {
      payments: {
        refund: fake.actions.payments.refund.handler(({ input, errors }) => {
          sent.push(input)
          if (!authCalls.includes('signInAgain')) throw errors.FORBIDDEN({ data: { reason: 'recent_sign_in' } })
          return settled
        }),
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: /Card, €60.00/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Refund' }))
  const dialog = await screen.findByRole('dialog', { name: 'Refund payment' })
  const amount = await within(dialog).findByRole('textbox', { name: 'Amount' })
  await userEvent.clear(amount)
  await userEvent.type(amount, '20')
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Moved away')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Refund €20.00' }))
  expect(await within(dialog).findByText('This needs a sign-in within the last ten minutes. Sign in again to continue.')).toBeVisible()
  expect(within(dialog).getByRole('textbox', { name: 'Reason' })).toHaveValue('Moved away')
  expect(amount).toHaveValue('20.00')
  expect(authCalls).not.toContain('signInAgain')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign in again' }))
  expect(await screen.findByText('Refund asked for at the payment provider')).toBeVisible()
  const refund = { paymentId: payment.id, amount: 2000, reason: 'Moved away' }
  expect(sent).toEqual([refund, refund])
})

test('what paid no invoice goes back first, then what the last one got; refunds on their way count as given', () => {
  const allocations = [
    { invoiceId: uuid(1), number: '1', amount: 3000 },
    { invoiceId: uuid(2), number: '2', amount: 2000 },
  ]
  const of = { money: euros(6000), refunds: [], allocations, counts: true }
  expect(reopened(of, 1000)).toEqual([])
  expect(reopened(of, 1500)).toEqual([{ ...allocations[1], amount: 500 }])
  expect(reopened(of, 6000).map(({ amount }) => amount)).toEqual([3000, 2000])
  const pending = {
    id: uuid(3),
    money: euros(1000),
    state: 'pending' as const,
    failure: null,
    reason: '',
    createdAt: '2026-11-20T10:00:00Z',
  }
  expect(reopened({ ...of, refunds: [pending] }, 1000)).toEqual([{ ...allocations[1], amount: 1000 }])
  expect(reopened({ ...of, counts: false }, 6000)).toEqual([])
})

test('a difference is ignored with a reason, and payments are compared now', async () => {
  const difference = {
    ...{ id: uuid(91), kind: 'unknown_here' as const, providerRef: 'pi_1', paymentId: null, ours: null, theirs: 700, currency: 'EUR' },
    foundAt: '2026-11-20T04:20:00Z',
  }
  let items = [difference]
  let comparedAt = '2026-11-20T04:20:00Z'
  const sent: unknown[] = []
  renderWithApi(<Differences onOpen={() => {}} />, {
    data: { payments: { differences: fake.data.payments.differences.handler(() => ({ items, comparedAt, may: { answer: true } })) } },
    actions: {
      payments: {
        compare: fake.actions.payments.compare.handler(() => {
          comparedAt = '2026-11-21T09:00:00Z'
        }),
        answerDifference: fake.actions.payments.answerDifference.handler(({ input }) => {
          sent.push(input)
          items = []
        }),
      },
    },
  })
  expect(await screen.findByText('Paid at the provider, not in the books')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Ignore' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'The shop')
  await userEvent.click(screen.getByRole('button', { name: 'Ignore difference' }))
  await waitFor(() => expect(screen.queryByText('Paid at the provider, not in the books')).toBeNull())
  expect(sent).toEqual([{ differenceId: difference.id, answer: 'ignored', reason: 'The shop' }])
  await userEvent.click(screen.getByRole('button', { name: 'Compare now' }))
  await waitFor(() => expect(screen.queryByText('Comparing…')).toBeNull())
  expect(screen.getByText(/Last compared/)).toBeVisible()
})
