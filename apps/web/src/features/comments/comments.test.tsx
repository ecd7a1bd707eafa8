import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { documentOf } from '@guildhall/contract/formatted-document'
import type { Comment } from '@guildhall/contract/features/comments'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { Comments } from './comments.tsx'

const comment = (number: number, text: string, more: Partial<Comment> = {}): Comment => ({
  id: uuid(number),
  parentId: null,
  author: { id: uuid(100 + number), displayName: 'Ada Okafor' },
  body: documentOf(text),
  createdAt: '2026-11-20T10:00:00Z',
  editedAt: null,
  deleted: false,
  hidden: null,
  replies: 0,
  mine: false,
  may: { edit: false, moderate: false },
  version: 1,
  ...more,
})

test('a discussion shows who said what, opens replies, and hides a comment with its reason', async () => {
  const user = userEvent.setup()
  let advert = comment(2, 'Buy my boat', { may: { edit: false, moderate: true } })
  const own = comment(3, 'See you there', { mine: true, editedAt: '2026-11-21T10:00:00Z', may: { edit: true, moderate: false } })
  const gone = comment(4, '', { body: null, deleted: true, author: null, replies: 1 })
  const page = (items: Comment[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })
  const undone: string[] = []
  renderWithApi(<Comments recordType="group" recordId={uuid(1)} />, {
    data: {
      comments: {
        list: fake.data.comments.list.handler(({ input }) =>
          page(input.parentId ? [comment(5, 'Why?', { parentId: gone.id })] : [advert, own, gone]),
        ),
        hide: fake.data.comments.hide.handler(({ input }) => {
          advert = { ...advert, hidden: { at: '2026-11-22T10:00:00Z', reason: input.reason }, version: 2 }
          return advert
        }),
        remove: fake.data.comments.remove.handler(() => void undone.push('removed')),
        restore: fake.data.comments.restore.handler(() => {
          undone.push('restored')
          return own
        }),
      },
    },
  })
  expect(await screen.findByText('Buy my boat')).toBeVisible()
  expect(screen.getByText('Edited')).toBeVisible()
  expect(screen.getByText('This comment was deleted.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: '1 reply' }))
  expect(await screen.findByText('Why?')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Hide' }))
  const dialog = await screen.findByRole('dialog', { name: 'Hide comment' })
  await user.click(within(dialog).getByRole('button', { name: 'Hide comment' }))
  expect(await within(dialog).findByText('Enter a reason.')).toBeVisible()
  await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), 'Advertising')
  await user.click(within(dialog).getByRole('button', { name: 'Hide comment' }))
  expect(await screen.findByText('Hidden: Advertising')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Delete comment' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeVisible()
  expect(undone).toEqual(['removed', 'restored'])
})

test('an archived group keeps what was said and takes nothing more', async () => {
  renderWithApi(<Comments recordType="group" recordId={uuid(1)} closed />, {
    data: {
      comments: {
        list: fake.data.comments.list.handler(() => ({ items: [comment(2, 'Farewell')], nextCursor: null, total: 1, totalIsExact: true })),
      },
    },
  })
  expect(await screen.findByText('Farewell')).toBeVisible()
  expect(screen.queryByRole('button', { name: /Reply|comment/ })).toBeNull()
})
