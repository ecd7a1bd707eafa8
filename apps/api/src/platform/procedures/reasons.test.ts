import { callerReasons, isReason } from '@guildhall/contract/reasons'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import { problem, toProblem } from './problem.ts'

/** `raise exception 'text' using errcode = '42501', constraint = 'name'`, wherever it stands in a function. */
const raised = /raise exception\s+'((?:[^']|'')*)'([^;]*?)using\s+errcode = '(42501|23503|23514|23P01|23505)'([^;]*);/g
/** Whoever meets one of these came past the api, which asks first. */
const unsaid = new Set([
  'not allowed',
  'nothing can hang on records of the type %',
  'only somebody who is signed in issues a link',
  'only somebody who is signed in causes a mail',
  'only those who keep the accounts write to any address',
  'only those who keep the accounts send mail again',
  'only those who keep the accounts call mail off',
  'only those who manage fields replace a choice',
  'only somebody who is signed in tells others',
  'not an event of this series',
  'a gift cannot be imported like this',
])

test('every rule that the database keeps for people is one that the web app has a text for', async ({ admin }) => {
  const { rows } = await admin.query<{ source: string }>(
    `select prosrc as source from pg_proc where pronamespace in ('app'::regnamespace, 'app_private'::regnamespace)`,
  )
  const rules = rows.flatMap(({ source }) => [...source.matchAll(raised)].map(([, text = '', , , rest = '']) => ({ text, rest })))
  const named = rules.filter(({ text }) => !unsaid.has(text)).map(({ text, rest }) => [text, /constraint = '(\w+)'/.exec(rest)?.[1]])
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(([, rule]) => !isReason(rule))).toEqual([])
})

test('a rule of the database is said with its name and the names it speaks of', () => {
  const circle = { code: '23514', constraint: 'chapters_no_circle', detail: '{"chapters":["West","Quay","West"]}' }
  expect(toProblem(Object.assign(new Error('West → Quay → West would be a circle'), circle))).toMatchObject({
    status: 422,
    data: { reason: 'chapters_no_circle', params: { chapters: ['West', 'Quay', 'West'] } },
  })
  const unnamed = { code: '23505', constraint: 'people_org_id_legacy_key', detail: 'Key (org_id, legacy)=(1, 2) already exists.' }
  const answer = toProblem(Object.assign(new Error('duplicate key value violates unique constraint'), unnamed))
  expect(answer).toMatchObject({ status: 409, data: {} })
})

test('what screens have a text for is not left to callers', () => {
  expect(callerReasons.filter(isReason)).toEqual([])
})

test('a reason that no list has does not compile', () => {
  // @ts-expect-error -- not listed
  expect(problem('CONFLICT', { reason: 'because', detail: 'Because.' }).status).toBe(409)
  // @ts-expect-error -- its text speaks of how many, so it needs them
  expect(problem('CONFLICT', { reason: 'chapter_in_use', detail: 'Move them first.' }).status).toBe(409)
  // @ts-expect-error -- a sentence alone has no text in the web app
  expect(problem('CONFLICT', { detail: 'Move them first.' }).status).toBe(409)
})
