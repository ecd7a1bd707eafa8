import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Chapter, ChapterNode, ChapterRow } from '@guildhall/contract/features/chapters'
import { describe, expect, test } from 'vitest'
import { fake, me } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'
import { subtreeOf } from './below/subchapters.tsx'

const id = (last: number) => `01920000-0000-7000-8000-00000000000${last}`
const none = { member: 0, alumni: 0, advisor: 0, friend: 0, applicant: 0 }
const lisbon: Chapter = {
  fields: {},
  tags: [],
  id: id(1),
  parent: { id: id(2), name: 'Portugal', code: 'PT' },
  ancestors: [{ id: id(2), name: 'Portugal', code: 'PT' }],
  name: 'Lisbon',
  code: 'PT-LIS',
  level: 'chapter',
  status: 'active',
  depth: 2,
  about: 'We meet on Tuesdays.',
  city: 'Lisbon',
  contactEmail: '',
  website: '',
  timezone: '',
  charteredOn: '2014-05-01',
  closedOn: null,
  counts: { own: { ...none, member: 84 }, subtree: { ...none, member: 84 } },
  subchapters: [],
  descendants: 0,
  groups: 0,
  officers: [],
  publicPage: false,
  publicPageOpen: false,
  vacancies: [{ positionId: id(3), title: 'Treasurer', mandatory: true, openSeats: 1 }],
  may: { edit: false, manage: false, appoint: false, addPeople: false, manageGroups: false, seeHistory: false },
  version: 3,
  createdAt: '2020-01-01T00:00:00Z',
  updatedAt: '2020-01-01T00:00:00Z',
}
const treeNode = (nodeId: string, name: string, parentId: string | null): ChapterNode => ({
  ...{ id: nodeId, parentId, name, code: name.slice(0, 3).toUpperCase(), level: 'chapter', status: 'active' },
  ...{ depth: parentId ? 2 : 1, members: 1, alumni: 0, subtreeMembers: 1, subtreeAlumni: 0, subchapters: 0, officers: 0, vacancies: 0 },
})
const showing = (chapter: Chapter) => ({ get: fake.data.chapters.get.handler(() => chapter) })

test('a chapter shows its place, its figures and what is vacant', async () => {
  renderPath(`/chapter/${lisbon.id}`, { data: { chapters: showing(lisbon) } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Lisbon' })).toBeVisible()
  expect(within(screen.getByRole('navigation', { name: 'Place in the tree' })).getByRole('link', { name: 'Portugal' })).toBeVisible()
  expect(await screen.findByText('Mandatory and vacant')).toBeVisible()
  expect(screen.queryByRole('link', { name: 'Settings' })).not.toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'History' })).not.toBeInTheDocument()
})

test('the history of a chapter is read by those who look after it', async () => {
  const asked: unknown[] = []
  const chapter = { ...lisbon, may: { ...lisbon.may, seeHistory: true } }
  const list = fake.data.account.audit.list.handler(({ input }) => {
    asked.push(input)
    return { items: [], nextCursor: null }
  })
  const account = { me: fake.data.account.me.handler(() => me()), audit: { list } }
  renderPath(`/chapter/${lisbon.id}/history`, { data: { chapters: showing(chapter), account } })
  expect(await screen.findByText('No changes of this kind')).toBeVisible()
  expect(asked).toMatchObject([{ chapterId: lisbon.id }])
})

test('an officer publishes the public page of a chapter, and is told when nobody can open it', async () => {
  let stored = { ...lisbon, may: { ...lisbon.may, edit: true } }
  const update = fake.data.chapters.update.handler(({ input: { publicPage = false } }) => (stored = { ...stored, publicPage, version: 4 }))
  const user = userEvent.setup()
  renderPath(`/chapter/${lisbon.id}/settings`, {
    data: { chapters: { get: fake.data.chapters.get.handler(() => stored), update } },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit Public page' }))
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Public page' }), 'Published')
  await user.tab()
  expect(await screen.findByText(/Nobody can open the page yet/)).toBeVisible()
  expect(stored).toMatchObject({ publicPage: true })
  expect(screen.queryByRole('link', { name: 'Open public page' })).not.toBeInTheDocument()
})

test('a published page is one click away', async () => {
  renderPath(`/chapter/${lisbon.id}/settings`, {
    data: { chapters: showing({ ...lisbon, publicPage: true, publicPageOpen: true, may: { ...lisbon.may, edit: true } }) },
  })
  expect(await screen.findByRole('link', { name: 'Open public page' })).toHaveAttribute('href', '/public/chapters/PT-LIS')
})

test('the list of chapters leads to what is below the top one', async () => {
  const tree = fake.data.chapters.tree.handler(() => ({ items: [treeNode(lisbon.id, 'Lisbon', null)] }))
  const { router } = renderPath('/chapters', { data: { chapters: { ...showing(lisbon), tree } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Lisbon' })).toBeVisible()
  expect(router.state.location.pathname).toBe(`/chapter/${lisbon.id}/subchapters`)
})

test.each(['/nonsense/members', '/overview/members'])('%s stays on the overview and says that there is no such section', async (path) => {
  const { router } = renderPath(`/chapter/${lisbon.id}${path}`, { data: { chapters: showing(lisbon) } })
  expect(await screen.findByText('We meet on Tuesdays.')).toBeVisible()
  expect(await screen.findByText(/This page has no section/)).toBeInTheDocument()
  await waitFor(() => expect(router.state.location.pathname).toMatch(new RegExp(`^/chapter/${lisbon.id}(/overview)?$`)))
})

test('an unknown tab is corrected to the overview', async () => {
  const { router } = renderPath(`/chapter/${lisbon.id}/nonsense`, { data: { chapters: showing(lisbon) } })
  expect(await screen.findByText('We meet on Tuesdays.')).toBeVisible()
  expect(router.state.location.pathname).toBe(`/chapter/${lisbon.id}`)
})

test('a name is edited in place, and a refusal is shown with the typed text kept', async () => {
  const user = userEvent.setup()
  const may = { ...lisbon.may, edit: true }
  renderPath(`/chapter/${lisbon.id}/settings`, {
    data: {
      chapters: {
        ...showing({ ...lisbon, may }),
        update: fake.data.chapters.update.handler(({ errors }) => {
          throw errors.UNPROCESSABLE_CONTENT({
            data: { errors: [{ path: 'name', code: 'too_big', message: 'Keep this to 150 characters.' }] },
          })
        }),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit Name' }))
  await user.clear(screen.getByRole('textbox', { name: 'Name' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Lisboa{Enter}')
  expect(await screen.findByText('Keep this to 150 characters.')).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Lisboa')
})

test('a field that somebody else changed first is shown with both values, and taken back as it was', async () => {
  const user = userEvent.setup()
  let now: Chapter = { ...lisbon, may: { ...lisbon.may, edit: true } }
  let foreign: Partial<Chapter> | undefined = { city: 'Porto' }
  renderPath(`/chapter/${lisbon.id}/settings`, {
    data: {
      chapters: {
        ...showing(now),
        get: fake.data.chapters.get.handler(() => now),
        update: fake.data.chapters.update.handler(({ input: { chapterId: _, ...change }, errors }) => {
          if (foreign) {
            now = { ...now, ...foreign, version: now.version + 1 }
            foreign = undefined
            throw errors.PRECONDITION_FAILED({ data: { current: now } })
          }
          now = Object.assign({}, now, change, { version: now.version + 1 })
          return now
        }),
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit City' }))
  await user.clear(screen.getByRole('textbox', { name: 'City' }))
  await user.type(screen.getByRole('textbox', { name: 'City' }), 'Braga{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'City was changed by someone else' })
  expect(within(dialog).getByText('Porto')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Keep mine' }))
  await waitFor(() => expect(now.city).toBe('Braga'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(now.city).toBe(lisbon.city))
})

test('a chapter that does not exist is not found', async () => {
  renderPath(`/chapter/${id(9)}`, {
    data: {
      chapters: {
        get: fake.data.chapters.get.handler(({ errors }) => {
          throw errors.NOT_FOUND()
        }),
      },
    },
  })
  expect(await screen.findByRole('heading', { level: 1, name: /can.t find/i })).toBeVisible()
})

test('everything below a chapter is found in one pass over the tree', () => {
  const node = (at: number, parent: number | null): ChapterNode => ({
    id: id(at),
    parentId: parent === null ? null : id(parent),
    name: `N${at}`,
    code: `N${at}`,
    level: 'chapter',
    status: 'active',
    depth: 1,
    members: 0,
    alumni: 0,
    subtreeMembers: 0,
    subtreeAlumni: 0,
    subchapters: 0,
    officers: 0,
    vacancies: 0,
  })
  expect(subtreeOf([node(1, null), node(2, 1), node(3, 1), node(4, 2), node(5, null)], id(1)).map((below) => below.name)).toEqual([
    'N2',
    'N3',
    'N4',
  ])
})

test('chapters below are a list with views, filter, sort and columns, and keep to the chapter', async () => {
  const user = userEvent.setup()
  const asked: { filter?: string | undefined; sort?: string | undefined }[] = []
  const porto: ChapterRow = {
    ...{ id: id(4), parent: { id: lisbon.id, name: 'Lisbon', code: 'PT-LIS' }, name: 'Porto', code: 'PT-POR', level: 'chapter' },
    ...{ status: 'active', depth: 3, city: 'Porto', contactEmail: '', charteredOn: null, members: 12, version: 1, tags: [] },
  }
  const { router } = renderPath(`/chapter/${lisbon.id}/subchapters/list`, {
    data: {
      chapters: {
        ...showing(lisbon),
        tree: fake.data.chapters.tree.handler(() => ({
          items: [treeNode(lisbon.id, 'Lisbon', null), { ...treeNode(id(4), 'Porto', lisbon.id), subtreeMembers: 97 }],
        })),
        list: fake.data.chapters.list.handler(({ input }) => {
          asked.push(input)
          return { items: [porto], nextCursor: null, total: 1, totalIsExact: true }
        }),
      },
      lists: { views: { list: fake.data.lists.views.list.handler(() => ({ items: [] })) } },
    },
  })
  const row = (await screen.findByRole('link', { name: 'Porto' })).closest('tr') ?? document.body
  expect(within(row).getByText('97')).toBeVisible()
  const below = { or: [{ field: 'below', op: 'is', value: lisbon.id }] }
  expect(JSON.parse(asked.at(-1)?.filter ?? '{}')).toEqual({ and: [below] })
  await user.click(screen.getByRole('button', { name: 'Code' }))
  await waitFor(() => expect(asked.at(-1)?.sort).toBe('code'))
  await user.click(within(screen.getByRole('navigation', { name: 'Views' })).getByRole('button', { name: 'Closed' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ view: 'closed' }))
  await waitFor(() =>
    expect(JSON.parse(asked.at(-1)?.filter ?? '{}')).toEqual({ and: [{ or: [{ field: 'status', op: 'in', value: ['closed'] }] }, below] }),
  )
})

describe('the chapter switcher', () => {
  const node = (last: number, name: string, parentId: string | null) => treeNode(id(last), name, parentId)
  const tree = fake.data.chapters.tree.handler(() => ({
    items: [node(2, 'Portugal', null), node(1, 'Lisbon', id(2)), node(4, 'Porto', id(2))],
  }))

  test('is typed into at once; Enter opens the chapter found', async () => {
    const { router } = renderPath('/menu', { data: { chapters: { ...showing(lisbon), tree } } })
    await userEvent.click((await screen.findAllByRole('button', { name: 'Chapters' }))[0] ?? document.body)
    const field = await screen.findByRole('searchbox', { name: 'Find a chapter' })
    await waitFor(() => expect(field).toHaveFocus())
    await userEvent.keyboard('lis{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe(`/chapter/${lisbon.id}`))
  })

  test('the arrow goes from the field into the tree, to the chapter found', async () => {
    const { router } = renderPath('/menu', { data: { chapters: { ...showing(lisbon), tree } } })
    await userEvent.click((await screen.findAllByRole('button', { name: 'Chapters' }))[0] ?? document.body)
    await waitFor(() => expect(screen.getByRole('searchbox', { name: 'Find a chapter' })).toHaveFocus())
    await userEvent.keyboard('lis')
    await waitFor(() => expect(screen.queryByRole('treeitem', { name: /Porto/ })).not.toBeInTheDocument())
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe(`/chapter/${lisbon.id}`))
  })
})

test('a tab that is still shown does not take the address of the next one for its own', async () => {
  const { router } = renderPath(`/chapter/${lisbon.id}/officers/current`, { data: { chapters: showing(lisbon) } })
  await screen.findByRole('link', { name: 'Upcoming' })
  await router.navigate({
    to: '/chapter/$chapterId/{-$tab}/{-$subtab}',
    params: { chapterId: lisbon.id, tab: 'finance', subtab: 'payments' },
  })
  expect(await screen.findByRole('searchbox', { name: 'Search payments' })).toBeVisible()
  expect(router.state.location.pathname).toBe(`/chapter/${lisbon.id}/finance/payments`)
})
