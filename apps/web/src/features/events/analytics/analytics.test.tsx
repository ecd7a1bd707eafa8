import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { analytics, comparison } from './analytics-testing.ts'
import { daysOf, yearBefore } from './comparison-search.ts'
import { monthsBetween } from './event-months.tsx'
import { registrationsByDay } from './registration-days.ts'

const eventId = analytics.event.id
const filterOf = (link: HTMLElement) => new URL(link.getAttribute('href') ?? '', 'http://localhost').searchParams.get('filter')

test('the figures of an event lead to the registrations they count', async () => {
  renderPath(`/event/${eventId}/analytics`, {
    data: { events: { analytics: { one: fake.data.events.analytics.one.handler(() => analytics) } } },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Winter lecture: analytics' })).toBeVisible()
  expect(screen.getByRole('link', { name: /Registered.*31.*77\.5% of 40 seats/ })).toHaveAttribute(
    'href',
    expect.stringContaining('section=attendees'),
  )
  expect(filterOf(screen.getByRole('link', { name: /No-shows.*6/ }))).toBe('{"and":[{"or":[{"field":"noShow","op":"is","value":true}]}]}')
  expect(filterOf(screen.getByRole('link', { name: /Awaiting payment.*3/ }))).toContain('pending_payment')
  expect(filterOf(screen.getByRole('link', { name: /First-time attendees/ }))).toContain('firstTime')
  expect(screen.getAllByRole('link', { name: '3' }).map(filterOf)).toContainEqual(expect.stringContaining('accepted'))
  expect(screen.getByRole('link', { name: /Revenue.*€420\.00.*€45\.00 open/ })).toBeVisible()
  const tickets = within(screen.getByRole('region', { name: 'Tickets' }))
  expect(tickets.getByRole('row', { name: 'Standard 39 31 88.6% 25 €420.00' })).toBeVisible()
  expect(screen.getByText('Vegan: 20 of 30')).toBeVisible()
  expect(screen.getByText(/Most arrived from .*45.*: 25/)).toBeVisible()
})

test('another event is chosen to compare with, and stays in the address', async () => {
  const asked: (string | undefined)[] = []
  renderPath(`/event/${eventId}/analytics?compare=${uuid(51)}`, {
    data: {
      events: {
        get: fake.data.events.get.handler(() => {
          throw new Error('the name is not needed')
        }),
        analytics: {
          one: fake.data.events.analytics.one.handler(({ input }) => {
            asked.push(input.compareTo)
            return analytics
          }),
        },
      },
    },
  })
  expect(await screen.findByText(/31 registered, 20 for Autumn lecture/)).toBeVisible()
  expect(asked).toEqual([uuid(51)])
})

test('events are compared by what the address says, and each row leads to its events', async () => {
  const user = userEvent.setup()
  const asked: { by: string; from: string; kind?: string | undefined }[] = []
  const { router } = renderPath('/event/analytics?period=lastYear&by=kind', {
    data: {
      events: {
        analytics: {
          compare: fake.data.events.analytics.compare.handler(({ input }) => {
            asked.push(input)
            return input.by === 'month' ? { ...comparison, items: [] } : comparison
          }),
        },
      },
    },
  })
  const table = within(await screen.findByRole('region', { name: 'Comparison' }))
  expect(table.getByRole('row', { name: /^Training 3 70 50 75% 25% 60% 55 15 21/ })).toBeVisible()
  expect(filterOf(table.getByRole('link', { name: 'Training' }))).toContain('"field":"kind","op":"in","value":["training"]')
  expect(table.getByRole('row', { name: /^Social .* – 15 21 –$/ })).toBeVisible()
  expect(asked.map(({ by }) => by).toSorted()).toEqual(['kind', 'month', 'month'])
  await user.click(screen.getByRole('radio', { name: 'No-show rate' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ measure: 'noShows', by: 'kind' }))
})

test('figures across events lead to the events that make them up, and those of one event to its registrations and invoices', async () => {
  const eventRow = {
    ...comparison.total,
    key: eventId,
    label: 'Winter lecture',
    startsOn: '2026-02-03',
    revenue: [{ currency: 'EUR', charged: 9, paid: 9, open: 0, refunded: 0 }],
  }
  const answer = { total: { ...comparison.total, people: null, managed: false }, items: [eventRow], groups: 1, booksChapterId: uuid(60) }
  renderPath('/event/analytics?by=event&kind=training', {
    data: { events: { analytics: { compare: fake.data.events.analytics.compare.handler(() => answer) } } },
  })
  const table = within(await screen.findByRole('region', { name: 'Comparison' }))
  // Events of one name are told apart.
  expect(table.getByRole('rowheader', { name: 'Winter lecture, Feb 3, 2026' })).toBeVisible()
  expect(filterOf(table.getByRole('link', { name: '50' }))).toContain('checked_in')
  expect(table.getByRole('link', { name: '€0.09' })).toHaveAttribute(
    'href',
    expect.stringContaining(`/chapter/${uuid(60)}/finance/invoices?filter=`),
  )
  expect(screen.getByRole('link', { name: /No-show rate/ })).toHaveAttribute(
    'href',
    '/event/analytics?by=event&kind=training&measure=noShows',
  )
  expect(screen.getByText(/People are counted only where you manage all events/)).toBeVisible()
  expect(screen.getAllByPlaceholderText('All')).toHaveLength(4)
})

test('a weekday, an hour and a series lead to their events, and to a comparison that only has these', async () => {
  const user = userEvent.setup()
  const rows = {
    weekday: [{ ...comparison.total, key: '3', label: '3', startsOn: null }],
    hour: [{ ...comparison.total, key: '09', label: '09', startsOn: null }],
    series: [
      { ...comparison.total, key: uuid(70), label: 'Yoga', startsOn: null },
      { ...comparison.total, key: '', label: '', startsOn: null },
    ],
    chapter: [{ ...comparison.total, key: '', label: '', startsOn: null }],
    group: [{ ...comparison.total, key: '', label: '', startsOn: null }],
  }
  const asked: unknown[] = []
  const { router } = renderPath('/event/analytics?by=weekday&kind=training', {
    data: {
      events: {
        analytics: {
          compare: fake.data.events.analytics.compare.handler(({ input }) => {
            asked.push(input)
            const items = input.by in rows ? rows[input.by as keyof typeof rows] : []
            return { ...comparison, items }
          }),
        },
      },
    },
  })
  const table = async () => within(await screen.findByRole('region', { name: 'Comparison' }))
  const condition = (field: string, value: string) => `{"or":[{"field":"${field}","op":"in","value":["${value}"]}]}`
  expect(filterOf((await table()).getByRole('link', { name: 'Wednesday' }))).toContain(condition('weekday', '3'))
  const paths = (await table()).getAllByRole('link').map((link) => link.getAttribute('href') ?? '')
  expect(paths).toHaveLength(10)
  const inside = paths.filter((path) => path.startsWith('/event/analytics?'))
  expect(inside).toHaveLength(8)
  for (const path of inside) expect(path).toMatch(/^\/event\/analytics\?by=event&kind=training.*weekday=3/)
  await router.navigate({ to: '/event/analytics', search: { by: 'hour' } })
  expect(filterOf(await (await table()).findByRole('link', { name: /^9:00.AM$/ }))).toContain(condition('hour', '09'))
  await router.navigate({ to: '/event/analytics', search: { by: 'series' } })
  expect(filterOf(await (await table()).findByRole('link', { name: 'Yoga' }))).toContain(condition('series', uuid(70)))
  expect(filterOf((await table()).getByRole('link', { name: 'Not in a series' }))).toContain('{"field":"series","op":"empty"}')
  // Neither a chapter nor a group is a row like any other.
  await router.navigate({ to: '/event/analytics', search: { by: 'chapter' } })
  expect(filterOf(await (await table()).findByRole('link', { name: 'Whole organisation' }))).toContain('{"field":"chapter","op":"empty"}')
  await router.navigate({ to: '/event/analytics', search: { by: 'group' } })
  expect(filterOf(await (await table()).findByRole('link', { name: 'No group' }))).toContain('{"field":"group","op":"empty"}')
  const insideOfNone = (await table()).getAllByRole('link').filter((link) => link.getAttribute('href')?.startsWith('/event/analytics?'))
  expect(insideOfNone).toHaveLength(8)
  for (const link of insideOfNone) expect(link.getAttribute('href')).toContain('group=none')
  await router.navigate({ href: '/event/analytics?by=event&chapter=none&group=none' })
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ chapterId: 'none', groupId: 'none' }))
  expect(await screen.findByRole('button', { name: 'Remove filter Chapter: Whole organisation' })).toBeVisible()
  expect(screen.getAllByPlaceholderText('All')).toHaveLength(4)
  // What it is narrowed to is said, and can be taken away.
  await router.navigate({ href: '/event/analytics?by=event&weekday=3&hour=09&series=none' })
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ weekday: '3', hour: '09', seriesId: 'none' }))
  expect(await screen.findByRole('button', { name: 'Remove filter Series: Not in a series' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove filter Weekday: Wednesday' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ by: 'event', hour: '09', series: 'none' }))
})

test('whoever keeps the books of an event without running it sees its revenue, with the way to its invoices', async () => {
  const money = {
    event: { id: eventId, title: 'Winter lecture', startsLocal: '2026-02-03T19:00:00', calledOff: false },
    ...{ booksChapterId: uuid(60), capacity: 40, seats: 31, attended: 25, revenue: analytics.revenue },
    ticketTypes: [{ id: uuid(52), name: 'Standard', revenue: analytics.revenue }],
  }
  renderPath(`/event/${eventId}/analytics`, {
    data: {
      events: {
        analytics: {
          one: fake.data.events.analytics.one.handler(({ errors }) => {
            throw errors.FORBIDDEN({ data: {} })
          }),
          revenue: fake.data.events.analytics.revenue.handler(() => money),
        },
      },
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: 'Winter lecture: revenue' })).toBeVisible()
  expect(filterOf(screen.getByRole('link', { name: /Revenue.*€420\.00/ }))).toContain(eventId)
  expect(screen.getByRole('row', { name: 'Standard €420.00' })).toBeVisible()
})

test('a period without events says so', async () => {
  const none = { ...comparison.total, events: 0, calledOff: 0 }
  renderPath('/event/analytics', {
    data: {
      events: {
        analytics: {
          compare: fake.data.events.analytics.compare.handler(() => ({ total: none, items: [], groups: 0, booksChapterId: null })),
        },
      },
    },
  })
  expect(await screen.findByText('No events in this period')).toBeVisible()
})

test('seats add up by days before the event, each line as far as it goes', () => {
  const rows = registrationsByDay({ ...analytics, over: false, asOf: '2026-02-01T19:00:00Z' })
  expect(rows.map(({ days, values }) => [days, values['seats'], values[uuid(51)]])).toEqual([
    [3, 16, 0],
    [2, 16, 20],
    [1, null, 20],
    [0, null, 20],
  ])
})

test('periods go by today, and the year before has a last day of February', () => {
  expect(daysOf('thisYear', '2028-02-29')).toEqual({ from: '2028-01-01', to: '2028-12-31' })
  expect(daysOf('year', '2028-02-29')).toEqual({ from: '2027-02-28', to: '2028-02-29' })
  expect(yearBefore({ from: '2027-03-01', to: '2028-02-29' })).toEqual({ from: '2026-03-01', to: '2027-02-28' })
  expect(monthsBetween('2026-11-20', '2027-01-01')).toEqual(['2026-11', '2026-12', '2027-01'])
})
