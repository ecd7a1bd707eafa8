import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSigner } from '../src/actor.ts'
import { random } from '../src/demo/random.ts'
import { testDatabase } from '../src/testing.ts'

// Eight at once change who stands below whom. RELATIONSHIP_EDITS=20000 makes it the run that the figures are from.

const writers = 8
const edits = Number(process.env['RELATIONSHIP_EDITS'] ?? 800)
const crowd = 60

let admin: pg.Pool
let clients: pg.Client[] = []
let orgId = ''
let actor = ''
let people: string[] = []
let types: Record<string, string> = {}

beforeAll(async () => {
  const { adminUrl, apiUrl, actorKey } = await testDatabase()
  admin = new pg.Pool({ connectionString: adminUrl, max: 2 })
  const one = async (text: string, values: unknown[]) => (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  const slug = `r${randomUUID().slice(0, 12)}`
  orgId = await one('select app.found_organisation($1, $1, $1, null) as id', [slug])
  const accountId = await one(
    `insert into app.accounts (org_id, issuer, subject, status, idp_roles) values ($1, 'i', $2, 'active', '{org-admin}') returning id`,
    [orgId, slug],
  )
  actor = createSigner(actorKey).actor({ orgId, accountId, idpRoles: ['org-admin'] })
  const made = await admin.query<{ id: string }>(
    `insert into app.people (org_id, family_name) select $1, 'N' || n from generate_series(1, $2::int) n returning id`,
    [orgId, crowd],
  )
  people = made.rows.map(({ id }) => id)
  const { rows } = await admin.query<{ key: string; id: string }>('select key, id from app.relationship_types where org_id = $1', [orgId])
  types = Object.fromEntries(rows.map(({ key, id }) => [key, id]))
  clients = await Promise.all(
    Array.from({ length: writers }, async () => {
      const client = new pg.Client({ connectionString: apiUrl })
      await client.connect()
      return client
    }),
  )
})
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()))
  await admin.end()
})

/** One edit in a transaction of its own: true, or the rule that refused it. */
async function edit(client: pg.Client, text: string, values: unknown[], by = actor): Promise<unknown> {
  try {
    await client.query('begin')
    await client.query(`select set_config('app.actor', $1, true)`, [by])
    const { rows } = await client.query<{ done: unknown }>(text, values)
    await client.query('commit')
    return rows[0]?.done
  } catch (error) {
    await client.query('rollback')
    if (error instanceof pg.DatabaseError && error.constraint) return { rule: error.constraint, detail: error.detail ?? '' }
    throw error
  }
}

test(`${writers} writers make no circle and lose no edit`, { timeout: 3_600_000 }, async () => {
  let told = 0
  /** What each writer was told of each relationship: its state, the last one being what must stand there. */
  const log: { id: string; version: number; state: string }[] = []
  const refused: Record<string, number> = {}
  let paths = 0
  const known: { id: string; version: number }[] = []
  const write = async (client: pg.Client, seed: number) => {
    const { chance, pick } = random(7, seed, 0)
    while (told < edits) {
      told++
      const mine = known.length > 0 && chance(0.35) ? pick(known) : null
      if (mine) {
        const done = await edit(client, 'select app.end_relationship($1, null, $2) as done', [mine.id, mine.version])
        if (done === true) {
          log.push({ id: mine.id, version: mine.version + 1, state: 'ended' })
        } else refused['ended'] = (refused['ended'] ?? 0) + 1
        // Another one may have ended it at the same moment.
        if (known.includes(mine)) known.splice(known.indexOf(mine), 1)
        continue
      }
      const [from, to] = [pick(people), pick(people)]
      if (from === to) continue
      const said = { type_id: pick([types['lineage'], types['mentor'], types['mentor']]), from_person_id: from, to_person_id: to }
      const done = await edit(client, 'select app.propose_relationship($1::jsonb) as done', [JSON.stringify(said)])
      if (typeof done === 'string') {
        known.push({ id: done, version: 1 })
        log.push({ id: done, version: 1, state: 'active' })
      } else if (typeof done === 'object' && done !== null && 'rule' in done) {
        const rule = String(done.rule)
        refused[rule] = (refused[rule] ?? 0) + 1
        if (rule === 'relationship_cycle' && 'detail' in done && /"path" : ?"N\d+ → .*N\d+"/.test(String(done.detail))) paths++
      }
    }
  }
  await Promise.all(clients.map((client, n) => write(client, n + 1)))

  // Nobody is below themselves among those that are active, nor on any day among all.
  const { rows: circles } = await admin.query(
    `with recursive down (type_id, top, id) as (
       select r.type_id, r.from_person_id, r.to_person_id from app.relationships r where r.org_id = $1 and r.state = 'active'
       union select d.type_id, d.top, r.to_person_id from down d join app.relationships r on r.org_id = $1 and r.state = 'active' and r.type_id = d.type_id and r.from_person_id = d.id)
     select * from down where top = id`,
    [orgId],
  )
  expect(circles).toEqual([])
  const { rows: bigs } = await admin.query(
    `select to_person_id from app.relationships where org_id = $1 and type_id = $2 and state = 'active' group by 1 having count(*) > 1`,
    [orgId, types['lineage']],
  )
  expect(bigs).toEqual([])
  // Every edit that was answered stands there, and nothing else.
  const last = new Map(log.toSorted((a, b) => a.version - b.version).map((entry) => [entry.id, entry]))
  const { rows: stand } = await admin.query<{ id: string; version: number; state: string }>(
    'select id, version, state from app.relationships where org_id = $1',
    [orgId],
  )
  expect(stand.toSorted((a, b) => a.id.localeCompare(b.id))).toEqual([...last.values()].toSorted((a, b) => a.id.localeCompare(b.id)))
  expect([...Object.keys(refused)].toSorted()).toEqual(
    expect.arrayContaining(['relationship_cycle', 'relationship_max_parents', 'relationship_taken']),
  )
  // Each refusal of a circle names the way round.
  expect(paths).toBe(refused['relationship_cycle'])
})

test('a proposal waits for a type that changes, and is agreed to by whom the type then asks', async () => {
  const one = async (text: string, values: unknown[]) => (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
  const [from, to] = people
  const chapter = await one(`insert into app.chapters (org_id, name, code) values ($1, 'Root', 'root') returning id`, [orgId])
  await admin.query(
    `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, is_primary) select $1, x, $3, 'member', '2020-01-01', true from unnest($2::uuid[]) x`,
    [orgId, [from, to], chapter],
  )
  const accountId = await one(
    `insert into app.accounts (org_id, issuer, subject, status, person_id) values ($1, 'i', $2, 'active', $3) returning id`,
    [orgId, randomUUID(), from],
  )
  const member = createSigner((await testDatabase()).actorKey).actor({ orgId, accountId, idpRoles: [] })
  const type = await one(
    `insert into app.relationship_types (org_id, key, name, forward_label, inverse_label) values ($1, 'helper', 'Helper', 'Helper', 'Helped') returning id`,
    [orgId],
  )
  const [changing, asking] = [await admin.connect(), clients[0]]
  if (!asking) throw new Error('nobody asks')
  try {
    await changing.query('begin')
    await changing.query(`update app.relationship_types set grants = 'manage', approval = 'office' where id = $1`, [type])
    const { rows: process } = await asking.query<{ pid: number }>('select pg_backend_pid() as pid')
    const said = JSON.stringify({ type_id: type, from_person_id: from, to_person_id: to })
    const proposed = edit(asking, 'select app.propose_relationship($1::jsonb) as done', [said], member)
    await expect
      .poll(
        async () =>
          (await admin.query(`select from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`, [process[0]?.pid])).rowCount,
      )
      .toBe(1)
    await changing.query('commit')
    const { rows } = await admin.query('select state from app.relationships where id = $1', [await proposed])
    expect(rows).toEqual([{ state: 'proposed' }])
  } finally {
    changing.release()
  }
})
