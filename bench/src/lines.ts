/**
 * `npm run bench:lines`: how long a line takes that one person began, with 12,000 people below in 40 generations, beside 45,000 other links.
 * `npm run bench:lines -- --people 15000 --links 14000` gives an answer in a minute.
 */
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { answerOf, latency } from './load.ts'
import type { Call } from './load.ts'
import { log, onStage } from './on-stage.ts'
import { missed, round, table } from './report.ts'
import type { Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '50000' },
    descendants: { type: 'string', default: '12000' },
    depth: { type: 'string', default: '40' },
    links: { type: 'string', default: '45000' },
  },
})
const [people, descendants, depth, links] = [values.people, values.descendants, values.depth, values.links].map(Number)
if (!people || !descendants || !depth || !links || people <= Math.max(descendants, links))
  throw new Error('Give whole numbers, and more people than links: --people 50000 --descendants 12000 --depth 40 --links 45000')

/** The same numbers in every run. */
function draws() {
  let state = 40
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Parents by number: a chain as deep as wanted first, then everybody below somebody who is not at the end of it. */
function lineOf(size: number, most: number): number[] {
  const draw = draws()
  const depths = [0]
  return Array.from({ length: size }, (_, n) => {
    let parent = n < most ? n : draw(n)
    while ((depths[parent] ?? 0) >= most) parent = draw(n)
    depths[n + 1] = (depths[parent] ?? 0) + 1
    return parent
  })
}

/** Links as they stand, without each being held against all others; answers who stands at the top. */
async function addLine({ admin, orgId }: Stage, kind: string, parents: readonly number[]): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `select p.id from app.people p where p.org_id = $1 and p.deleted_at is null and p.lifecycle <> 'erased' order by hashtext(p.id::text || $3) limit $2`,
    [orgId, parents.length + 1, kind],
  )
  const ids = rows.map(({ id }) => id)
  await admin.query('begin')
  await admin.query('set local session_replication_role = replica')
  // The demo has types under ids of its own, or none.
  await admin.query('select app_private.add_relationship_presets($1)', [orgId])
  await admin.query(
    `delete from app.relationships r using app.relationship_types t where r.org_id = $1 and t.org_id = $1 and t.id = r.type_id and t.key = $2`,
    [orgId, kind],
  )
  await admin.query(
    `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, starts_on)
     select $1, t.id, x.parent, x.child, current_date - (x.n % 4000)::int
     from unnest($3::uuid[], $4::uuid[]) with ordinality x (parent, child, n) join app.relationship_types t on t.org_id = $1 and t.key = $2`,
    [orgId, kind, parents.map((parent) => ids[parent]), ids.slice(1, parents.length + 1)],
  )
  await admin.query('commit')
  await admin.query('vacuum analyze app.relationships')
  return ids[0] ?? ''
}

const Page = z.object({
  nodes: z.array(z.object({ depth: z.int(), descendants: z.int() })),
  total: z.int(),
  nextCursor: z.string().nullable(),
})
type Row = { what: string; limitMs: number; p50: number; p95: number; failed: number }

/** All pages of a tree one after the other. */
async function wholeTree(url: string, headers: Record<string, string>): Promise<{ milliseconds: number; nodes: number; deepest: number }> {
  const started = performance.now()
  let [nodes, deepest] = [0, 0]
  for (let cursor = ''; ;) {
    const page = Page.parse(await answerOf({ url: `${url}&limit=2000${cursor}`, headers }))
    nodes += page.nodes.length
    deepest = page.nodes.reduce((most, node) => Math.max(most, node.depth), deepest)
    if (page.nextCursor === null) return { milliseconds: performance.now() - started, nodes, deepest }
    cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`
  }
}

async function times(stage: Stage, rootId: string): Promise<Row[]> {
  const headers = await stage.as('secretary')
  const url = `${stage.apiUrl}/data/lines`
  const tree = `${url}/tree?kind=lineage&rootId=${rootId}`
  const rows: Row[] = []
  const time = async (what: string, limitMs: number, call: Call, times = 15) => {
    const { p50, p95, failed } = await latency(Array.from({ length: times }, () => call), 1) // prettier-ignore
    rows.push({ what, limitMs, p50, p95, failed })
    log(`${what}: p95 ${round(p95)} ms`)
  }
  await time(`tree of ${round(descendants ?? 0)}, the first 200`, 300, { url: tree, headers })
  const whole: number[] = []
  for (let nth = 0; nth < 5; nth++) {
    const { milliseconds, nodes, deepest } = await wholeTree(tree, headers)
    if (nodes !== (descendants ?? 0) + 1 || deepest !== depth) throw new Error(`${nodes} nodes, ${deepest} deep`)
    whole.push(milliseconds)
  }
  whole.sort((one, other) => one - other)
  rows.push({ what: 'all of it, pages of 2,000', limitMs: 2_000, p50: whole[2] ?? 0, p95: whole[4] ?? 0, failed: 0 })
  for (const kind of ['lineage', 'recruiter'])
    for (const list of ['pairs', 'roots', 'problems', 'statistics'])
      await time(`${list}, ${kind}`, 1_000, { url: `${url}/${list}?kind=${kind}`, headers }, 10)
  await time('search', 300, { url: `${url}/search?kind=lineage&q=an`, headers }, 10)
  await time('tree of chapters', 300, { url: `${url}/tree?kind=chapters`, headers }, 10)
  const body = JSON.stringify({ kind: 'lineage', format: 'csv', rootId })
  await time('all of it as CSV', 3_000, { url: `${stage.apiUrl}/actions/lines/files`, headers, body }, 5)
  return rows
}

await onStage(people, { PEOPLE_PER_HOUR: 'off' }, async (stage) => {
  await addLine(stage, 'recruiter', lineOf(links, depth))
  const rows = await times(stage, await addLine(stage, 'lineage', lineOf(descendants, depth)))
  console.log(
    `\n${table([
      ['lines', 'p50 ms', 'p95 ms', 'at most', 'failed'],
      ...rows.map(({ what, limitMs, p50, p95, failed }) => [
        what,
        round(p50),
        `${round(p95)}${missed(p95 > limitMs)}`,
        round(limitMs),
        `${failed}${missed(failed > 0)}`,
      ]),
    ])}`,
  )
})
