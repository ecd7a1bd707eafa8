import { expect, test } from 'vitest'
import { bulkState, undoableUntil } from '../../platform/lists/bulk-state.ts'
import { normalPhone, readColumns } from './people.rules.ts'

test('telephone numbers become E.164 where they say their country, and stay as written where they do not', () => {
  for (const [written, kept] of [
    ['+49 30 901820', '+4930901820'],
    ['0041 44 668 18 00', '+41446681800'],
    ['030 / 90 18 20', '030 / 90 18 20'],
    ['+49 1', '+49 1'],
    ['030  12', '030 12'],
    ['000', '000'],
  ] as const)
    expect(normalPhone(written)).toBe(kept)
})

test('further columns are read once each, in order, whatever the spaces', () => {
  expect(readColumns(undefined)).toEqual({ further: [], fields: [] })
  expect(readColumns(' tags, city ,tags,').further).toEqual(['tags', 'city'])
  expect(() => readColumns('tags,secrets')).toThrow()
})

test('a bulk change can be taken back for 30 days, once, when it is done and changed something', () => {
  const request = { selection: { all: {}, except: [] }, change: { do: 'archive' } }
  const counts = { matched: 1, changed: 1, unchanged: 0, refused: 0 }
  const job = {
    id: '01920000-0000-7000-8000-000000000001',
    kind: 'bulk',
    title: '',
    status: 'done',
    done: 1,
    total: 1,
    error: null,
    result: { request, counts },
    createdAt: new Date().toISOString(),
    startedAt: null,
    finishedAt: new Date().toISOString(),
  } as const
  const state = bulkState(job)
  if (!state) throw new Error('this is a bulk job')
  expect(undoableUntil(job, state)).not.toBeNull()
  const over = new Date(Date.now() - 31 * 86_400_000).toISOString()
  expect(undoableUntil({ ...job, finishedAt: over }, state)).toBeNull()
  expect(undoableUntil({ ...job, status: 'running' }, state)).toBeNull()
  expect(undoableUntil(job, { ...state, undone: true })).toBeNull()
  expect(undoableUntil(job, { ...state, undoes: job.id })).toBeNull()
  expect(undoableUntil(job, { ...state, counts: { ...counts, changed: 0 } })).toBeNull()
  expect(bulkState({ ...job, kind: 'export' })).toBeNull()
})
