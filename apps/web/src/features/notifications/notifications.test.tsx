import type { Notification } from '@guildhall/contract/features/notifications'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { NotificationPreferences } from './notification-preferences.tsx'

const { notifications } = fake.data
const note = (last: number, more: Partial<Notification>): Notification => ({
  id: uuid(last),
  kind: 'group-request',
  person: { id: uuid(20), displayName: 'Ada Asks' },
  chapter: null,
  group: { id: uuid(30), name: 'Council' },
  recordId: null,
  params: {},
  readAt: null,
  createdAt: '2026-01-01T10:00:00Z',
  ...more,
})

test('the bell counts what is unread; the inbox opens with the keyboard, leads to the record, and marks as read', async () => {
  let items = [note(1, {}), note(2, { kind: 'import-finished', person: null, group: null, params: { outcome: 'done', file: 'a.csv' } })]
  const marked: unknown[] = []
  renderWithApi(<NotificationBell />, {
    data: {
      notifications: {
        count: notifications.count.handler(() => ({ unread: items.filter(({ readAt }) => readAt === null).length })),
        list: notifications.list.handler(() => ({ items, nextCursor: null, total: items.length, totalIsExact: true })),
        read: notifications.read.handler(({ input }) => {
          marked.push(input.ids ?? 'all')
          items = items.map((one) =>
            input.ids === undefined || input.ids.includes(one.id) ? { ...one, readAt: '2026-01-02T10:00:00Z' } : one,
          )
          return { unread: 0 }
        }),
      },
    },
  })
  const bell = await screen.findByRole('button', { name: 'Notifications, 2 unread' })
  bell.focus()
  await userEvent.keyboard('{Enter}')
  const inbox = within(await screen.findByRole('dialog', { name: 'Notifications, 2 unread' }))
  const link = await inbox.findByRole('link', { name: 'Ada Asks asks to join Council' })
  expect(link).toHaveAttribute('href', expect.stringContaining(`/groups/${uuid(30)}`))
  expect(inbox.getByRole('link', { name: 'Your import of a.csv has finished' })).toBeVisible()
  await userEvent.click(link)
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Notifications, 1 unread' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeInTheDocument()
  expect(marked).toEqual([[uuid(1)], 'all'])
})

test('an empty inbox says what will stand there', async () => {
  renderWithApi(<NotificationBell />, {
    data: { notifications: { list: notifications.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })) } },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Notifications' }))
  expect(await screen.findByText('No notifications')).toBeVisible()
})

test('each kind is switched between inbox, mail at once and digest; an essential one says why it stays on', async () => {
  const sent: unknown[] = []
  renderWithApi(<NotificationPreferences />, {
    data: {
      notifications: {
        preferences: notifications.preferences.handler(() => ({
          items: [
            { kind: 'group-request', inInbox: true, mail: 'instant', essential: false },
            { kind: 'term-ending', inInbox: true, mail: 'instant', essential: true },
          ],
        })),
        prefer: notifications.prefer.handler(({ input }) => {
          sent.push(input)
          return { ...input, essential: false }
        }),
      },
    },
  })
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'Mail: Requests to join groups you lead' }), 'Weekly')
  await userEvent.click(screen.getByRole('switch', { name: 'Inbox: Requests to join groups you lead' }))
  await waitFor(() =>
    expect(sent).toEqual([
      { kind: 'group-request', inInbox: true, mail: 'weekly' },
      { kind: 'group-request', inInbox: false, mail: 'instant' },
    ]),
  )
  expect(screen.getByText('Essential: you are always told of this.')).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Mail: Terms of office that end within 30 days' })).toBeDisabled()
})
