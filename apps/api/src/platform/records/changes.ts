import { randomInt } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { AccountChange } from '@guildhall/contract/features/account'
import type { Job } from '@guildhall/contract/shapes'
import { ConnectionLost, openListener } from '@guildhall/db'
import type { Actor, Database, Listener } from '@guildhall/db'
import { sql } from 'kysely'
import { actorOf, refusalOf, signedIn } from '../sign-in/identity.ts'
import type { Caller, Identities, PersonCaller } from '../sign-in/identity.ts'
import { jobOf } from '../jobs/job-progress.ts'
import { statement } from './statement.ts'
import type { Log } from '../observability/log.ts'
import { mayActFor } from '../procedures/acting.ts'
import { problem } from '../procedures/problem.ts'

/** Streams of changes of one process, each of one caller. */
export type Changes = {
  /** What happens to the caller from now on; throws where no more streams are taken. */
  follow(caller: Caller, signal: AbortSignal | undefined, what?: Followed): Promise<AsyncGenerator<AccountChange, void>>
  /** Open streams. */
  open(): number
  /** Ends all streams and takes no more; the connection to the database stays until `close`. */
  stop(): void
  close(): Promise<void>
}

/** A record that its reader looks at. */
type Watched = { kind: 'event' | 'campaign' | 'connection'; id: string }
/** `actingFor` is the person for whom the caller acts, who may. */
type Followed = { watched?: Watched | undefined; actingFor?: string | undefined }

type Stream = {
  caller: PersonCaller
  actor: Actor
  /** Jobs to report on; which ones is all that piles up while nobody reads. */
  jobs: Set<string>
  hasNews: boolean
  hasAnnouncements: boolean
  /** Whether who comes to the event, what came in for the campaign, or what the connection did has changed. */
  watched: Watched | undefined
  hasMoved: boolean
  /** The session or its rights may have changed. */
  isSuspect: boolean
  /** Listening began anew, so that something may have been missed. */
  isReady: boolean
  wake(): void
}

const perAccount = 10
const perProcess = 1_000
/** A stream is looked at so often at most, however much happens; what happens meanwhile is told once, as it is then. */
const pauseMs = 250
const aliveMs = 15_000
/** What everybody of an organisation has to look at is spread over so long. */
const spreadMs = 1_500
const mostJobs = 50
const patienceMs = 5_000

export function createChanges({
  database,
  identities,
  log,
  url,
}: {
  database: Database
  identities: Identities
  log: Log
  url: string
}): Changes {
  const streams = new Set<Stream>()
  const ofAccount = new Map<string, Set<Stream>>()
  let listener: Listener | undefined
  let stopping = false
  let begun = Promise.withResolvers<void>()

  const keyOf = (orgId: string, accountId: string) => `${orgId} ${accountId}`

  function hear(message: string) {
    const [kind, orgId = '', accountId = '', jobId = ''] = message.split(' ')
    if (kind === 'organisation') {
      for (const stream of streams) if (stream.actor.orgId === orgId) setTimeout(() => suspect(stream), randomInt(spreadMs)).unref()
      return
    }
    if (kind === 'announcements' && accountId === '') {
      for (const stream of streams) if (stream.actor.orgId === orgId) setTimeout(() => announce(stream), randomInt(spreadMs)).unref()
      return
    }
    if (kind === 'event' || kind === 'campaign' || kind === 'connection') {
      for (const stream of streams) {
        if (stream.actor.orgId !== orgId || stream.watched?.kind !== kind || stream.watched.id !== accountId) continue
        stream.hasMoved = true
        stream.wake()
      }
      return
    }
    for (const stream of ofAccount.get(keyOf(orgId, accountId)) ?? []) {
      if (kind === 'account') suspect(stream)
      else if (kind === 'announcements') announce(stream)
      else if (kind === 'note') {
        stream.hasNews = true
        stream.wake()
      } else if (kind === 'job' && stream.jobs.size < mostJobs) {
        stream.jobs.add(jobId)
        stream.wake()
      }
    }
  }

  function suspect(stream: Stream) {
    stream.isSuspect = true
    stream.wake()
  }

  function announce(stream: Stream) {
    stream.hasAnnouncements = true
    stream.wake()
  }

  /** One connection for all streams, from the first one on. */
  function listen() {
    listener ??= openListener({
      url,
      channel: 'guildhall',
      onMessage: hear,
      onListening() {
        begun.resolve()
        for (const stream of streams) {
          stream.isReady = true
          suspect(stream)
        }
      },
      onLost(error) {
        begun = Promise.withResolvers()
        log.warn({ err: error }, 'changes are not heard of; listening begins again')
      },
    })
  }

  async function rightsOf(actor: Actor): Promise<string> {
    const [row] = await database.read(
      actor,
      statement(
        sql<{
          rights: string
        }>`select coalesce(md5(string_agg(r::text, ',' order by r.permission)), '') as rights from app.permissions() r`,
      ),
    )
    return row?.rights ?? ''
  }

  async function jobsOf(actor: Actor, ids: string[]): Promise<Job[]> {
    const rows = await database.read(
      actor,
      statement(
        sql<{ job: Job }>`select ${jobOf('j')} as job from app.job_progress j where j.id = any (${ids}::uuid[]) order by j.created_at`,
      ),
    )
    return rows.map(({ job }) => job)
  }

  async function sees(actor: Actor, { kind, id }: Watched): Promise<boolean> {
    const seen = seenBy[kind](id)
    const [row] = await database.read(actor, statement(sql<{ seen: boolean }>`select ${seen} as seen`))
    return row?.seen ?? false
  }

  async function* events(stream: Stream, sleep: (ms: number) => Promise<void>, isOver: () => boolean): AsyncGenerator<AccountChange, void> {
    let rights = await rightsOf(stream.actor)
    yield { type: 'ready' }
    stream.isReady = false
    while (!isOver()) {
      const left = stream.caller.token.expiresAt * 1000 - Date.now()
      if (left <= 0) {
        yield { type: 'ended', reason: 'expired' }
        return
      }
      if (!stream.isSuspect && !stream.hasNews && !stream.hasAnnouncements && !stream.hasMoved && stream.jobs.size === 0) {
        await sleep(Math.min(left, aliveMs))
        if (isOver()) return
      }
      const { isSuspect, isReady, hasNews, hasAnnouncements, hasMoved, jobs } = takenFrom(stream)
      try {
        const told: AccountChange[] = []
        // Whoever may hear nothing any more is told no more than that, whatever else has happened.
        if (isSuspect) identities.forget(stream.caller.token)
        const refusal = refusalOf(await identities.again(stream.caller))
        if (refusal) {
          yield { type: 'ended', reason: refusal }
          return
        }
        // Nothing is told any more to who may no longer act for somebody; why, the next request learns.
        if (stream.actor.actingFor !== undefined && !(await mayActFor(database, stream.actor, stream.actor.actingFor))) {
          yield { type: 'rights' }
          return
        }
        if (isReady) told.push({ type: 'ready' })
        if (isSuspect) {
          const now = await rightsOf(stream.actor)
          if (now !== rights) told.push({ type: 'rights' })
          rights = now
        }
        // News are the account's own.
        if (hasNews && stream.actor.actingFor === undefined) told.push({ type: 'notifications' })
        if (hasAnnouncements) told.push({ type: 'announcements' })
        if (jobs.length > 0) told.push(...(await jobsOf(stream.actor, jobs)).map((job) => ({ type: 'job' as const, job })))
        const { watched } = stream
        if (hasMoved && watched && (await sees(stream.actor, watched))) told.push(movedOf(watched))
        if (told.length === 0) told.push({ type: 'alive' })
        yield* told
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error
        log.warn({ err: error }, 'a stream of changes waits for the database')
        stream.isSuspect = true
        stream.isReady ||= isReady
        stream.hasNews ||= hasNews
        stream.hasAnnouncements ||= hasAnnouncements
        stream.hasMoved ||= hasMoved
        for (const id of jobs) stream.jobs.add(id)
      }
      await pause(pauseMs)
    }
  }

  return {
    async follow(anybody, signal, { watched, actingFor } = {}) {
      const caller = signedIn(anybody)
      const { account } = caller
      if (!account) throw problem('FORBIDDEN', { reason: 'no_account', detail: 'There is no account to follow.' })
      if (stopping) throw problem('SERVICE_UNAVAILABLE', { reason: 'stopping', detail: 'This server is about to stop; connect again.' })
      if (streams.size >= perProcess)
        throw problem('SERVICE_UNAVAILABLE', { reason: 'streams_full', detail: 'Too many follow changes here; try again in a while.' })
      const self = actorOf(account, caller)
      const actor = actingFor === undefined ? self : { ...self, actingFor }
      const key = keyOf(actor.orgId, actor.accountId)
      const own = ofAccount.get(key) ?? new Set()
      if (own.size >= perAccount)
        throw problem('TOO_MANY_REQUESTS', { reason: 'too_many_streams', detail: 'You follow changes in too many places; close some.' })

      let woken = Promise.withResolvers<void>()
      const stream: Stream = {
        caller,
        actor,
        jobs: new Set(),
        hasNews: false,
        hasAnnouncements: false,
        watched,
        hasMoved: false,
        isSuspect: false,
        isReady: false,
        wake: () => woken.resolve(),
      }
      const remove = () => {
        streams.delete(stream)
        own.delete(stream)
        // Called again at the end of a stream that was left: another may stand there by now.
        if (own.size === 0 && ofAccount.get(key) === own) ofAccount.delete(key)
        stream.wake()
      }
      streams.add(stream)
      ofAccount.set(key, own.add(stream))
      // Also for a stream that its reader leaves before the first event.
      signal?.addEventListener('abort', remove)
      const sleep = async (ms: number) => {
        woken = Promise.withResolvers()
        let timer: NodeJS.Timeout | undefined
        await Promise.race([woken.promise, new Promise((resolve) => (timer = setTimeout(resolve, ms)))])
        clearTimeout(timer)
      }
      try {
        listen()
        if (!(await soon(begun.promise)))
          throw problem('SERVICE_UNAVAILABLE', {
            reason: 'not_listening',
            detail: 'Changes cannot be followed right now; try again in a while.',
          })
      } catch (error) {
        remove()
        throw error
      }
      const made = events(stream, sleep, () => stopping || signal?.aborted === true || !streams.has(stream))
      return (async function* untilTheEnd() {
        try {
          yield* made
        } catch (error) {
          log.error({ err: error }, 'a stream of changes failed')
          throw error
        } finally {
          remove()
        }
      })()
    },
    open: () => streams.size,
    stop() {
      stopping = true
      for (const stream of streams) stream.wake()
    },
    async close() {
      stopping = true
      await listener?.close()
    },
  }
}

/** Whether the policies of the reader show a record. */
const seenBy = {
  event: (id: string) => sql`app.event_is_seen(${id}::uuid)`,
  campaign: (id: string) => sql`app.campaign_is_seen(${id}::uuid)`,
  connection: (id: string) => sql`app.connection_is_seen(${id}::uuid)`,
}

function movedOf({ kind, id }: Watched): AccountChange {
  if (kind === 'event') return { type: kind, eventId: id }
  return kind === 'campaign' ? { type: kind, campaignId: id } : { type: kind, connectionId: id }
}

/** What has piled up, which is none of the stream's any more. */
function takenFrom(stream: Stream) {
  const { isSuspect, isReady, hasNews, hasAnnouncements, hasMoved } = stream
  const jobs = [...stream.jobs]
  stream.isSuspect = false
  stream.isReady = false
  stream.hasNews = false
  stream.hasAnnouncements = false
  stream.hasMoved = false
  stream.jobs.clear()
  return { isSuspect, isReady, hasNews, hasAnnouncements, hasMoved, jobs }
}

async function soon(work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, patienceMs, false)))
  return Promise.race([work.then(() => true), late]).finally(() => clearTimeout(timer))
}
