import type { Import, ImportFinding, ImportKind } from '@guildhall/contract/features/imports'
import type { Actor, ActorDb, Database } from '@guildhall/db'
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Services } from '../../../platform/services.ts'
import { importable } from '../../../import-plans.ts'
import { workImport } from './imports.jobs.ts'
import { findImport, updateImport } from '../imports.queries.ts'
import { bringIn, test } from '../imports.testing.ts'
import type { NewPerson, TestOrganisation, TestPerson, Client } from '../../../testing.ts'

// Five sheets that refer to each other, as the tour has them, are undone in every order. They are imported once: each order is undone in a
// transaction that is rolled back, in which every transaction of the undo is a savepoint.

const kinds = ['chapters', 'people', 'positions', 'groups', 'group_members'] as const satisfies readonly ImportKind[]
const sheets: Record<(typeof kinds)[number], string> = {
  chapters: 'code,name,parent_code\nA,Area,\nB,Branch,A\n',
  people:
    'member_no,first_name,last_name,email,chapter_code,member_since,tag\n1,Ann,Lee,ann@example.org,B,2020-01-01,Gold\n2,Bob,Ray,,B,2021-01-01,Gold\n3,Cat,Orr,,A,,\n0,Older,Timer,,,,Gold\n',
  positions:
    'member_no,title,chapter_code,starts_on,ends_on\n1,Chair,B,2020-01-01,2022-01-01\n2,Chair,B,2021-01-01,\n3,Scribe,A,2020-01-01,\n0,Chair,B,2021-06-01,\n',
  groups: 'code,name,chapter_code,parent_code\nG1,Board,B,\nG2,Sub,,G1\nG0,Old board,,\n',
  group_members: 'group_code,member_no,title\nG2,1,Head\nG1,2,\nG0,0,Guest\n',
}

const tables = [
  ...['chapters', 'people', 'affiliations', 'person_emails', 'person_phones', 'person_contacts', 'person_private', 'person_tags', 'tags'],
  ...['positions', 'position_holders', 'groups', 'group_members'],
]

/** Every row that an import can write, without how often and when it was written. */
async function stateOf(db: ActorDb): Promise<string[]> {
  const all = tables.map(
    (table) =>
      sql`select ${table} || ' ' || (to_jsonb(t) - array['version', 'updated_at'])::text as line from ${sql.table(`app.${table}`)} t`,
  )
  const { rows } = await sql<{ line: string }>`${sql.join(all, sql` union all `)}`.execute(db)
  return rows.map(({ line }) => line).sort()
}

/** The services on one transaction that is never committed: their transactions are savepoints in it. */
async function rehearsed(services: Services, actor: Actor, run: (services: Services, db: ActorDb) => Promise<void>): Promise<void> {
  const over = new Error('The rehearsal is over.')
  await services.database
    .asActor(actor, async (db) => {
      const asActor: Database['asActor'] = async (_actor, work, options) => {
        await sql`savepoint rehearsed`.execute(db)
        await sql`select set_config('app.via', ${options?.via ?? ''}, true)`.execute(db)
        try {
          const done = await work(db)
          await sql`release savepoint rehearsed`.execute(db)
          return done
        } catch (error) {
          await sql`rollback to savepoint rehearsed`.execute(db)
          throw error
        }
      }
      await run({ ...services, database: { ...services.database, asActor } }, db)
      throw over
    })
    .catch((error: unknown) => {
      if (error !== over) throw error
    })
}

type Said = Partial<Record<ImportKind, ImportFinding[]>>
type World = {
  api: { as(person: TestPerson): Client; services: Services }
  organisation: () => Promise<TestOrganisation>
  person: (made: NewPerson) => Promise<TestPerson>
}
type Stage = { services: Services; db: ActorDb; actor: Actor; imports: ReadonlyMap<ImportKind, Import> }

/** Undoes what is left of one import; what it had to leave, and why. */
async function undo({ services, db, actor, imports }: Stage, kind: ImportKind): Promise<ImportFinding[]> {
  const importId = imports.get(kind)?.id ?? ''
  const one = await findImport(db, actor.orgId, importId)
  if (!one || one.status === 'undone') return []
  const { undo: _former, ...counts } = one.counts
  await updateImport(db, actor.orgId, importId, { status: 'undoing', counts })
  await workImport(services, { importable, ...actor, importId, phase: 'undo' }, new AbortController().signal)
  const after = await findImport(db, actor.orgId, importId)
  const { rows } = await sql<{ findings: ImportFinding[] }>`
    select findings from app.import_rows where import_id = ${importId}::uuid and phase = 'undo' and findings <> '[]' order by line`.execute(
    db,
  )
  expect([kind, after?.status]).toEqual([kind, rows.length > 0 ? 'partly_undone' : 'undone'])
  return rows.flatMap(({ findings }) => findings)
}

/** Goes through all orders of what is left to undo, and to each end with what had to stay; orders that begin alike share their beginning. */
async function everyOrder(
  stage: Stage,
  order: readonly ImportKind[],
  said: Said,
  end: (order: readonly ImportKind[], said: Said) => Promise<void>,
) {
  if (order.length === kinds.length) return end(order, said)
  for (const kind of kinds.filter((one) => !order.includes(one))) {
    await sql`savepoint crossing`.execute(stage.db)
    await everyOrder(stage, [...order, kind], { ...said, [kind]: await undo(stage, kind) }, end)
    await sql`rollback to savepoint crossing`.execute(stage.db)
  }
}

/** The order in which each sheet loses only what nothing refers to any more. */
const backwards = kinds.toReversed()

/** An organisation with somebody and a group that were there before, and the five sheets imported on top. */
async function fiveSheets({ api, organisation, person }: World) {
  const org = await organisation()
  const someone = await person({ org, idpRoles: ['org-admin'], chapterId: null })
  const secretary = api.as(someone)
  const actor: Actor = { orgId: org.id, accountId: someone.accountId, idpRoles: ['org-admin'] }
  await secretary.post('/data/people', { givenName: 'Old', familyName: 'Timer', memberNo: '0' })
  await secretary.post('/data/groups', { name: 'Older board', code: 'G0', kind: 'committee' })
  const start = await api.services.database.asActor(actor, stateOf)
  const imports = new Map<ImportKind, Import>()
  for (const kind of kinds) imports.set(kind, await bringIn(secretary, kind, sheets[kind], `${kind}.csv`))
  return { secretary, actor, start, imports }
}

test(
  'five sheets are undone in all 120 orders: what is held back names what holds it, and goes when that is gone',
  { timeout: 180_000 },
  async ({ api, organisation, person, worker: _ }) => {
    const { actor, start, imports } = await fiveSheets({ api, organisation, person })
    let orders = 0
    await rehearsed(api.services, actor, async (services, db) => {
      const stage = { services, db, actor, imports }
      await everyOrder(stage, [], {}, async (order, said) => {
        orders += 1
        for (const [kind, findings] of Object.entries(said)) {
          for (const { heldBy, fix } of findings) {
            if (fix.startsWith('That is held back itself')) continue
            expect([order, kind, heldBy?.fileName]).toEqual([order, kind, expect.stringMatching(/\.csv$/)])
            expect(fix).toMatch(/^Undo the import \w+\.csv first/)
            // Undone later in this order, or held back itself.
            const holder = kinds.find((one) => `${one}.csv` === heldBy?.fileName) ?? 'chapters'
            expect((said[holder] ?? []).length > 0 || order.indexOf(holder) > order.findIndex((one) => one === kind)).toBe(true)
          }
        }
        for (const kind of backwards) expect([order, await undo(stage, kind)]).toEqual([order, []])
        expect([order, await stateOf(db)]).toEqual([order, start])
      })
    })
    expect(orders).toBe(120)
  },
)

test(
  'what somebody changed since stays in whatever order, with the reason; the rest goes',
  { timeout: 180_000 },
  async ({ api, organisation, person, worker: _ }) => {
    const { actor, secretary, start, imports } = await fiveSheets({ api, organisation, person })
    const change = async (url: string, body: object) => {
      const { version } = (await secretary.get(url)).body as { version: number }
      const answer = await secretary.patch(url, body, { 'if-match': String(version) })
      expect(answer.status, answer.text).toBe(200)
    }
    const found = async (url: string) => ((await secretary.get(url)).body as { items: { id: string }[] }).items[0]?.id ?? ''
    await change(`/data/people/${await found('/data/people?q=orr')}`, { employer: 'Someone' })
    await change(`/data/groups/${await found('/data/groups?q=old')}`, { name: 'Senate' })
    const ends = new Map<string, string>()
    await rehearsed(api.services, actor, async (services, db) => {
      const stage = { services, db, actor, imports }
      // The 24 orders that begin in the middle of what stands upon each other.
      await everyOrder(stage, ['people'], { people: await undo(stage, 'people') }, async (order) => {
        const left: Said = {}
        for (const kind of backwards) left[kind] = await undo(stage, kind)
        ends.set(JSON.stringify([left, await stateOf(db)]), order.join())
      })
    })
    expect(ends.size).toBe(1)
    const [end = '[]'] = ends.keys()
    const [left, state] = JSON.parse(end) as [Record<ImportKind, ImportFinding[]>, string[]]
    expect(Object.fromEntries(Object.entries(left).map(([kind, findings]) => [kind, findings.map(({ message }) => message)]))).toEqual({
      group_members: [],
      groups: ['name was changed since, so it stays.'],
      positions: [],
      people: ['This person was changed since (employer), so it stays.'],
      chapters: ['This chapter has members (Cat Orr), from the import people.csv, so it stays.'],
    })
    const added = state.filter((line) => !start.includes(line)).map((line) => line.split(' ')[0])
    // Cat with her chapter, membership and the tag of the import; the group's name.
    expect(added).toEqual(['affiliations', 'chapters', 'groups', 'people', 'person_tags', 'tags'])
    expect(start.filter((line) => !state.includes(line)).map((line) => line.split(' ')[0])).toEqual(['groups'])
  },
)
