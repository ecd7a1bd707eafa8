import type { AccountChange } from '@guildhall/contract/features/account'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fake, fakeApi, uuid } from '../../testing/fake-api.ts'
import { followChanges, newsOf } from './changes.ts'
import { ApiProblem } from './problem.ts'

const job = (done: number): Extract<AccountChange, { type: 'job' }> => ({
  type: 'job',
  job: {
    id: uuid(5),
    kind: 'export',
    title: 'Export of people',
    status: 'running',
    done,
    total: 10,
    result: {},
    error: null,
    createdAt: '2026-01-02T10:00:00Z',
    startedAt: null,
    finishedAt: null,
  },
})

/** A server whose streams say what the test wants, one after the other. */
function server() {
  const streams: { say: (change: AccountChange) => void; end: () => void; isLeft: () => boolean }[] = []
  const refusals: ApiProblem[] = []
  const changes = fake.data.account.changes.handler(async function* ({ signal }) {
    const refusal = refusals.shift()
    if (refusal) throw refusal
    const said: AccountChange[] = []
    const line = { isOver: false }
    let wake = () => {}
    streams.push({
      say: (change) => (said.push(change), wake()),
      end: () => ((line.isOver = true), wake()),
      isLeft: () => signal?.aborted === true,
    })
    signal?.addEventListener('abort', () => wake())
    while (!line.isOver && !signal?.aborted) {
      const next = said.shift()
      if (next) yield next
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  })
  return { streams, refusals, api: fakeApi({ data: { account: { changes } } }) }
}

let stop = () => {}
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const follow = ({ api }: ReturnType<typeof server>) => {
  const listeners = { rights: vi.fn(), notifications: vi.fn(), announcements: vi.fn(), ended: vi.fn() }
  stop = followChanges(api, listeners)
  return listeners
}
const opened = (streams: unknown[], count: number) => vi.waitFor(() => expect(streams).toHaveLength(count))

test('a job moves on as the server tells; without it, whoever waits looks every second', async () => {
  const at = server()
  const unasked = newsOf(uuid(5), 1000)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await unasked).toBeNull()
  follow(at)
  await opened(at.streams, 1)
  const first = newsOf(uuid(5), 1000)
  at.streams[0]?.say({ type: 'ready' })
  expect(await first).toBeNull()
  const next = newsOf(uuid(5), 1000)
  at.streams[0]?.say({ ...job(9), job: { ...job(9).job, id: uuid(6) } })
  at.streams[0]?.say(job(4))
  expect(await next).toMatchObject({ done: 4 })
  // Told, nobody asks within the second any more.
  const quiet = vi.fn()
  void newsOf(uuid(5), 1000).then(quiet)
  await vi.advanceTimersByTimeAsync(5000)
  expect(quiet).not.toHaveBeenCalled()
  at.streams[0]?.end()
  await vi.waitFor(() => expect(quiet).toHaveBeenCalledWith(null))
})

test('rights are read again when they changed, and after an interruption', async () => {
  const at = server()
  const { rights } = follow(at)
  await opened(at.streams, 1)
  at.streams[0]?.say({ type: 'ready' })
  at.streams[0]?.say({ type: 'rights' })
  await vi.waitFor(() => expect(rights).toHaveBeenCalledTimes(1))
  at.streams[0]?.end()
  await vi.advanceTimersByTimeAsync(2000)
  await opened(at.streams, 2)
  at.streams[1]?.say({ type: 'ready' })
  await vi.waitFor(() => expect(rights).toHaveBeenCalledTimes(2))
})

test('the end of the session is told once and followed by nothing; the end of a token by the next stream at once', async () => {
  const at = server()
  const { ended } = follow(at)
  await opened(at.streams, 1)
  at.streams[0]?.say({ type: 'ended', reason: 'expired' })
  await opened(at.streams, 2)
  expect(ended).not.toHaveBeenCalled()
  at.streams[1]?.say({ type: 'ended', reason: 'signed_out' })
  await vi.waitFor(() => expect(ended).toHaveBeenCalledExactlyOnceWith('signed_out'))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(at.streams).toHaveLength(2)
})

test('a server that cannot is asked again, less and less often; one that refuses is not', async () => {
  const at = server()
  at.refusals.push(new ApiProblem(503), new ApiProblem(0), new ApiProblem(503))
  follow(at)
  await vi.advanceTimersByTimeAsync(1 + 1500 + 3000 + 6000)
  await opened(at.streams, 1)
  stop()
  const other = server()
  other.refusals.push(new ApiProblem(403))
  follow(other)
  await vi.advanceTimersByTimeAsync(120_000)
  expect(other.streams).toHaveLength(0)
})

test('a line that says nothing is given up', async () => {
  const at = server()
  follow(at)
  await opened(at.streams, 1)
  at.streams[0]?.say({ type: 'ready' })
  await vi.advanceTimersByTimeAsync(39_000)
  at.streams[0]?.say({ type: 'alive' })
  await vi.advanceTimersByTimeAsync(39_000)
  expect(at.streams[0]?.isLeft()).toBe(false)
  await vi.advanceTimersByTimeAsync(3000)
  expect(at.streams[0]?.isLeft()).toBe(true)
  await opened(at.streams, 2)
})

test('nobody follows in a page that nobody looks at', async () => {
  const at = server()
  let state: DocumentVisibilityState = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => state)
  vi.spyOn(document, 'hidden', 'get').mockImplementation(() => state === 'hidden')
  follow(at)
  await opened(at.streams, 1)
  state = 'hidden'
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(at.streams[0]?.isLeft()).toBe(true))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(at.streams).toHaveLength(1)
  state = 'visible'
  document.dispatchEvent(new Event('visibilitychange'))
  await opened(at.streams, 2)
  vi.restoreAllMocks()
})
