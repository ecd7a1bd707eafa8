import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Compilable, CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import pg from 'pg'
import { createSigner } from './actor.ts'
import type { Actor, TokenStatement } from './actor.ts'
import { ConnectionLost, isLost } from './connection-lost.ts'
import { oneTrip } from './one-trip.ts'
import type { RawResult, Statement } from './one-trip.ts'
import type { Database as Schema } from './schema.ts'

declare const bound: unique symbol
/** A connection inside one transaction that is bound to an actor; row-level security applies. Only `asActor` makes one. */
export type ActorDb = Kysely<Schema> & { readonly [bound]: true }

export type ActorOptions = {
  /** Shown in the audit log beside each change. */
  requestId?: string
  /** What the change came through, such as `import:{id}`. */
  via?: string
  /** Milliseconds that one statement may take instead of the pool's default. */
  statementTimeoutMs?: number
}

export type Database = {
  /** Runs `run` in one transaction as the actor; commits when it resolves, rolls back when it rejects. */
  asActor<T>(actor: Actor, run: (db: ActorDb) => Promise<T>, options?: ActorOptions): Promise<T>
  /** One statement as the actor in one trip to the server; for reads that need no second statement. */
  read<T>(actor: Actor, query: Compilable<T>): Promise<T[]>
  /** A transaction without an actor: only functions that are open to everybody answer in it. */
  withoutActor<T>(run: (db: Kysely<Schema>) => Promise<T>, options?: Pick<ActorOptions, 'statementTimeoutMs'>): Promise<T>
  /** A signed statement about a verified token, for the functions that take one. */
  vouch(statement: TokenStatement): string
  /** Resolves when the server answers. */
  ping(): Promise<void>
  /** Connections in use, who waits for one, and how long the last one did who got one. */
  load(): { total: number; idle: number; waiting: number; waitedMs: number }
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  actorKey: string
  poolSize?: number
  statementTimeoutMs?: number
  onError?: (error: Error) => void
}

/** How long a database that is away is waited for before anything of a transaction has run: as long as a restart takes. */
const patienceMs = 8_000
const shortestPause = 50
const longestPause = 500
/** A server that is reachable ends a statement by itself; one that says nothing for so much longer is not there any more. */
const graceMs = 3_000
/** What transactions that set no timeout of their own may take for one statement. */
const longestStatementMs = 30_000

/** Builds queries without a connection, for `Database.read`. */
export const compose = new Kysely<Schema>({ dialect: dialectFor(neverRuns()) })

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 3_000,
    idleTimeoutMillis: 60_000,
    options: [
      '-c timezone=UTC',
      `-c statement_timeout=${options.statementTimeoutMs ?? 5_000}`,
      '-c idle_in_transaction_session_timeout=30000',
      '-c search_path=app,extensions',
      '-c jit=off',
    ].join(' '),
  })
  // Without a listener a broken idle connection ends the process.
  pool.on('error', (error) => options.onError?.(error))
  const sign = createSigner(options.actorKey)
  const statementTimeoutMs = options.statementTimeoutMs ?? 5_000

  /** Connections from before a silent one was noticed are as dead as that one. */
  let suspectBefore = 0
  const born = new WeakMap<pg.PoolClient, number>()
  pool.on('connect', (client) => {
    born.set(client, performance.now())
    // While a transaction has it, between two statements, nobody else listens: its end would end the process.
    client.on('error', () => undefined)
  })

  let waitedMs = 0
  async function connect(): Promise<pg.PoolClient> {
    const asked = performance.now()
    for (;;) {
      const client = await pool.connect().finally(() => (waitedMs = performance.now() - asked))
      if ((born.get(client) ?? 0) >= suspectBefore) return client
      client.release(true)
    }
  }

  const trip = (client: pg.PoolClient, statements: Statement[], limitMs: number) =>
    oneTrip(client, statements, limitMs + graceMs, () => (suspectBefore = performance.now()))

  /** Nothing has happened yet when this fails, so it is tried again for a while. */
  async function patiently<T>(run: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + patienceMs
    for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
      try {
        return await run()
      } catch (error) {
        if (!isLost(error)) throw error
        if (performance.now() + pause > deadline) throw new ConnectionLost(error, false)
        await sleep(pause)
      }
    }
  }

  const begin = (opening: Statement[]) =>
    patiently(async () => {
      const client = await connect()
      try {
        await trip(client, [{ text: 'begin', values: [] }, ...opening], statementTimeoutMs)
        return client
      } catch (error) {
        client.release(true)
        throw error
      }
    })

  async function transaction<T>(opening: Statement[], run: (db: Kysely<Schema>) => Promise<T>, limitMs = longestStatementMs): Promise<T> {
    const client = await begin(opening)
    let broken = false
    let isCommitting = false
    try {
      const result = await run(new Kysely<Schema>({ dialect: dialectFor(connectionOf((statement) => trip(client, [statement], limitMs))) }))
      isCommitting = true
      await trip(client, [{ text: 'commit', values: [] }], limitMs)
      return result
    } catch (error) {
      broken = isLost(error)
      if (broken) throw new ConnectionLost(error instanceof Error ? error : new Error(String(error)), isCommitting)
      await trip(client, [{ text: 'rollback', values: [] }], limitMs).catch(() => (broken = true))
      throw error
    } finally {
      client.release(broken)
    }
  }

  const bindActor = (actor: Actor): Statement => ({ text: `select set_config('app.actor', $1, true)`, values: [sign.actor(actor)] })

  return {
    asActor(actor, run, more = {}) {
      const opening = [bindActor(actor)]
      if (more.requestId || more.via) {
        opening.push({
          text: `select set_config('app.request_id', $1, true), set_config('app.via', $2, true)`,
          values: [more.requestId ?? '', more.via ?? ''],
        })
      }
      opening.push(...limitOf(more))
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the brand says "bound", and only here is it put on
      return transaction(opening, (db) => run(db as ActorDb), more.statementTimeoutMs)
    },
    async read<T>(actor: Actor, query: Compilable<T>) {
      const { sql, parameters } = query.compile()
      return patiently(async () => {
        const client = await connect()
        let broken = false
        try {
          const results = await trip(client, [bindActor(actor), { text: sql, values: parameters }], statementTimeoutMs)
          // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the caller's query builder knows the row type; the wire does not
          return toObjects(results[1]) as T[]
        } catch (error) {
          broken = !isServerError(error) || isLost(error)
          throw error
        } finally {
          client.release(broken)
        }
      })
    },
    withoutActor: (run, more = {}) => transaction(limitOf(more), run, more.statementTimeoutMs),
    vouch: (statement) => sign.token(statement),
    async ping() {
      await pool.query('select 1')
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, waitedMs }),
    close: () => pool.end(),
  }
}

const limitOf = ({ statementTimeoutMs }: ActorOptions): Statement[] =>
  statementTimeoutMs ? [{ text: `select set_config('statement_timeout', $1, true)`, values: [String(statementTimeoutMs)] }] : []

const isServerError = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)

function dialectFor(connection: DatabaseConnection) {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuseNested,
    commitTransaction: refuseNested,
    rollbackTransaction: refuseNested,
    destroy: async () => {},
  }
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

async function refuseNested(): Promise<void> {
  throw new Error('A bound connection already is one transaction.')
}

function connectionOf(send: (statement: Statement) => Promise<RawResult[]>): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const [result] = await send({ text: query.sql, values: query.parameters })
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- as in read(): the builder that compiled the query knows R
      return { rows: toObjects(result) as R[], numAffectedRows: BigInt(result?.rowCount ?? 0) }
    },
    // eslint-disable-next-line require-yield -- the interface asks for a generator; rows are bounded everywhere instead
    async *streamQuery() {
      throw new Error('Read in bounded pages instead of streaming.')
    },
  }
}

function neverRuns(): DatabaseConnection {
  return {
    executeQuery: () => Promise.reject(new Error('compose only builds queries; run them through Database.read.')),
    // eslint-disable-next-line require-yield -- see connectionOf
    async *streamQuery() {
      throw new Error('compose only builds queries.')
    },
  }
}

function toObjects(result: RawResult | undefined): Record<string, unknown>[] {
  if (!result) return []
  const { columns, rows } = result
  return rows.map((row) => {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < columns.length; i++) object[columns[i] ?? ''] = row[i]
    return object
  })
}
