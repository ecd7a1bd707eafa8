import { noText } from '@guildhall/contract/formatted-document'
import type { Announcement } from '@guildhall/contract/features/communication.announcements'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../../testing/render-with-api.tsx'
import { HomeAnnouncements } from './current-announcements.tsx'

const one = (more: Partial<Announcement> = {}): Announcement => ({
  id: uuid(1),
  title: 'The office moves',
  state: 'shown',
  scope: 'organisation',
  chapter: null,
  group: null,
  audience: 'members',
  pinned: false,
  startsAt: '2026-11-20T10:00:00Z',
  endsAt: null,
  author: { id: uuid(2), displayName: 'Ada Lovelace' },
  mine: { readAt: null, dismissedAt: null },
  readers: null,
  may: { edit: false, publish: false },
  createdAt: '2026-11-20T10:00:00Z',
  version: 1,
  body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'From Monday on.' }] }] },
  publishedAt: '2026-11-20T10:00:00Z',
  reached: null,
  updatedAt: '2026-11-20T10:00:00Z',
  ...more,
})
const { announcements } = fake.data.communication
const chapterRow = {
  id: uuid(7),
  parent: null,
  name: 'West',
  code: 'WST',
  level: 'chapter' as const,
  status: 'active' as const,
  depth: 2,
  city: '',
  contactEmail: '',
  charteredOn: null,
  members: 12,
  tags: [],
  version: 1,
}
const lists = { views: { list: fake.data.lists.views.list.handler(() => ({ items: [] })) } }
const pageOf = (items: Announcement[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

test('what is unread stands on home and is read when it is opened or marked; a pinned one stays until it is dismissed', async () => {
  const user = userEvent.setup()
  const noted: { announcementId: string; dismissed?: boolean | undefined }[] = []
  let items = [one(), one({ id: uuid(3), title: 'Statutes', pinned: true })]
  renderWithApi(<HomeAnnouncements />, {
    data: {
      communication: {
        announcements: {
          current: announcements.current.handler(() => ({ items, unread: items.length, nextChangeAt: null })),
          get: announcements.get.handler(({ input }) => items.find(({ id }) => id === input.announcementId) ?? one()),
          read: announcements.read.handler(({ input }) => {
            noted.push(input)
            items = items.flatMap((item) => {
              if (item.id !== input.announcementId) return [item]
              return item.pinned && !input.dismissed ? [{ ...item, mine: { readAt: '2026-11-21T10:00:00Z', dismissedAt: null } }] : []
            })
          }),
        },
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'The office moves' }))
  const dialog = await screen.findByRole('dialog', { name: 'The office moves' })
  expect(await within(dialog).findByText('From Monday on.')).toBeVisible()
  await waitFor(() => expect(noted).toEqual([{ announcementId: uuid(1) }]))
  // It has left the list, and its reader is still reading it.
  expect(within(dialog).getByText('From Monday on.')).toBeVisible()
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('button', { name: 'Dismiss Statutes' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Mark as read: Statutes' }))
  await waitFor(() => expect(noted[1]).toEqual({ announcementId: uuid(3) }))
  await user.click(await screen.findByRole('button', { name: 'Dismiss Statutes' }))
  await waitFor(() => expect(noted[2]).toEqual({ announcementId: uuid(3), dismissed: true }))
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Announcements' })).toBeNull())
})

test('who writes makes a draft and publishes it in one step', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  renderPath(
    '/communication/announcements?new=1',
    {
      data: {
        lists,
        communication: {
          announcements: {
            list: announcements.list.handler(() => pageOf([])),
            reach: announcements.reach.handler(() => ({ reached: 1204 })),
            create: announcements.create.handler(({ input }) => {
              sent.push(input)
              return one({ title: input.title, state: 'draft' })
            }),
            publish: announcements.publish.handler(({ input }) => {
              sent.push(input)
              return one({ version: 2 })
            }),
          },
        },
      },
    },
    { holding: ['messages.write', 'messages.send'] },
  )
  const dialog = await screen.findByRole('dialog', { name: 'New announcement' }, { timeout: 10_000 })
  await user.type(await within(dialog).findByLabelText('Title'), 'Summer party')
  expect(await within(dialog).findByText('Reaches 1,204 accounts today')).toBeVisible()
  await user.click(within(dialog).getByRole('radio', { name: 'Publish' }))
  await user.click(within(dialog).getByRole('button', { name: 'Publish now' }))
  await waitFor(() => expect(sent).toHaveLength(2))
  expect(sent[0]).toMatchObject({
    title: 'Summer party',
    body: noText,
    audience: 'members',
    chapterId: null,
    groupId: null,
    startsAt: null,
  })
  expect(sent[1]).toEqual({ announcementId: uuid(1) })
})

test('who writes for a chapter only chooses one of theirs, and is told how many it reaches', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const created: unknown[] = []
  const holder = me(['messages.write', 'messages.send'])
  const permissions = holder.permissions.map((held) => ({ ...held, everywhere: false, chapters: [uuid(7), uuid(8)] }))
  renderPath('/communication/announcements?new=1', {
    data: {
      account: {
        me: fake.data.account.me.handler(() => ({ ...holder, permissions })),
        updateLogin: fake.data.account.updateLogin.handler(() => {}),
        changes: fake.data.account.changes.handler(async function* () {}),
      },
      lists,
      chapters: {
        list: fake.data.chapters.list.handler(({ input }) => {
          asked.push(JSON.parse(input.filter ?? 'null'))
          return { items: [chapterRow], nextCursor: null, total: 1, totalIsExact: true }
        }),
      },
      groups: { list: fake.data.groups.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })) },
      communication: {
        announcements: {
          list: announcements.list.handler(() => pageOf([])),
          reach: announcements.reach.handler(({ input }) => ({ reached: input.chapterId === uuid(7) ? 1 : 99 })),
          create: announcements.create.handler(({ input }) => {
            created.push(input)
            return one({ title: input.title, state: 'draft' })
          }),
        },
      },
    },
  })
  const dialog = await screen.findByRole('dialog', { name: 'New announcement' }, { timeout: 10_000 })
  await user.type(await within(dialog).findByLabelText('Title'), 'Summer party')
  await user.click(within(dialog).getByRole('button', { name: 'Save draft' }))
  expect(await within(dialog).findByText('Choose a chapter or a group.')).toBeVisible()
  expect(created).toEqual([])
  await user.click(within(dialog).getByLabelText('Announced in'))
  expect(screen.queryByRole('option', { name: /Whole organisation/ })).toBeNull()
  await user.click(await screen.findByRole('option', { name: /West/ }))
  expect(asked[0]).toEqual({ and: [{ or: [{ field: 'messages', op: 'is', value: true }] }] })
  expect(await within(dialog).findByText('Reaches 1 account today')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(created).toMatchObject([{ chapterId: uuid(7), groupId: null }]))
})

test('how many have read it is told to those who look after it, and members are offered nothing to change', async () => {
  const list = announcements.list.handler(() => pageOf([one({ readers: 3 })]))
  const handlers = (announcement: Announcement) => ({
    data: {
      lists,
      communication: {
        announcements: { list, get: announcements.get.handler(() => announcement), read: announcements.read.handler(() => {}) },
      },
    },
  })
  const path = `/communication/announcements?announcement=${uuid(1)}`
  const author = renderPath(path, handlers(one({ readers: 3, reached: 12, may: { edit: true, publish: true } })), {
    holding: ['messages.write', 'messages.send'],
  })
  expect(await screen.findByText('Read by 3 of 12 accounts', {}, { timeout: 10_000 })).toBeVisible()
  expect(screen.getByRole('button', { name: 'End now' })).toBeVisible()
  author.unmount()
  renderPath(path, handlers(one()), { holding: [] })
  expect(await screen.findByText('From Monday on.', {}, { timeout: 10_000 })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'End now' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'New announcement' })).toBeNull()
})

test('the list is narrowed to a state by its tab, and exported by those who may', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const list = announcements.list.handler(({ input }) => {
    asked.push(JSON.parse(input.filter ?? 'null'))
    return pageOf([one({ title: 'Draft of mine', state: 'draft', mine: null, readers: 0 })])
  })
  renderPath('/communication/announcements', { data: { lists, communication: { announcements: { list } } } })
  await screen.findByText('Draft of mine', {}, { timeout: 10_000 })
  await user.click(screen.getByRole('button', { name: 'Draft' }))
  await waitFor(() => expect(asked.at(-1)).toEqual({ and: [{ or: [{ field: 'state', op: 'in', value: ['draft'] }] }] }))
  expect(screen.getByRole('button', { name: 'Export' })).toBeVisible()
})
