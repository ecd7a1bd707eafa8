import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Event, EventCounts, Registration } from '@guildhall/contract/features/events'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { lecture, registration as going } from '../events-testing.ts'

configure({ asyncUtilTimeout: 15_000 })

const counts: EventCounts = {
  taken: 3,
  confirmed: 2,
  checkedIn: 1,
  pendingPayment: 0,
  pendingApproval: 1,
  offered: 0,
  waiting: 2,
  cancelled: 0,
}
const event: Event = {
  ...lecture,
  counts,
  needsApproval: true,
  may: { ...lecture.may, copy: true, edit: true, seeRegistrations: true, checkIn: true },
}
const asking: Registration = {
  ...going,
  id: uuid(301),
  name: 'Ana Lima',
  email: 'ana@example.org',
  status: 'pending_approval',
  cause: 'registered',
  ticketCode: null,
  answers: [{ questionId: uuid(302), text: 'Diet?', value: 'Vegan' }],
  may: { ...going.may, cancel: true, decide: true },
}
const paged = <Item,>(...items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })
const line = {
  entry: 4,
  at: '2026-11-20T19:00:00Z',
  registrationId: asking.id,
  name: 'Ana Lima',
  ticketType: null,
  before: null,
  after: 'pending_approval' as const,
  cause: 'registered' as const,
  seats: 0,
  taken: 3,
  by: 'Ana Lima',
}

type Calls = {
  [Key in 'list' | 'get' | 'approve' | 'reject' | 'create']?: ReturnType<(typeof fake.data.events.registrations)[Key]['handler']>
}
const open = (section: string, registrations: Calls = {}) => {
  const { events } = fake.data
  return renderPath(`/event/${event.id}?section=${section}`, {
    data: {
      events: {
        get: events.get.handler(() => event),
        capacity: events.capacity.handler(() => ({
          ...paged(line, { ...line, entry: 3, seats: 1, name: 'Bo Berg' }),
          counts,
          capacity: 40,
          differences: 0,
        })),
        registrations: {
          list: events.registrations.list.handler(() => paged(asking, { ...going, id: uuid(303), name: 'Bo Berg' })),
          get: events.registrations.get.handler(() => asking),
          ...registrations,
        },
      },
      lists: { views: { list: fake.data.lists.views.list.handler(() => ({ items: [] })) } },
    },
  })
}

test('seats say why each is taken, who waits, and that all agrees', async () => {
  open('seats')
  expect(await screen.findByText('Reconciled: counts, lines and registrations agree.')).toBeVisible()
  expect(screen.getByText('Bo Berg')).toBeVisible()
  expect(screen.getByText('+1')).toBeVisible()
  expect(await screen.findByRole('heading', { name: 'Waiting list' })).toBeVisible()
})

test('somebody who is not in the directory is registered by name', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  open('attendees', {
    create: fake.data.events.registrations.create.handler(({ input }) => {
      sent.push(input)
      return { ...going, name: 'Kim Larsen' }
    }),
  })
  await user.click((await screen.findAllByRole('button', { name: 'Register someone' }))[0] ?? document.body)
  const dialog = within(await screen.findByRole('dialog', { name: 'Register someone' }))
  await user.click(dialog.getByRole('radio', { name: 'Somebody else' }))
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'Kim Larsen')
  await user.click(dialog.getByRole('button', { name: 'Register' }))
  expect(await screen.findByText('Kim Larsen: Going')).toBeVisible()
  expect(sent).toMatchObject([{ eventId: event.id, name: 'Kim Larsen' }])
})

test('a registration is approved, or rejected with the reason, beside the list', async () => {
  const user = userEvent.setup()
  const done: unknown[] = []
  open(`attendees&registration=${asking.id}`, {
    approve: fake.data.events.registrations.approve.handler(() => {
      done.push('approved')
      return { ...asking, status: 'confirmed' }
    }),
    reject: fake.data.events.registrations.reject.handler(({ input }) => {
      done.push(input.reason)
      return { ...asking, status: 'rejected' }
    }),
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Ana Lima' }))
  expect(await panel.findByText('ana@example.org')).toBeVisible()
  expect(await panel.findByRole('heading', { name: 'History' })).toBeVisible()
  await user.click(panel.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText('Ana Lima approved')).toBeVisible()
  await user.click(panel.getByRole('button', { name: 'Reject' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reject the registration of Ana Lima' }))
  await user.click(dialog.getByRole('button', { name: 'Reject registration' }))
  expect(await dialog.findByText('Enter the reason. The person is told.')).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'For the choir')
  await user.click(dialog.getByRole('button', { name: 'Reject registration' }))
  expect(await screen.findByText('Registration of Ana Lima rejected')).toBeVisible()
  expect(done).toEqual(['approved', 'For the choir'])
})

test('organisers see who comes, with counts on the tabs, and narrow the list by status', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  open('attendees', {
    list: fake.data.events.registrations.list.handler(({ input }) => {
      asked.push(input.filter)
      return paged(asking)
    }),
  })
  expect(await screen.findByText('Ana Lima')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Awaiting approval (1)' }))
  await screen.findByText('Ana Lima')
  expect(asked.at(-1)).toContain('pending_approval')
  expect(screen.getByText('Vegan')).toBeVisible()
})
