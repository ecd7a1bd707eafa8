import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { made, names, query, test, treeOf, wholeList } from './relationships.lines.testing.ts'

const reports = (kind: string, { id, other }: { id: string; other: string }) => [
  `pairs?${query({ kind })}`,
  `roots?${query({ kind })}`,
  `problems?${query({ kind })}`,
  `statistics?${query({ kind })}`,
  `path?${query({ kind, fromId: id, toId: other })}`,
]
const asTree = (client: Client, rootId?: string, kind = 'lineage') => client.get(`/data/lines/tree?${query({ kind, rootId })}`)

test('a member sees their own line up and down, and no other', async ({ api, org, person, someone, link }) => {
  const me = await person({ org, givenName: 'Me' })
  const my = me.personId ?? ''
  const [top, big, sister, niece, little, under, stranger] = await Promise.all(
    ['Top', 'Big', 'Sister', 'Niece', 'Little', 'Under', 'Stranger'].map((name) => someone({ name })),
  )
  for (const [parent = '', child = ''] of [
    [top, big],
    [big, my],
    [big, sister],
    [sister, niece],
    [my, little],
    [little, under],
    [stranger, top],
  ].map((pair) => pair.map((id) => id ?? '')))
    // prettier-ignore
    if (parent !== stranger) await link(parent, child)
  const client = api.as(me)
  expect(names((await treeOf(client, {})).nodes)).toEqual([expect.stringMatching(/^Me/), 'Little', 'Under'])
  const fromTop = await treeOf(client, { rootId: top ?? '' })
  expect(names(fromTop.nodes)).toEqual(['Top', 'Big', expect.stringMatching(/^Me/), 'Little', 'Under'])
  expect(fromTop.nodes.map(({ children, descendants }) => [children, descendants])).toEqual([[1, 4], [1, 3], [1, 2], [1, 1], [0, 0]]) // prettier-ignore
  expect((await treeOf(client, {})).path.map(({ name }) => name)).toEqual(['Top', 'Big'])
  for (const id of [sister, niece, stranger]) expect((await asTree(client, id)).status).toBe(404)
  const found = async (q: string) =>
    made<{ items: { record: { name: string } }[] }>(await client.get(`/data/lines/search?${query({ kind: 'lineage', q })}`)).items.map(
      ({ record }) => record.name,
    )
  expect(await found('Under')).toEqual(['Under'])
  expect(await found('Niece')).toEqual([])
  for (const path of reports('lineage', { id: my, other: top ?? '' }))
    expect((await client.get(`/data/lines/${path}`)).status, path).toBe(403)
  expect((await client.post('/actions/lines/files', { kind: 'lineage', format: 'csv' })).status).toBe(403)

  const nobody = api.as(await person({ org, chapterId: null }))
  expect((await asTree(nobody)).status).toBe(404)
  expect((await asTree(nobody, top)).status).toBe(404)
})

test('an officer sees links of which one end belongs to the chapter, in every report', async ({
  api,
  org,
  west,
  east,
  person,
  someone,
  link,
}) => {
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const [a, b, c, d, e] = await Promise.all(
    [['Anna', west], ['Ben', west], ['Cleo', east], ['Dora', east], ['Emil', west]].map(([name = '', chapterId = '']) => someone({ name, chapterId })), // prettier-ignore
  )
  await link(a ?? '', b ?? '')
  await link(b ?? '', c ?? '')
  await link(c ?? '', d ?? '')
  await link(d ?? '', e ?? '')
  expect(names((await treeOf(officer, { rootId: a ?? '' })).nodes)).toEqual(['Anna', 'Ben', 'Cleo'])
  const pairs = await wholeList<{ child: { name: string }; generation: number; descendants: number }>(
    officer,
    '/data/lines/pairs?kind=lineage',
  )
  expect(pairs.map(({ child, generation, descendants }) => [child.name, generation, descendants])).toEqual([
    ['Ben', 2, 1],
    ['Cleo', 3, 0],
    ['Emil', 2, 0],
  ])
  expect(await wholeList(officer, '/data/lines/roots?kind=lineage')).toMatchObject([
    { record: { name: 'Anna' }, descendants: 2, generations: 3 },
    { record: { name: 'Dora' }, descendants: 1 },
  ])
  expect(made(await officer.get('/data/lines/statistics?kind=lineage'))).toMatchObject({ links: 3, people: 5, roots: 2 })
  const lost = made<{ items: { record: { name: string } }[] }>(await officer.get('/data/lines/problems?kind=lineage&problem=cross_chapter'))
  expect(lost.items.map(({ record }) => record.name).sort()).toEqual(['Cleo', 'Emil'])
  const way = async (fromId = '', toId = '') =>
    made<{ steps: unknown[] }>(await officer.get(`/data/lines/path?${query({ kind: 'lineage', fromId, toId })}`)).steps
  expect(await way(a, c)).toHaveLength(3)
  expect(await way(a, e)).toEqual([])
})

test('guardians are for those who see minors, and for the two themselves', async ({ api, boss, org, west, person, someone, link }) => {
  const mother = await person({ org, chapterId: west, givenName: 'Mother' })
  const child = await someone({ name: 'Kid', chapterId: west, birthDate: '2018-03-03' })
  const lonely = await someone({ name: 'Lonely', chapterId: west, birthDate: '2017-03-03' })
  await link(mother.personId ?? '', child, { kind: 'guardian' })
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const trusted = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }, { role: 'safeguarding', chapterId: west }] })) // prettier-ignore
  const stranger = api.as(await person({ org, chapterId: west }))
  const pairs = (client: Client) => wholeList<{ child: { name: string } }>(client, '/data/lines/pairs?kind=guardian')
  const problems = async (client: Client) =>
    made<{ items: { kind: string; record: { id: string } }[]; counts: unknown[] }>(await client.get('/data/lines/problems?kind=guardian'))
  for (const client of [boss, trusted]) {
    expect(await pairs(client)).toMatchObject([{ child: { name: 'Kid' } }])
    expect(await problems(client)).toMatchObject({
      items: [{ kind: 'minor_without_guardian', record: { id: lonely } }],
      counts: [{ kind: 'minor_without_guardian', count: 1 }],
    })
  }
  expect(await pairs(officer)).toEqual([])
  expect(await problems(officer)).toMatchObject({ items: [], counts: [] })
  expect((await asTree(officer, child, 'guardian')).status).toBe(404)
  expect(made(await officer.get('/data/lines/statistics?kind=guardian'))).toMatchObject({ links: 0, people: 0 })
  const own = await treeOf(api.as(mother), { kind: 'guardian' })
  expect(names(own.nodes)).toEqual([expect.stringMatching(/^Mother/), 'Kid'])
  expect((await asTree(stranger, mother.personId ?? '', 'guardian')).status).toBe(404)
})

test('a role that runs reports of something else sees no line but its own', async ({ api, org, person, someone, link }) => {
  const finance = api.as(await person({ org, grants: [{ role: 'finance' }] }))
  const [top, low] = [await someone({ name: 'Top' }), await someone({ name: 'Low' })]
  await link(top, low)
  for (const list of ['pairs', 'roots', 'problems'])
    expect(made(await finance.get(`/data/lines/${list}?kind=lineage`))).toMatchObject({ items: [], total: 0 })
  expect((await asTree(finance, top)).status).toBe(404)
  expect(made(await finance.get(`/data/lines/search?kind=lineage&q=Low`))).toEqual({ items: [] })
})
