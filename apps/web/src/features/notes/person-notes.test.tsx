import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { documentOf } from '@guildhall/contract/formatted-document'
import type { Note } from '@guildhall/contract/features/notes'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { wholePerson } from '../../testing/people.ts'
import { renderPath, renderWithApi } from '../../testing/render-with-api.tsx'
import { PersonNotes } from './person-notes.tsx'

const plain = wholePerson(11, 'Ada', 'Byron')
const ada = { ...plain, may: { ...plain.may, keepNotes: true } }
const note = (number: number, text: string, more: Partial<Note> = {}): Note => ({
  id: uuid(number),
  personId: ada.id,
  author: { id: uuid(100), displayName: 'Bea Able' },
  body: documentOf(text),
  visibility: 'organisation',
  pinned: false,
  createdAt: '2026-11-20T10:00:00Z',
  editedAt: null,
  deletedAt: null,
  restorableUntil: null,
  mine: false,
  may: { edit: false, remove: false },
  version: 1,
  ...more,
})
const page = (items: Note[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

test('notes are read with who sees them, pinned, deleted and restored, and their earlier versions opened', async () => {
  const user = userEvent.setup()
  let own = note(1, 'Moves in June', { visibility: 'officers', editedAt: '2026-11-21T10:00:00Z', may: { edit: true, remove: true } })
  let gone = false
  renderWithApi(<PersonNotes person={ada} />, {
    data: {
      notes: {
        list: fake.data.notes.list.handler(({ input }) =>
          page(input.deleted ? (gone ? [own] : []) : gone ? [] : [own, note(2, 'Speaks French')]),
        ),
        versions: fake.data.notes.versions.handler(() => ({
          items: [{ body: documentOf('Moves in May'), visibility: 'officers', replacedAt: '2026-11-21T10:00:00Z' }],
        })),
        update: fake.data.notes.update.handler(
          ({ input }) => (own = { ...own, pinned: input.pinned ?? own.pinned, version: own.version + 1 }),
        ),
        remove: fake.data.notes.remove.handler(() => {
          gone = true
          own = { ...own, deletedAt: '2026-11-22T10:00:00Z', restorableUntil: '2026-12-22T10:00:00Z', may: { edit: false, remove: true } }
        }),
        restore: fake.data.notes.restore.handler(() => {
          gone = false
          return (own = { ...own, deletedAt: null, restorableUntil: null })
        }),
      },
    },
  })
  const first = await screen.findByText('Moves in June')
  const mine = within(first.closest('article') ?? document.body)
  expect(mine.getByText('Officers with access to sensitive data')).toBeVisible()
  expect(within(screen.getByText('Speaks French').closest('article') ?? document.body).queryByRole('button')).toBeNull()
  await user.click(mine.getByRole('button', { name: 'Earlier versions' }))
  expect(await screen.findByText('Moves in May')).toBeVisible()
  await user.click(mine.getByRole('button', { name: 'Pin' }))
  expect(await screen.findByText('Pinned')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Delete note' }))
  expect(await screen.findByText('No notes yet.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Deleted notes' }))
  await user.click(await screen.findByRole('button', { name: 'Restore note' }))
  expect(await screen.findByText('No notes were deleted in the last 30 days.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Back to notes' }))
  expect(await screen.findByText('Moves in June')).toBeVisible()
})

test('who sees a note is chosen as far as the writer’s own rights reach, and a failure keeps the page', async () => {
  const user = userEvent.setup()
  let failing = true
  renderWithApi(<PersonNotes person={ada} />, {
    data: {
      notes: {
        list: fake.data.notes.list.handler(() => {
          if (failing) throw new Error('down')
          return page([])
        }),
      },
    },
  })
  expect(await screen.findByText('The notes could not be loaded')).toBeVisible()
  failing = false
  await user.click(screen.getByRole('button', { name: /Try again|Retry/ }))
  expect(await screen.findByText('No notes yet.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Add a note' }))
  const choice = await screen.findByRole('combobox', { name: 'Visible to' })
  expect(
    within(choice)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Only you', 'Everyone who manages people'])
  expect(screen.getByText('Ada Byron never sees notes about themselves.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Save note' }))
  expect(await screen.findByText('Enter something here.')).toBeVisible()
})

test('the overview has notes for those who keep them, and no sign of them for everybody else', async () => {
  const opened = (person: typeof ada) =>
    renderPath(`/person/${ada.id}`, {
      data: {
        people: {
          overview: fake.data.people.overview.handler(() => ({ person, recentChanges: [] })),
          neighbours: fake.data.people.neighbours.handler(() => ({ previous: null, next: null })),
        },
        notes: { list: fake.data.notes.list.handler(() => page([note(1, 'Speaks French')])) },
      },
    })
  const { unmount } = opened(ada)
  await waitFor(() => expect(screen.getByText('Speaks French')).toBeVisible(), { timeout: 10_000 })
  unmount()
  opened(plain)
  expect(await screen.findByRole('heading', { name: 'Facts' }, { timeout: 10_000 })).toBeVisible()
  expect(screen.queryByRole('heading', { name: 'Notes' })).toBeNull()
})
