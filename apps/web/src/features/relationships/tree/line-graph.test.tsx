import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { fake } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { adasLine, nodesOf, treeOfNodes, types } from '../lines/lines-testing.ts'
import { pictureOf } from './tree-layout.ts'
import { rowsOf, treeOf } from './tree-model.ts'

// The picture is as large as its place, which jsdom does not lay out.
const sizes = { offsetWidth: 900, offsetHeight: 600 }
const before = Object.keys(sizes).map((name) => [name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)] as const)
beforeAll(async () => {
  for (const [name, value] of Object.entries(sizes))
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => value })
  // Nor does it draw on canvases.
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  await Promise.all([import('../lines/lines-page.tsx'), import('./line-graph.tsx')])
}, 180_000)
afterAll(() => {
  vi.restoreAllMocks()
  for (const [name, own] of before) if (own) Object.defineProperty(HTMLElement.prototype, name, own)
})

const { lines } = fake.data.relationships
const shown = (nodes = adasLine) =>
  renderPath('/reports/parent-child?kind=lineage', {
    data: { relationships: { types, lines: { tree: lines.tree.handler(() => treeOfNodes(nodes)) } } },
  })
const picture = () => screen.findByRole('application', { name: 'Line of Ada Byron, picture' })

test('picture and table share what is open and where the reader is', async () => {
  const user = userEvent.setup()
  shown()
  const table = await screen.findByRole('treegrid')
  const graph = within(await picture())
  expect(await graph.findByText('Dan Low')).toBeInTheDocument()
  table.focus()
  await user.keyboard('{ArrowDown}{ArrowLeft}')
  await waitFor(() => expect(graph.queryByText('Dan Low')).toBeNull())
  expect(graph.getByText('Cleo Park')).toBeInTheDocument()
  fireEvent.click(graph.getByTitle('Open'))
  expect(await graph.findByText('Dan Low')).toBeInTheDocument()
  expect(within(table).getByRole('row', { name: /Ben Ito/ })).toHaveAttribute('aria-expanded', 'true')
})

test('the picture is walked with the keys, says where one is, and opens the panel', async () => {
  const user = userEvent.setup()
  shown()
  const graph = await picture()
  graph.focus()
  await user.keyboard('{ArrowRight}')
  expect(await screen.findByText('Ben Ito, generation 2, 2 descendants, open')).toBeInTheDocument()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('complementary', { name: 'Ben Ito' })).toBeVisible()
})

test('a node that is clicked opens its panel', async () => {
  shown()
  const graph = within(await picture())
  fireEvent.click(await graph.findByText('Fay Orr'))
  expect(await screen.findByRole('complementary', { name: 'Fay Orr' })).toBeVisible()
})

test('of five hundred open nodes only those in view are drawn', async () => {
  const user = userEvent.setup()
  shown(nodesOf({ name: 'Ada Byron', below: Array.from({ length: 500 }, (_, one) => ({ name: `Child ${one}` })) }))
  const graph = await picture()
  await user.click(screen.getByRole('button', { name: 'Expand all' }))
  expect(screen.getByText('501 entries')).toBeVisible()
  expect(within(graph).queryAllByText(/^Child/).length).toBeLessThan(60)
})

test('a tree of twelve thousand is laid out at once, without two boxes in one place', () => {
  let next = 1
  const nodes = nodesOf({
    name: 'Top',
    below: Array.from({ length: 30 }, () => ({
      name: 'A',
      below: Array.from({ length: 20 }, () => ({ name: 'B', below: Array.from({ length: 19 }, () => ({ name: `C ${next++}` })) })),
    })),
  })
  const tree = treeOf(nodes)
  const began = performance.now()
  const laid = pictureOf(tree, () => true, 'across', false)
  expect(performance.now() - began).toBeLessThan(3000)
  expect(laid.boxes).toHaveLength(nodes.length)
  expect(new Set(laid.boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(nodes.length)
  expect(rowsOf(tree.roots, () => true)).toHaveLength(nodes.length)
})

test('a tree grows to the left where the page is read from the right, and down where that is chosen', () => {
  const tree = treeOf(adasLine)
  const all = () => true
  const [across, mirrored, down] = [
    pictureOf(tree, all, 'across', false),
    pictureOf(tree, all, 'across', true),
    pictureOf(tree, all, 'down', true),
  ]
  expect(across.boxes.every(({ x }, at) => x === -(mirrored.boxes[at]?.x ?? 1))).toBe(true)
  expect(new Set(down.boxes.map(({ y }) => y)).size).toBe(3)
})
