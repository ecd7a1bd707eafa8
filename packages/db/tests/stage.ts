import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '../src/index.ts'
import { cast, everybody, giveRights, partOf } from '../src/cast-testing.ts'
import type { Principal } from '../src/cast-testing.ts'
import type { Actor, Database } from '../src/index.ts'
import { testDatabase } from '../src/testing.ts'
import type { TestDatabase } from '../src/testing.ts'

/** Who is somebody to the database. */
export type Role = Exclude<Principal, 'anonymous' | 'newcomer'>
export const roles = Object.keys(cast).filter((name): name is Role => name in cast && name !== 'anonymous' && name !== 'newcomer')

/** What stands in one chapter: a person with everything, a blank one, an office that is held, a group with that person in it. */
export type Place = {
  orgId: string
  chapter: string
  leaf: string
  person: string
  blank: string
  minor: string
  affiliation: string
  position: string
  holder: string
  group: string
  secret: string
  membership: string
  account: string
  grant: string
  /** For officers; the person carries it, and one for members. */
  tag: string
  memberTag: string
  message: string
}
export type Stage = {
  west: Place
  east: Place
  /** The same in another organisation. */
  foreign: Place
  actors: Record<Role, Actor>
  admin: pg.Pool
  database: Database
  end(): Promise<void>
}

/** Called after each place and each of the cast was set, with what belongs to them. */
type Built = (admin: pg.Pool, step: string, whose: { orgId: string; personId: string | null; accountId: string }) => Promise<void>

/** Two organisations: ours with two chapters next to each other, and another one. On a database of its own, if one is named. */
export async function setStage(named?: TestDatabase, built?: Built): Promise<Stage> {
  const test = named ?? (await testDatabase())
  const admin = new pg.Pool({ connectionString: test.adminUrl, max: 2 })
  const database = openDatabase({ url: test.apiUrl, actorKey: test.actorKey, poolSize: 2 })
  const ours = await found(admin)
  const theirs = await found(admin)
  const furnished = async (step: string, set: Place) => {
    await built?.(admin, step, { orgId: set.orgId, personId: set.person, accountId: set.account })
    return set
  }
  const west = await furnished('west', await place(admin, ours, 'West'))
  if (built) await furnished('below', await place(admin, { id: ours.id, root: west.chapter }, 'Below'))
  const east = await furnished('east', await place(admin, ours, 'East'))
  const foreign = await furnished('foreign', await place(admin, theirs, 'Foreign'))
  const actors = await engage(admin, west, east, foreign, built)
  return {
    west,
    east,
    foreign,
    actors,
    admin,
    database,
    async end() {
      await database.close()
      await admin.end()
    },
  }
}

type Org = { id: string; root: string }

async function one(admin: pg.Pool, text: string, values: unknown[]): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(text, values)
  const id = rows[0]?.id
  if (!id) throw new Error(`nothing came of: ${text}`)
  return id
}

async function found(admin: pg.Pool): Promise<Org> {
  const slug = `p${randomUUID().slice(0, 12)}`
  const id = await one(admin, 'select app.found_organisation($1, $1, $1, null) as id', [slug])
  return { id, root: await chapter(admin, id, 'Root', null) }
}

const chapter = (admin: pg.Pool, org: string, name: string, parent: string | null) =>
  one(admin, 'insert into app.chapters (org_id, parent_id, name, code) values ($1, $2, $3, $3) returning id', [org, parent, name])

const role = (admin: pg.Pool, org: string, key: string) => one(admin, 'select id from app.roles where org_id = $1 and key = $2', [org, key])

async function person(admin: pg.Pool, org: string, chapterId: string, name: string): Promise<string> {
  const id = await one(admin, 'insert into app.people (org_id, given_name) values ($1, $2) returning id', [org, name])
  await admin.query(
    `insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) values ($1, $2, $3, '2020-01-01', true)`,
    [org, id, chapterId],
  )
  return id
}

async function account(
  admin: pg.Pool,
  org: string,
  personId: string | null,
  more: { idpRoles?: string[]; status?: string } = {},
): Promise<string> {
  return one(
    admin,
    `insert into app.accounts (org_id, issuer, subject, status, person_id, idp_roles) values ($1, 'https://issuer.example', $2, $3, $4, $5) returning id`,
    [org, randomUUID(), more.status ?? 'active', personId, more.idpRoles ?? []],
  )
}

async function place(admin: pg.Pool, org: Org, name: string): Promise<Place> {
  const { id: orgId } = org
  const chapterId = await chapter(admin, orgId, name, org.root)
  const full = await person(admin, orgId, chapterId, `${name} person`)
  const minor = await person(admin, orgId, chapterId, `${name} child`)
  await admin.query(
    `insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, current_date - 3650), ($1, $3, '1980-05-17')`,
    [orgId, minor, full],
  )
  await admin.query(`insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'office@example.org', true)`, [
    orgId,
    full,
  ])
  await admin.query(`insert into app.person_phones (org_id, person_id, number, is_primary) values ($1, $2, '+4930123456', true)`, [
    orgId,
    full,
  ])
  await admin.query(`insert into app.person_contacts (org_id, person_id, city) values ($1, $2, 'Lyon')`, [orgId, full])
  const tag = await one(admin, 'insert into app.tags (org_id, name) values ($1, $2) returning id', [orgId, name])
  const memberTag = await one(admin, `insert into app.tags (org_id, name, audience) values ($1, $2, 'members') returning id`, [
    orgId,
    `${name}, for all`,
  ])
  await admin.query('insert into app.person_tags (org_id, person_id, tag_id) values ($1, $2, $3), ($1, $2, $4)', [
    orgId,
    full,
    tag,
    memberTag,
  ])
  const position = await one(
    admin,
    `insert into app.positions (org_id, chapter_id, title, max_holders) values ($1, $2, 'Chair', 5) returning id`,
    [orgId, chapterId],
  )
  const holder = await one(
    admin,
    `insert into app.position_holders (org_id, position_id, person_id, starts_on) values ($1, $2, $3, '2020-01-01') returning id`,
    [orgId, position, full],
  )
  const group = await one(admin, `insert into app.groups (org_id, chapter_id, name) values ($1, $2, $3) returning id`, [
    orgId,
    chapterId,
    `${name} choir`,
  ])
  const secret = await one(
    admin,
    `insert into app.groups (org_id, chapter_id, name, visibility) values ($1, $2, $3, 'secret') returning id`,
    [orgId, chapterId, `${name} secret`],
  )
  const membership = await one(admin, 'insert into app.group_members (org_id, group_id, person_id) values ($1, $2, $3) returning id', [
    orgId,
    group,
    full,
  ])
  const accountId = await account(admin, orgId, full)
  const grant = await one(
    admin,
    `insert into app.grants (org_id, account_id, role_id, scope_kind, chapter_id, starts_on) values ($1, $2, $3, 'chapter', $4, '2020-01-01') returning id`,
    [orgId, accountId, await role(admin, orgId, 'finance'), chapterId],
  )
  const message = await one(
    admin,
    `insert into app.contact_messages (org_id, reference, name, email, topic, message) values ($1, $2, 'A', 'a@example.org', 'T', 'M') returning id`,
    [orgId, randomUUID().slice(0, 8)],
  )
  await admin.query('select app.refresh_data_health($1)', [orgId])
  return {
    orgId,
    chapter: chapterId,
    leaf: await chapter(admin, orgId, `${name} leaf`, chapterId),
    person: full,
    blank: await person(admin, orgId, chapterId, `${name} blank`),
    minor,
    affiliation: await one(admin, 'select id from app.affiliations where person_id = $1', [full]),
    position,
    holder,
    group,
    secret,
    membership,
    account: accountId,
    grant,
    tag,
    memberTag,
    message,
  }
}

async function engage(admin: pg.Pool, west: Place, east: Place, foreign: Place, built?: Built): Promise<Record<Role, Actor>> {
  const chapters = { west: west.chapter, below: west.leaf, east: east.chapter, foreign: foreign.chapter }
  const {
    anonymous: _,
    newcomer: __,
    ...actors
  } = await everybody(async (principal): Promise<Actor> => {
    const { org, lives, idpRoles = [], status } = partOf(principal)
    const { orgId } = org === 'foreign' ? foreign : west
    if (!partOf(principal).account) return { orgId, accountId: randomUUID(), idpRoles }
    const personId = lives ? await person(admin, orgId, chapters[lives], principal) : null
    const accountId = await account(admin, orgId, personId, { idpRoles: [...idpRoles], status: status ?? 'active' })
    await giveRights(admin, principal, { orgId, accountId, personId, chapters, leads: [west.group] })
    await built?.(admin, principal, { orgId, personId, accountId })
    return { orgId, accountId, idpRoles }
  })
  return actors
}
