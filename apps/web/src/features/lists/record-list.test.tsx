import type { Field } from '@guildhall/contract/features/fields'
import type { GroupRow } from '@guildhall/contract/features/groups'
import type { SavedView } from '@guildhall/contract/features/lists'
import { notifications } from '@mantine/notifications'
import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fake, me, uuid } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const group = (n: number, name: string): GroupRow => ({
  id: uuid(n),
  name,
  code: null,
  kind: 'committee',
  chapter: null,
  parent: null,
  visibility: 'members',
  joinPolicy: 'open',
  members: 3,
  capacity: null,
  tags: n === 11 ? [{ id: uuid(70), name: 'Pilot', color: 'green', audience: 'officers' }] : [],
  mine: null,
  archivedAt: null,
  createdAt: '2024-01-01T00:00:00Z',
  version: 1,
})

const saved = (n: number, name: string, view: Partial<SavedView> = {}): SavedView => ({
  id: uuid(n),
  list: 'groups',
  name,
  spec: {},
  sharedWith: 'me',
  mine: true,
  owner: 'Olive Owner',
  version: 1,
  createdAt: '2024-01-01T00:00:00Z',
  updatedAt: '2024-01-01T00:00:00Z',
  ...view,
})

/** The groups list with these saved views; keeps what was asked and which views are the defaults. */
function groupsList(items: SavedView[], defaultViews: Record<string, string> = {}) {
  const asked: { filter?: string | undefined; sort?: string | undefined; columns?: string | undefined }[] = []
  const kept = { defaultViews }
  const data = {
    account: {
      me: fake.data.account.me.handler(() => ({ ...me(), account: { ...me().account, preferences: kept } })),
      updateLogin: fake.data.account.updateLogin.handler(() => {}),
      changes: fake.data.account.changes.handler(async function* () {}),
      updatePreferences: fake.data.account.updatePreferences.handler(({ input }) => Object.assign(kept, input)),
    },
    groups: {
      list: fake.data.groups.list.handler(({ input }) => {
        asked.push(input)
        return { items: [group(10, 'Archive'), group(11, 'Choir')], nextCursor: null, total: 2, totalIsExact: true }
      }),
    },
    lists: {
      views: {
        list: fake.data.lists.views.list.handler(() => ({ items })),
        create: fake.data.lists.views.create.handler(({ input }) => {
          const view = saved(90, input.name, { spec: input.spec, sharedWith: input.sharedWith })
          items.push(view)
          return view
        }),
        update: fake.data.lists.views.update.handler(({ input: { viewId, ...change } }) =>
          Object.assign(items.find(({ id }) => id === viewId) ?? saved(91, ''), change),
        ),
        remove: fake.data.lists.views.remove.handler(({ input: { viewId } }) => {
          items.splice(
            items.findIndex(({ id }) => id === viewId),
            1,
          )
        }),
      },
    },
  }
  return { data, asked, kept }
}
const views = () => within(screen.getByRole('navigation', { name: 'Views' }))

test('sorting, filter and columns of a list stand in the address and are kept as a view', async () => {
  const user = userEvent.setup()
  const items: SavedView[] = []
  const { data, asked } = groupsList(items)
  const { router } = renderPath('/groups', { data })
  await screen.findByRole('link', { name: 'Choir' })
  await user.click(screen.getByRole('button', { name: 'Members' }))
  await waitFor(() => expect(asked.at(-1)?.sort).toBe('members'))
  expect(router.state.location.search).toMatchObject({ sort: 'members' })
  await user.click(views().getByRole('button', { name: 'Save as view' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Largest')
  await user.click(screen.getByRole('switch', { name: 'Everybody in the organisation sees it' }))
  await user.click(screen.getByRole('button', { name: 'Save view' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ view: uuid(90) }))
  expect(items).toMatchObject([{ name: 'Largest', spec: { sort: 'members' }, sharedWith: 'organisation' }])
  expect(await views().findByRole('button', { name: /Largest/, current: true })).toBeVisible()
})

test('fields of the organisation are columns, filters and sort orders of a list', async () => {
  const user = userEvent.setup()
  const { data, asked } = groupsList([])
  const room: Field = {
    id: uuid(70),
    recordType: 'groups',
    key: 'room',
    label: 'Meeting room',
    help: '',
    type: 'text',
    required: false,
    pattern: '',
    section: '',
    audience: 'everyone',
    ownEditable: false,
    sensitive: false,
    searchable: false,
    reach: 'all',
    archivedAt: null,
    choices: [],
    version: 1,
  }
  const list = fake.data.groups.list.handler(({ input }) => {
    asked.push(input)
    const items = [{ ...group(10, 'Archive'), ...(input.columns && { fields: { room: 'Attic' } }) }]
    return { items, nextCursor: null, total: 1, totalIsExact: true }
  })
  renderPath(`/groups?columns=${encodeURIComponent('["name","fields.room"]')}`, {
    data: { ...data, groups: { list }, fields: { list: fake.data.fields.list.handler(() => ({ items: [room] })) } },
  })
  expect(await screen.findByText('Attic')).toBeVisible()
  await user.click(screen.getByRole('button', { name: /^Meeting room/ }))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ columns: 'fields.room', sort: 'fields.room' }))
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  expect(await screen.findByRole('menuitem', { name: 'Meeting room' })).toBeVisible()
})

test('a view is renamed and removed, with a way back', async () => {
  const user = userEvent.setup()
  const items = [saved(80, 'Cohorts')]
  const { data } = groupsList(items)
  renderPath(`/groups?view=${uuid(80)}`, { data })
  await user.click(await screen.findByRole('button', { name: 'Actions for Cohorts' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Rename' }))
  await user.clear(await screen.findByRole('textbox', { name: 'Name' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Years')
  await user.click(screen.getByRole('button', { name: 'Save view' }))
  await user.click(await screen.findByRole('button', { name: 'Actions for Years' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Remove view' }))
  await waitFor(() => expect(items).toEqual([]))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(items).toMatchObject([{ name: 'Years' }]))
})

test('a list opens with the default view of its reader, and the first of all views is one click away', async () => {
  const user = userEvent.setup()
  const only = { and: [{ or: [{ field: 'kind', op: 'is' as const, value: 'cohort' }] }] }
  const { data, asked, kept } = groupsList([saved(80, 'Cohorts', { spec: { filter: only }, mine: false, sharedWith: 'organisation' })])
  const { router } = renderPath(`/groups?view=${uuid(80)}`, { data })
  await user.click(await screen.findByRole('button', { name: 'Actions for Cohorts' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Set as default' }))
  await waitFor(() => expect(kept.defaultViews).toEqual({ groups: uuid(80) }))
  expect(await screen.findByText('Cohorts is now the default view')).toBeVisible()

  await router.navigate({ to: '/groups' })
  expect(await views().findByRole('button', { name: /Cohorts/, current: true })).toBeVisible()
  expect(JSON.parse(asked.at(-1)?.filter ?? '{}')).toEqual(only)
  await user.click(views().getByRole('button', { name: 'All' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'all' }))
  await waitFor(() => expect(asked.at(-1)?.filter).toBeUndefined())
  await user.click(screen.getByRole('button', { name: 'Actions for All' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Set as default' }))
  await waitFor(() => expect(kept.defaultViews).toEqual({}))
})

test('a default view that was removed since leaves the list as everybody has it', async () => {
  const { data, asked } = groupsList([], { groups: uuid(77) })
  renderPath('/groups', { data })
  expect(await screen.findByRole('link', { name: 'Choir' })).toBeVisible()
  expect(views().getByRole('button', { name: 'All', current: true })).toBeVisible()
  expect(asked.at(-1)?.filter).toBeUndefined()
  expect(screen.queryByText(/removed, or is not shared/)).not.toBeInTheDocument()
})

test('an address that names a view that is gone says so', async () => {
  const user = userEvent.setup()
  const { data } = groupsList([])
  const { router } = renderPath(`/groups?view=${uuid(77)}`, { data })
  expect(await screen.findByText(/The view of this link was removed/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Dismiss' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
})

test('a list shows the tags of its records and is filtered by them', async () => {
  const user = userEvent.setup()
  const { data, asked } = groupsList([])
  const tag = { ...{ id: uuid(70), name: 'Pilot', color: 'green' as const, audience: 'officers' as const }, uses: { group: 1 } }
  const tags = { list: fake.data.tags.list.handler(() => ({ items: [{ ...tag, createdAt: '2026-01-02T10:00:00Z' }] })) }
  renderPath('/groups', { data: { ...data, tags } })
  const row = (await screen.findByRole('link', { name: 'Choir' })).closest('tr') ?? document.body
  expect(within(row).getByText('Pilot')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Tag' }))
  await user.click(await screen.findByRole('option', { name: /Pilot/ }))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await waitFor(() =>
    expect(JSON.parse(asked.at(-1)?.filter ?? '{}')).toEqual({ and: [{ or: [{ field: 'tag', op: 'in', value: [uuid(70)] }] }] }),
  )
})

test('many groups are archived after a count that names those that stay, and that is undone', async () => {
  const user = userEvent.setup()
  const { data } = groupsList([])
  const sent: unknown[] = []
  const counts = { matched: 2, changed: 1, unchanged: 0, refused: 1 }
  const job = (id: string) => ({
    ...{ id, kind: 'bulk' as const, title: '', status: 'done' as const, done: 2, total: 2, result: {}, error: null },
    ...{ createdAt: '2026-01-02T10:00:00Z', startedAt: null, finishedAt: '2026-01-02T10:00:00Z' },
  })
  const actions = {
    groups: {
      bulk: {
        preview: fake.actions.groups.bulk.preview.handler(() => ({
          ...counts,
          sample: [{ id: uuid(10), name: 'Archive' }],
          refusedSample: [{ id: uuid(11), name: 'Choir' }],
        })),
        run: fake.actions.groups.bulk.run.handler(({ input }) => {
          sent.push(input)
          return { job: job(uuid(71)), counts, undoableUntil: '2027-01-01T00:00:00Z' }
        }),
      },
    },
    lists: {
      bulk: {
        undo: fake.actions.lists.bulk.undo.handler(({ input }) => {
          sent.push(input)
          return { job: job(uuid(72)), counts, undoableUntil: null }
        }),
      },
    },
  }
  renderPath('/groups?q=a', { data, actions })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Archive' }))
  await user.keyboard('{Control>}a{/Control}')
  const bar = within(screen.getByRole('region', { name: 'Selected rows' }))
  expect(bar.getByRole('status')).toHaveTextContent('2 selected')
  await user.click(bar.getByRole('button', { name: 'Archive' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Archive 2 groups' }))
  expect(await dialog.findByText('1 group would change.')).toBeVisible()
  expect(dialog.getByText('1 is not yours to change and stays.')).toBeVisible()
  expect(dialog.getByText('Choir')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Archive 1 group' }))
  expect(await screen.findByText('1 group archived')).toBeVisible()
  expect(sent).toEqual([{ selection: { all: { q: 'a' }, except: [] }, change: { do: 'archive' } }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sent.at(-1)).toEqual({ jobId: uuid(71) }))
})

test('whoever may change no groups selects none', async () => {
  const { data } = groupsList([])
  const { account: _, ...others } = data
  renderPath('/groups', { data: others }, { holding: ['people.directory', 'groups.read'] })
  expect(await screen.findByRole('link', { name: 'Choir' })).toBeVisible()
  expect(screen.queryByRole('checkbox', { name: 'Select Choir' })).not.toBeInTheDocument()
})
