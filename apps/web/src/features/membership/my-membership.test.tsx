import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Invoice } from '@guildhall/contract/features/finance'
import type { HeldMembershipDetail, MembershipType, Transfer } from '@guildhall/contract/features/membership'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../testing/render-with-api.tsx'
import { MyMembershipCard } from './my-membership-card.tsx'
import { HeldMemberships } from './held-memberships.tsx'
import { Overrides } from './overrides.tsx'
import { MembershipRequests } from './requests.tsx'
import { TransferQueue } from './transfers/transfers.tsx'

configure({ asyncUtilTimeout: 15_000 })

const full: MembershipType = {
  id: uuid(7),
  name: 'Full member',
  description: '',
  period: 'rolling',
  months: 12,
  startsMonth: null,
  startsDay: null,
  rolloverDays: 0,
  price: { amount: 6000, currency: 'EUR' },
  graceDays: 30,
  renewalDays: 30,
  needsApproval: true,
  chapterShareBps: 0,
  openTo: 'everyone',
  leaving: 'any_time',
  questions: ['Why would you like to join?'],
  archivedAt: null,
  version: 1,
}
const nothing = {
  decide: false,
  renew: false,
  cancel: false,
  suspend: false,
  resume: false,
  change: false,
  changeType: false,
  autoRenew: false,
  withdraw: false,
  leaveNow: true,
  keep: false,
}
const applied: HeldMembershipDetail = {
  id: uuid(8),
  person: { id: uuid(2), displayName: 'Ada Okafor' },
  type: { id: full.id, name: full.name },
  chapter: null,
  status: 'awaiting_approval',
  counts: 'awaiting_approval',
  override: null,
  autoRenew: true,
  startsOn: null,
  endsOn: null,
  graceUntil: null,
  leavesOn: null,
  paidOn: null,
  owed: null,
  answers: [{ question: 'Why would you like to join?', answer: 'To sing' }],
  reason: '',
  appliedAt: '2026-11-20T10:00:00Z',
  decidedAt: null,
  may: { ...nothing, decide: true },
  version: 1,
  terms: [],
}

test('who opens /profile?join=1 applies, with answers to the questions of the type', async () => {
  const held: HeldMembershipDetail[] = []
  const sent: unknown[] = []
  const { mine, apply } = fake.data.membership
  renderPath('/profile?join=1', {
    data: {
      membership: {
        mine: mine.handler(() => ({ items: held, types: [full] })),
        apply: apply.handler(({ input }) => {
          sent.push(input)
          held.push(applied)
          return applied
        }),
      },
    },
  })
  await userEvent.type(await screen.findByRole('textbox', { name: 'Why would you like to join?' }), 'To sing')
  await userEvent.click(screen.getByRole('button', { name: 'Apply' }))
  expect(await screen.findByText('Awaiting approval')).toBeVisible()
  expect(sent).toMatchObject([
    { typeId: full.id, chapterId: null, autoRenew: true, answers: [{ question: 'Why would you like to join?', answer: 'To sing' }] },
  ])
})

test('applications show their answers and are approved or declined in the queue', async () => {
  const { list } = fake.data.membership
  renderWithApi(<MembershipRequests />, {
    data: { membership: { list: list.handler(() => ({ items: [applied], nextCursor: null, total: 1, totalIsExact: true })) } },
  })
  expect(await screen.findByText('To sing')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Decline Ada Okafor' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Approve Ada Okafor' }))
  expect(await screen.findByText('Ada Okafor approved')).toBeVisible()
})

test('auto-renewal is turned off, and only what may be done is offered', async () => {
  const running: HeldMembershipDetail = {
    ...applied,
    status: 'active',
    counts: 'active',
    startsOn: '2026-01-01',
    endsOn: '2026-12-31',
    graceUntil: '2027-01-30',
    may: { ...nothing, autoRenew: true, cancel: true },
    terms: [{ id: uuid(9), status: 'settled', startsOn: '2026-01-01', endsOn: '2026-12-31', settledOn: '2026-01-01', price: full.price }],
  }
  const sent: unknown[] = []
  const { update } = fake.data.membership
  renderWithApi(<HeldMemberships items={[running]} />, {
    data: {
      membership: {
        update: update.handler(({ input }) => {
          sent.push(input)
          return { ...running, autoRenew: false }
        }),
      },
    },
  })
  expect(await screen.findByRole('table', { name: 'Terms of Full member', hidden: true })).toHaveTextContent('€60.00')
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Turn auto-renewal off' }))
  expect(await screen.findByText('Auto-renewal turned off')).toBeVisible()
  expect(sent).toMatchObject([{ membershipId: running.id, autoRenew: false }])
})

test('another type says what would happen before it is saved', async () => {
  const family: MembershipType = { ...full, id: uuid(17), name: 'Family', price: { amount: 9000, currency: 'EUR' }, needsApproval: false }
  const running: HeldMembershipDetail = {
    ...applied,
    status: 'active',
    counts: 'active',
    startsOn: '2026-01-01',
    endsOn: '2026-12-31',
    owed: full.price,
    may: { ...nothing, changeType: true },
  }
  const next = { currency: 'EUR', chapterShare: 0, on: '2026-12-01', startsOn: '2027-01-01', endsOn: '2027-12-31' }
  const outlook = { status: 'active' as const, endsOn: '2026-12-31' }
  const sent: unknown[] = []
  const asked: unknown[] = []
  const { update, mine, preview } = fake.data.membership
  renderWithApi(<HeldMemberships items={[running]} />, {
    data: {
      membership: {
        mine: mine.handler(() => ({ items: [running], types: [full, family, { ...full, id: uuid(18), name: 'Patron' }] })),
        preview: preview.handler(({ input }) => {
          asked.push(input)
          return {
            before: { ...outlook, next: { ...next, amount: 6000 } },
            after: { ...outlook, next: { ...next, amount: 9000 } },
            invoices: [{ number: 'INV-2026-00001', total: { amount: 6000, currency: 'EUR' }, paid: 0, effect: 'void' as const }],
          }
        }),
        update: update.handler(({ input }) => {
          sent.push(input)
          return running
        }),
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Change type' }))
  const choice = await screen.findByRole('combobox', { name: 'Membership type' })
  await within(choice).findByRole('option', { name: 'Family – €90.00' })
  // What an officer would have to approve is not offered.
  expect(within(choice).queryByRole('option', { name: /Patron/u })).toBeNull()
  await userEvent.selectOptions(choice, family.id)
  const effect = await screen.findByRole('table', { name: 'What would happen' })
  expect(within(effect).getByRole('row', { name: 'Next charge to Ada Okafor €60.00 €90.00' })).toBeVisible()
  expect(screen.getByText('INV-2026-00001 of €60.00 is void. Nothing has been paid on it.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Save change' }))
  expect(await screen.findByText('Membership changed')).toBeVisible()
  expect([sent, asked[0]]).toEqual([[{ membershipId: running.id, typeId: family.id }], { membershipId: running.id, typeId: family.id }])
})

test('overrides are listed with their last day and reason, and ended', async () => {
  const { list, override, lifecycles } = fake.data.membership
  const ended: unknown[] = []
  const held: HeldMembershipDetail = {
    ...applied,
    status: 'lapsed',
    counts: 'active',
    override: { status: 'active', until: '2027-03-31', reason: 'Paid in cash' },
    may: { ...nothing, change: true },
  }
  const counted = { nextCursor: null, total: 1, totalIsExact: true }
  renderWithApi(<Overrides />, {
    data: {
      membership: {
        list: list.handler(({ input }) => ({ ...counted, items: input.overridden ? [held] : [] })),
        override: override.handler(({ input }) => {
          ended.push(input)
          return { ...held, override: null }
        }),
        lifecycles: {
          list: lifecycles.list.handler(() => ({
            ...counted,
            items: [
              {
                person: { id: uuid(41), displayName: 'Bo Lind' },
                lifecycle: 'alumni' as const,
                until: '2027-06-30',
                reason: 'Moved abroad',
                setBy: 'Ana Reis',
                setAt: '2026-06-30T10:00:00Z',
                may: { end: true },
              },
            ],
          })),
          end: lifecycles.end.handler(({ input }) => {
            ended.push(input)
          }),
        },
      },
    },
  })
  expect(await screen.findByText(/Paid in cash/u)).toHaveTextContent('Until Mar 31, 2027: Paid in cash')
  expect(screen.getByText(/Moved abroad/u)).toHaveTextContent('Until Jun 30, 2027: Moved abroad · Set by Ana Reis')
  await userEvent.click(screen.getByRole('button', { name: 'End override of Ada Okafor' }))
  await userEvent.click(screen.getByRole('button', { name: 'End the lifecycle override of Bo Lind' }))
  expect(await screen.findAllByText('Override ended')).not.toHaveLength(0)
  expect(ended).toEqual([{ membershipId: held.id, override: null }, { personId: uuid(41) }])
})

test('home says what is to be paid, and leads to paying it', async () => {
  const { membership, finance, payments } = fake.data
  const transferOnly = { accountHolder: 'Demo Society', accountNumber: 'DE02 1203', bankCode: '', bankName: '', transferNote: '' }
  const money = (amount: number) => ({ amount, currency: 'EUR' })
  const invoice: Invoice = {
    ...{ id: uuid(61), kind: 'invoice', state: 'issued', overdue: false, number: 'INV-2026-00007', chapter: null, reason: 'Full member' },
    ...{ person: applied.person, billedTo: 'Ada Okafor', total: money(6000), paid: money(0), credited: money(0), balance: money(6000) },
    ...{
      issuedOn: '2026-11-01',
      dueOn: '2026-12-01',
      paidOn: null,
      sentAt: null,
      remindedAt: null,
      createdAt: '2026-11-01T10:00:00Z',
      version: 1,
    },
  }
  renderWithApi(<MyMembershipCard />, {
    data: {
      membership: { mine: membership.mine.handler(() => ({ items: [{ ...applied, status: 'active', counts: 'active' }], types: [] })) },
      finance: {
        invoices: { list: finance.invoices.list.handler(() => ({ items: [invoice], nextCursor: null, total: 1, totalIsExact: true })) },
      },
      payments: {
        methods: {
          list: payments.methods.list.handler(() => ({
            ...{ items: [], canPayOnline: false, isTestMode: false, testsCount: false },
            transfer: transferOnly,
          })),
        },
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Pay invoice INV-2026-00007' }))
  expect(await screen.findByRole('dialog', { name: 'Pay €60.00' })).toBeVisible()
})

const transfer: Transfer = {
  id: uuid(31),
  person: { id: uuid(2), displayName: 'Ada Okafor' },
  from: { id: uuid(32), name: 'West', code: 'w' },
  to: { id: uuid(33), name: 'East', code: 'e' },
  state: 'source_ok',
  movesOn: '2026-12-01',
  note: 'New job',
  reason: '',
  requestedAt: '2026-11-20T10:00:00Z',
  sourceAt: '2026-11-21T10:00:00Z',
  targetAt: null,
  completedOn: null,
  may: { approve: true, reject: true, withdraw: false },
  version: 3,
}

test('a transfer says whom it waits for, and is rejected with a reason only', async () => {
  const sent: unknown[] = []
  const { list, reject } = fake.data.membership.transfers
  renderWithApi(<TransferQueue />, {
    data: {
      membership: {
        transfers: {
          list: list.handler(() => ({ items: [transfer], nextCursor: null, total: 1, totalIsExact: true })),
          reject: reject.handler(({ input }) => {
            sent.push(input)
            return { ...transfer, state: 'rejected' as const }
          }),
        },
      },
    },
  })
  expect(await screen.findByText('Awaiting East')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Approve the transfer of Ada Okafor' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Reject the transfer of Ada Okafor' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Reject transfer' }))
  expect(await screen.findByText('Enter a reason.')).toBeVisible()
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'Dues are open')
  await userEvent.click(screen.getByRole('button', { name: 'Reject transfer' }))
  expect(await screen.findByText('Transfer rejected')).toBeVisible()
  expect(sent).toMatchObject([{ transferId: transfer.id, reason: 'Dues are open' }])
})

test('who cancels is offered to stop the renewal first, told what is lost, and leaves at the end of the term unless they say otherwise', async () => {
  const ends = '2099-12-31'
  const running: HeldMembershipDetail = {
    ...applied,
    status: 'active',
    counts: 'active',
    startsOn: '2026-01-01',
    endsOn: ends,
    owed: full.price,
    may: { ...nothing, autoRenew: true, cancel: true },
  }
  const sent: unknown[] = []
  const { cancel } = fake.data.membership
  renderWithApi(<HeldMemberships items={[running]} />, {
    data: {
      membership: {
        cancel: cancel.handler(({ input }) => {
          sent.push(input)
          return { ...running, leavesOn: ends }
        }),
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel membership' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('button', { name: 'Turn auto-renewal off instead' })).toBeVisible()
  expect(dialog.getByText(/unpaid invoice of €60.00 is void/)).toBeVisible()
  expect(dialog.getByRole('radio', { name: /At the end of the term/ })).toBeChecked()
  expect(dialog.queryByRole('radio', { name: 'On another day' })).toBeNull()
  await userEvent.click(dialog.getByRole('radio', { name: 'Today' }))
  expect(dialog.getByText(/is lost. It is not refunded/)).toBeVisible()
  await userEvent.click(dialog.getByRole('radio', { name: /At the end of the term/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel membership' }))
  expect(await screen.findByText(/Membership ends on/)).toBeVisible()
  expect(sent).toMatchObject([{ membershipId: running.id, lastDay: ends, reason: '' }])
})
