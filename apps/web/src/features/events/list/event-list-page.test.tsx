import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { EventRow, Registration } from '@guildhall/contract/features/events'
import { ORPCError } from '@orpc/client'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { evening, seat } from '../events-testing.ts'

const full: EventRow = {
  ...evening,
  id: uuid(51),
  title: 'New year concert',
  startsAt: '2097-01-02T18:00:00Z',
  endsAt: '2097-01-02T20:00:00Z',
  startsLocal: '2097-01-02T18:00:00',
  endsLocal: '2097-01-02T20:00:00',
  mode: 'online',
  taken: 40,
  waiting: 5,
  registration: 'full',
  price: { amount: 1250, currency: 'EUR' },
}

/** The list over a server that notes what it is asked. */
function open(path: string, rows: EventRow[], holding?: Parameters<typeof renderPath>[2]) {
  const asked: { filter: unknown; sort: unknown; q: unknown }[] = []
  const view = renderPath(
    path,
    {
      data: {
        events: {
          list: fake.data.events.list.handler(({ input }) => {
            asked.push({ filter: input.filter && JSON.parse(input.filter), sort: input.sort, q: input.q })
            return { items: rows, nextCursor: null, total: rows.length, totalIsExact: true }
          }),
        },
      },
    },
    holding,
  )
  return { ...view, asked }
}

test('upcoming events stand under their months, with place, seats and price', async () => {
  const { asked } = open('/events', [evening, full])
  const december = within(await screen.findByRole('list', { name: 'Upcoming, December 2096' }))
  const lecture = within(december.getByRole('listitem'))
  expect(lecture.getByRole('link', { name: 'Winter lecture' })).toHaveAttribute('href', `/event/${evening.id}`)
  expect(lecture.getByText('Old observatory')).toBeVisible()
  expect(lecture.getByText('Lisbon')).toBeVisible()
  expect(lecture.getByText('31 of 40 going')).toBeVisible()
  const concert = within(within(screen.getByRole('list', { name: 'Upcoming, January 2097' })).getByRole('listitem'))
  expect(concert.getByText('Full')).toBeVisible()
  expect(concert.getByText('Online')).toBeVisible()
  expect(concert.getByText(/5 waiting/)).toBeVisible()
  expect(concert.getByText('From €12.50')).toBeVisible()
  expect(asked[0]).toEqual({ filter: { and: [{ or: [{ field: 'upcoming', op: 'is', value: true }] }] }, sort: 'startsAt', q: undefined })
})

test('each view asks for its own events; drafts are for organisers', async () => {
  const user = userEvent.setup()
  const { asked } = open('/events', [evening])
  const views = within(await screen.findByRole('navigation', { name: 'Views' }))
  await user.click(views.getByRole('button', { name: 'Past' }))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ filter: { and: [{ or: [{ field: 'past' }] }] }, sort: '-startsAt' }))
  expect(views.getByRole('button', { name: 'Past' })).toHaveAttribute('aria-current', 'true')
  await user.click(views.getByRole('button', { name: 'My chapters' }))
  await waitFor(() =>
    expect(asked.at(-1)).toMatchObject({ filter: { and: [{ or: [{ field: 'myChapters' }] }, { or: [{ field: 'upcoming' }] }] } }),
  )
  expect(views.getByRole('button', { name: 'Drafts' })).toBeVisible()
})

test('my events say where I stand, and below what became of those that are over', async () => {
  const waiting: EventRow = { ...evening, mine: { registrationId: uuid(60), status: 'waitlisted', position: 3, offerUntil: null } }
  const offered: EventRow = {
    ...full,
    mine: { registrationId: uuid(61), status: 'offered', position: null, offerUntil: '2096-12-01T17:00:00Z' },
  }
  const past = (id: number, title: string, more: Partial<Registration>, attendanceTaken = true): Registration => ({
    ...seat,
    id: uuid(id),
    event: { ...seat.event, title, attendanceTaken },
    ...more,
  })
  renderPath('/events?view=mine', {
    data: {
      events: {
        list: fake.data.events.list.handler(() => ({ items: [waiting, offered], nextCursor: null, total: 2, totalIsExact: true })),
        registrations: {
          mine: fake.data.events.registrations.mine.handler(({ input }) => {
            expect(input).toMatchObject({ past: true })
            return {
              items: [
                past(70, 'Came', { status: 'checked_in', checkedInAt: '2026-01-02T18:00:00Z' }),
                past(71, 'Missed', {}),
                past(72, 'Nobody counted', {}, false),
                past(73, 'Called off by me', { status: 'cancelled' }),
              ],
              nextCursor: null,
              total: 4,
              totalIsExact: true,
            }
          }),
        },
      },
    },
  })
  expect(await screen.findByText('No. 3 on the waiting list')).toBeVisible()
  expect(screen.getByText(/^Seat offered until Dec 1, 2096/)).toBeVisible()
  const over = within(await screen.findByRole('list', { name: 'Past events' }, { timeout: 15_000 })).getAllByRole('listitem')
  expect(over.map((item) => within(item).getByRole('link').textContent)).toEqual(['Came', 'Missed', 'Nobody counted', 'Called off by me'])
  for (const [nth, words] of ['Attended', 'Did not come', 'Registered', 'Cancelled'].entries()) expect(over[nth]).toHaveTextContent(words)
})

test('members see no drafts and create nothing', async () => {
  open('/events', [], { holding: ['events.read'] })
  expect(await screen.findByText('No upcoming events')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Drafts' })).toBeNull()
  expect(screen.queryByRole('radio', { name: 'Table' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'New event' })).toBeNull()
})

test('a search without a match is cleared, and a failure offers another attempt', async () => {
  const user = userEvent.setup()
  const { router } = open('/events?q=nothing', [])
  await user.click(await screen.findByRole('button', { name: 'Clear search and filters' }))
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty('q', 'nothing'))
})

test('events that cannot be loaded say so', async () => {
  const list = fake.data.events.list.handler(() => {
    throw new ORPCError('INTERNAL_SERVER_ERROR', { status: 500 })
  })
  renderPath('/events', { data: { events: { list } } })
  expect(await screen.findByText('The events could not be loaded')).toBeVisible()
})

test('the calendar names each event in full, counts what it leaves out, and goes from month to month', async () => {
  const user = userEvent.setup()
  const asked: string[] = []
  const calendar = fake.data.events.calendar.handler(({ input }) => {
    asked.push(`${input.from} ${input.to}`)
    const { id, title, status, mode, startsAt, endsAt, timezone, startsLocal, endsLocal, chapter } = evening
    return {
      items: [{ id, title, status, mode, startsAt, endsAt, timezone, startsLocal, endsLocal, chapter, mine: null }],
      days: [{ date: '2096-12-03', events: 6 }],
    }
  })
  const { router } = renderPath('/events?calendar=1&day=2096-12-15', { data: { events: { calendar } } })
  const table = within(await screen.findByRole('table', { name: 'Events, December 2096' }))
  expect(await table.findByRole('link', { name: /Winter lecture ?.*Lisbon ?, Monday.*December.*2096/ })).toBeVisible()
  expect(table.getByRole('link', { name: /^5 more events on Monday.*December.*2096$/ })).toBeVisible()
  expect(table.getAllByRole('columnheader')).toHaveLength(7)
  await user.keyboard(']')
  expect(await screen.findByRole('table', { name: 'Events, January 2097' })).toBeVisible()
  await user.click(screen.getByRole('radio', { name: 'Week' }))
  expect(await screen.findByRole('table', { name: /2096|2097/ })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ calendar: 1, span: 'week', day: '2097-01-01' })
  expect(asked[0]).toMatch(/^2096-11-2\d 2097-01-0\d$/)
})

test('organisers get a table, tick events, and are told beforehand what stays as it is', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const draft: EventRow = { ...full, status: 'draft', registration: 'none' }
  const counts = { matched: 2, changed: 1, unchanged: 1, refused: 0 }
  const { router } = renderPath('/events?view=all', {
    data: {
      events: {
        list: fake.data.events.list.handler(() => ({ items: [evening, draft], nextCursor: null, total: 2, totalIsExact: true })),
      },
    },
    actions: {
      events: {
        bulk: {
          preview: fake.actions.events.bulk.preview.handler(({ input }) => {
            asked.push(input)
            const stays = { reason: 'place', total: 1, first: [{ id: draft.id, name: 'New year concert (2097-01-02)' }] }
            return {
              ...counts,
              sample: [{ id: evening.id, name: 'Winter lecture (2096-12-03)' }],
              refusedSample: [],
              unchangedWhy: [stays],
            }
          }),
        },
      },
    },
  })
  await user.click(await screen.findByRole('radio', { name: 'Table' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ layout: 'table' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Select Winter lecture' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select New year concert' }))
  await user.click(await screen.findByRole('button', { name: 'Publish' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Publish 2 events' }))
  expect(await dialog.findByText('1 has no place yet.')).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Publish 1 event' })).toBeEnabled()
  expect(asked).toEqual([{ selection: { ids: [evening.id, draft.id] }, change: { do: 'publish' } }])
})
