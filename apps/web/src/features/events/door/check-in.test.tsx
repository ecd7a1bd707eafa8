import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Event, EventCounts, RosterEntry, ScanAnswer } from '@guildhall/contract/features/events'
import { expect, test } from 'vitest'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { lecture } from '../events-testing.ts'

configure({ asyncUtilTimeout: 15_000 })

const event: Event = { ...lecture, may: { ...lecture.may, seeRegistrations: true, checkIn: true } }
const code = (nth: number) => `AZIAAAAAcACAAAAAAAAAAAwABq83vEjRWeJCrze${nth}`
const entry = (nth: number, name: string): RosterEntry => ({
  id: uuid(400 + nth),
  name,
  ticketType: 'Standard',
  status: 'confirmed',
  code: code(nth),
  checkedInAt: null,
})
const counts = (checkedIn: number): EventCounts => ({
  ...{ taken: 2, pendingPayment: 0, pendingApproval: 0, offered: 0, waiting: 0, cancelled: 0 },
  confirmed: 2 - checkedIn,
  checkedIn,
})

type Door = { away?: boolean; first?: ScanAnswer['first']; result?: ScanAnswer['result'] }
function open(door: Door = {}) {
  const { events } = fake.data
  const sent: { code: string; clientId: string }[] = []
  const undone: string[] = []
  renderPath(`/event/${event.id}?section=check-in`, {
    data: {
      events: {
        get: events.get.handler(() => event),
        checkIn: {
          roster: events.checkIn.roster.handler(() => ({
            items: [entry(1, 'Zoë Núñez'), entry(2, 'Ana Lima')],
            counts: counts(0),
            asOf: '2026-11-23T19:00:00Z',
          })),
          sync: events.checkIn.sync.handler(({ input }) => {
            if (door.away) throw new ApiProblem(503)
            sent.push(...input.scans)
            const items = input.scans.map(({ clientId }) => ({
              clientId,
              result: door.result ?? ('checked_in' as const),
              checkInId: uuid(450),
              registration: { id: uuid(401), name: 'Zoë Núñez', ticketType: 'Standard', status: 'checked_in' as const },
              first: door.first ?? null,
            }))
            return { items, counts: counts(1) }
          }),
          undo: events.checkIn.undo.handler(({ input }) => {
            undone.push(input.checkInId)
            return { counts: counts(0) }
          }),
        },
      },
    },
  })
  return { door, sent, undone }
}

test('a person is found by name, let in with one click, and let out again', async () => {
  const user = userEvent.setup()
  const { sent, undone } = open()
  await user.type(await screen.findByRole('textbox', { name: 'Name or ticket code' }), 'nunez')
  await user.click(await screen.findByRole('button', { name: 'Check in Zoë Núñez' }))
  expect(await screen.findByText('Checked in · Standard')).toBeVisible()
  expect(await screen.findByText('of 2 checked in')).toHaveTextContent('1 of 2 checked in')
  expect(sent).toMatchObject([{ code: code(1) }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Check-in undone')).toBeVisible()
  expect(undone).toEqual([uuid(450)])
})

test('a ticket that was scanned before says when and by whom', async () => {
  const user = userEvent.setup()
  open({ result: 'already', first: { at: '2026-11-23T19:02:00Z', device: 'Phone', by: 'Kim Larsen' } })
  await user.type(await screen.findByRole('textbox', { name: 'Name or ticket code' }), `${code(1)}{Enter}`)
  expect(await screen.findByText('Already checked in at 7:02 PM by Kim Larsen, Phone · Standard')).toBeVisible()
})

test('without a connection scans wait, are counted, and are sent once it is back', async () => {
  const user = userEvent.setup()
  const { door, sent } = open({ away: true })
  const field = await screen.findByRole('textbox', { name: 'Name or ticket code' })
  await user.type(field, `${code(2)}{Enter}`)
  const away = within(await screen.findByText(/No connection/).then((text) => text.parentElement ?? text))
  expect(await away.findByText(/1 scan is waiting to be sent/)).toBeVisible()
  expect(screen.getByText('Ana Lima')).toBeVisible()
  // The device knows by itself that this ticket was here.
  await user.type(field, `${code(2)}{Enter}`)
  expect(await screen.findByText(/Already checked in at/)).toBeVisible()
  door.away = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await expect.poll(() => sent.map((scan) => scan.code)).toEqual([code(2), code(2)])
  await expect.poll(() => screen.queryByText(/No connection/)).toBeNull()
})
