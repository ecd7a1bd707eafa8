import type { Actor, Database } from '@guildhall/db'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Config } from '../config.ts'
import { statement } from '../records/statement.ts'
import type { Log } from '../observability/log.ts'
import { problem } from '../procedures/problem.ts'
import { writtenRows } from '../procedures/written-json.ts'

type Bounds = Exclude<Config['PEOPLE_PER_HOUR'], 'off'>

/** What this process knows of an account, and what it has counted since it told the database. */
type Reader = {
  actor: Actor
  counted: number
  /** What is being told. */
  told: number
  /** Asked for by requests that are under way. */
  expected: number
  known: { used: number; perHour: number; until: number } | null
  telling: Promise<void> | null
  /** When the database was asked last. */
  askedAt: number
}

/** What a request that is let in tells when it is through: how many people its answer has. */
export type Reading = { end(people: number): void }
export type PeopleReading = {
  /** Lets a request in that reads up to so many people, or refuses it. */
  begin(actor: Actor, atMost: number): Promise<Reading> | Reading
  /** Counts so many people at once, all of them or, with a refusal, none. */
  take(actor: Actor, people: number): Promise<void>
  /** Refuses what would be more than is left; counts nothing. */
  check(actor: Actor, people: number): Promise<void>
  close(): Promise<void>
}

/** How often what was counted is told to the database, and what other processes counted is learnt. */
const tellMs = 5_000
/** The share of an hour's people that a process lets an account read before it has told the database of them. */
const slackShare = 20
const mostReaders = 20_000

/**
 * Bounds how many people one account reads in an hour, without a trip to the database of its own for a request: each process counts by itself, tells
 * the database in the background, and waits for it only when an account reads quickly. With n processes an account gets at most n times a twentieth
 * of its bound, and a page, beyond it.
 */
export function createPeopleReading(database: Database, config: Config, log: Log): PeopleReading {
  return config.PEOPLE_PER_HOUR === 'off' ? unbounded : bounded(database, config.PEOPLE_PER_HOUR, log)
}

function bounded(database: Database, bounds: Bounds, log: Log): PeopleReading {
  const slackOf = ({ known }: Reader) => Math.ceil((known?.perHour ?? Math.min(...Object.values(bounds))) / slackShare)
  const readers = new LRUCache<string, Reader>({ max: mostReaders })
  // Only those who have something to tell are gone through.
  const untold = new Set<Reader>()
  const timer = setInterval(() => void tellAll(), tellMs)
  timer.unref()

  // Counted for the account that reads, whomever it acts for.
  function readerOf({ orgId, accountId, idpRoles }: Actor): Reader {
    const actor: Actor = { orgId, accountId, idpRoles }
    const key = `${actor.orgId} ${actor.accountId}`
    let reader = readers.get(key)
    if (!reader) {
      reader = { actor, counted: 0, told: 0, expected: 0, known: null, telling: null, askedAt: Number.NEGATIVE_INFINITY }
      readers.set(key, reader)
    }
    // Roles that the identity provider vouches for come with each token.
    reader.actor = actor
    return reader
  }

  /** One at a time for each account; whoever waits for it waits for the same one. */
  function tell(reader: Reader): Promise<void> {
    reader.telling ??= (async () => {
      reader.askedAt = performance.now()
      reader.told = reader.counted
      reader.counted = 0
      untold.delete(reader)
      try {
        const [row] = await database.read(
          reader.actor,
          statement(sql<{ used: number; againIn: number; reach: keyof Bounds }>`
            select c.used, c.again_in as "againIn", c.reach from app.count_people_read(${reader.told}) c where c.used is not null`),
        )
        // Who may not act any more sees nobody anyway.
        if (!row) return
        const now = performance.now()
        reader.known = { used: row.used, perHour: bounds[row.reach], until: now + row.againIn * 1_000 }
      } catch (error) {
        reader.counted += reader.told
        untold.add(reader)
        throw error
      } finally {
        reader.told = 0
        reader.telling = null
      }
    })()
    return reader.telling
  }

  const tellLater = (reader: Reader) =>
    void tell(reader).catch((error: unknown) => log.warn({ err: error }, 'how many people were read could not be told'))

  async function tellAll(): Promise<void> {
    for (const reader of [...untold]) {
      try {
        await tell(reader)
      } catch (error) {
        log.warn({ err: error }, 'how many people were read could not be told')
        return
      }
    }
  }

  const usedBy = ({ known, counted, told, expected }: Reader, now: number) =>
    (known && now < known.until ? known.used : 0) + counted + told + expected

  /** What is left to an account, as far as can be said without waiting; null when it has to be asked for. */
  function leftTo(reader: Reader): number | null {
    const now = performance.now()
    const { known } = reader
    if (!known) return usedBy(reader, now) < slackOf(reader) ? slackOf(reader) : null
    if (now >= known.until || reader.counted + reader.told >= slackOf(reader)) return null
    return known.perHour - usedBy(reader, now)
  }

  /** What is left, by what the database said last. */
  const knownLeft = (reader: Reader) => (reader.known ? reader.known.perHour - usedBy(reader, performance.now()) : Number.POSITIVE_INFINITY)

  /** Makes sure of what is known before anybody is refused: an hour may have ended, a right have come, others have counted. */
  async function makeSure(reader: Reader): Promise<void> {
    const isFresh = reader.known !== null && performance.now() - reader.askedAt < tellMs
    if (isFresh && leftTo(reader) !== null) return
    await tell(reader)
    // What was told may not have had what was counted since.
    if (reader.counted >= slackOf(reader)) await tell(reader)
  }

  function enter(reader: Reader, atMost: number): Reading {
    reader.expected += atMost
    return {
      end(people) {
        reader.expected -= atMost
        if (people === 0) return
        reader.counted += people
        untold.add(reader)
      },
    }
  }

  const refusal = ({ known }: Reader) => {
    const { perHour = 0, until = 0 } = known ?? {}
    return tooManyPeople(perHour, Math.max(1, Math.ceil((until - performance.now()) / 1_000)))
  }

  async function admit(reader: Reader, atMost: number): Promise<Reading> {
    await makeSure(reader)
    // In one go, so that requests which waited for the same word do not pass together.
    if (knownLeft(reader) <= 0) throw refusal(reader)
    return enter(reader, atMost)
  }

  async function check(actor: Actor, people: number): Promise<void> {
    const reader = readerOf(actor)
    await tell(reader)
    if (knownLeft(reader) < people) throw refusal(reader)
  }

  return {
    begin(actor, atMost) {
      const reader = readerOf(actor)
      const left = leftTo(reader)
      if (left === null || left <= 0) return admit(reader, atMost)
      if (performance.now() - reader.askedAt > tellMs) tellLater(reader)
      return enter(reader, atMost)
    },
    check,
    async take(actor, people) {
      await check(actor, people)
      enter(readerOf(actor), people).end(people)
    },
    async close() {
      clearInterval(timer)
      await tellAll()
    },
  }
}

const unbounded: PeopleReading = {
  begin: () => ({ end: () => undefined }),
  take: async () => undefined,
  check: async () => undefined,
  close: async () => undefined,
}

const tooManyPeople = (perHour: number, seconds: number) =>
  problem('TOO_MANY_REQUESTS', {
    reason: 'people_per_hour',
    detail: `Your account may read ${perHour.toLocaleString('en')} people an hour. Try again in ${Math.ceil(seconds / 60)} minutes.`,
    params: { perHour, againInSeconds: seconds },
  })

/** How many people an answer has, by its shape: the rows of a page, a sample, the nodes of a tree, the steps of a way, those in a small picture, or one. */
export function peopleIn(output: unknown): number {
  const written = writtenRows(output)
  if (written !== undefined) return written
  if (typeof output !== 'object' || output === null) return 0
  for (const rows of ['items', 'sample', 'nodes', 'steps', 'people']) {
    const found: unknown = Reflect.get(output, rows)
    if (Array.isArray(found)) return found.length
  }
  return 1
}

/** How many people a request reads at most: as many as it asks for, or as its procedure says. */
export function peopleAskedFor(input: unknown, usual: number): number {
  const limit: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'limit') : undefined
  return typeof limit === 'number' ? limit : usual
}
