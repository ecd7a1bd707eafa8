import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Event } from '@guildhall/contract/features/events'
import { expect, test, vi } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import type { Handlers } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { lecture } from '../events-testing.ts'

type Calls = NonNullable<Handlers['data']>
const open = (event: Event, more: Calls = {}) =>
  renderPath(`/event/${event.id}`, { data: { events: { get: fake.data.events.get.handler(() => event), ...more } } })

test('a member sees when, where, by whom and what, and nothing to run it with', async () => {
  open(lecture)
  expect(await screen.findByRole('heading', { level: 1, name: 'Winter lecture' })).toBeVisible()
  expect(screen.getByText('Old observatory')).toBeVisible()
  expect(screen.getByRole('link', { name: /^Directions/ })).toHaveAttribute('href', expect.stringContaining('openstreetmap.org'))
  expect(screen.getByText('31 of 40 going')).toBeVisible()
  expect(screen.getByText('Bring a warm coat.')).toBeVisible()
  expect(screen.getByText('Doors')).toBeVisible()
  expect(screen.getAllByRole('link', { name: 'Ada Okafor' })[0]).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Publish' })).toBeNull()
})

test('prices are those of the tickets, and staff tickets are not offered', async () => {
  const ticket = {
    ...{ description: '', memberPrice: 500, myPrice: 500, quota: 10, taken: 10, audience: 'everyone' as const },
    ...{ sellsFrom: null, sellsUntil: null, minPerOrder: 1, maxPerOrder: 4, onSale: true },
    price: { amount: 1500, currency: 'EUR' },
  }
  open({
    ...lecture,
    ticketTypes: [
      { ...ticket, id: uuid(91), name: 'Standard' },
      { ...ticket, id: uuid(92), name: 'Crew', audience: 'staff' },
    ],
  })
  expect(await screen.findByText('€15.00')).toBeVisible()
  expect(screen.getByText('€5.00 for members')).toBeVisible()
  expect(screen.getByText('Sold out')).toBeVisible()
  expect(screen.queryByText('Crew')).toBeNull()
})

test('cancelling asks for the reason and says how many are told', async () => {
  const user = userEvent.setup()
  const reasons: string[] = []
  const event: Event = { ...lecture, may: { ...lecture.may, cancel: true } }
  open(event, {
    cancel: fake.data.events.cancel.handler(({ input }) => {
      reasons.push(input.reason)
      return { ...event, status: 'cancelled', cancelReason: input.reason, may: lecture.may, version: 4 }
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'More actions for Winter lecture' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel event' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/31 registered people are told the reason/)).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Cancel event' }))
  expect(await dialog.findByText('Enter the reason. It stands on the page of the event.')).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: 'Reason' }), 'The hall is flooded')
  await user.click(dialog.getByRole('button', { name: 'Cancel event' }))
  expect(await screen.findByText('The hall is flooded')).toBeVisible()
  expect(reasons).toEqual(['The hall is flooded'])
})

test('a copy opens in the form, and a template keeps its name', async () => {
  const user = userEvent.setup()
  const event: Event = { ...lecture, may: { ...lecture.may, copy: true } }
  const asked: unknown[] = []
  const { router } = open(event, {
    copy: fake.data.events.copy.handler(({ input }) => {
      asked.push(input)
      return { ...event, id: uuid(55), status: 'draft', templateName: input.templateName ?? null }
    }),
  })
  const menu = async (item: string) => {
    await user.click(await screen.findByRole('button', { name: 'More actions for Winter lecture' }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
  }
  await menu('Save as template')
  await user.click(await screen.findByRole('button', { name: 'Save template' }))
  expect(await screen.findByText('Template Winter lecture saved')).toBeVisible()
  await menu('Copy event')
  await waitFor(() => expect(router.state.location.pathname).toBe(`/event/${uuid(55)}/edit`))
  expect(asked).toEqual([{ eventId: event.id, templateName: 'Winter lecture' }, { eventId: event.id }])
})

test('files stand in a section of their own, below the name of the event', async () => {
  const files = { list: fake.data.files.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })) }
  renderPath(`/event/${lecture.id}`, { data: { events: { get: fake.data.events.get.handler(() => lecture) }, files } })
  await userEvent.click(await screen.findByRole('link', { name: 'Files' }))
  expect(await screen.findByText('No files yet')).toBeVisible()
  expect(screen.getAllByRole('heading', { level: 1 }).map(({ textContent }) => textContent)).toEqual(['Winter lecture'])
})

test('the event is downloaded as a calendar file', async () => {
  const user = userEvent.setup()
  const saved: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
  URL.createObjectURL = () => 'blob:calendar'
  open(lecture, {
    calendarFile: fake.data.events.calendarFile.handler(() => new File(['BEGIN:VCALENDAR'], 'event.ics', { type: 'text/calendar' })),
  })
  await user.click(await screen.findByRole('button', { name: 'Add to calendar' }))
  await waitFor(() => expect(saved).toEqual(['Winter lecture.ics']))
})

test('other dates of a series are shown before they are saved, with who is registered for those dropped', async () => {
  const user = userEvent.setup()
  const dates = [3, 10].map((day) => ({
    id: day === 3 ? lecture.id : uuid(94),
    startsLocal: `2097-02-${String(day).padStart(2, '0')}T19:00:00`,
    status: 'published' as const,
    exception: false,
  }))
  const series = { id: uuid(90), rule: 'FREQ=WEEKLY', untilOn: '2097-03-03', dates }
  const event: Event = {
    ...lecture,
    startsLocal: '2097-02-03T19:00:00',
    seriesId: series.id,
    series,
    may: { ...lecture.may, edit: true, cancel: true },
  }
  const sent = vi.fn()
  open(event, {
    previewSeries: fake.data.events.previewSeries.handler(({ input }) => {
      sent(input.scope, input.repeats.interval)
      return {
        startsOn: '2097-02-03',
        days: ['2097-02-03', '2097-02-17', '2097-03-03'],
        stay: 1,
        dropped: [{ id: uuid(94), startsLocal: '2097-02-10T19:00:00', registrations: 3, exception: false }],
      }
    }),
    changeSeries: fake.data.events.changeSeries.handler(({ input }) => {
      sent(input.dropped, input.reason)
      return event
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'Change dates' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change dates' }))
  await user.click(dialog.getByRole('combobox', { name: 'Repeats' }))
  await user.click(await screen.findByRole('option', { name: 'Every two weeks' }))
  await user.click(dialog.getByRole('button', { name: 'Preview changes' }))
  expect(await dialog.findByText('2 dates are added.')).toBeVisible()
  expect(dialog.getByText(/3 registrations/)).toBeVisible()
  await user.click(dialog.getByRole('radio', { name: 'Cancel and tell everybody registered' }))
  await user.type(dialog.getByRole('textbox', { name: 'Reason for cancelling' }), 'The hall is taken')
  await user.click(dialog.getByRole('button', { name: 'Change dates' }))
  await waitFor(() =>
    expect(sent.mock.calls).toEqual([
      ['following', 2],
      ['cancel', 'The hall is taken'],
    ]),
  )
})
