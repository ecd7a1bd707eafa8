import type { AccountChange } from '@guildhall/contract/features/account'
import type { Job } from '@guildhall/contract/shapes'
import { useEffect, useEffectEvent } from 'react'
import type { Api } from './api.tsx'
import { ApiProblem } from './problem.ts'
import { createStore } from '../store.ts'

type End = Extract<AccountChange, { type: 'ended' }>['reason']
type Listeners = { rights: () => void; notifications: () => void; announcements: () => void; ended: (reason: End) => void }

const shortestPauseMs = 1_000
const longestPauseMs = 30_000
/** The server says something at least every fifteen seconds; a line that says nothing for longer is dead. */
const silenceMs = 40_000
/** Whoever is told of changes looks now and then all the same. */
const unaskedMs = 15_000

const told = createStore(false)
/** Whether the server tells of changes by itself. While it does not, whoever waits for something has to ask. */
export const useIsTold = told.use

type Watched = { eventId: string } | { campaignId: string } | { connectionId: string }
const watched = createStore<{ about: Watched; moved: () => void } | null>(null)
/** Calls back whenever who comes to an event has changed, or may have. One record at a time: the one that is looked at. */
export const useEventMoves = (eventId: string, handle: () => void) => useMoves('eventId', eventId, handle)
/** The same of what came in for a campaign. */
export const useCampaignMoves = (campaignId: string, handle: () => void) => useMoves('campaignId', campaignId, handle)
/** The same of the state, runs and metrics of a connection; null follows nothing. */
export const useConnectionMoves = (connectionId: string | null, handle: () => void) => useMoves('connectionId', connectionId, handle)

function useMoves(kind: 'eventId' | 'campaignId' | 'connectionId', id: string | null, handle: () => void) {
  const moved = useEffectEvent(handle)
  useEffect(() => {
    if (id === null) return
    const about = kind === 'eventId' ? { eventId: id } : kind === 'campaignId' ? { campaignId: id } : { connectionId: id }
    watched.set({ about, moved: () => moved() })
    return () => watched.set(null)
  }, [kind, id])
}

const watchers = new Set<(job: Job | null) => void>()
const tell = (job: Job | null) => watchers.forEach((watcher) => watcher(job))

/** Called with every change of a job of one's own; with null when changes may have been missed. */
export function useJobs(handle: (job: Job | null) => void) {
  const watcher = useEffectEvent(handle)
  useEffect(() => {
    const watch = (job: Job | null) => watcher(job)
    watchers.add(watch)
    return () => void watchers.delete(watch)
  }, [])
}

/** The job as the server tells of it next; null when it is time to ask. */
export function newsOf(jobId: string, pauseMs: number): Promise<Job | null> {
  return new Promise((resolve) => {
    const finish = (job: Job | null) => {
      watchers.delete(watch)
      clearTimeout(timer)
      resolve(job)
    }
    const watch = (job: Job | null) => {
      if (job === null || job.id === jobId) finish(job)
    }
    const timer = setTimeout(finish, told.get() ? unaskedMs : pauseMs, null)
    watchers.add(watch)
  })
}

/** Follows what happens to the signed-in account for as long as somebody looks at the page; connects again whenever that ends. */
export function followChanges(api: Api, listeners: Listeners): () => void {
  const leaving = new AbortController()
  let isFirst = true
  let pauseMs = shortestPauseMs

  async function goOn() {
    while (!leaving.signal.aborted) {
      if (document.hidden) await visibility('visible', leaving.signal)
      const next = await follow()
      if (told.get()) {
        told.set(false)
        tell(null)
      }
      if (next === 'leave') return
      if (next === 'later') {
        // Servers that come back are not asked by everybody at the same moment.
        await wait(pauseMs * (0.5 + chance()), leaving.signal)
        pauseMs = Math.min(pauseMs * 2, longestPauseMs)
      }
    }
  }

  /** One connection, from its beginning to its end. */
  async function follow(): Promise<'at once' | 'later' | 'leave'> {
    if (leaving.signal.aborted) return 'leave'
    const ending = new AbortController()
    const signal = AbortSignal.any([ending.signal, leaving.signal])
    void visibility('hidden', signal).then(() => ending.abort())
    const about = watched.get()
    const turned = new AbortController()
    // Somebody opens or leaves the page of an event, a campaign or a connection: the next connection is told of it.
    const unwatch = watched.subscribe(() => {
      turned.abort()
      ending.abort()
    })
    let silence = setTimeout(() => ending.abort(), silenceMs)
    try {
      for await (const change of await api.data.account.changes.call(about?.about ?? {}, { signal })) {
        clearTimeout(silence)
        silence = setTimeout(() => ending.abort(), silenceMs)
        if (change.type === 'ended') {
          if (change.reason === 'expired') return 'at once'
          listeners.ended(change.reason)
          return 'leave'
        }
        take(change)
      }
      return turned.signal.aborted ? 'at once' : 'later'
    } catch (problem) {
      // Said to everything else as well, which knows what to do about it.
      if (turned.signal.aborted) return 'at once'
      const isRefused = problem instanceof ApiProblem && (problem.status === 401 || problem.status === 403)
      return isRefused ? 'leave' : 'later'
    } finally {
      clearTimeout(silence)
      unwatch()
      ending.abort()
    }
  }

  function take(change: Exclude<AccountChange, { type: 'ended' }>) {
    switch (change.type) {
      case 'ready':
        pauseMs = shortestPauseMs
        told.set(true)
        tell(null)
        watched.get()?.moved()
        if (!isFirst) listeners.rights()
        isFirst = false
        return
      case 'job':
        return tell(change.job)
      case 'notifications':
        return listeners.notifications()
      case 'announcements':
        return listeners.announcements()
      case 'rights':
        return listeners.rights()
      case 'event':
      case 'campaign':
      case 'connection':
        return watched.get()?.moved()
      case 'alive':
    }
  }

  void goOn()
  return () => leaving.abort()
}

/** Until somebody looks at the page, or no longer does; also when nobody wants to know any more. */
const visibility = (wanted: DocumentVisibilityState, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) return resolve()
    const finish = () => {
      if (document.visibilityState !== wanted && !signal.aborted) return
      document.removeEventListener('visibilitychange', finish)
      resolve()
    }
    document.addEventListener('visibilitychange', finish)
    signal.addEventListener('abort', finish, { once: true })
  })

/** From 0 to 1. */
const chance = () => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) / 255

const wait = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })
