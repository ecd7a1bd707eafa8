import { randomInt, randomUUID } from 'node:crypto'
import { copyTemplate } from '@guildhall/db/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { makeOrganisation, makePerson, startWorld, stopWorld } from '../../src/testing.ts'
import type { TestPerson, World } from '../../src/testing.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
/** Steps to be taken, a handful in each walk; `npm run fuzz -- --walks 100000` takes many. */
const wanted = Number(process.env['FUZZ_WALKS'] ?? 400)
/** What a walk has on average: from one to twelve steps, the shorter ones more often. */
const stepsEach = 5
/** Organisations that walk at the same time, of which each has the next one's owner try everything as well. */
const organisations = 6

type Member = { person: TestPerson; owner: TestPerson }
let world: World
let address: string
let members: Member[]
beforeAll(async () => {
  world = await startWorld(await copyTemplate(inject('testServer'), 'walks'))
  address = await world.app.listen({ port: 0, host: '127.0.0.1' })
  const { admin, issuer } = world
  const made = async (): Promise<Member> => {
    const org = await makeOrganisation(admin)
    return { person: await makePerson(admin, issuer, org, {}), owner: await makePerson(admin, issuer, org, { idpRoles: ['org-owner'] }) }
  }
  members = await Promise.all(Array.from({ length: organisations }, made))
})
afterAll(() => stopWorld(world))

type State = 'none' | 'requested' | 'invited' | 'active'
type Policy = 'open' | 'request' | 'invite'
type Standing = { policy: Policy; state: State; archived: boolean }
const steps = ['join', 'leave', 'approve', 'decline', 'invite', 'add', 'remove', 'archive', 'restore'] as const
type Step = (typeof steps)[number]
/** `stale`: with a version that is past. `replayed`: again under the same key. `twice`: by two at the same moment. `foreign`: by another organisation's owner. */
const ways = ['once', 'once', 'stale', 'replayed', 'twice', 'foreign'] as const
type Rule = (world: Standing, step: Step) => Partial<Standing> | null

/** What a step makes of how things stand; null where it must be refused. */
function after({ policy, state, archived }: Standing, step: Step): Partial<Standing> | null {
  switch (step) {
    case 'join':
      if (archived) return null
      if (state === 'invited') return { state: 'active' }
      if (state !== 'none' || policy === 'invite') return null
      return { state: policy === 'open' ? 'active' : 'requested' }
    case 'leave':
      return state === 'none' ? null : { state: 'none' }
    case 'approve':
      return state === 'requested' && !archived ? { state: 'active' } : null
    case 'decline':
      return state === 'requested' ? { state: 'none' } : null
    case 'invite':
      return state === 'none' && !archived ? { state: 'invited' } : null
    case 'add':
      return state === 'none' && !archived ? { state: 'active' } : null
    case 'remove':
      return state === 'none' ? null : { state: 'none' }
    case 'archive':
      return archived ? null : { archived: true }
    case 'restore':
      return archived ? { archived: false } : null
  }
}

type Told = { status: number; text: string }
async function call(
  who: TestPerson,
  method: 'POST' | 'DELETE',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Told> {
  const response = await fetch(`${address}/data/groups${path}`, {
    method,
    headers: { authorization: `Bearer ${who.token}`, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, text: await response.text() }
}

/** One organisation's walks; answers how many steps it took. */
async function walk(nth: number, numRuns: number, rule: Rule = after, endOnFailure = false): Promise<number> {
  const [{ person, owner }, { owner: stranger }] = [members[nth] as Member, members[(nth + 1) % organisations] as Member]
  let taken = 0
  const lookAt = async (groupId: string) => {
    const { rows } = await world.admin.query<{ version: number; archived: boolean; memberships: { id: string; status: State }[] }>(
      `select g.version, g.archived_at is not null as archived, (select coalesce(json_agg(json_build_object('id', m.id, 'status', m.status)), '[]')
          from app.group_members m where m.group_id = g.id and m.person_id = $2 and m.ends_on is null and m.status in ('requested', 'invited', 'active')) as memberships
        from app.groups g where g.id = $1`,
      [groupId, person.personId],
    )
    const [row] = rows
    if (!row) throw new Error('the group is gone')
    expect(row.memberships.length, 'one membership at a time').toBeLessThanOrEqual(1)
    return { ...row, membership: row.memberships[0] }
  }

  const property = fc.asyncProperty(
    fc.constantFrom<Policy>('open', 'request', 'invite'),
    fc.array(fc.tuple(fc.constantFrom(...steps), fc.constantFrom(...ways)), { minLength: 1, maxLength: 12 }),
    async (policy, chosen) => {
      const { id } = JSON.parse((await call(owner, 'POST', '', { name: 'Walk', joinPolicy: policy })).text) as { id: string }
      let standing: Standing = { policy, state: 'none', archived: false }
      let now = await lookAt(id)
      for (const [step, way] of chosen) {
        taken += 1
        const [keeper, comer] = way === 'foreign' ? [stranger, stranger] : [owner, person]
        const member = `/${id}/members/${now.membership?.id ?? '01920000-dead-7000-8000-000000000000'}`
        const key = way === 'replayed' ? { 'idempotency-key': randomUUID() } : {}
        const match = { ...key, 'if-match': `"${way === 'stale' ? now.version + 1 : now.version}"` }
        const doing: Record<Step, () => Promise<Told>> = {
          join: () => call(comer, 'POST', `/${id}/join`, undefined, key),
          leave: () => call(comer, 'POST', `/${id}/leave`, undefined, key),
          approve: () => call(keeper, 'POST', `${member}/approve`, undefined, key),
          decline: () => call(keeper, 'POST', `${member}/decline`, undefined, key),
          invite: () => call(keeper, 'POST', `/${id}/members`, { personId: person.personId, status: 'invited' }, key),
          add: () => call(keeper, 'POST', `/${id}/members`, { personId: person.personId }, key),
          remove: () => call(keeper, 'DELETE', member),
          archive: () => call(keeper, 'POST', `/${id}/archive`, undefined, match),
          restore: () => call(keeper, 'POST', `/${id}/restore`, undefined, match),
        }
        const isRefused = way === 'foreign' || (way === 'stale' && (step === 'archive' || step === 'restore'))
        const next = isRefused ? null : rule(standing, step)
        const told = way === 'twice' ? await Promise.all([doing[step](), doing[step]()]) : [await doing[step]()]
        // What has no key is not replayed.
        if (way === 'replayed' && step !== 'remove') {
          const again = await doing[step]()
          const plain = ({ status, text }: Told) => `${status} ${text.replace(/"requestId":"[^"]*"/, '')}`
          expect(plain(again), `${step} again`).toBe(plain(told[0] as Told))
        }
        const said = `${step} (${way}) in ${JSON.stringify(standing)} was answered ${told.map(({ status, text }) => `${status} ${text.slice(0, 160)}`).join(' and ')}`
        expect(told.filter(({ status }) => status < 300).length, said).toBe(next ? 1 : 0)
        expect(
          told.filter(({ status }) => status >= 500),
          said,
        ).toEqual([])
        standing = { ...standing, ...next }
        now = await lookAt(id)
        expect({ state: now.membership?.status ?? 'none', archived: now.archived }, `${said}, and then`).toEqual({ state: standing.state, archived: standing.archived }) // prettier-ignore
      }
    },
  )
  await fc.assert(property, { numRuns, seed: seed + nth, endOnFailure })
  return taken
}

test(
  'whatever order joining, asking, inviting, leaving and archiving come in, and however often, a membership only goes where it may',
  { timeout: 7_200_000 },
  async () => {
    const each = Math.ceil(wanted / stepsEach / organisations)
    const started = performance.now()
    const taken = (await Promise.all(members.map((_, nth) => walk(nth, each)))).reduce((sum, steps) => sum + steps, 0)
    const seconds = Math.round((performance.now() - started) / 1_000)
    expect(taken).toBeGreaterThanOrEqual(wanted * 0.8)
    console.log(`walks: ${taken} steps in ${each * organisations} walks of ${organisations} organisations, seed ${seed}, ${seconds} s`)
  },
)

test('a step that is answered or does otherwise than the rules say is found', { timeout: 240_000 }, async () => {
  const whatIsFound = (rule?: Rule) => walk(0, 1_000, rule, true).then(() => 'nothing', (failure: unknown) => String((failure as Error).cause)) // prettier-ignore
  expect(await whatIsFound((standing, step) => (step === 'approve' ? null : after(standing, step)))).toMatch(
    /approve \(\w+\) in .* was answered (\d{3} .* and )?200/,
  )
  await world.admin.query(`
    create function app.planted() returns trigger language plpgsql as 'begin return old; end';
    create trigger planted before update on app.group_members for each row when (new.status = 'removed') execute function app.planted()`)
  // Of two who leave at the same moment both are answered so, since neither has left.
  expect(await whatIsFound()).toMatch(/(leave|remove) \(\w+\) in .* was answered (\d{3} .* and )?204 .*(and then|expected 2 to be 1)/)
})
