import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { roles, setStage } from './stage.ts'
import type { Role, Stage } from './stage.ts'

let stage: Stage
const ids = new Map<string, string>()
beforeAll(async () => {
  stage = await setStage()
  const { west, east, foreign } = stage
  const me = async (role: Role) => (await rows<{ id: string | null }>(role, 'select app.person_id() as id'))[0]?.id ?? ''
  const [member, leader] = [await me('member'), await me('leader')]
  const below = await someone(west.orgId, west.leaf, 'Leaf person')
  const archived = await someone(west.orgId, east.chapter, 'Archived person')
  for (const kind of ['lineage', 'guardian'])
    for (const [name, parent, child] of [
      ['west to east', west.person, east.person],
      ['east to blank', east.person, east.blank],
      ['minor of east', east.person, east.minor],
      ['minor of west', west.person, west.minor],
      ['below the minor', west.minor, below],
      ['member to blank', member, west.blank],
      ['leaf to member', below, member],
      ['leader to leader', leader, east.blank],
      ['archived', east.blank, archived],
    ] as const)
      ids.set(`${kind}: ${name}`, await link(west.orgId, kind, parent, child))
  await link(foreign.orgId, 'lineage', foreign.person, foreign.blank)
  await stage.admin.query('update app.people set deleted_at = now() where id = $1', [archived])
})
afterAll(() => stage.end())

const someone = async (org: string, chapter: string, name: string): Promise<string> => {
  const { rows: made } = await stage.admin.query<{ id: string }>(
    `with p as (insert into app.people (org_id, given_name) values ($1, $2) returning id),
       a as (insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) select $1, p.id, $3, '2020-01-01', true from p) select id from p`,
    [org, name, chapter],
  )
  return made[0]?.id ?? ''
}
/** As it stands, past what the table keeps of kinds. */
const link = async (org: string, kind: string, parent: string, child: string): Promise<string> => {
  const client = await stage.admin.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    const { rows: made } = await client.query<{ id: string }>(
      `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, starts_on)
       select $1, t.id, $3, $4, '2021-01-01' from app.relationship_types t where t.org_id = $1 and t.key = $2 returning id`,
      [org, kind, parent, child],
    )
    await client.query('commit')
    return made[0]?.id ?? ''
  } finally {
    client.release()
  }
}
const rows = <Row>(role: Role, query: string) =>
  stage.database.asActor(stage.actors[role], async (db) => (await sql.raw<Row>(query).execute(db)).rows)
/** Ids of the links in a packed answer. */
const linksIn = async (role: Role, query: string): Promise<string[]> => {
  const packed = (await rows<{ links: Buffer | null }>(role, `select ${query} as links`))[0]?.links ?? Buffer.alloc(0)
  const found = Array.from({ length: packed.length / 53 }, (_, n) => packed.toString('hex', n * 53, n * 53 + 16))
  return found.map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')).sort()
}
const named = (links: readonly string[]) => [...ids].filter(([, id]) => links.includes(id)).map(([name]) => name).sort() // prettier-ignore

// The functions run past row-level security; what they show is what the policies show, less what is no reader's of reports.
test.each(roles.filter((role) => role !== 'suspended'))(
  '%s reads the links that the policies of relationships and people show',
  async (role) => {
    for (const kind of ['lineage', 'guardian']) {
      const seen = await rows<{ id: string }>(
        role,
        `select r.id from app.relationships r join app.relationship_types t on t.id = r.type_id and t.key = '${kind}'
         join app.people p on p.id = r.from_person_id and p.deleted_at is null join app.people c on c.id = r.to_person_id and c.deleted_at is null
       where app.everywhere('reports.read') or r.from_person_id = app.person_id() or r.to_person_id = app.person_id()
         or exists (select from app.people_within('reports.read') w where w.person_id in (r.from_person_id, r.to_person_id))`,
      )
      const all = await linksIn(role, `app.line_all('${kind}', app.today(), null, 1000)`)
      expect(all, kind).toEqual(seen.map(({ id }) => id).sort())
      const everybody = `array(select p.id from app.people p where p.deleted_at is null)`
      expect(
        await linksIn(role, `app.line_steps('${kind}', app.today(), ${everybody}, 1000)`).then((found) => [...new Set(found)]),
        kind,
      ).toEqual(all)
      for (const upwards of [true, false])
        expect(await linksIn(role, `app.line_links('${kind}', app.today(), null, false, ${everybody}, ${upwards}, 1000)`), kind).toEqual(
          all,
        )
    }
  },
)

test('a member reads their own line besides, through everybody whom they see', async () => {
  const of = async (person: string, upwards: boolean) =>
    named(await linksIn('member', `app.line_links('lineage', app.today(), null, true, array[${person}], ${upwards}, 1000)`))
  // The minor above the leaf is hidden, so the line ends there.
  expect(await of('app.person_id()', true)).toEqual(['lineage: leaf to member'])
  expect(await of('app.person_id()', false)).toEqual(['lineage: member to blank'])
  expect(await of(`'${stage.west.person}'::uuid`, false)).toEqual([])
  const reaches = async (role: Role, person: string, kind = 'lineage') =>
    (await rows<{ found: boolean }>(role, `select app.line_reaches('${kind}', app.today(), '${person}') as found`))[0]?.found
  expect([
    await reaches('member', stage.west.blank),
    await reaches('member', stage.west.person),
    await reaches('member', stage.west.minor),
  ]).toEqual([true, false, false])
  expect([await reaches('owner', stage.west.minor), await reaches('owner', stage.foreign.person), await reaches('owner', stage.west.minor, 'nothing')]).toEqual([true, false, false]) // prettier-ignore
  expect([await reaches('guest', stage.west.person), await reaches('officer', stage.east.person), await reaches('officer', stage.east.blank)]).toEqual([false, true, false]) // prettier-ignore
})

test('an officer reads links with an end in the chapter or below, and no minors', async () => {
  expect(named(await linksIn('officer', `app.line_all('lineage', app.today(), null, 1000)`))).toEqual([
    'lineage: leaf to member',
    'lineage: member to blank',
    'lineage: west to east',
  ])
  expect(named(await linksIn('officer', `app.line_all('guardian', app.today(), null, 1000)`))).toEqual([])
  expect(named(await linksIn('owner', `app.line_all('guardian', app.today(), null, 1000)`))).toHaveLength(8)
})

test('nobody else may call what packs links or says what may be read', async () => {
  for (const call of [
    `app_private.line_terms('lineage', current_date, null, true)`,
    'app_private.line_bytes(null, null, null, null, true, true)',
  ])
    await expect(rows('owner', `select ${call}`)).rejects.toThrow(/permission denied/)
})
