import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../calls.ts'
import type { Answer, Call } from '../calls.ts'
import { operations } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { fuzz } from './fuzz.ts'

let stage: Stage
beforeAll(async () => {
  stage = await setStage('fuzz_controls')
})
afterAll(() => stage.end())

const tags = operations.filter(({ id }) => id === 'createTag')
type Planted = (call: Call, body: Record<string, unknown>, honest: Answer) => Answer

/** Fuzzes the creation of tags as if its handler had a fault, and answers what was found. */
async function withFault(planted: Planted): Promise<string> {
  const { findings } = await fuzz(stage, tags, {
    cases: 600,
    seed: 7,
    send: async (at, call, token) => {
      const honest = await send(at, call, token)
      const body: unknown = JSON.parse(String(call.body))
      return token && typeof body === 'object' && body !== null && !Array.isArray(body)
        ? planted(call, body as Record<string, unknown>, honest)
        : honest
    },
  })
  return findings.join('\n')
}
const made = (more: object = {}): Answer => ({
  status: 201,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify({
    id: '01920000-0000-7000-8000-000000000001',
    name: 'x',
    color: 'gray',
    audience: 'officers',
    uses: {},
    createdAt: '2026-01-01T00:00:00Z',
    ...more,
  }),
})
const problem = (status: number, detail: string): Answer => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  body: JSON.stringify({ type: 'about:blank#X', title: 'x', status, code: 'X', detail, requestId: 'x', errors: [] }),
})

test('the operation without a fault is not found', async () => {
  expect(await withFault((_call, _body, honest) => honest)).toBe('')
})

test('a handler that throws is found, with the smallest request that makes it', async () => {
  const found = await withFault((_call, { name }, honest) => (typeof name === 'string' && name.includes('%') ? problem(500, 'x') : honest))
  expect(found).toMatch(/^createTag answered 500/)
  expect(found).toMatch(/curl -i -X POST .*--data-raw '\{"name":"% ?"\}' 'http:\/\/localhost:3000\/data\/tags'/)
  expect(found).toMatch(/seed 7/)
})

test.each<[string, Planted, RegExp]>([
  [
    'lets caches keep its answer (A25)',
    (_call, _body, honest) => ({ ...honest, headers: { ...honest.headers, 'cache-control': 'private, max-age=60' } }),
    /answered \d+ for caches to keep/,
  ],
  [
    'accepts a field that nobody knows',
    (_call, body, honest) => ('orgId' in body ? made() : honest),
    /answered 201 although the body .*additional properties/,
  ],
  [
    'accepts a value of another kind',
    (_call, { name }, honest) => (Array.isArray(name) ? made() : honest),
    /answered 201 although the body data\/name must be string/,
  ],
  [
    'accepts what is too long',
    (_call, { name }, honest) => (typeof name === 'string' && name.length > 60 ? made() : honest),
    /must NOT have more than 60 characters/,
  ],
  [
    'answers with a field that is not documented',
    (_call, _body, honest) => (honest.status === 201 ? made({ passwordHash: 'x' }) : honest),
    /another shape than documented/,
  ],
  [
    'answers without a field that is documented',
    (_call, _body, honest) => (honest.status === 201 ? { ...made(), body: '{}' } : honest),
    /another shape than documented/,
  ],
  [
    'answers with a status that is not documented',
    (_call, _body, honest) => (honest.status === 201 ? { ...made(), status: 226 } : honest),
    /226, which is not documented/,
  ],
  [
    'answers in another type',
    (_call, _body, honest) => (honest.status === 201 ? { ...made(), headers: { ...made().headers, 'content-type': 'text/html' } } : honest),
    /as text\/html/,
  ],
  [
    'tells the database’s own words',
    (_call, _body, honest) => (honest.status === 422 ? problem(422, 'new row violates check constraint "x"') : honest),
    /speaks of its inside/,
  ],
  [
    'shows what is hidden',
    (_call, _body, honest) => (honest.status === 201 ? made({ name: 'qz7private7foreign7zq' }) : honest),
    /shows (owner|officer) private of foreign/,
  ],
])('a handler that %s is found', async (_, planted, finding) => {
  expect(await withFault(planted)).toMatch(finding)
})

test('a refusal that leaves a row behind is found', async () => {
  const found = await withFault((_call, _body, honest) => honest)
  expect(found).toBe('')
  const { findings } = await fuzz(stage, tags, {
    cases: 20,
    seed: 7,
    send: async () => {
      await stage.world.admin.query(`insert into app.tags (org_id, name) values ($1, gen_random_uuid()::text)`, [
        stage.places.west['orgId'],
      ])
      return problem(409, 'x')
    },
  })
  expect(findings.join('\n')).toMatch(/createTag refused a request and left INSERT app\.tags/)
})
