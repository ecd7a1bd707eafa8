import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import type { Handlers } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { adasLine, lineage, nodesOf, person, treeOfNodes, types } from './lines-testing.ts'

// The code of the page, which a busy machine takes its time to make.
beforeAll(() => import('./lines-page.tsx'), 180_000)

const { lines } = fake.data.relationships
type Tree = Parameters<Parameters<typeof lines.tree.handler>[0]>[0]['input']

const withTree = (answer: (input: Tree) => ReturnType<typeof treeOfNodes>, more: object = {}): Handlers => ({
  data: { relationships: { types, lines: { tree: lines.tree.handler(({ input }) => answer(input)), ...more } } },
})
const whole = withTree(() => treeOfNodes(adasLine))
const path = '/reports/parent-child?kind=lineage&show=table'

const grid = () => screen.findByRole('treegrid', { name: 'Line of Ada Byron' })
const names = (table: HTMLElement) =>
  within(table)
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent)
const current = (table: HTMLElement) => {
  const row = document.getElementById(table.getAttribute('aria-activedescendant') ?? '')
  return row && within(row).getByRole('rowheader').textContent
}

test('a line is a table of levels with what stands below each', async () => {
  renderPath(path, whole)
  const table = await grid()
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual(['Name', 'Descendants', 'Children', 'Generation', 'Since'])
  expect(names(table)).toEqual(['Ada Byron', 'Ben Ito', 'Dan Low', 'Eve Nash', 'Cleo Park', 'Fay Orr'])
  const ben = within(table).getByRole('row', { name: /Ben Ito/ })
  expect(ben).toHaveAttribute('aria-level', '2')
  expect(ben).toHaveAttribute('aria-posinset', '1')
  expect(ben).toHaveAttribute('aria-setsize', '2')
  expect(ben).toHaveAttribute('aria-expanded', 'true')
  expect(
    within(ben)
      .getAllByRole('gridcell')
      .map((cell) => cell.textContent),
  ).toEqual(['2', '2', '2', 'Oct 1, 2024'])
  expect(screen.getByText('6 entries')).toBeVisible()
})

test('the arrows walk the table, close, open and leave branches', async () => {
  const user = userEvent.setup()
  renderPath(path, whole)
  const table = await grid()
  table.focus()
  await user.keyboard('{ArrowDown}')
  expect(current(table)).toBe('Ben Ito')
  await user.keyboard('{ArrowLeft}')
  expect(names(table)).toEqual(['Ada Byron', 'Ben Ito', 'Cleo Park', 'Fay Orr'])
  expect(within(table).getByRole('row', { name: /Ben Ito/ })).toHaveAttribute('aria-expanded', 'false')
  await user.keyboard('{ArrowRight}')
  expect(names(table)).toContain('Dan Low')
  await user.keyboard('{ArrowRight}')
  expect(current(table)).toBe('Dan Low')
  await user.keyboard('{ArrowLeft}')
  expect(current(table)).toBe('Ben Ito')
  await user.keyboard('{End}')
  expect(current(table)).toBe('Fay Orr')
  await user.keyboard('{Home}')
  expect(current(table)).toBe('Ada Byron')
})

test('letters jump to a name, a star opens all siblings, Enter opens the panel', async () => {
  const user = userEvent.setup()
  renderPath(
    path,
    withTree(() => treeOfNodes(adasLine), {}),
  )
  const table = await grid()
  await user.click(screen.getByRole('button', { name: 'Collapse all' }))
  expect(names(table)).toEqual(['Ada Byron'])
  table.focus()
  await user.keyboard('{ArrowRight}{ArrowDown}')
  expect(names(table)).toEqual(['Ada Byron', 'Ben Ito', 'Cleo Park'])
  await user.keyboard('*')
  expect(names(table)).toEqual(['Ada Byron', 'Ben Ito', 'Dan Low', 'Eve Nash', 'Cleo Park', 'Fay Orr'])
  await user.keyboard('fa')
  expect(current(table)).toBe('Fay Orr')
  await user.keyboard('{Home}')
  expect(current(table)).toBe('Ada Byron')
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('complementary', { name: 'Ada Byron' })).toBeVisible()
  expect(within(table).getByRole('row', { name: /Ada Byron/ })).toHaveAttribute('aria-selected', 'true')
})

test('a long line begins with its first levels, and the rest comes while they are shown', async () => {
  const wide = nodesOf({
    name: 'Ada Byron',
    below: Array.from({ length: 30 }, (_, one) => ({
      name: `Child ${one}`,
      below: Array.from({ length: 10 }, () => ({ name: 'Grandchild' })),
    })),
  })
  const asked: unknown[] = []
  let goOn: () => void = () => {}
  const waiting = new Promise<void>((resolve) => (goOn = resolve))
  renderPath(path, {
    data: {
      relationships: {
        types,
        lines: {
          tree: lines.tree.handler(async ({ input }) => {
            asked.push([input.cursor, input.limit])
            if (!input.cursor) return treeOfNodes(wide.slice(0, 200), { total: wide.length, nextCursor: 'second' })
            await waiting
            return treeOfNodes(wide.slice(200), { total: wide.length })
          }),
        },
      },
    },
  })
  const table = await grid()
  expect(within(table).getByRole('row', { name: /Child 0/ })).toHaveAttribute('aria-expanded', 'false')
  expect(await screen.findByRole('progressbar', { name: 'Loading the tree' })).toHaveAttribute('aria-valuetext', '200 of 331 loaded')
  goOn()
  expect(await screen.findByText('331 entries')).toBeVisible()
  expect(screen.queryByRole('progressbar', { name: 'Loading the tree' })).toBeNull()
  expect(asked).toEqual([
    [undefined, 200],
    ['second', 2000],
  ])
  // Of the 31 rows and of the 331 after opening all, only those in view are in the document.
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: 'Expand all' }))
  expect(table).toHaveAttribute('aria-rowcount', '332')
  expect(within(table).getAllByRole('row').length).toBeLessThan(80)
})

test('where pages fail, what is here stays and can be gone on with', async () => {
  const user = userEvent.setup()
  let fails = true
  renderPath(
    path,
    withTree((input) => {
      if (!input.cursor) return treeOfNodes(adasLine.slice(0, 3), { total: 6, nextCursor: 'second' })
      if (fails) throw new Error('broken')
      return treeOfNodes(adasLine.slice(3), { total: 6 })
    }),
  )
  await grid()
  fails = false
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('6 entries')).toBeVisible()
})

test('an unknown kind shows the usual one and says so', async () => {
  const asked: string[] = []
  renderPath(
    '/reports/parent-child?kind=nonsense&show=table',
    withTree(({ kind }) => {
      asked.push(kind)
      return treeOfNodes(adasLine)
    }),
  )
  await grid()
  expect(await screen.findByText('There is no kind “nonsense”. This is Big and little.')).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Kind' })).toHaveValue('lineage')
  expect(asked).toEqual(['lineage'])
})

test('kind, depth, day and chapter are in the address and asked for', async () => {
  const user = userEvent.setup()
  const asked: Tree[] = []
  const { router } = renderPath(
    path,
    withTree((input) => {
      asked.push(input)
      return treeOfNodes(adasLine)
    }),
  )
  await grid()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Depth' }), '3 generations')
  await waitFor(() => expect(asked.at(-1)?.depth).toBe(3))
  await user.type(await screen.findByLabelText('As of'), '2020-05-01{Enter}')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ kind: 'lineage', depth: 3, asOf: '2020-05-01' }))
  expect(router.state.location.search).toMatchObject({ depth: '3', asOf: '2020-05-01' })
})

test('a day to come is refused at its field', async () => {
  const user = userEvent.setup()
  const { router } = renderPath(path, whole)
  await grid()
  await user.type(screen.getByLabelText('As of'), '2999-01-01{Enter}')
  expect(await screen.findByText('Choose today or an earlier day.')).toBeVisible()
  expect(router.state.location.search).not.toHaveProperty('asOf', '2999-01-01')
})

test('the root is found by typing, and who stands above it can become the root', async () => {
  const user = userEvent.setup()
  const roots: unknown[] = []
  const below = nodesOf({ name: 'Ben Ito', below: [{ name: 'Dan Low' }] })
  const { router } = renderPath(
    path,
    withTree(
      ({ rootId }) => {
        roots.push(rootId)
        return rootId === uuid(12) ? treeOfNodes(below, { path: [person(11, 'Ada Byron')] }) : treeOfNodes(adasLine)
      },
      {
        search: lines.search.handler(({ input }) => ({
          items: input.q.startsWith('Be') ? [{ record: person(12, 'Ben Ito'), path: [person(11, 'Ada Byron')], descendants: 2 }] : [],
        })),
      },
    ),
  )
  await grid()
  const root = screen.getByLabelText('Root')
  await user.clear(root)
  await user.type(root, 'Ben')
  await user.click(await screen.findByRole('option', { name: /Ben Ito.*Ada Byron/ }))
  expect(await screen.findByRole('treegrid', { name: 'Line of Ben Ito' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ root: uuid(12) })
  const above = screen.getByRole('navigation', { name: 'Above Ben Ito' })
  await user.click(within(above).getByRole('button', { name: 'Ada Byron' }))
  await grid()
  expect(roots.at(-1)).toBe(uuid(11))
})

test('finding somebody opens the way to them and their panel', async () => {
  const user = userEvent.setup()
  renderPath(
    path,
    withTree(() => treeOfNodes(adasLine), {
      search: lines.search.handler(() => ({ items: [{ record: person(16, 'Fay Orr'), path: [], descendants: 0 }] })),
    }),
  )
  const table = await grid()
  await user.click(screen.getByRole('button', { name: 'Collapse all' }))
  await user.type(screen.getByLabelText('Find in the tree'), 'Fay')
  await user.click(await screen.findByRole('option', { name: /Fay Orr/ }))
  expect(names(table)).toEqual(['Ada Byron', 'Ben Ito', 'Cleo Park', 'Fay Orr'])
  expect(current(table)).toBe('Fay Orr')
  expect(await screen.findByRole('complementary', { name: 'Fay Orr' })).toBeVisible()
})

test('my line is shown whole from its top, with me in view', async () => {
  const user = userEvent.setup()
  const mine = nodesOf({ name: 'Top Person', below: [{ name: 'Olive Owner' }] }).map((node, at) =>
    at === 1 ? { ...node, record: { ...node.record, id: uuid(2) } } : node,
  )
  const { router } = renderPath(
    path,
    withTree(({ rootId, depth }) =>
      depth === 1 && rootId === uuid(2)
        ? treeOfNodes(
            mine.slice(1).map((node) => ({ ...node, parentKey: null, depth: 0 })),
            { path: [person(11, 'Top Person')] },
          )
        : rootId === uuid(11)
          ? treeOfNodes(mine)
          : treeOfNodes(adasLine),
    ),
  )
  await grid()
  await user.click(screen.getByRole('button', { name: 'My line' }))
  const table = await screen.findByRole('treegrid', { name: 'Line of Top Person' })
  await waitFor(() => expect(current(table)).toBe('Olive Owner'))
  expect(router.state.location.search).toMatchObject({ root: uuid(11), open: uuid(2) })
})

test('where a line is cut, it goes on from there', async () => {
  const user = userEvent.setup()
  const cut = nodesOf({ name: 'Ada Byron', below: [{ name: 'Ben Ito', cut: true }] })
  const { router } = renderPath(
    path,
    withTree(() => treeOfNodes(cut)),
  )
  const table = await grid()
  expect(within(table).getByRole('row', { name: /Ben Ito/ })).not.toHaveAttribute('aria-expanded')
  await user.click(within(table).getByText('Continue from here'))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ root: uuid(12) }))
})

test('chapters are one of the kinds, with members and those below', async () => {
  const chapter = (node: (typeof adasLine)[number]) => ({
    ...node,
    record: { ...node.record, name: node.record.name.replace('Ada Byron', 'Union'), chapter: null },
    relationshipId: null,
    since: null,
    members: 5,
    membersBelow: 30,
  })
  renderPath(
    '/reports/parent-child?kind=chapters&show=table',
    withTree(() => treeOfNodes(adasLine.map(chapter))),
  )
  const table = await screen.findByRole('treegrid', { name: 'Chapters' })
  expect(within(table).getByRole('columnheader', { name: 'With those below' })).toBeVisible()
  expect(within(within(table).getByRole('row', { name: /Union/ })).getByText('30')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'My line' })).toBeNull()
})

test('who has no place in a line is told, and led to where lines begin', async () => {
  const user = userEvent.setup()
  const { router } = renderPath(
    path,
    withTree(() => treeOfNodes(nodesOf({ name: 'Olive Owner' })), {
      roots: lines.roots.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })),
    }),
  )
  expect(await screen.findByRole('heading', { name: 'Olive Owner has no place in any line of this kind' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Show the roots' }))
  expect(await screen.findByRole('heading', { name: 'No lines of this kind yet' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ view: 'roots' })
})

test('a root that is not there is said, and can be asked for again', async () => {
  const user = userEvent.setup()
  let isThere = false
  renderPath(`${path}&root=${uuid(99)}`, {
    data: {
      relationships: {
        types,
        lines: {
          tree: lines.tree.handler(({ errors }) => {
            if (!isThere) throw errors.NOT_FOUND()
            return treeOfNodes(adasLine)
          }),
        },
      },
    },
  })
  expect(await screen.findByText('The tree could not be loaded')).toBeVisible()
  expect(screen.getByText(/It no longer exists, or you may not see it/)).toBeVisible()
  isThere = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await grid()
})

test('who only sees their own line has the tree and neither other views nor files', async () => {
  renderPath(`${path}&view=pairs`, whole, { holding: ['people.directory'] })
  await grid()
  expect(screen.queryByRole('navigation', { name: 'Views of the report' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Download' })).toBeNull()
})

test('on a phone the table is shown first, and picture and table take turns', async () => {
  const user = userEvent.setup()
  const phone = vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      media,
      matches: media.includes('max-width: 599'),
      onchange: null,
      addListener() {},
      removeListener() {},
    }),
  )
  try {
    renderPath('/reports/parent-child?kind=lineage', whole)
    const table = await grid()
    expect(names(table)).toContain('Dan Low')
    const choice = screen.getByRole('radiogroup', { name: 'Show' })
    expect(within(choice).getByRole('radio', { name: 'Table' })).toBeChecked()
    expect(within(choice).queryByRole('radio', { name: 'Both' })).toBeNull()
    expect(screen.queryByRole('application')).toBeNull()
    await user.click(within(choice).getByRole('radio', { name: 'Picture' }))
    expect(await screen.findByRole('application', { name: 'Line of Ada Byron, picture' })).toBeVisible()
  } finally {
    phone.mockRestore()
  }
})

test('lineage is what the report opens with', async () => {
  renderPath('/reports/parent-child?show=table', whole)
  await grid()
  expect(screen.getByRole('combobox', { name: 'Kind' })).toHaveDisplayValue(lineage.name)
})
