import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createSigner } from '../src/actor.ts'
import { openDatabase } from '../src/index.ts'
import type { Actor, Database } from '../src/index.ts'
import { copyTemplate } from '../src/testing.ts'
import type { TestDatabase } from '../src/testing.ts'

// An account acts for a child: it is the child, with a plain member's rights, as long as the relationship lets it.

let at: TestDatabase
let admin: pg.Pool
let database: Database
let ours: Org
let theirs: Org

type Org = { id: string; root: string; west: string; east: string; types: Record<string, string> }
type Made = { id: string; actor: Actor }

beforeAll(async () => {
  at = await copyTemplate(inject('testServer'), 'acting')
  admin = new pg.Pool({ connectionString: at.adminUrl, max: 3 })
  database = openDatabase({ url: at.apiUrl, actorKey: at.actorKey, poolSize: 3 })
  ours = await organisation()
  theirs = await organisation()
})
afterAll(async () => {
  await database.close()
  await admin.end()
})

async function one(text: string, values: unknown[]): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(text, values)
  const id = rows[0]?.id
  if (!id) throw new Error(`nothing came of: ${text}`)
  return id
}

async function organisation(): Promise<Org> {
  const slug = `a${randomUUID().slice(0, 12)}`
  const id = await one('select app.found_organisation($1, $1, $1, null) as id', [slug])
  const chapter = (name: string, parent: string | null) =>
    one('insert into app.chapters (org_id, parent_id, name, code) values ($1, $2, $3, $3) returning id', [id, parent, name])
  const root = await chapter('Root', null)
  const { rows } = await admin.query<{ key: string; id: string }>('select key, id from app.relationship_types where org_id = $1', [id])
  const types = Object.fromEntries(rows.map((type) => [type.key, type.id]))
  const carer = (key: string, grants: string) =>
    one(
      `insert into app.relationship_types (org_id, key, name, forward_label, inverse_label, grants, approval) values ($1, $2, $2, $2, $2, $3, 'office') returning id`,
      [id, key, grants],
    )
  types['carer'] = await carer('carer', 'manage')
  types['viewer'] = await carer('viewer', 'view')
  return { id, root, west: await chapter('West', root), east: await chapter('East', root), types }
}

type More = { in?: string | null; born?: string | null; idpRoles?: string[]; org?: Org; name?: string; kind?: string }

/** Somebody with an account of their own. */
async function somebody({ in: chapter, born = '1980-05-17', idpRoles = [], org = ours, name = 'Gerda', kind = 'member' }: More = {}) {
  const id = await one('insert into app.people (org_id, given_name, family_name) values ($1, $2, $3) returning id', [org.id, name, 'Weber'])
  await admin.query(`insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, $3)`, [org.id, id, born])
  if (chapter !== null)
    await admin.query(
      `insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, is_primary) values ($1, $2, $3, $4, '2020-01-01', true)`,
      [org.id, id, chapter ?? org.root, kind],
    )
  const accountId = await one(
    `insert into app.accounts (org_id, issuer, subject, status, person_id, idp_roles) values ($1, 'https://issuer.example', $2, 'active', $3, $4) returning id`,
    [org.id, randomUUID(), id, idpRoles],
  )
  return { id, actor: { orgId: org.id, accountId, idpRoles } } satisfies Made
}
const ofTen = () => new Date(Date.now() - 10 * 366 * 86_400_000).toISOString().slice(0, 10)
const child = (more: More = {}) => somebody({ born: ofTen(), name: 'Lena', ...more })

const relate = (from: Made, to: Made, type = 'guardian', more = `'active', '2020-01-01', null`, org = ours) =>
  one(
    `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, starts_on, ends_on) values ($1, $2, $3, $4, ${more}) returning id`,
    [org.id, org.types[type], from.id, to.id],
  )

async function family(guardian: More = {}, about: More = {}) {
  const [parent, kid] = [await somebody(guardian), await child(about)]
  return { parent, kid, relationship: await relate(parent, kid), acting: acting(parent, kid) }
}
const acting = ({ actor }: Made, { id }: { id: string }): Actor => ({ ...actor, actingFor: id })

const all = async <Row>(actor: Actor, query: string) => {
  const { rows } = await database.asActor(actor, (db) => sql.raw<Row>(query).execute(db))
  return rows
}
const values = async (actor: Actor, query: string) => (await all<{ value: string }>(actor, query)).map(({ value }) => value).sort()
const permissions = (actor: Actor) =>
  values(
    actor,
    `select p.permission || case when p.everywhere then ' everywhere' else '' end || ' ' || cardinality(p.chapters) || ' ' || cardinality(p.groups) || ' ' || cardinality(p.records) as value
      from app.permissions() p`,
  )
const notAllowed = { code: '42501', constraint: 'acting_not_allowed' }
const whoAmI = (actor: Actor) => values(actor, 'select app.person_id()::text as value')

test('who manages a child is the child, with their own account for the log', async () => {
  const { parent, kid, acting: actor } = await family()
  expect(
    await all(actor, 'select app.org_id() as org, app.account_id() as account, app.person_id() as person, app.acting_for() as child'),
  ).toEqual([{ org: ours.id, account: parent.actor.accountId, person: kid.id, child: kid.id }])
  expect(await all(parent.actor, 'select app.person_id() as person, app.acting_for() as child')).toEqual([
    { person: parent.id, child: null },
  ])
  expect(await all(parent.actor, `select app.may_act_for('${kid.id}') as may`)).toEqual([{ may: true }])
})

describe('nobody acts for somebody', () => {
  /** Each makes a pair of which the one may not act for the other. */
  const cases: [why: string, pair: () => Promise<[Made, Made]>][] = [
    ['who is nothing to them', async () => [await somebody(), await child()]],
    ['while it is only proposed', () => related('guardian', `'proposed', '2020-01-01', null`)],
    ['where it was rejected', () => related('guardian', `'rejected', '2020-01-01', null`)],
    ['once it ended', () => related('guardian', `'ended', '2020-01-01', current_date - 1`)],
    ['where it ended though today is its last day', () => related('guardian', `'ended', '2020-01-01', current_date`)],
    ['after its last day, though nobody ended it', () => related('guardian', `'active', '2020-01-01', current_date - 1`)],
    ['before its first day', () => related('guardian', `'active', current_date + 2, null`)],
    ['through a type that only shows', () => related('viewer')],
    ['through a type that gives nothing', () => related('mentor')],
    [
      'whom they are the child of',
      async () => {
        const [parent, kid] = await related('guardian')
        return [kid, parent]
      },
    ],
    ['who is of age since today', () => related('guardian', undefined, { born: birthdayToday(18) })],
    ['whose age nobody knows', () => related('guardian', undefined, { born: null })],
    ['whose record is archived', () => related('guardian', undefined, {}, `update app.people set deleted_at = now() where id = $2`)],
    ['who died', () => related('guardian', undefined, {}, `update app.people set lifecycle = 'deceased' where id = $2`)],
    [
      'when their own record is archived',
      () => related('guardian', undefined, {}, `update app.people set deleted_at = now() where id = $1`),
    ],
    [
      'when their account stands for nobody',
      () => related('guardian', undefined, {}, `update app.accounts set person_id = null where person_id = $1`),
    ],
    [
      'of whom they manage the guardian',
      async () => {
        const [grandparent, parent] = await related('carer')
        const kid = await child()
        await unchecked((db) => relateBy(db, parent, kid))
        return [grandparent, kid]
      },
    ],
    ['of another organisation', async () => [await somebody(), await child({ org: theirs })]],
    [
      'themselves',
      async () => {
        const me = await somebody()
        return [me, me]
      },
    ],
    ['who does not exist', async () => [await somebody(), { ...(await child()), id: randomUUID() }]],
  ]

  const birthdayToday = (years: number) => {
    const day = new Date()
    return `${day.getUTCFullYear() - years}-${String(day.getUTCMonth() + 1).padStart(2, '0')}-${String(day.getUTCDate()).padStart(2, '0')}`
  }

  /** As an operator would who goes around every rule that keeps such rows from being written. */
  async function unchecked(work: (db: pg.PoolClient) => Promise<unknown>) {
    const client = await admin.connect()
    try {
      await client.query(`begin; set local session_replication_role = replica`)
      await work(client)
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const relateBy = (db: pg.PoolClient, from: Made, to: Made, type = 'guardian', more = `'active', '2020-01-01', null`) =>
    db.query(
      `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, starts_on, ends_on) values ($1, $2, $3, $4, ${more})`,
      [ours.id, ours.types[type], from.id, to.id],
    )
  async function related(type: string, more?: string, about: More = {}, then?: string): Promise<[Made, Made]> {
    const pair: [Made, Made] = [await somebody(), await child(about)]
    await unchecked(async (db) => {
      await relateBy(db, ...pair, type, more)
      if (then) await db.query(`with given as (select $1::uuid, $2::uuid) ${then}`, [pair[0].id, pair[1].id])
    })
    return pair
  }

  const refusals = async () => {
    const accepted: string[] = []
    for (const [why, pair] of cases) {
      const [one, other] = await pair()
      const may = await all<{ may: boolean }>(one.actor, `select app.may_act_for('${other.id}') as may`)
      const bound = await whoAmI(acting(one, other)).then(
        () => 'bound',
        (error: unknown) => (error instanceof pg.DatabaseError && error.constraint === 'acting_not_allowed' ? 'refused' : String(error)),
      )
      if (may[0]?.may !== false || bound !== 'refused') accepted.push(`${why}: ${bound}`)
    }
    return accepted
  }

  test('without a relationship that lets them, on the day, to that person', async () => {
    expect(await refusals()).toEqual([])
  })

  test('and with the check switched off everybody would (the control)', async () => {
    const { rows } = await admin.query<{ source: string }>(
      `select pg_get_functiondef('app_private.acts_for(uuid, uuid, uuid)'::regprocedure) as source`,
    )
    await admin.query(
      `create or replace function app_private.acts_for(org uuid, guardian uuid, person uuid) returns boolean language sql stable as $$ select true $$`,
    )
    try {
      expect((await refusals()).map((line) => line.split(':')[1])).toEqual(cases.map(() => ' bound'))
    } finally {
      await admin.query(rows[0]?.source ?? '')
    }
    expect(await refusals()).toEqual([])
  })

  test('from the moment on in which it ends, in the next statement of the same transaction', async () => {
    const { relationship, acting: actor, kid } = await family()
    await expect(
      database.asActor(actor, async (db) => {
        expect((await sql<{ id: string }>`select id from app.people where id = ${kid.id}`.execute(db)).rows).toHaveLength(1)
        await admin.query(`update app.relationships set state = 'ended', ends_on = current_date where id = $1`, [relationship])
        await sql`select id from app.people`.execute(db)
      }),
    ).rejects.toMatchObject(notAllowed)
    await expect(whoAmI(actor)).rejects.toMatchObject(notAllowed)
  })

  test('when their account is suspended', async () => {
    const { acting: actor, parent } = await family()
    await admin.query(`update app.accounts set status = 'suspended' where id = $1`, [parent.actor.accountId])
    expect(await all(actor, 'select app.person_id() as person')).toEqual([{ person: null }])
  })

  test('other than those whom the family page lists', async () => {
    const people = [await somebody(), await somebody(), await child(), await child({ born: '2000-01-01' }), await child({ born: null })]
    const states = [
      `'active', null, null`,
      `'active', '2020-01-01', current_date`,
      `'active', current_date - 1, current_date - 1`,
      `'proposed', null, null`,
    ]
    await unchecked(async (db) => {
      for (const from of people)
        for (const to of people) {
          if (from === to) continue
          for (const type of ['guardian', 'carer', 'viewer', 'mentor']) await relateBy(db, from, to, type, states[randomInt(states.length)])
        }
    })
    for (const from of people) {
      const { rows } = await admin.query<{ id: string }>('select m as id from app_private.managed_by($1, $2) m', [ours.id, from.id])
      const mine = []
      for (const to of people)
        if ((await all<{ may: boolean }>(from.actor, `select app.may_act_for('${to.id}') as may`))[0]?.may) mine.push(to.id)
      expect(mine.sort()).toEqual(rows.map(({ id }) => id).sort())
    }
  })
})

describe('a forged actor', () => {
  const bind = async (value: string) => {
    const client = new pg.Client({ connectionString: at.apiUrl })
    await client.connect()
    try {
      await client.query('begin')
      await client.query(`select set_config('app.actor', $1, true)`, [value])
      return (await client.query<{ person: string }>('select app.person_id() as person')).rows
    } finally {
      await client.end()
    }
  }
  const forgeries: [how: string, forge: (signed: string, kid: string, other: string) => string][] = [
    ['names another person', (signed, kid, other) => signed.replace(kid, other)],
    ['leaves the person out', (signed, kid) => signed.replace(`|${kid}`, '')],
    ['leaves the person empty', (signed, kid) => signed.replace(kid, '')],
    ['adds a person before the signature', (signed, _kid, other) => signed.replace(/\|(\w+)$/, `|${other}|$1`)],
    ['says the roles twice', (signed, kid) => signed.replace(`|${kid}`, `|org-owner|${kid}`)],
    ['lasts longer', (signed) => signed.replace(/\|(\d{10})\|/, (_, at: string) => `|${Number(at) + 86_400}|`)],
  ]
  test.each(forgeries)('that %s is refused', async (_how, forge) => {
    const { acting: actor, kid, parent } = await family()
    const other = await child()
    await relate(parent, other)
    const signed = createSigner(at.actorKey).actor(actor)
    expect(await bind(signed)).toEqual([{ person: kid.id }])
    await expect(bind(forge(signed, kid.id, other.id))).rejects.toMatchObject({ code: '28000' })
  })

  test('that puts a person into the actor of themselves is refused', async () => {
    const { parent, kid } = await family()
    const signed = createSigner(at.actorKey).actor(parent.actor)
    await expect(bind(signed.replace(/\|(\w+)$/, `|${kid.id}|$1`))).rejects.toMatchObject({ code: '28000' })
    // An empty one is signed as such, and is nobody.
    await expect(bind(createSigner(at.actorKey).actor({ ...parent.actor, actingFor: '' }))).rejects.toMatchObject({ code: '22P02' })
  })
})

describe('rights', () => {
  test('are those of a plain member, whatever the guardian and the child hold', async () => {
    const { parent, kid, acting: actor } = await family({ idpRoles: ['org-owner'] })
    const [plain] = [await child()]
    const grant = (accountId: string, key: string) =>
      admin.query(
        `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on, reason) select $1, $2, r.id, 'org', '2020-01-01', '' from app.roles r where r.org_id = $1 and r.key = $3`,
        [ours.id, accountId, key],
      )
    await grant(parent.actor.accountId, 'finance')
    await grant(kid.actor.accountId, 'org-admin')
    for (const [person, title] of [
      [parent.id, `President ${randomUUID()}`],
      [kid.id, `Speaker ${randomUUID()}`],
    ])
      await admin.query(
        `with s as (insert into app.positions (org_id, chapter_id, title, role_id) select $1, $2, $4, r.id from app.roles r where r.org_id = $1 and r.key = 'chapter-admin' returning id)
          insert into app.position_holders (org_id, position_id, person_id, starts_on) select $1, s.id, $3, '2020-01-01' from s`,
        [ours.id, ours.west, person, title],
      )
    for (const person of [parent.id, kid.id]) {
      const group = await one(`insert into app.groups (org_id, chapter_id, name) values ($1, $2, $3) returning id`, [
        ours.id,
        ours.west,
        randomUUID(),
      ])
      await admin.query(
        `insert into app.group_members (org_id, group_id, person_id, role, starts_on) values ($1, $2, $3, 'leader', '2020-01-01')`,
        [ours.id, group, person],
      )
    }
    const event = await one(
      `insert into app.events (org_id, chapter_id, title, starts_at, ends_at, timezone, visibility, status, published_at)
        values ($1, $2, 'Camp', '2090-06-10T18:00Z', '2090-06-10T20:00Z', 'UTC', 'members', 'published', now()) returning id`,
      [ours.id, ours.west],
    )
    await admin.query(`insert into app.event_staff (org_id, event_id, person_id, role) values ($1, $2, $3, 'manager')`, [
      ours.id,
      event,
      kid.id,
    ])

    const held = [
      'events.read everywhere 0 0 0',
      'fundraising.read everywhere 0 0 0',
      'groups.read everywhere 0 0 0',
      'people.directory everywhere 0 0 0',
    ]
    expect(await permissions(plain.actor)).toEqual(held)
    expect(await permissions(actor)).toEqual(held)
    // The control: both hold far more when they act for themselves.
    expect((await permissions(parent.actor)).length).toBeGreaterThan(20)
    expect((await permissions(kid.actor)).length).toBeGreaterThan(20)
    expect(
      await all(
        actor,
        `select app.everywhere('people.write') as everywhere, app.scope('people.write') as scope, app.group_scope('groups.manage') as led,
      app.record_scope('event', 'events.manage') as record, app.event_scope('events.manage') as event, app.changeable_roles() as roles, app.held_everywhere() as held`,
      ),
    ).toEqual([{ everywhere: false, scope: [], led: [], record: [], event: [], roles: [], held: held.map((line) => line.split(' ')[0]) }])
    expect(await all(kid.actor, `select app.event_scope('events.manage') as event`)).toEqual([{ event: [event] }])
  })

  test('show nobody of the directory to a guardian who is no member', async () => {
    const { acting: actor, kid } = await family({ in: null })
    const content = ['events.read everywhere 0 0 0', 'fundraising.read everywhere 0 0 0', 'groups.read everywhere 0 0 0']
    expect(await permissions(actor)).toEqual(content)
    expect(await values(actor, 'select id::text as value from app.people')).toEqual([kid.id])
    expect(await permissions(kid.actor)).toContain('people.directory everywhere 0 0 0')
    expect((await family({ kind: 'friend' })).acting).toBeDefined()
    expect(await permissions((await family({ kind: 'friend' })).acting)).toEqual(content)
  })

  test('of a child that is no member are none, whatever the guardian is', async () => {
    const { acting: actor, kid } = await family({}, { in: null })
    expect(await permissions(actor)).toEqual([])
    expect(await values(actor, 'select id::text as value from app.people')).toEqual([kid.id])
  })

  test('reach over people only where the guardian is a member too, where chapters keep their own directory', async () => {
    const narrow = await organisation()
    await admin.query(`update app.organisations set directory_reach = 'chapter' where org_id = $1`, [narrow.id])
    const reach = async (guardian: string, kid: string) => {
      const [parent, lena] = [await somebody({ org: narrow, in: guardian }), await child({ org: narrow, in: kid })]
      await relate(parent, lena, 'guardian', undefined, narrow)
      return all<{ people: string[]; events: string[] }>(
        acting(parent, lena),
        `select app.scope('people.directory') as people, app.scope('events.read') as events`,
      )
    }
    expect(await reach(narrow.west, narrow.west)).toEqual([{ people: [narrow.west], events: [narrow.west] }])
    expect(await reach(narrow.east, narrow.west)).toEqual([{ people: [], events: [narrow.west] }])
    expect(await reach(narrow.root, narrow.west)).toEqual([{ people: [narrow.west], events: [narrow.west] }])
    // The child's chapter is above the guardian's: the guardian gains nothing.
    const [up] = await reach(narrow.west, narrow.root)
    expect(up?.people).toEqual([])
    expect(up?.events).toHaveLength(3)
  })

  test('are lost to nobody else: two who act in turn on one connection', async () => {
    const { parent, kid, acting: actor } = await family({ idpRoles: ['org-owner'] })
    const single = openDatabase({ url: at.apiUrl, actorKey: at.actorKey, poolSize: 1 })
    const read = (who: Actor) =>
      single.asActor(who, async (db) => (await sql<{ id: string }>`select app.person_id() as id`.execute(db)).rows[0]?.id)
    try {
      for (let turn = 0; turn < 3; turn++) {
        expect(await read(actor)).toBe(kid.id)
        expect(await read(parent.actor)).toBe(parent.id)
      }
    } finally {
      await single.close()
    }
  })
})

describe('what there is to see', () => {
  // Rows that are an account's, not a person's.
  const accountLevel = [
    'accounts',
    'announcement_reads',
    'calendar_feeds',
    'exports',
    'follow_ups',
    'grants',
    'idempotency_keys',
    'job_progress',
    'loose_files',
    'notification_preferences',
    'notifications',
    'payment_methods',
    'saved_views',
  ]

  test('is what the child sees, table by table', async () => {
    const { parent, kid, acting: actor } = await family({ idpRoles: ['org-owner'], in: ours.west }, { in: ours.east })
    await admin.query(
      `insert into app.person_phones (org_id, person_id, number, is_primary) values ($1, $2, '+4930123456', true), ($1, $3, '+4930123457', true)`,
      [ours.id, kid.id, parent.id],
    )
    const secret = await one(
      `insert into app.groups (org_id, chapter_id, name, visibility) values ($1, $2, 'Choir', 'secret') returning id`,
      [ours.id, ours.east],
    )
    await admin.query(`insert into app.group_members (org_id, group_id, person_id) values ($1, $2, $3)`, [ours.id, secret, kid.id])
    const { rows } = await admin.query<{ name: string; key: string }>(
      `select c.relname as name, string_agg(format('x.%I::text', a.attname), ' || ''|'' || ' order by a.attnum) as key
        from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
        where c.relnamespace = 'app'::regnamespace and c.relkind = 'r'
          and exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd = 'r' and p.polroles = array['app_access'::regrole::oid])
          and has_column_privilege('app_access', c.oid, a.attnum, 'select')
        group by 1 having count(*) = max(i.indnkeyatts) order by 1`,
    )
    expect(rows.length).toBeGreaterThan(60)
    // How the child signs in is not told to who acts for it.
    const told = (name: string) => (name === 'audit_entries' ? ` where x.entity not in ('accounts', 'grants')` : '')
    const seen = (who: Actor, { name, key }: { name: string; key: string }) =>
      values(who, `select ${key} as value from app.${name} x${told(name)}`)
    const differing: string[] = []
    let shown = 0
    for (const table of rows) {
      const [asChild, acts] = [await seen(kid.actor, table), await seen(actor, table)]
      shown += acts.length
      if (JSON.stringify(asChild) !== JSON.stringify(acts) && !accountLevel.includes(table.name)) differing.push(table.name)
    }
    expect(differing).toEqual([])
    expect(shown).toBeGreaterThan(20)
    // The control: the guardian sees other rows in many of these.
    const own = await Promise.all(
      ['people', 'roles', 'audit_entries'].map(
        async (name) => (await seen(parent.actor, rows.find((table) => table.name === name) ?? { name, key: 'x.org_id' })).length,
      ),
    )
    const acts = await Promise.all(
      ['people', 'roles', 'audit_entries'].map(
        async (name) => (await seen(actor, rows.find((table) => table.name === name) ?? { name, key: 'x.org_id' })).length,
      ),
    )
    expect(own[0]).toBeGreaterThan(acts[0] ?? 0)
    expect(own[2]).toBeGreaterThan(acts[2] ?? 0)
  })

  test('is nothing of either account', async () => {
    const { parent, kid, acting: actor } = await family()
    for (const { actor: of } of [parent, kid]) {
      await admin.query(
        `insert into app.saved_views (org_id, account_id, list, name, spec, shared_with) values ($1, $2, 'people', $3, '{}', 'me')`,
        [ours.id, of.accountId, randomUUID()],
      )
      await admin.query(
        `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on, reason) select $1, $2, r.id, 'org', '2020-01-01', '' from app.roles r where r.org_id = $1 and r.key = 'finance'`,
        [ours.id, of.accountId],
      )
      await admin.query(
        `insert into app.notifications (org_id, account_id, kind, in_inbox, mail) values ($1, $2, 'transfer-request', true, 'off')`,
        [ours.id, of.accountId],
      )
    }
    const count = (who: Actor, table: string) =>
      all<{ n: number }>(who, `select count(*)::int as n from app.${table}`).then(([row]) => row?.n)
    for (const table of ['saved_views', 'grants', 'notifications']) {
      expect(`${table} ${await count(parent.actor, table)}`).toBe(`${table} 1`)
      expect(`${table} ${await count(actor, table)}`).toBe(`${table} 0`)
    }
    const ofAccounts = (who: Actor) => values(who, `select seq::text as value from app.audit_entries where entity = 'accounts'`)
    expect(await ofAccounts(kid.actor)).toHaveLength(1)
    expect(await ofAccounts(actor)).toEqual([])
    // Of themselves an account reads what stands in the header of every page, and no other account.
    expect(await values(actor, 'select id::text as value from app.accounts')).toEqual([parent.actor.accountId])
  })

  test('is announced to members, and nothing that is announced to officers', async () => {
    const { parent, kid, acting: actor } = await family({ idpRoles: ['org-owner'] }, { in: ours.west })
    const announced = (who: Actor) => values(who, 'select unnest(app.announced_to_me()) as value')
    expect(await announced(parent.actor)).toContain(`${ours.id}:officers`)
    expect(await announced(actor)).toEqual(await announced(kid.actor))
    expect((await announced(actor)).filter((line) => line.endsWith('officers'))).toEqual([])
    expect(await announced(actor)).toContain(`${ours.west}:members`)
  })

  test('is nobody whom the child may see because of a relationship', async () => {
    const { acting: actor, kid } = await family({ in: null })
    const other = await child({ in: null })
    await relate(kid, other, 'viewer')
    expect(await values(kid.actor, `select id::text as value from app.people where id = '${other.id}'`)).toEqual([other.id])
    expect(await values(actor, `select id::text as value from app.people where id = '${other.id}'`)).toEqual([])
  })
})

describe('what is done', () => {
  const update = (actor: Actor, query: string) =>
    database.asActor(actor, async (db) => Number((await sql.raw(query).execute(db)).numAffectedRows ?? 0))

  test('stands in the log under the guardian, for the child, and the log still holds', async () => {
    const { parent, kid, acting: actor } = await family()
    expect(
      await update(
        actor,
        `insert into app.person_phones (org_id, person_id, number, is_primary) values ('${ours.id}', '${kid.id}', '+4930987654', true)`,
      ),
    ).toBe(1)
    expect(
      await update(
        parent.actor,
        `insert into app.person_phones (org_id, person_id, number, is_primary) values ('${ours.id}', '${parent.id}', '+4930987655', true)`,
      ),
    ).toBe(1)
    const entries = await admin.query(
      `select account_id as account, person_id as person, acting_for as "actingFor" from app.audit_entries where entity = 'person_phones' and person_id in ($1, $2) order by seq`,
      [kid.id, parent.id],
    )
    expect(entries.rows).toEqual([
      { account: parent.actor.accountId, person: kid.id, actingFor: kid.id },
      { account: parent.actor.accountId, person: parent.id, actingFor: null },
    ])
    const check = () =>
      admin
        .query<{ broken: number | null }>('select first_broken as broken from app.verify_audit_of($1)', [ours.id])
        .then(({ rows }) => rows[0]?.broken)
    expect(await check()).toBeNull()
    // That somebody acted for somebody else is not taken out of it, nor put in, without a trace.
    const client = await admin.connect()
    try {
      for (const set of ['acting_for = null', `acting_for = '${parent.id}'`]) {
        await client.query('begin; set local session_replication_role = replica')
        await client.query(`update app.audit_entries set ${set} where org_id = $1 and person_id = $2 and entity = 'person_phones'`, [
          ours.id,
          kid.id,
        ])
        expect(
          (await client.query<{ broken: string | null }>('select first_broken as broken from app.verify_audit_of($1)', [ours.id])).rows[0]
            ?.broken,
        ).not.toBeNull()
        await client.query('rollback')
      }
    } finally {
      client.release()
    }
    expect(await check()).toBeNull()
  })

  test('is what the child may do with itself: contact data yes, what the office keeps no, its age never', async () => {
    const { kid, parent, acting: actor } = await family()
    expect(await update(actor, `update app.people set preferred_name = 'Leni' where id = '${kid.id}'`)).toBe(1)
    expect(await update(actor, `update app.people set preferred_name = 'X' where id = '${parent.id}'`)).toBe(0)
    await expect(update(actor, `update app.people set family_name = 'Other' where id = '${kid.id}'`)).rejects.toMatchObject({
      constraint: 'people_office_fields',
    })
    await expect(update(actor, `update app.people set deleted_at = now() where id = '${kid.id}'`)).rejects.toMatchObject({ code: '42501' })
    expect(await update(actor, `update app.person_private set gender = 'f' where person_id = '${kid.id}'`)).toBe(1)
    // Later than it is: the child itself may say that, a guardian would act for longer.
    const younger = `update app.person_private set birth_date = birth_date + 400 where person_id = '${kid.id}'`
    await expect(update(actor, younger)).rejects.toMatchObject({ code: '42501', constraint: 'person_own_majority' })
    expect(await update(kid.actor, younger)).toBe(1)
  })

  test('is nothing in the name of the child that binds it, nor with the account', async () => {
    const { parent, kid, acting: actor, relationship } = await family()
    const other = await somebody()
    const org = ours.id
    const refused = async (query: string, of: object = { code: '42501' }) => expect(update(actor, query), query).rejects.toMatchObject(of)
    await refused(
      `insert into app.comments (org_id, record_type, record_id, body, created_by, author_id) values ('${org}', 'person', '${kid.id}', '[]', '${parent.actor.accountId}', '${kid.id}')`,
    )
    await refused(
      `insert into app.saved_views (org_id, account_id, list, name, spec) values ('${org}', '${parent.actor.accountId}', 'people', 'Mine', '{}')`,
    )
    await refused(
      `insert into app.exports (org_id, account_id, list, format, spec, job_id) values ('${org}', '${parent.actor.accountId}', 'people', 'csv', '{}', '${randomUUID()}')`,
    )
    await refused(
      `insert into app.job_progress (org_id, account_id, kind, title) values ('${org}', '${parent.actor.accountId}', 'bulk', 'x')`,
    )
    expect(await update(actor, `update app.accounts set preferences = '{"theme":"dark"}' where id = '${parent.actor.accountId}'`)).toBe(0)
    expect(
      await update(parent.actor, `update app.accounts set preferences = '{"theme":"dark"}' where id = '${parent.actor.accountId}'`),
    ).toBe(1)
    const group = await one(`insert into app.groups (org_id, chapter_id, name, join_policy) values ($1, $2, $3, 'open') returning id`, [
      org,
      ours.west,
      randomUUID(),
    ])
    const join = (who: Actor, person: string) =>
      update(
        who,
        `insert into app.group_members (org_id, group_id, person_id, starts_on) values ('${org}', '${group}', '${person}', current_date)`,
      )
    await expect(join(actor, kid.id)).rejects.toMatchObject({ code: '42501', constraint: 'not_while_acting' })
    expect(await join(kid.actor, kid.id)).toBe(1)
    // What the guardian proposed themselves would be agreed to in the child's name.
    const asked = await one(
      `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, proposed_by) values ($1, $2, $3, $4, 'proposed', $5) returning id`,
      [org, ours.types['mentor'], other.id, kid.id, other.actor.accountId],
    )
    const answer = `select app.answer_relationship('${asked}', true, 1)`
    for (const query of [
      answer,
      `select app.propose_relationship('{"type_id":"${ours.types['mentor']}","from_person_id":"${kid.id}","to_person_id":"${other.id}"}')`,
    ])
      await refused(query, { code: '42501', constraint: 'not_while_acting' })
    await refused(`select app.end_relationship('${relationship}', null, 1)`)
    expect(await all(kid.actor, answer)).toEqual([{ answer_relationship: true }])
  })

  test('a registration stays the child’s: it is not seen any more once nobody acts', async () => {
    const { parent, kid, acting: actor, relationship } = await family({}, { in: ours.west })
    const event = await one(
      `insert into app.events (org_id, chapter_id, title, starts_at, ends_at, timezone, visibility, status, published_at, guests_per_person)
        values ($1, $2, 'Camp', '2090-06-10T18:00Z', '2090-06-10T20:00Z', 'UTC', 'members', 'published', now(), 2) returning id`,
      [ours.id, ours.west],
    )
    const register = (who: Actor) =>
      all<{ ids: string[] }>(who, `select app.register_for_event('${event}', '{"guests":[{"name":"A friend"}]}') -> 'ids' as ids`)
    const [made] = await register(actor)
    expect(made?.ids).toHaveLength(2)
    const rows = await admin.query(
      `select person_id as person, created_by as by, source from app.registrations where id = any ($1) order by person_id nulls last`,
      [made?.ids],
    )
    expect(rows.rows).toEqual([
      { person: kid.id, by: null, source: 'self' },
      { person: null, by: null, source: 'self' },
    ])
    const seen = (who: Actor) => values(who, `select id::text as value from app.registrations where event_id = '${event}'`)
    expect(await seen(kid.actor)).toContain(made?.ids[0])
    expect(await seen(actor)).toEqual(await seen(kid.actor))
    // Of their own the guardian sees nothing while they act, and of the child's nothing while they do not.
    expect(await seen(parent.actor)).toEqual([])
    const [own] = await register(parent.actor)
    expect(await seen(parent.actor)).toEqual([...(own?.ids ?? [])].sort())
    expect(await seen(actor)).toEqual(await seen(kid.actor))
    const cancel = (who: Actor) => all(who, `select app.cancel_registration('${made?.ids[0]}', '')`)
    await expect(cancel(parent.actor)).rejects.toMatchObject({ code: '42501' })
    await admin.query(`update app.relationships set state = 'ended', ends_on = current_date where id = $1`, [relationship])
    expect(await seen(parent.actor)).toEqual([...(own?.ids ?? [])].sort())
    await expect(cancel(actor)).rejects.toMatchObject(notAllowed)
  })

  test('a payment saves no card for the child, and its page is told of none', async () => {
    const { kid, acting: actor } = await family({}, { in: ours.west })
    const event = await one(
      `insert into app.events (org_id, chapter_id, title, starts_at, ends_at, timezone, visibility, status, published_at)
        values ($1, $2, 'Camp', '2090-06-10T18:00Z', '2090-06-10T20:00Z', 'UTC', 'members', 'published', now()) returning id`,
      [ours.id, ours.west],
    )
    await admin.query(
      `insert into app.event_ticket_types (org_id, event_id, name, price_amount, price_currency, place) values ($1, $2, 'Standard', 2000, 'EUR', 1)`,
      [ours.id, event],
    )
    const [made] = await all<{ invoice: string }>(actor, `select app.register_for_event('${event}', '{}') ->> 'invoiceId' as invoice`)
    const begin = async (who: Actor) =>
      (
        await all<{ id: string; customer: string | null; saves: boolean }>(
          who,
          `select payment_id as id, customer, saves from app.begin_checkout('${made?.invoice}', true, true, true)`,
        )
      )[0]
    const own = await begin(kid.actor)
    expect(own).toMatchObject({ customer: null, saves: true })
    await admin.query(`update app.payments set provider_customer = 'cus_lena' where id = $1`, [own?.id])
    expect(await begin(kid.actor)).toEqual({ ...own, customer: 'cus_lena' })
    const paid = await begin(actor)
    expect(paid).toMatchObject({ customer: null, saves: false })
    expect(paid?.id).not.toBe(own?.id)
    await admin.query(
      `insert into app.payment_methods (org_id, person_id, provider, provider_method, provider_customer, brand, last4, exp_month, exp_year)
        values ($1, $2, 'stripe', $3, 'cus_lena', 'visa', '4242', 1, 2099)`,
      [ours.id, kid.id, `pm_${randomUUID()}`],
    )
    const cards = (who: Actor) => values(who, 'select last4 as value from app.payment_methods')
    expect(await cards(kid.actor)).toEqual(['4242'])
    expect(await cards(actor)).toEqual([])
  })
})
