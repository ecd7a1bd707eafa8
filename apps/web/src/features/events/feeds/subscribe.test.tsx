import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { CalendarFeed } from '@guildhall/contract/features/events.feeds'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import './subscribe-dialog.tsx'

const feed = (id: number, audience: CalendarFeed['audience']): CalendarFeed => ({
  id: uuid(id),
  audience,
  address: `https://society.example/public/calendars/${audience}-${id}.ics`,
  createdAt: '2026-11-01T10:00:00Z',
})

/** The list of events over a server that keeps addresses by calendar. */
function open(kept: Record<string, CalendarFeed | undefined>, publish: boolean, path = '/events') {
  const asked: unknown[] = []
  const at = (kind: string, audience: string) => kept[`${kind} ${audience}`]
  renderPath(path, {
    data: {
      events: {
        list: fake.data.events.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })),
        feeds: {
          list: fake.data.events.feeds.list.handler(({ input: { kind } }) => ({
            own: at(kind, 'own') ?? null,
            public: at(kind, 'public') ?? null,
            may: { publish: publish && kind !== 'personal' },
          })),
          create: fake.data.events.feeds.create.handler(({ input }) => {
            asked.push(input)
            return (kept[`${input.kind} ${input.audience}`] = feed(30 + asked.length, input.audience))
          }),
          reset: fake.data.events.feeds.reset.handler(({ input: { feedId } }) => {
            asked.push({ reset: feedId })
            const key = Object.keys(kept).find((one) => kept[one]?.id === feedId) ?? ''
            return (kept[key] = feed(40 + asked.length, kept[key]?.audience ?? 'own'))
          }),
        },
      },
    },
  })
  return asked
}

test('a calendar is subscribed to by keyboard: its address is made, copied and opened', async () => {
  const user = userEvent.setup()
  const asked = open({}, false)
  const button = await screen.findByRole('button', { name: 'Subscribe' })
  button.focus()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Subscribe to calendar' }))
  const create = await dialog.findByRole('button', { name: 'Create address' })
  create.focus()
  await user.keyboard('{Enter}')
  const address = await dialog.findByRole('textbox', { name: 'Your address' })
  expect(address).toHaveValue('https://society.example/public/calendars/own-31.ics')
  expect(dialog.getByRole('link', { name: 'Open in calendar app' })).toHaveAttribute(
    'href',
    'webcal://society.example/public/calendars/own-31.ics',
  )
  await user.click(dialog.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe('https://society.example/public/calendars/own-31.ics')
  expect(asked).toEqual([{ kind: 'personal', audience: 'own' }])
  expect(dialog.queryByRole('heading', { name: 'Public address' })).toBeNull()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(button).toHaveFocus())
})

test('resetting says what it does, and shows the new address', async () => {
  const user = userEvent.setup()
  const asked = open({ 'personal own': feed(21, 'own') }, false)
  await user.click(await screen.findByRole('button', { name: 'Subscribe' }))
  await user.click(await screen.findByRole('button', { name: 'Reset address' }))
  const confirm = within(await screen.findByRole('dialog', { name: 'Reset your address?' }))
  expect(confirm.getByText(/The old address stops working at once/)).toBeVisible()
  expect(asked).toEqual([])
  await user.click(confirm.getByRole('button', { name: 'Reset address' }))
  expect(await screen.findByText('Address reset')).toBeVisible()
  expect(asked).toEqual([{ reset: uuid(21) }])
  await waitFor(() =>
    expect(screen.getByRole('textbox', { name: 'Your address' })).toHaveValue('https://society.example/public/calendars/own-41.ics'),
  )
})

test('those who run events make the public address, and others only use it', async () => {
  const user = userEvent.setup()
  const kept: Record<string, CalendarFeed | undefined> = {}
  const asked = open(kept, true)
  await user.click(await screen.findByRole('button', { name: 'Subscribe' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Subscribe to calendar' }))
  await user.click(await dialog.findByRole('radio', { name: 'All events' }))
  await user.click(await dialog.findByRole('button', { name: 'Create public address' }))
  expect(await dialog.findByRole('textbox', { name: 'Public address' })).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Reset address' })).toBeVisible()
  expect(asked).toEqual([{ kind: 'organisation', audience: 'public' }])
})

test('the public address is there for everybody, without a way to reset it', async () => {
  const user = userEvent.setup()
  open({ 'organisation public': feed(22, 'public') }, false)
  await user.click(await screen.findByRole('button', { name: 'Subscribe' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Subscribe to calendar' }))
  await user.click(await dialog.findByRole('radio', { name: 'All events' }))
  expect(await dialog.findByRole('textbox', { name: 'Public address' })).toBeVisible()
  expect(dialog.queryByRole('button', { name: 'Reset address' })).toBeNull()
})
