import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { documentOf } from '@guildhall/contract/formatted-document'
import type { Group, GroupMember } from '@guildhall/contract/features/groups'
import { expect, test } from 'vitest'
import { fake, me } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const id = (last: number) => `01920000-0000-7000-8000-00000000000${last}`
const archive: Group = {
  fields: {},
  tags: [],
  id: id(1),
  name: 'Archive committee',
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
  about: documentOf('Keeps the minutes since 1901.'),
  website: '',
  phone: '',
  leaders: [],
  subgroups: [],
  requests: null,
  may: {
    edit: false,
    manageMembers: false,
    archive: false,
    addSubgroup: false,
    place: false,
    seeMembers: true,
    seeHistory: false,
    join: 'request',
    leave: false,
  },
  updatedAt: '2024-01-01T00:00:00Z',
}
const ada: GroupMember = {
  id: id(2),
  person: { id: id(3), displayName: 'Ada Okafor', homeChapter: null },
  role: 'member',
  title: 'Secretary',
  side: '',
  rank: null,
  status: 'active',
  startsOn: null,
  endsOn: null,
  when: 'current',
  version: 1,
}
const roster = { list: fake.data.groups.members.list.handler(() => ({ items: [ada], nextCursor: null, total: 1, totalIsExact: true })) }

test('a member asks to join and sees that the request is on its way', async () => {
  const user = userEvent.setup()
  let group = archive
  renderPath(`/groups/${archive.id}`, {
    data: {
      groups: {
        get: fake.data.groups.get.handler(() => group),
        join: fake.data.groups.join.handler(() => {
          group = {
            ...archive,
            mine: { memberId: id(4), role: 'member', status: 'requested', title: '', startsOn: null },
            may: { ...archive.may, join: null, leave: true },
          }
          return group
        }),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Ask to join' }))
  expect(await screen.findByRole('button', { name: 'Withdraw request' })).toBeVisible()
})

test('who runs the group removes a member and takes it back', async () => {
  const user = userEvent.setup()
  const acts: string[] = []
  renderPath(`/groups/${archive.id}?view=members`, {
    data: {
      groups: {
        get: fake.data.groups.get.handler(() => ({ ...archive, may: { ...archive.may, manageMembers: true } })),
        members: {
          ...roster,
          remove: fake.data.groups.members.remove.handler(() => void acts.push('removed')),
          add: fake.data.groups.members.add.handler(({ input }) => {
            acts.push(`added ${input.title ?? ''}`)
            return ada
          }),
        },
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for Ada Okafor' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove from the group' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('Undone')).toBeVisible()
  expect(acts).toEqual(['removed', 'added Secretary'])
})

test('a private roster says why it is not shown', async () => {
  renderPath(`/groups/${archive.id}?view=members`, {
    data: {
      groups: {
        get: fake.data.groups.get.handler(() => ({ ...archive, visibility: 'private', may: { ...archive.may, seeMembers: false } })),
      },
    },
  })
  expect(await screen.findByText('The roster is private')).toBeVisible()
})

test('leaders change what a group says, not its code, and let no more people see it', async () => {
  const user = userEvent.setup()
  const led: Group = { ...archive, code: 'ARC', visibility: 'private', may: { ...archive.may, edit: true, manageMembers: true } }
  renderPath(`/groups/${archive.id}?view=settings`, { data: { groups: { get: fake.data.groups.get.handler(() => led) } } })
  expect(await screen.findByText('Changed by officers of the chapter')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Edit Code' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Edit Visibility' }))
  const offered = within(await screen.findByRole('combobox', { name: 'Visibility' })).getAllByRole('option')
  expect(offered.map((option) => option.textContent)).toHaveLength(2)
})

test('who chairs what is answered over all groups', async () => {
  renderPath('/groups?titles=1&q=chair', {
    data: {
      groups: {
        memberships: fake.data.groups.memberships.handler(({ input }) => ({
          items:
            input.q === 'chair'
              ? [{ ...ada, title: 'Chair', group: { id: archive.id, name: archive.name, code: null, kind: 'committee', parent: null } }]
              : [],
          nextCursor: null,
          total: 1,
          totalIsExact: true,
        })),
      },
    },
  })
  expect(await screen.findByText('Chair')).toBeVisible()
  expect(within(screen.getByRole('table')).getByRole('link', { name: 'Archive committee' })).toBeVisible()
})

test('a group is tagged on its page by who may change it, with Undo', async () => {
  const user = userEvent.setup()
  const pilot = { ...{ id: '01920000-0000-7000-8000-000000000070', name: 'Pilot', color: 'green' as const, audience: 'officers' as const } }
  let stored: Group = { ...archive, may: { ...archive.may, edit: true } }
  const data = {
    groups: { get: fake.data.groups.get.handler(() => stored) },
    tags: {
      list: fake.data.tags.list.handler(() => ({ items: [{ ...pilot, uses: { group: 1 }, createdAt: '2026-01-02T10:00:00Z' }] })),
      set: fake.data.tags.set.handler(({ input }) => {
        stored = { ...stored, tags: input.tagIds.map(() => pilot) }
        return { tags: stored.tags }
      }),
    },
  }
  renderPath(`/groups/${archive.id}`, { data })
  await user.click(await screen.findByRole('button', { name: 'Add a tag' }))
  await user.type(await screen.findByLabelText('Tag'), 'Pil')
  await user.click(await screen.findByRole('option', { name: /Pilot/ }))
  expect(await screen.findByText('Archive committee tagged “Pilot”')).toBeVisible()
  await waitFor(() => expect(stored.tags).toEqual([pilot]))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(stored.tags).toEqual([]))
})

test('the history of a group is shown to whom may read it', async () => {
  const asked: unknown[] = []
  const data = {
    groups: { get: fake.data.groups.get.handler(() => ({ ...archive, may: { ...archive.may, seeHistory: true } })) },
    account: {
      me: fake.data.account.me.handler(() => me()),
      updateLogin: fake.data.account.updateLogin.handler(() => {}),
      changes: fake.data.account.changes.handler(async function* () {}),
      audit: {
        list: fake.data.account.audit.list.handler(({ input }) => {
          asked.push(input)
          return { items: [], nextCursor: null }
        }),
      },
    },
  }
  renderPath(`/groups/${archive.id}?view=history`, { data })
  expect(await screen.findByText('No changes of this kind')).toBeVisible()
  expect(asked).toMatchObject([{ groupId: archive.id }])
  expect(screen.getByRole('link', { name: 'History', current: 'page' })).toBeVisible()
})
