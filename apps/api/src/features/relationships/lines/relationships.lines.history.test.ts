import type { LineNode, LinePair } from '@guildhall/contract/features/relationships.lines'
import { expect } from 'vitest'
import { made, query, test, treeOf, wholeList, wholeTree } from './relationships.lines.testing.ts'

type Kept = { parent: number; child: number; since: string | null; until: string | null }

const day = (offset: number) => new Date(Date.UTC(2012, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10)
const days = 4_500
/** The same numbers in every run. */
function draws(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Told event by event: who stands above whom after everything up to the end of a day. */
function replay(links: readonly Kept[], until: string): Map<number, Set<number>> {
  const events = links
    .flatMap(({ parent, child, since, until: end }) => [
      { on: since ?? '0000', adds: true, parent, child },
      // The last day still counts.
      ...(end === null ? [] : [{ on: `${end}~`, adds: false, parent, child }]),
    ])
    .filter(({ on }) => on <= until)
    .sort((one, other) => (one.on < other.on ? -1 : one.on > other.on ? 1 : 0))
  const standing = new Map<string, number>()
  for (const { adds, parent, child } of events)
    standing.set(`${parent} ${child}`, (standing.get(`${parent} ${child}`) ?? 0) + (adds ? 1 : -1))
  const below = new Map<number, Set<number>>()
  for (const [pair, count] of standing) {
    if (count <= 0) continue
    const [parent = 0, child = 0] = pair.split(' ').map(Number)
    below.set(parent, (below.get(parent) ?? new Set()).add(child))
  }
  return below
}

/** Everybody below somebody, found by asking again and again. */
function everybodyBelow(below: Map<number, Set<number>>, person: number): Set<number> {
  const found = new Set<number>()
  for (let grown = -1; grown < found.size;) {
    grown = found.size
    for (const one of [person, ...found]) for (const child of below.get(one) ?? []) if (child !== person) found.add(child)
  }
  return found
}

test(
  'tree, pairs, roots and counts of any day are what a replay of the history says',
  { timeout: 600_000 },
  async ({ boss, crowd, linkAll }) => {
    const draw = draws(20_261_128)
    const people = await crowd(160, 'History')
    const links: Kept[] = []
    // Everybody changes the one above now and then, always to somebody with a lower number: no circles on any day.
    for (let child = 1; child < people.length; child++) {
      let at = draw(days)
      for (let nth = 0; nth < 1 + draw(3); nth++) {
        const isFirst = nth === 0 && draw(10) === 0
        const end = at + 1 + draw(1_500)
        links.push({ parent: draw(child), child, since: isFirst ? null : day(at), until: end < days ? day(end) : null })
        if (end >= days) break
        at = end + 1 + draw(200)
      }
    }
    await linkAll(people, links, 'recruiter')
    // A kind in which somebody may have several above, which puts whole lines below several others.
    const several = links.map((link) => ({ ...link, parent: draw(link.child) }))
    // Two that are open are never between the same two.
    const all = [
      ...new Map([...links, ...several].map((link) => [link.until === null ? `${link.parent} ${link.child}` : link, link])).values(),
    ]
    await linkAll(people, all, 'mentor')

    for (let nth = 0; nth < 20; nth++) {
      const asOf = day(draw(days))
      for (const kind of ['recruiter', 'mentor']) {
        const standing = replay(kind === 'recruiter' ? links : all, asOf)
        const number = new Map(people.map((id, at) => [id, at]))
        const numberOf = ({ id }: { id: string }) => number.get(id) ?? -1

        const pairs = await wholeList<LinePair>(boss, `/data/lines/pairs?${query({ kind, asOf, limit: 200 })}`)
        const told = [...standing].flatMap(([parent, children]) => Array.from(children, (child) => `${parent} ${child}`)).sort()
        expect([...new Set(pairs.map(({ parent, child }) => `${numberOf(parent)} ${numberOf(child)}`))].sort(), asOf).toEqual(told)
        for (const { child, descendants } of pairs) expect(descendants).toBe(everybodyBelow(standing, numberOf(child)).size)

        const children = new Set([...standing.values()].flatMap((each) => [...each]))
        const tops = [...standing.keys()].filter((person) => !children.has(person))
        const roots = await wholeList<{ record: { id: string }; descendants: number }>(
          boss,
          `/data/lines/roots?${query({ kind, asOf, limit: 200 })}`,
        )
        expect(roots.map(({ record, descendants }) => [numberOf(record), descendants]).sort()).toEqual(
          tops.map((top) => [top, everybodyBelow(standing, top).size]).sort(),
        )
        expect(roots.map(({ descendants }) => descendants)).toEqual(
          roots.map(({ descendants }) => descendants).sort((one, other) => other - one),
        )

        const root = tops[draw(tops.length)] ?? 0
        const nodes = await wholeTree(boss, { kind, asOf, rootId: people[root] ?? '', limit: 2_000 })
        expect(new Set(nodes.map(({ record }) => numberOf(record)))).toEqual(new Set([root, ...everybodyBelow(standing, root)]))
        for (const { record, children: shown, descendants } of nodes) {
          expect(descendants).toBe(everybodyBelow(standing, numberOf(record)).size)
          expect(shown).toBe(standing.get(numberOf(record))?.size ?? 0)
        }
        expect(linksOf(nodes, numberOf)).toEqual([...new Set(linksOf(nodes, numberOf))])
        if (kind === 'recruiter') expect(nodes[0]?.descendants).toBe(nodes.length - 1)
      }
    }
  },
)

const linksOf = (nodes: readonly LineNode[], numberOf: (record: { id: string }) => number): string[] => {
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  return nodes.flatMap((node) => {
    const above = byKey.get(node.parentKey ?? '')
    return above ? [`${numberOf(above.record)} ${numberOf(node.record)}`] : []
  })
}

test('generations of pairs are steps from the nearest top, and can be asked for', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(7, 'Step')
  await linkAll(people, [[0, 1], [1, 2], [2, 3], [0, 4], [4, 5], [5, 6]].map(([parent = 0, child = 0]) => ({ parent, child }))) // prettier-ignore
  const of = async (generation?: number) =>
    made<{ items: LinePair[]; total: number }>(await boss.get(`/data/lines/pairs?${query({ kind: 'lineage', generation })}`))
  expect((await of()).items.map(({ generation }) => generation)).toEqual([2, 3, 4, 2, 3, 4])
  const third = await of(3)
  expect(third.items.map(({ child }) => child.id)).toEqual([people[2], people[5]])
  expect(third.total).toBe(2)
  expect((await of(9)).items).toEqual([])
})

test('a chapter narrows lines to links whose second person belonged there on that day', async ({
  boss,
  west,
  east,
  someone,
  link,
  admin,
}) => {
  const [a, b, c] = [
    await someone({ name: 'Ada', chapterId: east }),
    await someone({ name: 'Bea', chapterId: west }),
    await someone({ name: 'Cyd', chapterId: east }),
  ]
  await link(a, b)
  await link(b, c)
  await admin.query(`update app.affiliations set ends_on = '2023-12-31' where person_id = $1`, [b])
  const ids = async (path: string) =>
    (await wholeList<LinePair>(boss, `/data/lines/pairs?kind=lineage&${path}`)).map(({ child }) => child.id)
  expect(await ids(`chapterId=${west}&asOf=2023-06-01`)).toEqual([b])
  expect(await ids(`chapterId=${west}&asOf=2024-06-01`)).toEqual([])
  expect(await ids(`chapterId=${east}`)).toEqual([c])
  expect((await treeOf(boss, { rootId: a, chapterId: west, asOf: '2023-06-01' })).nodes.map(({ record }) => record.id)).toEqual([a, b])
  const [root] = await wholeList<{ record: { id: string }; descendants: number }>(boss, `/data/lines/roots?kind=lineage&chapterId=${east}`)
  expect(root).toMatchObject({ record: { id: b }, descendants: 1 })
})
