import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Group } from '@guildhall/contract/features/groups'
import type { StoredFile } from '@guildhall/contract/features/files'
import { ORPCError } from '@orpc/client'
import { documentOf } from '@guildhall/contract/formatted-document'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const choir: Group = {
  fields: {},
  tags: [],
  id: uuid(1),
  name: 'Choir',
  code: null,
  kind: 'committee',
  chapter: null,
  parent: null,
  visibility: 'members',
  joinPolicy: 'request',
  members: 2,
  capacity: null,
  mine: null,
  archivedAt: null,
  createdAt: '2024-01-01T00:00:00Z',
  version: 1,
  about: documentOf(''),
  website: '',
  phone: '',
  leaders: [],
  subgroups: [],
  requests: null,
  may: {
    edit: true,
    manageMembers: false,
    archive: false,
    addSubgroup: false,
    place: false,
    seeMembers: true,
    seeHistory: false,
    join: null,
    leave: false,
  },
  updatedAt: '2024-01-01T00:00:00Z',
}
const file = (number: number, name: string): StoredFile => ({
  id: uuid(number),
  name,
  type: 'application/pdf',
  bytes: 1_234_567,
  addedBy: { id: uuid(90), displayName: 'Ada Okafor' },
  createdAt: '2026-01-02T10:00:00Z',
  version: 1,
})

/** The Files tab of a group, over a server that keeps these files. */
function open(kept: StoredFile[], edit = true, upload = () => file(50, 'New.pdf')) {
  const list = [...kept]
  const removed: StoredFile[] = []
  renderPath(`/groups/${choir.id}?view=files`, {
    data: {
      groups: { get: fake.data.groups.get.handler(() => ({ ...choir, may: { ...choir.may, edit } })) },
      files: {
        list: fake.data.files.list.handler(() => ({ items: [...list], nextCursor: null, total: list.length, totalIsExact: true })),
        update: fake.data.files.update.handler(({ input }) => {
          const one = list.find(({ id }) => id === input.fileId) ?? file(1, '')
          one.name = `${input.name}.pdf`
          return one
        }),
        remove: fake.data.files.remove.handler(({ input }) => {
          removed.push(
            ...list.splice(
              list.findIndex(({ id }) => id === input.fileId),
              1,
            ),
          )
        }),
        restore: fake.data.files.restore.handler(() => {
          list.push(...removed)
          return list[0] ?? file(1, '')
        }),
      },
    },
    actions: {
      files: {
        upload: fake.actions.files.upload.handler(() => {
          const one = upload()
          list.unshift(one)
          return one
        }),
      },
    },
  })
}

test('files are listed, renamed, removed and brought back', async () => {
  const user = userEvent.setup()
  open([file(2, 'Minutes.pdf')])
  const list = await screen.findByRole('list', { name: 'Files' })
  expect(within(list).getByText(/1\.2 MB/)).toBeVisible()
  expect(within(list).getByRole('link', { name: 'Ada Okafor' })).toBeVisible()

  await user.click(within(list).getByRole('button', { name: 'More actions for Minutes.pdf' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  const name = await screen.findByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'May')
  await user.click(screen.getByRole('button', { name: 'Rename' }))
  await within(list).findByRole('button', { name: 'May.pdf' })

  await user.click(within(list).getByRole('button', { name: 'More actions for May.pdf' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  await screen.findByText('No files yet')
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await screen.findByRole('button', { name: 'May.pdf' })
})

test('files that are chosen are added, and one that is refused says why', async () => {
  const user = userEvent.setup()
  let times = 0
  open([], true, () => {
    times += 1
    if (times === 1) return file(50, 'New.pdf')
    throw new ORPCError('UNSUPPORTED_MEDIA_TYPE', {
      status: 415,
      data: { reason: 'file_macros', detail: 'No.' },
    })
  })
  await screen.findByText('No files yet')
  await user.upload(screen.getByLabelText('Files to add'), [new File(['a'], 'New.pdf'), new File(['b'], 'Bad.docx')])
  expect(await screen.findByRole('button', { name: 'New.pdf' })).toBeVisible()
  const waiting = within(screen.getByRole('list', { name: 'Being uploaded' }))
  expect(await waiting.findByRole('alert')).toHaveTextContent(/macros/)
  await user.click(waiting.getByRole('button', { name: 'Dismiss Bad.docx' }))
  expect(screen.queryByRole('list', { name: 'Being uploaded' })).toBeNull()
})

test('who may not change the group downloads and does nothing else', async () => {
  open([file(2, 'Minutes.pdf')], false)
  expect(await screen.findByRole('button', { name: 'Download Minutes.pdf' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Add files' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'More actions for Minutes.pdf' })).toBeNull()
})
