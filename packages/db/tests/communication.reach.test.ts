import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../src/testing.ts'

// Ten thousand people walk at random through everything that decides whether somebody may be written to. A plain model says after each round whom mail_reach may name.

const crowd = 10_000
const rounds = 10
const steps = 1_000

type State = 'subscribed' | 'unsubscribed' | 'pending'
type Person = {
  id: string
  lifecycle: 'active' | 'deceased' | 'erased' | 'merged'
  archived: boolean
  doNotContact: boolean
  account: { email: string; suspended: boolean } | undefined
  addresses: string[]
  consents: Map<string, State>
  optedOut: boolean
  paused: boolean
  within: boolean
}
type Topic = { id: string; essential: boolean; in: boolean; ofChapter: boolean; archived: boolean }
type Reached = { person_id: string; address: string | null; refusal: string | null }

let admin: pg.Pool
let org: string
let chapter: string
let people: Person[]
let topics: Topic[]
const suppressed = new Map<string, string>()

const one = async (text: string, values: unknown[] = []) => (await admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
const query = async (text: string, values: unknown[]) => {
  await admin.query(text, values)
}

/** A generator of its own, so that a walk can be walked again. */
const seed = Number(process.env['WALK_SEED'] ?? Date.now() % 1_000_000)
let state = seed
function random(below: number) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
  return Math.floor((state / 2 ** 32) * below)
}
function any<T>(list: readonly T[]): T {
  const found = list[random(list.length)]
  if (found === undefined) throw new Error('nothing to choose from')
  return found
}

beforeAll(async () => {
  admin = new pg.Pool({ connectionString: (await testDatabase()).adminUrl, max: 1 })
  org = await one(
    `insert into app.organisations (idp_org_id, name, slug) values (gen_random_uuid()::text, 'Walk', gen_random_uuid()::text) returning org_id as id`,
  )
  const root = await one(`insert into app.chapters (org_id, name, code, level) values ($1, 'All', 'all', 'national') returning id`, [org])
  chapter = await one(`insert into app.chapters (org_id, parent_id, name, code) values ($1, $2, 'North', 'north') returning id`, [
    org,
    root,
  ])
  people = await founded()
  topics = await Promise.all([
    topic('News', {}),
    topic('Parties', { in: true }),
    topic('North', { in: true, ofChapter: true }),
    topic('Safety', { in: true, essential: true }),
    topic('Old', { in: true, archived: true }),
  ])
}, 120_000)
afterAll(() => admin.end())

async function topic(name: string, of: Partial<Topic>): Promise<Topic> {
  const made = { essential: false, in: false, ofChapter: false, archived: false, ...of }
  const id = await one(
    `insert into app.topics (org_id, chapter_id, name, kind, default_opt, archived_at) values ($1, $2, $3, $4, $5, case when $6 then now() end) returning id`,
    [org, made.ofChapter ? chapter : null, name, made.essential ? 'essential' : 'marketing', made.in ? 'in' : 'out', made.archived],
  )
  return { id, ...made }
}

/** Some without an address, some with an account, some who share an address, half of them in the chapter. */
async function founded(): Promise<Person[]> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.people (org_id, family_name) select $1, 'Walker ' || n from generate_series(1, $2::int) n returning id`,
    [org, crowd],
  )
  const made = rows.map(({ id }, n): Person => ({
    id,
    lifecycle: 'active',
    archived: false,
    doNotContact: false,
    account: n % 5 === 0 ? { email: `account${n}@example.org`, suspended: false } : undefined,
    addresses: n % 7 === 0 ? [] : [n % 11 === 0 ? `Family${n % 50}@example.org` : `walker${n}@example.org`],
    consents: new Map(),
    optedOut: false,
    paused: false,
    within: n % 2 === 0,
  }))
  const addressed = made.filter(({ addresses }) => addresses.length > 0)
  await query(
    `insert into app.person_emails (org_id, person_id, address, is_primary) select $1, p, a, true from unnest($2::uuid[], $3::text[]) u (p, a)`,
    [org, addressed.map(({ id }) => id), addressed.map(({ addresses }) => addresses[0])],
  )
  const known = made.filter(({ account }) => account)
  await query(
    `insert into app.accounts (org_id, issuer, subject, status, person_id, email) select $1, 'walk', p::text, 'active', p, a from unnest($2::uuid[], $3::text[]) u (p, a)`,
    [org, known.map(({ id }) => id), known.map(({ account }) => account?.email)],
  )
  await query(
    `insert into app.affiliations (org_id, person_id, chapter_id, starts_on) select $1, p, $2, '2020-01-01' from unnest($3::uuid[]) p`,
    [org, chapter, made.filter(({ within }) => within).map(({ id }) => id)],
  )
  return made
}

/** What may happen to somebody. Each changes the row and the model. */
const errands: Record<string, (who: Person) => Promise<void>> = {
  subscribe: (who) => consent(who, 'subscribed'),
  unsubscribe: (who) => consent(who, 'unsubscribed'),
  'be asked': (who) => consent(who, 'pending'),
  async optOut(who) {
    who.optedOut = true
    await preferences(who)
  },
  async optIn(who) {
    who.optedOut = false
    await preferences(who)
  },
  async sleep(who) {
    who.paused = !who.paused
    await preferences(who)
  },
  bounce: (who) => suppress(who, 'hard_bounce'),
  complain: (who) => suppress(who, 'complaint'),
  'be suppressed': (who) => suppress(who, 'manual'),
  'leave by address': (who) => suppress(who, 'unsubscribed'),
  async 'be released'(who) {
    const address = addressOf(who)
    if (!address) return
    suppressed.delete(address.toLowerCase())
    await query(`delete from app.mail_suppressions where org_id = $1 and address_hash = app_private.address_hash($2)`, [org, address])
  },
  async 'not contact'(who) {
    who.doNotContact = random(2) === 0
    await query(`update app.people set do_not_contact = $2 where id = $1`, [who.id, who.doNotContact])
  },
  async archive(who) {
    who.archived = !who.archived
    await query(`update app.people set deleted_at = case when $2 then now() end where id = $1`, [who.id, who.archived])
  },
  async die(who) {
    who.lifecycle = 'deceased'
    await query(`update app.people set lifecycle = 'deceased' where id = $1`, [who.id])
  },
  async suspend(who) {
    if (!who.account) return
    who.account.suspended = !who.account.suspended
    await query(`update app.accounts set status = $2 where person_id = $1`, [who.id, who.account.suspended ? 'suspended' : 'active'])
  },
  async erase(who) {
    who.lifecycle = 'erased'
    who.consents.clear()
    who.optedOut = who.paused = false
    await query(`update app.people set lifecycle = 'erased' where id = $1`, [who.id])
  },
  async merge(who) {
    const stays = any(people)
    if (stays === who || stays.lifecycle !== 'active') return
    await query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [who.id, stays.id])
    join(who, stays)
  },
}
const likely = [
  'subscribe',
  'unsubscribe',
  'be asked',
  'subscribe',
  'unsubscribe',
  'optOut',
  'optIn',
  'sleep',
  'not contact',
  'archive',
  'suspend',
]

async function consent(who: Person, wanted: State) {
  const about = any(topics)
  who.consents.set(about.id, wanted)
  await query(
    `insert into app.consents (org_id, person_id, topic_id, state, source) values ($1, $2, $3, $4, 'link')
     on conflict (org_id, person_id, topic_id) do update set state = excluded.state, source = 'link', at = now()`,
    [org, who.id, about.id, wanted],
  )
}
const preferences = (who: Person) =>
  query(
    `insert into app.mail_preferences (org_id, person_id, opted_out_at, paused_until)
     values ($1, $2, case when $3::boolean then now() end, case when $4::boolean then now() + interval '2 weeks' else now() - interval '1 day' end)
     on conflict (org_id, person_id) do update set opted_out_at = excluded.opted_out_at, paused_until = excluded.paused_until`,
    [org, who.id, who.optedOut, who.paused],
  )
async function suppress(who: Person, reason: string) {
  const address = addressOf(who)
  if (!address) return
  suppressed.set(address.toLowerCase(), reason)
  await query(
    `insert into app.mail_suppressions (org_id, address_hash, reason) values ($1, app_private.address_hash($2), $3)
     on conflict (org_id, address_hash) do update set reason = excluded.reason`,
    [org, address, reason],
  )
}

/** Of two answers the stricter stays; addresses, account and chapter come along where the other record has none. */
function join(gone: Person, stays: Person) {
  gone.lifecycle = 'merged'
  const order: State[] = ['subscribed', 'pending', 'unsubscribed']
  for (const [about, said] of gone.consents) {
    const other = stays.consents.get(about)
    if (!other || order.indexOf(said) > order.indexOf(other)) stays.consents.set(about, said)
  }
  gone.consents.clear()
  stays.optedOut ||= gone.optedOut
  stays.paused ||= gone.paused
  stays.within ||= gone.within
  stays.addresses.push(...gone.addresses.filter((address) => !stays.addresses.some((own) => own.toLowerCase() === address.toLowerCase())))
  if (stays.account) return
  stays.account = gone.account
  gone.account = undefined
}

const addressOf = (who: Person) => who.account?.email ?? who.addresses[0]

/** The rules once more, as plainly as they can be said. */
function mayGet(who: Person, about: Topic | undefined) {
  if (who.lifecycle !== 'active' || who.archived || who.account?.suspended) return false
  const address = addressOf(who)
  if (!address) return false
  const reason = suppressed.get(address.toLowerCase())
  if (reason === 'hard_bounce' || reason === 'complaint') return false
  if (about?.archived) return false
  if (!about || about.essential) return true
  if (reason || who.doNotContact || who.optedOut || who.paused) return false
  const said = who.consents.get(about.id)
  return said ? said === 'subscribed' : about.in && (!about.ofChapter || who.within)
}

const reach = async (about: Topic | undefined) =>
  (await admin.query<Reached>(`select * from app_private.mail_reach($1, $2, $3)`, [org, about?.id ?? null, people.map(({ id }) => id)]))
    .rows

/** Who is named and should get none, or the other way round. */
async function mistakes() {
  const wrong: string[] = []
  for (const about of [...topics, undefined]) {
    const named = new Map((await reach(about)).map((row) => [row.person_id, row]))
    expect(named.size).toBe(people.length)
    for (const who of people) {
      const row = named.get(who.id)
      const may = mayGet(who, about)
      if (may !== (row?.refusal === null)) wrong.push(`${who.id}: should ${may ? '' : 'not '}get it, ${row?.refusal ?? 'no refusal'}`)
      else if (may && row?.address !== addressOf(who)) wrong.push(`${who.id}: ${row?.address} instead of ${addressOf(who)}`)
    }
  }
  return wrong
}

test('mail_reach names nobody who should get none, whatever happened to them', async () => {
  expect(await mistakes(), `WALK_SEED=${seed}`).toEqual([])
  for (let round = 0; round < rounds; round++) {
    await admin.query('begin')
    for (let step = 0; step < steps; step++) {
      const who = any(people)
      if (who.lifecycle !== 'active') continue
      const errand = random(3) === 0 ? any(Object.keys(errands)) : any(likely)
      await errands[errand]?.(who)
    }
    await admin.query('commit')
    expect((await mistakes()).slice(0, 5), `WALK_SEED=${seed}, round ${round}`).toEqual([])
  }
  const named = (await Promise.all(topics.filter(({ archived }) => !archived).map(reach))).map(
    (rows) => rows.filter(({ refusal }) => refusal === null).length,
  )
  for (const count of named) expect(count).toBeGreaterThan(100)
}, 600_000)

test('each guard that is switched off is noticed', async () => {
  const { rows } = await admin.query<{ source: string }>(
    `select pg_get_functiondef('app_private.mail_refusals(uuid, uuid, boolean, uuid[])'::regprocedure) as source`,
  )
  const source = rows[0]?.source ?? ''
  const guards = [...source.matchAll(/^ +when (.+) then ('\w+'|[a-z]\.\w+)$/gm)].map(([line]) => line)
  expect(guards.length).toBe(12)
  for (const guard of guards) {
    await admin.query('begin')
    await admin.query(source.replace(guard, guard.replace(/when .+ then/, 'when false then')))
    const noticed = await mistakes()
    await admin.query('rollback')
    expect(noticed.length, guard).toBeGreaterThan(0)
  }
}, 600_000)

test('nobody but the person subscribes again, and every change is kept', async () => {
  const [who, about] = [await one(`insert into app.people (org_id, family_name) values ($1, 'Kept') returning id`, [org]), topics[0]?.id]
  await query(`insert into app.consents (org_id, person_id, topic_id, state, source) values ($1, $2, $3, 'unsubscribed', 'link')`, [
    org,
    who,
    about,
  ])
  for (const source of ['officer', 'import'])
    await expect(
      query(`update app.consents set state = 'subscribed', source = $2 where person_id = $1`, [who, source]),
    ).rejects.toMatchObject({
      constraint: 'consent_withdrawn',
    })
  await query(`update app.consents set state = 'pending', source = 'officer' where person_id = $1`, [who])
  await query(`update app.consents set state = 'subscribed', source = 'link' where person_id = $1`, [who])
  const { rows } = await admin.query<{ said: string }>(
    `select state || ' ' || source as said from app.consent_changes where person_id = $1 order by id`,
    [who],
  )
  expect(rows.map(({ said }) => said)).toEqual(['unsubscribed link', 'pending officer', 'subscribed link'])
})

test('people of another organisation are named by nobody', async () => {
  const other = await one(
    `insert into app.organisations (idp_org_id, name, slug) values (gen_random_uuid()::text, 'Other', gen_random_uuid()::text) returning org_id as id`,
  )
  const { rows } = await admin.query<Reached>(`select * from app_private.mail_reach($1, null, $2)`, [
    other,
    people.slice(0, 50).map(({ id }) => id),
  ])
  expect(new Set(rows.map(({ address, refusal }) => `${address} ${refusal}`))).toEqual(new Set(['null erased']))
})
