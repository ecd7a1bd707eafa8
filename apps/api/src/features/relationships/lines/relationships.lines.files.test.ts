import { parse } from 'csv-parse/sync'
import { SaxesParser } from 'saxes'
import { expect } from 'vitest'
import type { LinePair } from '@guildhall/contract/features/relationships.lines'
import { names, test, treeOf, wholeList } from './relationships.lines.testing.ts'
import { inDepth, pictureOf } from './relationships.lines.files.rules.ts'

type Element = { name: string; attributes: Record<string, string>; text: string }
/** Every element of well-formed XML, or the test fails. */
function elements(xml: string): Element[] {
  const found: Element[] = []
  const open: Element[] = []
  const parser = new SaxesParser()
  parser.on('error', (error) => expect.fail(error.message))
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' }
    found.push(element)
    open.push(element)
  })
  parser.on('text', (text) => {
    const last = open.at(-1)
    if (last) last.text += text
  })
  parser.on('closetag', () => open.pop())
  parser.write(xml).close()
  return found
}
const file = (body: object) => ({ url: '/actions/lines/files', body: { kind: 'lineage', ...body } })
const table = (text: string) => parse<Record<string, string>>(text, { bom: true, columns: true })
const strange = '=cmd|A1 <b>&"\u0007 Ωß'

test('a line is a table, a graph and a document with the same links as its pairs', async ({
  boss,
  crowd,
  someone,
  linkAll,
  admin,
  org,
}) => {
  const people = [await someone({ name: strange }), ...(await crowd(30, 'File'))]
  await linkAll(
    people,
    people.slice(1).map((_, n) => ({ parent: Math.floor(n / 3), child: n + 1, since: '2021-04-05' })),
  )
  const pairs = await wholeList<LinePair>(boss, '/data/lines/pairs?kind=lineage')
  const ask = async (body: object) => {
    const { url, body: sent } = file(body)
    const answer = await boss.post(url, sent)
    expect(answer.status, answer.text).toBe(200)
    return answer
  }

  const rows = table((await ask({ format: 'csv' })).text)
  expect(rows).toHaveLength(pairs.length)
  expect(rows.map((row) => [row['Child'], row['Generation'], row['Descendants'], row['Since']]).sort()).toEqual(
    pairs.map(({ child, generation, descendants, since }) => [child.name, String(generation), String(descendants), since]).sort(),
  )
  const guarded = rows.filter((row) => row['Parent']?.includes('cmd'))
  expect(guarded).toHaveLength(3)
  for (const row of guarded) expect(row['Parent']).toBe(`'${strange}`)
  for (const row of rows) expect(row['Path']?.endsWith(`${row['Parent']?.replace(/^'/, '')} / ${row['Child']}`)).toBe(true)

  const graph = elements((await ask({ format: 'graphml' })).text)
  const [nodes, edges] = ['node', 'edge'].map((name) => graph.filter((element) => element.name === name))
  expect(nodes).toHaveLength(31)
  expect(edges?.map(({ attributes }) => `${attributes['source']} ${attributes['target']}`).sort()).toEqual(
    pairs.map(({ parent, child }) => `${parent.id} ${child.id}`).sort(),
  )
  expect(graph.some(({ attributes, text }) => attributes['key'] === 'name' && text === strange.replace('\u0007', ''))).toBe(true)

  const { nodes: listed, links } = JSON.parse((await ask({ format: 'json' })).text) as { nodes: unknown[]; links: { id: string }[] }
  expect([listed.length, links.map(({ id }) => id).sort()]).toEqual([31, pairs.map(({ relationshipId }) => relationshipId).sort()])

  const part = table((await ask({ format: 'csv', rootId: people[1], depth: 1 })).text)
  expect(part.map((row) => row['Path']).sort()).toEqual(
    ['File No 4', 'File No 5', 'File No 6'].map((name) => `'${strange} / File No 1 / ${name}`),
  )

  const { rows: entries } = await admin.query<{ diff: Record<string, unknown>; entity_id: string | null }>(
    `select diff, entity_id from app.audit_entries where org_id = $1 and action = 'export' order by seq`, [org.id]) // prettier-ignore
  expect(entries).toHaveLength(4)
  expect(entries[0]).toMatchObject({ diff: { list: 'lineage', format: 'csv', rows: 30 } })
  expect(entries[3]).toMatchObject({ diff: { rows: 3 }, entity_id: people[1] })
})

test('circles are in a table as well, each link once', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(4, 'Circle')
  await linkAll(people, [[0, 1], [1, 2], [2, 1], [3, 0], [2, 3]].map(([parent = 0, child = 0]) => ({ parent, child })), 'household') // prettier-ignore
  const answer = await boss.post('/actions/lines/files', { kind: 'household', format: 'csv' })
  expect(parse(answer.text, { bom: true, columns: true })).toHaveLength(5)
})

test('a line is a picture and a print, both with everybody of it', async ({ boss, someone, crowd, linkAll, api }) => {
  const people = [await someone({ name: strange }), ...(await crowd(12, 'Drawn'))]
  await linkAll(
    people,
    people.slice(1).map((_, n) => ({ parent: Math.floor(n / 2), child: n + 1 })),
  )
  const svg = await boss.post('/actions/lines/files', { kind: 'lineage', format: 'svg', rootId: people[0] })
  expect(svg.headers['content-type']).toContain('image/svg+xml')
  const drawn = elements(svg.text)
  expect(drawn[0]).toMatchObject({ name: 'svg' })
  expect([drawn.filter(({ name }) => name === 'circle').length, drawn.filter(({ name }) => name === 'path').length]).toEqual([13, 12])
  const shown = drawn.filter(({ name }) => name === 'title').map(({ text }) => text.split(' · ')[0]).slice(1).sort() // prettier-ignore
  expect(shown).toEqual(
    names((await treeOf(boss, { rootId: people[0] ?? '' })).nodes)
      .map((name) => name.replace('\u0007', ''))
      .sort(),
  )

  const pdf = await boss.post('/actions/lines/files', { kind: 'lineage', format: 'pdf', rootId: people[0] })
  expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-'])
  expect((await boss.post('/actions/lines/files', { kind: 'lineage', format: 'svg' })).body).toMatchObject({ reason: 'line_root_needed' })
  expect((await boss.post('/actions/lines/files', { kind: 'chapters', format: 'svg' })).status).toBe(200)
  expect(api.services).toBeDefined()
})

test('what is too large for a file is refused with how much it holds', async ({ boss, crowd, linkAll }) => {
  const people = await crowd(1_001, 'Many')
  await linkAll(
    people,
    people.slice(1).map((_, n) => ({ parent: 0, child: n + 1 })),
  )
  const answer = await boss.post('/actions/lines/files', { kind: 'lineage', format: 'pdf', rootId: people[0] })
  expect([answer.status, answer.body]).toMatchObject([422, { reason: 'line_file_too_large', params: { max: 1_000 } }])
  expect((await boss.post('/actions/lines/files', { kind: 'lineage', format: 'svg', rootId: people[0] })).status).toBe(200)
})

test('the way to somebody far down is cut at its beginning, or a table would be as large as its square', async ({
  boss,
  crowd,
  linkAll,
}) => {
  const people = await crowd(130, 'Deep')
  await linkAll(
    people,
    people.slice(1).map((_, n) => ({ parent: n, child: n + 1 })),
  )
  const { url, body } = file({ format: 'csv' })
  const ways = table((await boss.post(url, body)).text).map((row) => row['Path']?.split(' / ') ?? [])
  expect(Math.max(...ways.map((way) => way.length))).toBe(100)
  expect([ways.at(0), ways.at(-1)?.[0], ways.at(-1)?.at(-1)]).toEqual([['Deep No 1', 'Deep No 2'], '…', 'Deep No 130'])
})

test('what is printed stands in the order of reading, and what is drawn does not overlap', () => {
  const places = [-1, 0, 0, 1, 2, 1].map((above, n) => ({ above, depth: above < 0 ? 0 : 1, name: `N${n}`, detail: '' }))
  expect(inDepth(places).map(({ name }) => name)).toEqual(['N0', 'N1', 'N3', 'N5', 'N2', 'N4'])
  const at = elements(pictureOf('Lines', places)).flatMap(({ attributes }) => attributes['transform'] ?? [])
  expect(new Set(at).size).toBe(6)
})
