import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { adasLine, guardian, lineage, pageOf, person, treeOfNodes, types } from './lines-testing.ts'

vi.mock(import('../../../ui/save-file.ts'), () => ({ saveFile: vi.fn() }))

// The code of the page and its views, which a busy machine takes its time to make.
beforeAll(
  () =>
    Promise.all([
      import('./lines-page.tsx'),
      import('./pairs-view.tsx'),
      import('./roots-view.tsx'),
      import('./problems-view.tsx'),
      import('./statistics-view.tsx'),
    ]),
  180_000,
)

const { lines } = fake.data.relationships
const tree = lines.tree.handler(() => treeOfNodes(adasLine))
const [ada, ben, cleo] = [person(11, 'Ada Byron'), person(12, 'Ben Ito'), person(13, 'Cleo Park')]
const at = (view: string, more = '') => `/reports/parent-child?kind=lineage&view=${view}${more}`

test('pairs say who stands below whom, since when and who verified it', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const { router } = renderPath(at('pairs'), {
    data: {
      relationships: {
        types,
        lines: {
          tree,
          pairs: lines.pairs.handler(({ input }) => {
            asked.push(input)
            return pageOf([
              {
                relationshipId: uuid(1012),
                parent: ada,
                child: ben,
                kind: 'lineage',
                since: '2024-10-01',
                until: null,
                state: 'active' as const,
                generation: 2,
                descendants: 2,
                verifiedBy: 'Olive Owner',
              },
            ])
          }),
        },
      },
    },
  })
  const table = await screen.findByRole('table', { name: 'Pairs' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual([
    'Parent',
    'Child',
    'Kind',
    'Since',
    'Status',
    'Generation',
    'Descendants',
    'Chapter of the parent',
    'Chapter of the child',
    'Verified by',
  ])
  const row = await within(table).findByRole('row', { name: /Ben Ito/ })
  expect(within(row).getByRole('link', { name: 'Ada Byron' })).toHaveAttribute('href', `/person/${ada.id}`)
  expect(row).toHaveTextContent('Ada ByronBen ItoBig and littleOct 1, 2024Active22BernBernOlive Owner')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Generation' }), 'Generation 2')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ generation: 2 }))
  await user.type(screen.getByRole('searchbox', { name: 'Search pairs' }), 'ben{Enter}')
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ q: 'ben', generation: 2 }))
  row.focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('complementary', { name: 'Ben Ito' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ root: ada.id, open: ben.id })
})

test('roots stand with how many are below, and open their tree', async () => {
  const user = userEvent.setup()
  const roots = lines.roots.handler(() =>
    pageOf([
      { record: ada, children: 2, descendants: 1200, generations: 12, living: 800 },
      { record: cleo, children: 1, descendants: 4, generations: 2, living: 1 },
    ]),
  )
  renderPath(at('roots'), { data: { relationships: { types, lines: { tree, roots } } } })
  const table = await screen.findByRole('table', { name: 'Roots' })
  const row = await within(table).findByRole('row', { name: /Ada Byron/ })
  expect(row).toHaveTextContent('Ada Byron1,200212800Bern')
  row.focus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('treegrid', { name: 'Line of Ada Byron' })).toBeVisible()
})

test('problems are counted, each count is a filter, and each problem says what to do', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const circle = { kind: 'cycle' as const, record: ada, others: [ben], relationshipId: null, on: null }
  const crossing = { kind: 'cross_chapter' as const, record: cleo, others: [ada], relationshipId: uuid(1013), on: null }
  const { router } = renderPath(at('problems'), {
    data: {
      relationships: {
        types,
        lines: {
          tree,
          problems: lines.problems.handler(({ input }) => {
            asked.push(input.problem)
            const items = [circle, crossing].filter(({ kind }) => !input.problem || input.problem === kind)
            return { ...pageOf(items), counts: [circle, crossing].map(({ kind }) => ({ kind, count: 1 })) }
          }),
        },
      },
    },
  })
  const list = await screen.findByRole('list', { name: 'Problems' })
  expect(within(list).getByText('End one of these relationships: nobody can stand below themselves.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Across chapters 1' }))
  await waitFor(() => expect(within(list).queryByText('Cycle')).toBeNull())
  expect(screen.getByRole('button', { name: 'Across chapters 1' })).toHaveAttribute('aria-pressed', 'true')
  expect(asked).toEqual([undefined, 'cross_chapter'])
  expect(router.state.location.search).toMatchObject({ problem: 'cross_chapter' })
  await user.click(within(list).getByRole('button', { name: 'Open Cleo Park' }))
  expect(await screen.findByRole('complementary', { name: 'Cleo Park' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ root: ada.id, open: cleo.id })
})

test('a minor without a guardian gets one', async () => {
  const user = userEvent.setup()
  const made: unknown[] = []
  const { relationship } = await import('./lines-testing.ts')
  renderPath(`/reports/parent-child?kind=guardian&view=problems`, {
    data: {
      people: {
        list: fake.data.people.list.handler(async () =>
          pageOf([(await import('../../../testing/people.ts')).personRow(11, 'Ada', 'Byron')]),
        ),
      },
      relationships: {
        types,
        create: fake.data.relationships.create.handler(({ input }) => {
          made.push(input)
          return relationship(1500, ada, ben, { type: guardian })
        }),
        lines: {
          problems: lines.problems.handler(() => ({
            ...pageOf(
              made.length > 0
                ? []
                : [{ kind: 'minor_without_guardian' as const, record: ben, others: [], relationshipId: null, on: '2030-05-01' }],
            ),
            counts: [],
          })),
        },
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add guardian of Ben Ito' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Guardian of Ben Ito' }))
  await user.click(await dialog.findByLabelText('Guardian'))
  await user.click(await screen.findByRole('option', { name: /Ada Byron/ }))
  await user.click(dialog.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText('Ada Byron added as Guardian')).toBeVisible()
  expect(made[0]).toMatchObject({ typeId: guardian.id, fromPersonId: ada.id, toPersonId: ben.id })
  expect(await screen.findByRole('heading', { name: 'No problems found' })).toBeVisible()
})

test('statistics tell how lines are doing and how two people are connected', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  renderPath(at('statistics'), {
    data: {
      relationships: {
        types,
        lines: {
          statistics: lines.statistics.handler(() => ({
            people: 900,
            links: 860,
            roots: 40,
            longest: 12,
            averageChildren: 1.84,
            isolated: 77,
            survival: [
              { year: 2014, lines: 10, alive: 6 },
              { year: 2015, lines: 10, alive: 9 },
            ],
            generations: [
              { generation: 1, people: 40 },
              { generation: 2, people: 300 },
            ],
            asOf: '2026-11-28',
          })),
          search: lines.search.handler(({ input }) => ({
            items: [ben, cleo].filter(({ name }) => name.startsWith(input.q)).map((record) => ({ record, path: [ada], descendants: 1 })),
          })),
          path: lines.path.handler(({ input }) => {
            asked.push(input)
            return {
              steps: [
                { record: ben, step: 'start' as const },
                { record: ada, step: 'up' as const },
                { record: cleo, step: 'down' as const },
              ],
            }
          }),
        },
      },
    },
  })
  expect(await screen.findByText('75% of all lines took in somebody in the last three years')).toBeVisible()
  expect(screen.getByText('Generation 2 is the largest: 300 people')).toBeVisible()
  expect(screen.getByText('1.8')).toBeVisible()
  for (const [field, name] of [
    ['From', 'Ben'],
    ['To', 'Cleo'],
  ] as const) {
    await user.type(screen.getByLabelText(field), name)
    await user.click(await screen.findByRole('option', { name: new RegExp(name) }))
  }
  const path = await screen.findByRole('list', { name: 'Path' })
  expect(
    within(path)
      .getAllByRole('listitem')
      .map((step) => within(step).getByRole('link').textContent),
  ).toEqual(['Ben Ito', 'Ada Byron', 'Cleo Park'])
  expect(within(path).getByRole('img', { name: 'up to' })).toBeVisible()
  expect(asked).toEqual([{ kind: 'lineage', fromId: ben.id, toId: cleo.id }])
})

test('a line is downloaded in each form', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  renderPath('/reports/parent-child?kind=lineage&show=table&depth=5', {
    data: { relationships: { types, lines: { tree } } },
    actions: {
      relationships: {
        lines: {
          file: fake.actions.relationships.lines.file.handler(({ input }) => {
            asked.push(input)
            return new File(['<svg/>'], 'line.svg')
          }),
        },
      },
    },
  })
  await screen.findByRole('treegrid')
  await user.click(screen.getByRole('button', { name: 'Download' }))
  const menu = await screen.findByRole('menu')
  expect(
    within(menu)
      .getAllByRole('menuitem')
      .map((item) => item.textContent),
  ).toEqual([
    ...['List of pairs (CSV)', 'Graph (GraphML)', 'JSON', 'Picture (SVG)', 'Print (PDF)'],
    'Export all of Big and little, with ended ones',
  ])
  await user.click(within(menu).getByRole('menuitem', { name: 'Picture (SVG)' }))
  await waitFor(() => expect(saveFile).toHaveBeenCalledWith(expect.any(File), 'lineage-ada-byron.svg'))
  expect(asked).toEqual([{ kind: 'lineage', rootId: ada.id, depth: 5, format: 'svg' }])
})

test('without any relationships each view says what would be there', async () => {
  const user = userEvent.setup()
  renderPath(at('pairs'), {
    data: {
      relationships: {
        types,
        lines: {
          pairs: lines.pairs.handler(() => pageOf([])),
          problems: lines.problems.handler(() => ({ ...pageOf([]), counts: [] })),
          statistics: lines.statistics.handler(() => ({
            ...{
              people: 0,
              links: 0,
              roots: 0,
              longest: 0,
              averageChildren: 0,
              isolated: 0,
              survival: [],
              generations: [],
              asOf: '2026-11-28',
            },
          })),
        },
      },
    },
  })
  expect(await screen.findByRole('heading', { name: 'No pairs of this kind yet' })).toBeVisible()
  const views = screen.getByRole('navigation', { name: 'Views of the report' })
  expect(within(views).getByRole('link', { current: 'page' })).toHaveTextContent('Pairs')
  await user.click(within(views).getByRole('link', { name: 'Problems' }))
  expect(await screen.findByRole('heading', { name: 'No problems found' })).toBeVisible()
  await user.click(within(views).getByRole('link', { name: 'Statistics' }))
  expect(await screen.findByRole('heading', { name: 'No lines of this kind yet' })).toBeVisible()
})

test('a role that does not see minors is told why there is nothing about them', async () => {
  const problems = lines.problems.handler(() => ({ ...pageOf([]), counts: [] }))
  const path = '/reports/parent-child?kind=guardian&view=problems'
  const first = renderPath(
    path,
    { data: { relationships: { types, lines: { problems } } } },
    { holding: ['reports.read', 'relationships.read'] },
  )
  expect(await screen.findByText(/Your role does not see them/)).toBeVisible()
  expect(await screen.findByText('Nothing that you may see needs attention.')).toBeVisible()
  first.unmount()
  renderPath(path, { data: { relationships: { types, lines: { problems } } } })
  expect(await screen.findByText('No problems found')).toBeVisible()
  expect(screen.queryByText(/Your role does not see them/)).toBeNull()
})

test('a role that may not is told so', async () => {
  renderPath(at('pairs'), {
    data: {
      relationships: {
        types,
        lines: {
          pairs: lines.pairs.handler(({ errors }) => {
            throw errors.FORBIDDEN()
          }),
        },
      },
    },
  })
  expect(await screen.findByText('Your role does not open this')).toBeVisible()
})

test('the kind of a report is one of those that the organisation has', async () => {
  renderPath(at('pairs'), { data: { relationships: { types, lines: { pairs: lines.pairs.handler(() => pageOf([])) } } } })
  const kinds = await screen.findByRole('combobox', { name: 'Kind' })
  expect(
    within(kinds)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual([guardian.name, lineage.name, 'Chapters and subchapters'])
})
