import type { LineProblem, LineRoot, LineStatistics } from '@guildhall/contract/features/relationships.lines'
import { expect } from 'vitest'
import { graphOf } from './relationships.lines.graph.rules.ts'
import { made, query, test, wholeList } from './relationships.lines.testing.ts'
import { circlesOf } from './relationships.lines.whole.rules.ts'

type Problems = { items: LineProblem[]; counts: { kind: string; count: number }[]; total: number; nextCursor: string | null }
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
/** The birthday of somebody who comes of age in so many days. */
const ofAgeIn = (days: number) => `${Number(day(days).slice(0, 4)) - 18}${day(days).slice(4)}`

test('tops of lines come with the most people below first, page by page, and are found by name', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(40, 'Top')
  // Ten tops, each above one to six people.
  const links = people.slice(10).map((_, n) => ({ parent: n < 20 ? n % 10 : 10 + (n % 5), child: n + 10 }))
  await linkAll(people, links)
  const all = await wholeList<LineRoot>(boss, '/data/lines/roots?kind=lineage&limit=200')
  expect(all).toHaveLength(10)
  expect(all.reduce((sum, { descendants }) => sum + descendants, 0)).toBe(30)
  expect(all[0]).toMatchObject({ children: 2, descendants: 4, generations: 3, living: 4 })
  expect(await wholeList(boss, '/data/lines/roots?kind=lineage&limit=3')).toEqual(all)
  const found = made<{ items: LineRoot[]; total: number }>(await boss.get('/data/lines/roots?kind=lineage&q=Top%20No%2010'))
  expect(found.items.map(({ record }) => record.name)).toEqual(['Top No 10'])
})

test('statistics tell how lines are doing', async ({ boss, someone, link }) => {
  const [a, b, c, d, e] = [await someone(), await someone(), await someone({ lifecycle: 'alumni' }), await someone(), await someone()]
  const year = new Date().getUTCFullYear()
  await link(a, b, { since: '2010-05-01' })
  await link(a, c, { since: `${year - 1}-02-01` })
  await link(d, e, { since: '2010-09-01' })
  await someone({ name: 'Alone' })
  expect(made<LineStatistics>(await boss.get('/data/lines/statistics?kind=lineage'))).toEqual({
    ...{ people: 5, links: 3, roots: 2, longest: 2, averageChildren: 1.5 },
    // The owner and who stands alone.
    isolated: 2,
    survival: [{ year: 2010, lines: 2, alive: 1 }],
    generations: [
      { generation: 1, people: 2 },
      { generation: 2, people: 3 },
    ],
    asOf: day(0),
  })
  expect(made<LineStatistics>(await boss.get('/data/lines/statistics?kind=lineage&asOf=2009-01-01'))).toMatchObject({
    people: 0,
    averageChildren: 0,
    survival: [],
  })
  expect(made<LineStatistics>(await boss.get('/data/lines/statistics?kind=chapters'))).toMatchObject({ roots: 0, isolated: 1 })
})

test('every problem of a lineage is found, counted and listed page by page', async ({
  boss,
  org,
  west,
  east,
  someone,
  link,
  linkAll,
  admin,
}) => {
  const [gone, child, far, loop1, loop2, loop3] = [await someone({ name: 'Gone', lifecycle: 'deceased', chapterId: west }), await someone({ name: 'Left', chapterId: west }), await someone({ name: 'Far', chapterId: east }), await someone({ name: 'Loop1' }), await someone({ name: 'Loop2' }), await someone({ name: 'Loop3' })] // prettier-ignore
  const [dead, deadChild] = [
    await someone({ name: 'Dead', lifecycle: 'alumni' }),
    await someone({ name: 'Dead child', lifecycle: 'former' }),
  ]
  await linkAll([gone, child], [{ parent: 0, child: 1 }])
  await link(child, far)
  await link(dead, deadChild)
  await linkAll([loop1, loop2, loop3], [{ parent: 0, child: 1 }, { parent: 1, child: 2 }, { parent: 2, child: 0 }]) // prettier-ignore
  const [two, one] = [await someone({ name: 'Two above' }), await someone({ name: 'Another' })]
  await linkAll([one, child, two], [{ parent: 0, child: 2 }, { parent: 1, child: 2 }]) // prettier-ignore
  await admin.query(`update app.affiliations set chapter_id = $2 where person_id = any ($1)`, [[two, one], west])

  const page = made<Problems>(await boss.get('/data/lines/problems?kind=lineage&limit=200'))
  const brief = page.items.map(({ kind, record, others }) => [kind, record.name, others.map(({ name }) => name).sort()])
  const circle = page.items[0]
  expect([circle?.kind, [circle?.record.name, ...(circle?.others ?? []).map(({ name }) => name)].sort()]).toEqual([
    'cycle',
    ['Loop1', 'Loop2', 'Loop3'],
  ])
  expect(brief.slice(1)).toEqual([
    ['too_many_parents', 'Two above', ['Another', 'Left']],
    ['ended_parent', 'Left', ['Gone']],
    ['cross_chapter', 'Far', ['Left']],
    ['dead_end', 'Dead', []],
  ])
  expect(page).toMatchObject({
    total: 5,
    counts: ['cycle', 'too_many_parents', 'ended_parent', 'cross_chapter', 'dead_end'].map((kind) => ({ kind, count: 1 })),
  })
  expect(await wholeList(boss, '/data/lines/problems?kind=lineage&limit=1')).toEqual(page.items)
  const only = made<Problems>(await boss.get('/data/lines/problems?kind=lineage&problem=dead_end'))
  expect([only.items, only.total, only.counts.length]).toEqual([page.items.slice(-1), 1, 5])
  expect(made<Problems>(await boss.get(`/data/lines/problems?kind=lineage&chapterId=${east}`)).counts).toEqual([
    { kind: 'cross_chapter', count: 1 },
  ])
  expect(org.id).not.toBe('')
})

test('every problem of guardians is found', async ({ boss, someone, linkAll }) => {
  const [adult, kid, soon, lonely, teen, sister, grandmother] = [
    await someone({ name: 'Adult', birthDate: '1980-01-01' }), await someone({ name: 'Kid', birthDate: '2018-01-01' }), await someone({ name: 'Soon', birthDate: ofAgeIn(30) }),
    await someone({ name: 'Lonely', birthDate: '2019-01-01' }), await someone({ name: 'Teen', birthDate: ofAgeIn(400) }), await someone({ name: 'Sister', birthDate: ofAgeIn(200) }),
    await someone({ name: 'Grandmother', birthDate: '1950-01-01' }),
  ] // prettier-ignore
  await linkAll([adult, kid, soon, teen, sister, grandmother], [{ parent: 0, child: 1 }, { parent: 0, child: 2 }, { parent: 3, child: 4 }, { parent: 5, child: 3 }], 'guardian') // prettier-ignore
  const { items } = made<Problems>(await boss.get('/data/lines/problems?kind=guardian'))
  expect(items.map(({ kind, record, others, on }) => [kind, record.name, others.map(({ name }) => name).sort(), on])).toEqual([
    ['minor_without_guardian', 'Lonely', [], '2037-01-01'],
    ['guardian_under_age', 'Teen', ['Sister'], day(400)],
    ['guardian_younger', 'Teen', ['Sister'], null],
    ['guardian_is_managed', 'Teen', ['Grandmother', 'Sister'], null],
    ['majority_soon', 'Soon', ['Adult'], day(30)],
  ])
  expect(lonely).not.toBe('')
})

test('problems of chapters are closed ones above open ones, and empty ends', async ({ boss, org, chapter, west, east, someone, admin }) => {
  const sub = await chapter(org, 'West sub', west)
  await someone({ chapterId: sub })
  await admin.query(`update app.chapters set status = 'closed', closed_on = '2024-03-01' where id = $1`, [west])
  const { items, counts } = made<Problems>(await boss.get('/data/lines/problems?kind=chapters'))
  expect(items.map(({ kind, record, on }) => [kind, record.id, on])).toEqual([['ended_parent', sub, '2024-03-01'], ['dead_end', east, null]]) // prettier-ignore
  expect(counts).toHaveLength(2)
  expect(made<Problems>(await boss.get(`/data/lines/problems?kind=chapters&chapterId=${west}`)).counts).toEqual([
    { kind: 'ended_parent', count: 1 },
  ])
})

test('a search answers with the way from the top, and a path goes up and down', async ({ boss, someone, link }) => {
  const [top, left, right, deep, alone] = [await someone({ name: 'Root' }), await someone({ name: 'Leftie' }), await someone({ name: 'Rightie' }), await someone({ name: 'Deepest' }), await someone({ name: 'Alone' })] // prettier-ignore
  await link(top, left)
  await link(top, right)
  await link(right, deep)
  expect(made(await boss.get('/data/lines/search?kind=lineage&q=Deep'))).toMatchObject({
    items: [{ record: { id: deep }, path: [{ name: 'Root' }, { name: 'Rightie' }], descendants: 0 }],
  })
  expect(made(await boss.get('/data/lines/search?kind=lineage&q=Alone'))).toEqual({ items: [] })
  expect(made(await boss.get('/data/lines/search?kind=chapters&q=root'))).toMatchObject({ items: [{ record: { name: 'Root' }, path: [] }] })
  const way = async (fromId: string, toId: string) =>
    made<{ steps: { record: { id: string }; step: string }[] }>(
      await boss.get(`/data/lines/path?${query({ kind: 'lineage', fromId, toId })}`),
    ).steps.map(({ record, step }) => [record.id, step])
  expect(await way(left, deep)).toEqual([[left, 'start'], [top, 'up'], [right, 'down'], [deep, 'down']]) // prettier-ignore
  expect(await way(deep, top)).toEqual([[deep, 'start'], [right, 'up'], [top, 'up']]) // prettier-ignore
  expect(await way(top, top)).toEqual([[top, 'start']])
  expect(await way(left, alone)).toEqual([])
})

test('circles are found in any graph as by trying every way', () => {
  for (let round = 0; round < 200; round++) {
    const size = 2 + (round % 9)
    const links = Array.from({ length: round % 17 }, (_, n) => [(n * 7 + round * 3) % size, (n * 5 + round * round) % size] as const)
      .filter(([parent, child]) => parent !== child)
      .map(([parent, child], n) => ({
        link: `${n}`,
        parent: `${parent}`,
        child: `${child}`,
        since: null,
        parentActive: true,
        childActive: true,
      }))
    const reaches = (from: string) => {
      const found = new Set<string>()
      for (let open = [from]; open.length > 0;)
        open = links.filter(({ parent, child }) => open.includes(parent) && !found.has(child) && found.add(child)).map(({ child }) => child)
      return found
    }
    const people = [...new Set(links.flatMap(({ parent, child }) => [parent, child]))]
    const together = (one: string) => people.filter((other) => one === other || (reaches(one).has(other) && reaches(other).has(one))).sort().join(' ') // prettier-ignore
    const expected = [...new Set(people.filter((one) => reaches(one).has(one)).map(together))].sort()
    const graph = graphOf(links)
    expect(circlesOf(graph).map((circle) => circle.map((person) => graph.ids[person]).sort().join(' ')).sort()).toEqual(expected) // prettier-ignore
  }
})
