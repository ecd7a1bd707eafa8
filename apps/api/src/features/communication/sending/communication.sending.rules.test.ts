import { MessageStatus } from '@guildhall/contract/features/communication.messages'
import fc from 'fast-check'
import { expect } from 'vitest'
import { isProgram, linkToken, readLinkToken } from './communication.links.rules.ts'
import { afterMove, messageMoves, offeredMoves } from './communication.sending.rules.ts'
import type { MessageMove } from './communication.sending.rules.ts'
import { test } from './communication.sending.testing.ts'

const moves = Object.keys(messageMoves).filter((name): name is MessageMove => name in messageMoves)
const ended = new Set<MessageStatus>(['sent', 'cancelled', 'failed'])

test('the database knows the same moves, and no others', async ({ admin }) => {
  const { rows } = await admin.query<{ move: string; status: string; becomes: string; needs: string | null }>(
    'select move, status, becomes, needs from app_private.message_moves()',
  )
  const ours = moves.flatMap((move) =>
    messageMoves[move].from.map((status) => [move, status, messageMoves[move].to, messageMoves[move].needs]),
  )
  expect(rows.map(({ move, status, becomes, needs }) => [move, status, becomes, needs]).toSorted()).toEqual(ours.toSorted())
})

test('whatever is tried in whatever order, nothing is sent that was not scheduled, and what is called off stays so', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...moves), { maxLength: 40 }), (tried) => {
      let status: MessageStatus = 'draft'
      let isScheduled = false
      for (const move of tried) {
        const next = afterMove(status, move)
        if (next === undefined) continue
        if (status === 'cancelled') throw new Error('left the end')
        if (next === 'scheduled') isScheduled = true
        if (next === 'draft' || next === 'in_review') isScheduled = status === 'sending' || status === 'paused' ? isScheduled : false
        if (next === 'sending' && !isScheduled) throw new Error(`${status} was sent without having been scheduled`)
        status = next
      }
    }),
    { numRuns: 2_000 },
  )
})

test('nobody is offered what the database refuses: not their own approval, nothing without the permission, nothing of what is archived', () => {
  const standing = fc.record({
    status: fc.constantFrom(...MessageStatus.options),
    isArchived: fc.boolean(),
    mayWrite: fc.boolean(),
    maySend: fc.boolean(),
    isAuthor: fc.boolean(),
    isSubmitter: fc.boolean(),
  })
  fc.assert(
    fc.property(standing, (one) => {
      const may = offeredMoves(one)
      if (may.approve) expect([one.isAuthor, one.isSubmitter, one.maySend, one.status]).toEqual([false, false, true, 'in_review'])
      if (!one.maySend) expect([may.schedule, may.approve, may.pause, may.cancel, may.retry]).toEqual([false, false, false, false, false])
      if (!one.mayWrite) expect([may.edit, may.remove, may.submit]).toEqual([false, false, false])
      if (one.isArchived) expect([may.edit, may.submit, may.schedule, may.resume]).toEqual([false, false, false, false])
      if (ended.has(one.status)) expect([may.edit, may.cancel, may.pause]).toEqual([false, false, false])
    }),
  )
})

test('an address in a message names what it was made for; changed anywhere, it names nothing', () => {
  const named = fc.record({ orgId: fc.uuid(), deliveryId: fc.uuid(), link: fc.integer({ min: 0, max: 1000 }) })
  fc.assert(
    fc.property(named, fc.nat(66), fc.constantFrom(...'a b c X Y Z 0 1 9 - _'.split(' ')), (token, at, character) => {
      const made = linkToken('a secret', token)
      expect(readLinkToken('a secret', made)).toEqual(token)
      expect(readLinkToken('another', made)).toBeUndefined()
      const changed = made.slice(0, at) + character + made.slice(at + 1)
      const read = readLinkToken('a secret', changed)
      // The last character has bits that stand for nothing.
      if (read !== undefined) expect(read).toEqual(token)
    }),
  )
})

test('programs that look for harm are not taken for readers', () => {
  expect(isProgram('HEAD', 'Mozilla/5.0', undefined)).toBe(true)
  expect(isProgram('GET', undefined, undefined)).toBe(true)
  expect(isProgram('GET', 'SafeLinks scanner', undefined)).toBe(true)
  expect(isProgram('GET', 'Mozilla/5.0', 'prefetch')).toBe(true)
  expect(isProgram('GET', 'Mozilla/5.0 (X11; Linux x86_64)', undefined)).toBe(false)
})
