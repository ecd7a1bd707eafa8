import { configure, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { HeldMembershipDetail, MembershipType } from '@guildhall/contract/features/membership'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../testing/render-with-api.tsx'
import { HeldMemberships } from './held-memberships.tsx'
import { MembershipRequests } from './requests.tsx'

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
  autoRenew: false,
  withdraw: false,
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
  expect(await screen.findByRole('list', { name: 'Terms' })).toHaveTextContent('€60.00')
  expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Turn auto-renewal off' }))
  expect(await screen.findByText('Auto-renewal turned off')).toBeVisible()
  expect(sent).toMatchObject([{ membershipId: running.id, autoRenew: false }])
})
