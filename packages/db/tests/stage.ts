import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { openDatabase } from '../src/index.ts'
import type { Actor, Database } from '../src/index.ts'
import { testDatabase } from '../src/testing.ts'

/** Everybody who tries: each an account with just what the name says. `member`, `officer` and `former` belong to West, `leader` to East. */
export const roles = [
  'owner',
  'admin',
  'officer',
  'former',
  'guardian',
  'finance',
  'comms',
  'events',
  'leader',
  'member',
  'guest',
  'suspended',
  'stranger',
] as const
export type Role = (typeof roles)[number]

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

/** Two organisations: ours with two chapters next to each other, and another one. */
export async function setStage(): Promise<Stage> {
  const test = await testDatabase()
  const admin = new pg.Pool({ connectionString: test.adminUrl, max: 2 })
  const database = openDatabase({ url: test.apiUrl, actorKey: test.actorKey, poolSize: 2 })
  const ours = await found(admin)
  const theirs = await found(admin)
  const west = await place(admin, ours, 'West')
  const east = await place(admin, ours, 'East')
  const foreign = await place(admin, theirs, 'Foreign')
  const actors = await cast(admin, { ours, theirs, west, east })
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

type Cast = { ours: Org; theirs: Org; west: Place; east: Place }

async function cast(admin: pg.Pool, { ours, theirs, west, east }: Cast): Promise<Record<Role, Actor>> {
  const org = ours.id
  const actor = (accountId: string, idpRoles: string[] = [], orgId = org): Actor => ({ orgId, accountId, idpRoles })
  const granted = async (key: string, chapterId: string | null = null) => {
    const id = await account(admin, org, null)
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind, chapter_id, starts_on) values ($1, $2, $3, $4, $5, '2020-01-01')`,
      [org, id, await role(admin, org, key), chapterId ? 'chapter' : 'org', chapterId],
    )
    return actor(id)
  }
  const inOffice = async (name: string, endsOn: string | null) => {
    const id = await person(admin, org, west.chapter, name)
    await admin.query(
      `with s as (insert into app.positions (org_id, chapter_id, title, role_id) values ($1, $2, $3, $4) returning id)
       insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) select $1, s.id, $5, '2020-01-01', $6::date from s`,
      [org, west.chapter, name, await role(admin, org, 'chapter-admin'), id, endsOn],
    )
    return actor(await account(admin, org, id))
  }
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const leader = await person(admin, org, east.chapter, 'Leader')
  await admin.query(`insert into app.group_members (org_id, group_id, person_id, role) values ($1, $2, $3, 'leader')`, [
    org,
    west.group,
    leader,
  ])
  return {
    owner: actor(await account(admin, org, null), ['org-owner']),
    admin: actor(await account(admin, org, null), ['org-admin']),
    officer: await inOffice('Officer', null),
    former: await inOffice('Former', yesterday),
    guardian: await granted('safeguarding', west.chapter),
    finance: await granted('finance'),
    comms: await granted('communications'),
    events: await granted('event-manager'),
    leader: actor(await account(admin, org, leader)),
    member: actor(await account(admin, org, await person(admin, org, west.chapter, 'Member'))),
    guest: actor(await account(admin, org, null)),
    suspended: actor(await account(admin, org, null, { status: 'suspended', idpRoles: ['org-owner'] }), ['org-owner']),
    stranger: actor(await account(admin, theirs.id, null), ['org-owner'], theirs.id),
  }
}
