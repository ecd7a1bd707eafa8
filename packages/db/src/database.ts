import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { Compilable, CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import pg from 'pg'
import { actorSigner } from './actor.ts'
import type { Actor } from './actor.ts'
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
  withoutActor<T>(run: (db: Kysely<Schema>) => Promise<T>): Promise<T>
  /** Resolves when the server answers. */
  ping(): Promise<void>
  /** Connections in use and waiting, for readiness and metrics. */
  load(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  actorKey: string
  poolSize?: number
  statementTimeoutMs?: number
  onError?: (error: Error) => void
}

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
  const sign = actorSigner(options.actorKey)

  async function transaction<T>(opening: Statement[], run: (db: Kysely<Schema>) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    let broken: Error | undefined
    try {
      await oneTrip(client, [{ text: 'begin', values: [] }, ...opening])
      const result = await run(new Kysely<Schema>({ dialect: dialectFor(connectionOf(client)) }))
      await oneTrip(client, [{ text: 'commit', values: [] }])
      return result
    } catch (error) {
      await oneTrip(client, [{ text: 'rollback', values: [] }]).catch(
        (rollbackError: unknown) => (broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError))),
      )
      throw error
    } finally {
      client.release(broken)
    }
  }

  const bindActor = (actor: Actor): Statement => ({ text: `select set_config('app.actor', $1, true)`, values: [sign(actor)] })

  return {
    asActor(actor, run, more = {}) {
      const opening = [bindActor(actor)]
      if (more.requestId || more.via) {
        opening.push({
          text: `select set_config('app.request_id', $1, true), set_config('app.via', $2, true)`,
          values: [more.requestId ?? '', more.via ?? ''],
        })
      }
      if (more.statementTimeoutMs) {
        opening.push({ text: `select set_config('statement_timeout', $1, true)`, values: [String(more.statementTimeoutMs)] })
      }
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the brand says "bound", and only here is it put on
      return transaction(opening, (db) => run(db as ActorDb))
    },
    async read<T>(actor: Actor, query: Compilable<T>) {
      const { sql, parameters } = query.compile()
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        const results = await oneTrip(client, [bindActor(actor), { text: sql, values: parameters }])
        // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- the caller's query builder knows the row type; the wire does not
        return toObjects(results[1]) as T[]
      } catch (error) {
        if (error instanceof Error && !('code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)))
          broken = error
        throw error
      } finally {
        client.release(broken)
      }
    },
    withoutActor: (run) => transaction([], run),
    async ping() {
      await pool.query('select 1')
    },
    load: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => pool.end(),
  }
}

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

function connectionOf(client: pg.ClientBase): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const [result] = await oneTrip(client, [{ text: query.sql, values: query.parameters }])
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
