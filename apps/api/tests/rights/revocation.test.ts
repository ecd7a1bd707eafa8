import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepare, send } from '../calls.ts'
import { operations } from '../operations.ts'
import type { Operation } from '../operations.ts'
import { setStage } from '../stage.ts'
import type { Rows, Stage } from '../stage.ts'
import { lineOf } from './policy.ts'
import type { Principal } from '@guildhall/db/cast-testing'

let stage: Stage
beforeAll(async () => {
  stage = await setStage('revocation')
})
afterAll(() => stage.end())

async function statusFor(principal: Principal, operation: Operation, rows: Rows): Promise<number> {
  const line = lineOf(operation.path)
  if (!line) throw new Error(`${operation.path} has no line in the policy`)
  const { status } = await send(stage, prepare(operation, line, rows, stage.versions).call, stage.callers[principal].token)
  await stage.journal.undo()
  return status
}
const withAccount = operations.filter(({ needs }) => needs !== 'public' && needs !== 'token')
/** The longest that an account's state is remembered. */
const remembered = 5_000

test('a suspended account is refused everywhere within five seconds', { timeout: 600_000 }, async () => {
  const { member } = stage.callers
  expect((await send(stage, { method: 'GET', url: '/data/me', headers: {} }, member.token)).status).toBe(200)
  await stage.world.admin.query(`update app.accounts set status = 'suspended' where id = $1`, [member.accountId])
  await wait(remembered)
  const answered: string[] = []
  for (const operation of withAccount) {
    const line = lineOf(operation.path)
    if (!line) continue
    const { status } = await send(
      stage,
      prepare(operation, line, { ...stage.places.west, ...member.own }, stage.versions).call,
      member.token,
    )
    if (status !== 403) answered.push(`${operation.path}: ${status}`)
  }
  await stage.journal.undo()
  expect(answered).toEqual([])
})

test('tokens from before a sign-out everywhere are refused within five seconds', async () => {
  const { finance } = stage.callers
  expect((await send(stage, { method: 'GET', url: '/data/me', headers: {} }, finance.token)).status).toBe(200)
  await stage.world.admin.query(`update app.accounts set tokens_valid_after = now() + interval '1 second' where id = $1`, [
    finance.accountId,
  ])
  await wait(remembered)
  expect((await send(stage, { method: 'GET', url: '/data/me', headers: {} }, finance.token)).status).toBe(401)
  await stage.journal.undo()
})

test(
  'an office that ends opens nothing from that moment: its holder is answered like one whose office ended before',
  { timeout: 600_000 },
  async () => {
    const compared = withAccount.filter(({ path }) => {
      const line = lineOf(path)
      // What belongs to each of the two is not the same.
      return line && (line.right.has('officer', 'west') || line.right.has('officer', 'org')) && !line.right.has('guest', 'own')
    })
    const holder = stage.callers.officer.own['personId']
    const opened: string[] = []
    for (const operation of compared) {
      for (const place of ['west', 'below'] as const) {
        const rows = stage.places[place]
        const before = await statusFor('officer', operation, rows)
        const like = await statusFor('former', operation, rows)
        await stage.world.admin.query(`update app.position_holders set ends_on = current_date - 1 where person_id = $1`, [holder])
        const line = lineOf(operation.path)
        const after = line
          ? (await send(stage, prepare(operation, line, rows, stage.versions).call, stage.callers.officer.token)).status
          : 0
        await stage.journal.undo()
        if (after !== like) opened.push(`${operation.path} in ${place}: ${before}, then ${after} instead of ${like}`)
      }
    }
    expect(compared.length).toBeGreaterThan(30)
    expect(opened).toEqual([])
  },
)
