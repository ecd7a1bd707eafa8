import type { EventCounts, RosterEntry, ScanAnswer } from '@guildhall/contract/features/events'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { useEventMoves } from '../../../platform/api/changes.ts'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { clientIdOf, enqueue, markSent, portionOf, refreshed, settle, takeBack, verdictOf, withQueued } from './door-queue.ts'
import type { Queue, QueuedScan, Roster, Verdict } from './door-queue.ts'
import { openDoorStore } from './door-store.ts'
import type { DoorStore } from './door-store.ts'

/** Between two attempts while the server does not answer. */
const retryMs = 5_000
const mostShown = 20

/** A scan as the door shows it: at once what the device knows, then what the server says. */
export type Shown = { scan: QueuedScan; verdict: Verdict; answer: ScanAnswer | null; undone: boolean }
type State = { roster: Roster; queue: Queue; counts: EventCounts | null; shown: readonly Shown[] }

/** The door of one event on this device. Every scan stands in the store before anybody is told of it, and leaves it once the server has answered. */
export function useDoor(accountId: string, eventId: string, device: string) {
  const { checkIn } = useApi().data.events
  const events = useApi().data.events.key
  const cache = useQueryClient()
  const [state, setState] = useState<State>({ roster: new Map(), queue: [], counts: null, shown: [] })
  const [problem, setProblem] = useState<unknown>(null)
  const [isReady, setIsReady] = useState(false)
  const [isReached, setIsReached] = useState(true)
  const [lasting, setLasting] = useState(true)
  // What the next step begins with: several scans may come before React draws once.
  const now = useRef(state)
  const store = useRef<DoorStore>(null)
  const asOf = useRef<string>(null)
  const working = useRef({ sending: false, reading: false, again: false })

  const change = (part: Partial<State>) => {
    now.current = { ...now.current, ...part }
    setState(now.current)
  }
  const failed = (failure: unknown) => {
    const away = failure instanceof ApiProblem && (failure.isNetwork || failure.status >= 500 || failure.status === 429)
    setIsReached(!away)
    if (!away) setProblem(failure)
  }

  /** Who has a seat; after the first time only what changed. */
  const read = async () => {
    if (working.current.reading) {
      working.current.again = true
      return
    }
    working.current.reading = true
    try {
      const since = asOf.current
      let { roster } = now.current
      let after: string | undefined
      let first: string | undefined
      if (!since) roster = new Map()
      for (;;) {
        const page = await checkIn.roster.call({ eventId, ...(after && { after }), ...(since && { since }) })
        first ??= page.asOf
        roster = refreshed(roster, page.items)
        change({ counts: page.counts })
        after = page.items.length < 1_000 ? undefined : page.items.at(-1)?.id
        if (!after) break
      }
      asOf.current = first
      change({ roster })
      setIsReached(true)
      setProblem(null)
      await keep()
    } catch (failure) {
      failed(failure)
    } finally {
      working.current.reading = false
      setIsReady(true)
    }
    if (working.current.again) {
      working.current.again = false
      await read()
    }
  }
  const keep = async () => {
    const { roster, counts } = now.current
    if (counts && asOf.current) await store.current?.keepRoster({ entries: [...roster.values()], counts, asOf: asOf.current })
  }

  /** Sends what waits, one portion after the other. */
  const send = async () => {
    if (working.current.sending || !store.current) return
    working.current.sending = true
    try {
      for (let portion = portionOf(now.current.queue); portion.length > 0; portion = portionOf(now.current.queue)) {
        const ids = new Set(portion.map(({ clientId }) => clientId))
        change({ queue: markSent(now.current.queue, ids) })
        for (const scan of now.current.queue) if (ids.has(scan.clientId)) await store.current.keepScan(scan)
        const scans = portion.map(({ code, clientId, at }) => ({ code, clientId, at, device }))
        const { items, counts } = await checkIn.sync.call({ eventId, scans })
        const settled = settle(now.current.queue, items)
        const answers = new Map(items.map((answer) => [answer.clientId, answer]))
        change({
          queue: settled.queue,
          counts,
          roster: letIn(now.current.roster, items),
          shown: now.current.shown.map((one) => ({ ...one, answer: answers.get(one.scan.clientId) ?? one.answer })),
        })
        for (const { scan, answer } of settled.answered)
          if (!now.current.shown.some((one) => one.scan.clientId === scan.clientId))
            show({ scan, answer, undone: scan.undone, verdict: { result: 'unknown', entry: undefined } })
        await store.current.dropScans(settled.answered.map(({ scan }) => scan.clientId))
        for (const checkInId of settled.toUndo) await undoAtServer(checkInId)
      }
      setIsReached(true)
      void cache.invalidateQueries({ queryKey: events(), refetchType: 'none' })
    } catch (failure) {
      failed(failure)
    } finally {
      working.current.sending = false
    }
  }
  const undoAtServer = async (checkInId: string) => {
    const { counts } = await checkIn.undo.call({ checkInId })
    change({ counts })
    await read()
  }
  const show = (one: Shown) => change({ shown: [one, ...now.current.shown].slice(0, mostShown) })

  const begin = useEffectEvent(async (left: AbortSignal) => {
    const opened = await openDoorStore(accountId, eventId)
    const [kept, queue] = await Promise.all([opened.roster(), opened.queue()])
    if (left.aborted) return
    store.current = opened
    setLasting(opened.lasting)
    if (kept) {
      asOf.current = kept.asOf
      change({ counts: kept.counts, roster: new Map(kept.entries.map((entry) => [entry.id, entry])) })
      setIsReady(true)
    }
    change({ queue })
    await read()
    await send()
  })
  useEffect(() => {
    const leaving = new AbortController()
    void begin(leaving.signal)
    return () => leaving.abort()
  }, [accountId, eventId])

  useEventMoves(eventId, () => void read())
  const waits = state.queue.length > 0 || !isReached
  const retry = async () => {
    await send()
    if (now.current.queue.length === 0) await read()
  }
  const isBack = useEffectEvent(() => void retry())
  useEffect(() => {
    const online = () => isBack()
    addEventListener('online', online)
    const timer = waits ? setInterval(online, retryMs) : undefined
    return () => {
      removeEventListener('online', online)
      clearInterval(timer)
    }
  }, [waits])

  const scan = async (code: string): Promise<Shown | null> => {
    if (!store.current) return null
    const verdict = verdictOf(withQueued(now.current.roster, now.current.queue), code)
    const made: QueuedScan = {
      clientId: clientIdOf(),
      eventId,
      code,
      at: new Date().toISOString(),
      name: verdict.entry?.name ?? '',
      sent: false,
      undone: false,
    }
    await store.current.keepScan(made)
    const one: Shown = { scan: made, verdict, answer: null, undone: false }
    change({ queue: enqueue(now.current.queue, made) })
    show(one)
    void send()
    return one
  }

  const undo = async ({ scan: { clientId }, answer }: Shown) => {
    const marked = () =>
      change({ shown: now.current.shown.map((one) => (one.scan.clientId === clientId ? { ...one, undone: true } : one)) })
    if (answer?.checkInId) {
      await undoAtServer(answer.checkInId)
      marked()
      return
    }
    change({ queue: takeBack(now.current.queue, clientId) })
    const left = now.current.queue.find((one) => one.clientId === clientId)
    if (left) await store.current?.keepScan(left)
    else await store.current?.dropScans([clientId])
    marked()
  }

  const roster = useMemo(() => withQueued(state.roster, state.queue), [state.roster, state.queue])
  // Those whom only this device knows to be inside, also where a scan may have reached the server and no answer came.
  const unsent = useMemo(
    () => [...roster].filter(([id, { status }]) => status === 'checked_in' && state.roster.get(id)?.status === 'confirmed').length,
    [roster, state.roster],
  )
  return { ...state, roster, unsent, problem, isReady, isReached, lasting, scan, undo, retry }
}

/** What answers say of the people in them, before the roster is read again. */
function letIn(roster: Roster, answers: readonly ScanAnswer[]): Roster {
  const next = new Map(roster)
  for (const { result, registration, first } of answers) {
    const entry: RosterEntry | undefined = registration ? next.get(registration.id) : undefined
    if (entry && (result === 'checked_in' || result === 'already'))
      next.set(entry.id, { ...entry, status: 'checked_in', checkedInAt: first?.at ?? entry.checkedInAt })
  }
  return next
}
