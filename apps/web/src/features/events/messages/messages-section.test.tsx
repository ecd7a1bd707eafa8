import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { EventMailSetting, EventMessage } from '@guildhall/contract/features/events'
import { documentOf } from '@guildhall/contract/formatted-document'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { lecture, runs } from '../events-testing.ts'

const event = { ...lecture, may: runs }
const sent: EventMessage = {
  id: uuid(70),
  kind: 'message',
  audience: 'confirmed',
  ticketType: null,
  subject: 'Bring a warm coat',
  body: documentOf('It will be cold.'),
  state: 'sent',
  sendAt: '2026-11-01T10:00:00Z',
  sentAt: '2026-11-01T10:00:00Z',
  by: 'Ada Okafor',
  recipients: 31,
  outcomes: { waiting: 0, sent: 29, failed: 2, suppressed: 0, unknown: 0 },
}
const reminder: EventMailSetting = { kind: 'reminder', essential: false, enabled: true, extra: '', hours: 24 }

function open(shown = event) {
  const asked: unknown[] = []
  const messages = {
    list: fake.data.events.messages.list.handler(() => ({ items: [sent], nextCursor: null, total: 1, totalIsExact: true })),
    audience: fake.data.events.messages.audience.handler(({ input }) => ({ recipients: input.audience === 'waiting' ? 1 : 31 })),
    send: fake.data.events.messages.send.handler(({ input: { eventId: _event, ...input } }) => {
      asked.push(input)
      return { ...sent, subject: input.subject }
    }),
    automatic: fake.data.events.messages.automatic.handler(() => ({
      items: [reminder, { ...reminder, kind: 'confirmed', essential: true, hours: null }],
    })),
    setAutomatic: fake.data.events.messages.setAutomatic.handler(({ input: { eventId: _event, ...input } }) => {
      asked.push(input)
      return { ...reminder, ...input }
    }),
  }
  renderPath(`/event/${event.id}?section=messages`, { data: { events: { get: fake.data.events.get.handler(() => shown), messages } } })
  return asked
}

test('organisers see what was sent with what became of it, and write to those they choose', async () => {
  const user = userEvent.setup()
  const asked = open()
  expect(await screen.findByText('Bring a warm coat')).toBeVisible()
  expect(screen.getByText(/31 recipients/)).toHaveTextContent('29 sent · 2 failed')
  await user.click(screen.getByRole('button', { name: 'New message' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New message' }))
  expect(await dialog.findByText('31 recipients')).toBeVisible()
  await user.selectOptions(dialog.getByLabelText('To'), 'Waiting list')
  expect(await dialog.findByText('1 recipient')).toBeVisible()
  await user.type(dialog.getByLabelText('Subject'), 'Doors')
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  expect(await dialog.findByText('Enter a message.')).toBeVisible()
  expect(asked).toEqual([])
})

test('a reminder is switched off; what is essential only takes a paragraph', async () => {
  const user = userEvent.setup()
  const asked = open()
  await user.click(await screen.findByRole('button', { name: 'Edit Registration confirmed' }))
  const essential = within(await screen.findByRole('dialog', { name: 'Registration confirmed' }))
  expect(essential.queryByRole('switch')).toBeNull()
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: 'Edit Reminder' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Reminder' }))
  await user.click(dialog.getByRole('switch', { name: 'Send this mail' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Changes saved')).toBeVisible()
  expect(asked).toEqual([{ kind: 'reminder', enabled: false, extra: '', hours: 24 }])
})

test('who does not run the event has no such section', async () => {
  open(lecture)
  expect(await screen.findByRole('heading', { level: 1, name: 'Winter lecture' })).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Messages' })).toBeNull()
})
