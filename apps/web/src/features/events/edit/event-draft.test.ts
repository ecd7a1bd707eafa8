import type { Event } from '@guildhall/contract/features/events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ORPCError } from '@orpc/client'
import { fake, fakeApi } from '../../../testing/fake-api.ts'
import { lecture, runs } from '../events-testing.ts'
import { eventDraft } from './event-draft.ts'
import { newKey, newValues, valuesOf } from './event-values.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const kept: Event = { ...lecture, status: 'draft', may: runs }
const start = newValues({ startsAt: '2096-12-03T19:00:00Z', timezone: 'Europe/Lisbon', chapterId: null, groupId: null })

/** A server that keeps one event and notes what it is sent. */
function server(now: Event = kept) {
  const sent: Record<string, unknown>[] = []
  const state = { now, fail: (): Error | false => false }
  const take = (change: Record<string, unknown>) => {
    sent.push(change)
    const failure = state.fail()
    if (failure) throw failure
    state.now = { ...state.now, ...pick(change, ['title', 'summary', 'capacity']), version: state.now.version + 1 }
    if (Array.isArray(change['ticketTypes']))
      state.now = {
        ...state.now,
        ticketTypes: change['ticketTypes'].map((ticket, nth) => ({
          ...{ taken: 0, onSale: true, myPrice: 0 },
          ...ticket,
          id: ticket.id ?? `0190a000-0000-7000-8000-0000000009${String(nth).padStart(2, '0')}`,
        })),
      }
    return state.now
  }
  const api = fakeApi({
    data: {
      events: {
        create: fake.data.events.create.handler(({ input }) => take({ ...input })),
        update: fake.data.events.update.handler(({ input: { eventId: _, ...change } }) => take(change)),
        get: fake.data.events.get.handler(() => state.now),
      },
    },
  })
  return { events: api.data.events, sent, state }
}

const pick = (from: Record<string, unknown>, names: string[]) =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
const nobody = () => Promise.reject(new Error('nobody was asked'))
const idle = () => vi.advanceTimersByTimeAsync(900)

test('a draft is created with the first key of its title, and then only what changes is sent', async () => {
  const { events, sent } = server()
  const onSaved = vi.fn()
  const draft = eventDraft({ events, values: start, decide: nobody, onSaved })
  draft.set({ summary: 'On the stars' })
  await idle()
  expect(sent).toEqual([])
  draft.set({ title: 'W' })
  await idle()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ title: 'W', summary: 'On the stars', startsAt: '2096-12-03T19:00:00Z' })
  expect(onSaved).toHaveBeenCalledWith(expect.objectContaining({ id: kept.id }), true)
  draft.set({ title: 'Wi' })
  draft.set({ title: 'Winter' })
  await idle()
  expect(sent.slice(1)).toEqual([{ title: 'Winter' }])
  expect(draft.get()).toMatchObject({ pending: false, failure: undefined })
})

test('what the contract refuses waits and keeps nothing else from being saved', async () => {
  const { events, sent } = server()
  const draft = eventDraft({ events, values: valuesOf(kept), event: kept, decide: nobody, onSaved: () => {} })
  draft.set({ linkUrl: 'no address', title: 'Spring lecture', startsAt: undefined })
  await idle()
  expect(sent).toEqual([{ title: 'Spring lecture' }])
  expect(Object.keys(draft.get().faults).toSorted()).toEqual(['link.url', 'startsAt'])
  expect(draft.get().pending).toBe(true)
})

test('a field that the server refuses says why and is not sent again until it is changed', async () => {
  const { events, sent, state } = server()
  const draft = eventDraft({ events, values: valuesOf(kept), event: kept, decide: nobody, onSaved: () => {} })
  let times = 0
  state.fail = () =>
    (times += 1) === 1 &&
    new ORPCError('UNPROCESSABLE_CONTENT', {
      status: 422,
      data: { errors: [{ path: 'capacity', code: 'event_capacity_taken', params: { taken: 31 }, message: 'No.' }] },
    })
  draft.set({ capacity: 5, title: 'Spring lecture' })
  await idle()
  expect(sent).toEqual([{ capacity: 5, title: 'Spring lecture' }, { title: 'Spring lecture' }])
  expect(draft.get().faults).toEqual({ capacity: '31 seats are taken. Enter at least as many.' })
  draft.set({ capacity: 50 })
  await idle()
  expect(sent.at(-1)).toEqual({ capacity: 50 })
  expect(draft.get().faults).toEqual({})
})

test('rows get the ids that they are saved under, so that they are not added twice', async () => {
  const { events, sent } = server()
  const draft = eventDraft({ events, values: valuesOf(kept), event: kept, decide: nobody, onSaved: () => {} })
  const ticket = {
    ...{ key: newKey(), name: 'Standard', description: '', amount: 1500, currency: 'EUR', memberPrice: null, quota: null },
    ...{ audience: 'everyone' as const, sellsFrom: null, sellsUntil: null, minPerOrder: 1, maxPerOrder: 1 },
  }
  draft.set({ ticketTypes: [ticket] })
  await idle()
  const [saved] = draft.get().values.ticketTypes
  expect(saved?.id).toBeDefined()
  draft.set({ ticketTypes: draft.get().values.ticketTypes.map((row) => ({ ...row, amount: 2000 })) })
  await idle()
  expect(sent).toHaveLength(2)
  expect(sent[1]).toMatchObject({ ticketTypes: [{ id: saved?.id, price: { amount: 2000, currency: 'EUR' } }] })
})

test('a published event is saved when somebody says so', async () => {
  const published: Event = { ...kept, status: 'published' }
  const { events, sent } = server(published)
  const draft = eventDraft({ events, values: valuesOf(published), event: published, decide: nobody, onSaved: () => {} })
  draft.set({ title: 'Spring lecture' })
  await idle()
  expect(sent).toEqual([])
  await draft.flush()
  expect(sent).toEqual([{ title: 'Spring lecture' }])
})

test('what only somebody else changed is taken over; where both changed the same, the reader decides', async () => {
  const { events, sent, state } = server()
  const asked: string[] = []
  const draft = eventDraft({
    events,
    values: valuesOf(kept),
    event: kept,
    decide: ({ key }) => {
      asked.push(key)
      return Promise.resolve('mine')
    },
    onSaved: () => {},
  })
  let times = 0
  state.fail = () => (times += 1) === 1 && new ORPCError('PRECONDITION_FAILED', { status: 412, data: { current: { version: 9 } } })
  state.now = { ...state.now, title: 'Theirs', summary: 'Their summary', version: 9 }
  draft.set({ title: 'Mine' })
  await idle()
  expect(asked).toEqual(['title'])
  expect(sent).toEqual([{ title: 'Mine' }, { title: 'Mine' }])
  expect(draft.get().values).toMatchObject({ title: 'Mine', summary: 'Their summary' })
  expect(draft.get().event?.version).toBe(10)
})
