import { randomInt } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../calls.ts'
import type { Principal } from '../rights/principals.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage('walks')
})
afterAll(() => stage.end())

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
/** Steps to be taken, a handful in each walk; `npm run fuzz -- --walks 100000` takes many. */
const wanted = Number(process.env['FUZZ_WALKS'] ?? 400)
/** What a walk has on average: from one to twelve steps, the shorter ones more often. */
const stepsEach = 5
const walks = Math.ceil(wanted / stepsEach)

type State = 'none' | 'requested' | 'invited' | 'active'
type Policy = 'open' | 'request' | 'invite'
type World = { policy: Policy; state: State; archived: boolean }
const steps = ['join', 'leave', 'approve', 'decline', 'invite', 'add', 'remove', 'archive', 'restore'] as const
type Step = (typeof steps)[number]

/** What a step makes of the world; null where it must be refused. */
function after({ policy, state, archived }: World, step: Step): Partial<World> | null {
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

test(
  'whatever order joining, asking, inviting, leaving and archiving come in, a membership only goes where it may',
  { timeout: 3_600_000 },
  async () => {
    const person = stage.callers.member.own['personId'] ?? ''
    let taken = 0
    const call = async (
      principal: Principal,
      method: 'POST' | 'DELETE',
      url: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => send(stage, { method, url, headers, ...(body === undefined ? {} : { body }) }, stage.callers[principal].token)

    const property = fc.asyncProperty(
      fc.constantFrom<Policy>('open', 'request', 'invite'),
      fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 12 }),
      async (policy, chosen) => {
        try {
          const made = await call('owner', 'POST', '/data/groups', { name: 'Walk', joinPolicy: policy })
          const { id } = JSON.parse(made.body) as { id: string }
          let world: World = { policy, state: 'none', archived: false }
          const live = async () => {
            const { rows } = await stage.world.admin.query<{ id: string; status: State; version: number }>(
              `select id, status, version from app.group_members where group_id = $1 and person_id = $2 and ends_on is null and status in ('requested', 'invited', 'active')`,
              [id, person],
            )
            expect(rows.length, 'one membership at a time').toBeLessThanOrEqual(1)
            return rows[0]
          }
          for (const step of chosen) {
            taken += 1
            const membership = await live()
            const member = `/data/groups/${id}/members/${membership?.id ?? '01920000-dead-7000-8000-000000000000'}`
            const { rows } = await stage.world.admin.query<{ version: number }>('select version from app.groups where id = $1', [id])
            const match = { 'if-match': `"${rows[0]?.version ?? 1}"` }
            const doing: Record<Step, () => ReturnType<typeof call>> = {
              join: () => call('member', 'POST', `/data/groups/${id}/join`),
              leave: () => call('member', 'POST', `/data/groups/${id}/leave`),
              approve: () => call('owner', 'POST', `${member}/approve`),
              decline: () => call('owner', 'POST', `${member}/decline`),
              invite: () => call('owner', 'POST', `/data/groups/${id}/members`, { personId: person, status: 'invited' }),
              add: () => call('owner', 'POST', `/data/groups/${id}/members`, { personId: person }),
              remove: () => call('owner', 'DELETE', member),
              archive: () => call('owner', 'POST', `/data/groups/${id}/archive`, undefined, match),
              restore: () => call('owner', 'POST', `/data/groups/${id}/restore`, undefined, match),
            }
            const answer = await doing[step]()
            const next = after(world, step)
            const said = `${step} in ${JSON.stringify(world)} was answered ${answer.status} ${answer.body.slice(0, 160)}`
            expect(answer.status, said)[next ? 'toBeLessThan' : 'toBeGreaterThanOrEqual'](300)
            expect(answer.status, said).toBeLessThan(500)
            world = { ...world, ...next }
            expect((await live())?.status ?? 'none', `${said}, and then`).toBe(world.state)
          }
        } finally {
          await stage.journal.undo()
        }
      },
    )
    await fc.assert(property, { numRuns: walks, seed })
    expect(taken).toBeGreaterThanOrEqual(wanted * 0.8)
    console.log(`walks: ${taken} steps in ${walks} walks, seed ${seed}`)
  },
)
