import { expect, vi } from 'vitest'
import { names, query, test, treeOf, wholeTree } from './relationships.lines.testing.ts'

test('a tree shows everybody below, level by level, with counts, and the way from the top', async ({ boss, someone, link }) => {
  const [top, ada, bea, cyd, dan, eve] = await Promise.all(['Top', 'Ada', 'Bea', 'Cyd', 'Dan', 'Eve'].map((name) => someone({ name })))
  await link(top ?? '', ada ?? '')
  await link(ada ?? '', bea ?? '', { since: '2022-01-01' })
  await link(ada ?? '', cyd ?? '', { since: '2021-01-01' })
  await link(bea ?? '', dan ?? '')
  await link(dan ?? '', eve ?? '')
  const tree = await treeOf(boss, { rootId: ada ?? '' })
  expect(tree.path.map(({ name }) => name)).toEqual(['Top'])
  expect(
    tree.nodes.map(({ record, depth, generation, children, descendants, since, continues }) => [
      record.name,
      depth,
      generation,
      children,
      descendants,
      since,
      continues,
    ]),
  ).toEqual([
    ['Ada', 0, 2, 2, 4, null, false],
    ['Cyd', 1, 3, 0, 0, '2021-01-01', false],
    ['Bea', 1, 3, 1, 2, '2022-01-01', false],
    ['Dan', 2, 4, 1, 1, '2021-05-01', false],
    ['Eve', 3, 5, 0, 0, '2021-05-01', false],
  ])
  expect(tree).toMatchObject({ total: 5, nextCursor: null })
  expect(tree.nodes.map(({ parentKey }) => parentKey)).toEqual([null, ada, ada, tree.nodes[2]?.key, tree.nodes[3]?.key])
  expect(tree.nodes[0]).toMatchObject({ key: ada, relationshipId: null, members: null, record: { id: ada, chapter: { name: 'Root' } } })
})

test('a line is cut at the depth asked for and goes on from there', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(60, 'Chain')
  await linkAll(
    people,
    people.slice(1).map((_, n) => ({ parent: n, child: n + 1 })),
  )
  const three = await treeOf(boss, { rootId: people[0] ?? '', depth: 3 })
  expect(three.nodes.map(({ depth, descendants, children, continues }) => [depth, descendants, children, continues])).toEqual([
    [0, 59, 1, false],
    [1, 58, 1, false],
    [2, 57, 1, false],
    [3, 56, 1, true],
  ])
  const deepest = await treeOf(boss, { rootId: people[0] ?? '' })
  expect(deepest.total).toBe(51)
  expect(deepest.nodes.at(-1)).toMatchObject({ depth: 50, continues: true, record: { id: people[50] } })
  const on = await treeOf(boss, { rootId: people[50] ?? '' })
  expect(on.total).toBe(10)
  expect(on.nodes[0]).toMatchObject({ generation: 51, descendants: 9 })
  expect(on.path.map(({ id }) => id)).toEqual(people.slice(0, 50))
  expect((await boss.get(`/data/lines/tree?${query({ kind: 'lineage', rootId: people[0], depth: 51 })}`)).status).toBe(422)
})

test('pages of any size come to the same tree, each parent before its children', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(120, 'Page')
  await linkAll(
    people,
    people.slice(1).map((_, n) => ({ parent: Math.floor((n * n * 7919) % (n + 1)), child: n + 1, since: `20${10 + (n % 15)}-03-01` })),
  )
  const whole = await wholeTree(boss, { rootId: people[0] ?? '', limit: 2_000 })
  expect(whole).toHaveLength(120)
  expect(new Set(whole.map(({ key }) => key)).size).toBe(120)
  for (const limit of [1, 23, 100]) expect(await wholeTree(boss, { rootId: people[0] ?? '', limit })).toEqual(whole)
  const seen = new Set<string | null>([null])
  for (const { key, parentKey } of whole) {
    expect(seen.has(parentKey)).toBe(true)
    seen.add(key)
  }
  const { nextCursor } = await treeOf(boss, { rootId: people[0] ?? '', limit: 5 })
  const foreign = await boss.get(`/data/lines/tree?${query({ kind: 'lineage', rootId: people[1], limit: 5, cursor: nextCursor ?? '' })}`)
  expect(foreign.status).toBe(400)
})

test('pages of a tree are not those of a minute ago, however steadily they are read', async ({ boss, crowd, linkAll, someone, link }) => {
  const people = await crowd(20, 'Kept')
  await linkAll(
    people,
    people.slice(1).map((_, n) => ({ parent: 0, child: n + 1 })),
  )
  const root = people[0] ?? ''
  const first = await treeOf(boss, { rootId: root, limit: 5 })
  await link(root, await someone({ name: 'New' }))
  const real = performance.now.bind(performance)
  const totals: number[] = []
  for (const seconds of [0, 40, 80]) {
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + seconds * 1_000)
    totals.push((await treeOf(boss, { rootId: root, limit: 5, ...(first.nextCursor !== null && { cursor: first.nextCursor }) })).total)
    clock.mockRestore()
  }
  expect(totals).toEqual([20, 20, 21])
})

test('somebody below two others stands below both, and what is below them stands once', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(6, 'Mentor')
  // 0 above 1 and 2, both above 3, and 3 above 4 and 5.
  const links = [[0, 1], [0, 2], [1, 3], [2, 3], [3, 4], [3, 5]].map(([parent = 0, child = 0]) => ({ parent, child })) // prettier-ignore
  await linkAll(people, links, 'mentor')
  const { nodes } = await treeOf(boss, { kind: 'mentor', rootId: people[0] ?? '' })
  const at = (nth: number) => nodes.filter(({ record }) => record.id === people[nth])
  expect(nodes).toHaveLength(7)
  expect(new Set(nodes.map(({ key }) => key)).size).toBe(7)
  expect(at(3).map(({ children, descendants, continues }) => [children, descendants, continues])).toEqual([
    [2, 2, false],
    [2, 2, true],
  ])
  expect(at(0)[0]?.descendants).toBe(5)
  expect([at(1)[0]?.descendants, at(2)[0]?.descendants]).toEqual([3, 3])
})

test('circles end: nobody stands below themselves', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(12, 'House')
  const everybody = people.flatMap((_, parent) => people.flatMap((_, child) => (parent === child ? [] : [{ parent, child }])))
  await linkAll(people, everybody, 'household')
  const nodes = await wholeTree(boss, { kind: 'household', rootId: people[0] ?? '', limit: 50 })
  expect(nodes.length).toBeLessThanOrEqual(everybody.length + 1)
  expect(new Set(nodes.map(({ record }) => record.id)).size).toBe(12)
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  for (const node of nodes)
    for (let above = byKey.get(node.parentKey ?? ''); above; above = byKey.get(above.parentKey ?? ''))
      expect(above.record.id).not.toBe(node.record.id)
  expect(nodes[0]).toMatchObject({ children: 11, descendants: 11, generation: 1 })
})

test('a hidden person is left out with everybody below, and is not counted', async ({ api, boss, org, person, someone, link, admin }) => {
  const [top, hidden, below, other] = await Promise.all([someone({ name: 'Top' }), someone({ name: 'Hidden', birthDate: '2020-02-02' }), someone({ name: 'Below' }), someone({ name: 'Other' })]) // prettier-ignore
  await link(top, hidden)
  await link(hidden, below)
  await link(top, other)
  expect(names((await treeOf(boss, { rootId: top })).nodes)).toHaveLength(4)
  // Sees everybody but minors.
  const reader = api.as(await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] }))
  const answer = await reader.get(`/data/lines/tree?${query({ kind: 'lineage', rootId: top })}`)
  expect(answer.text).not.toContain('Hidden')
  expect(answer.body).toMatchObject({ total: 2, nodes: [{ children: 1, descendants: 1 }, { record: { name: 'Other' } }] })
  expect((await reader.get(`/data/lines/tree?${query({ kind: 'lineage', rootId: hidden })}`)).status).toBe(404)
  expect(await treeOf(reader, { rootId: below })).toMatchObject({ path: [], nodes: [{ generation: 1 }] })

  await admin.query('update app.people set deleted_at = now() where id = $1', [other])
  expect((await treeOf(boss, { rootId: top })).nodes.map(({ record }) => record.name)).toEqual(['Top', 'Hidden', 'Below'])
})

test('what cannot be asked for is refused by name', async ({ boss, organisation, person, someone, api }) => {
  const root = await someone()
  const unknown = await boss.get(`/data/lines/tree?${query({ kind: 'nonsense', rootId: root })}`)
  expect([unknown.status, unknown.body]).toMatchObject([
    422,
    { reason: 'line_kind_unknown', params: { kinds: ['chapters', 'guardian', 'household', 'lineage', 'mentor', 'recruiter'] } },
  ])
  const future = await boss.get(`/data/lines/tree?${query({ kind: 'lineage', rootId: root, asOf: '2190-01-01' })}`)
  expect([future.status, future.body]).toMatchObject([422, { reason: 'report_as_of_future' }])
  const other = await organisation()
  const stranger = api.as(await person({ org: other, idpRoles: ['org-owner'] }))
  expect((await stranger.get(`/data/lines/tree?${query({ kind: 'lineage', rootId: root })}`)).status).toBe(404)
  expect((await stranger.get(`/data/lines/path?${query({ kind: 'lineage', fromId: root, toId: root })}`)).status).toBe(404)
})

test('chapters are a kind: the tree with members, and those below', async ({ boss, org, chapter, west, east, someone, admin }) => {
  const sub = await chapter(org, 'West sub', west)
  await someone({ chapterId: west })
  await someone({ chapterId: sub })
  await someone({ chapterId: sub })
  const { nodes } = await treeOf(boss, { kind: 'chapters' })
  const shown = Object.fromEntries(nodes.map(({ record, depth, children, descendants, members, membersBelow }) => [record.name, [depth, children, descendants, members, membersBelow]])) // prettier-ignore
  // The owner belongs to the root.
  expect(shown).toEqual({ Root: [0, 2, 3, 1, 4], West: [1, 1, 1, 1, 3], East: [1, 0, 0, 0, 0], 'West sub': [2, 0, 0, 2, 2] })
  expect(nodes.every(({ relationshipId }) => relationshipId === null)).toBe(true)
  const part = await treeOf(boss, { kind: 'chapters', rootId: sub })
  expect(part).toMatchObject({ path: [{ name: 'Root' }, { name: 'West' }], nodes: [{ generation: 3 }] })
  await admin.query(`update app.chapters set chartered_on = '2020-06-01' where id = $1`, [east])
  expect(names((await treeOf(boss, { kind: 'chapters', asOf: '2020-05-31' })).nodes)).toEqual(['Root', 'West', 'West sub'])
})
