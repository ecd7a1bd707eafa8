import { hash } from 'node:crypto'
import pg from 'pg'

export type Statement = { text: string; values: readonly unknown[] }
export type RawResult = { columns: string[]; rows: unknown[][]; command: string; rowCount: number }

// The parts of pg's connection that a submittable object may use; pg's own types leave them out.
type WireConnection = {
  stream: { cork?: () => void; uncork?: () => void; destroy: (error: Error) => void }
  parse(message: { text: string; name: string }): void
  bind(message: { statement: string; values: unknown[] }): void
  describe(message: { type: 'P'; name: string }): void
  execute(message: { portal: string; rows: number }): void
  close(message: { type: 'S'; name: string }): void
  sync(): void
}
type Field = { name: string; dataTypeID: number; format: 'text' | 'binary' }

const maxPrepared = 400
type Shape = { columns: string[]; parsers: ((value: string) => unknown)[] }
/** What each connection's server side has prepared: null when an error left it open whether. The shape of its rows is known once they were described. */
const prepared = new WeakMap<object, Map<string, Prepared | null>>()
type Prepared = { shape?: Shape }
const names = new Map<string, string>()

/** A statement's name is its text, shortened: the same text on the same connection is parsed and planned once. */
function nameOf(text: string): string {
  let name = names.get(text)
  if (!name) {
    if (names.size > 5_000) names.clear()
    name = `g${hash('sha256', text, 'base64url').slice(0, 24)}`
    names.set(text, name)
  }
  return name
}

/**
 * Sends several statements behind one Sync: one trip, and, outside a transaction block, one implicit transaction
 * (https://www.postgresql.org/docs/18/protocol-flow.html#PROTOCOL-FLOW-PIPELINING). Resolves with one result per statement.
 * A server that has said nothing after `patienceMs` is given up with its connection, which `onSilence` is told.
 */
export function oneTrip(
  client: pg.ClientBase,
  statements: readonly Statement[],
  patienceMs: number,
  onSilence: () => void = () => {},
): Promise<RawResult[]> {
  return new Promise((resolve, reject) => {
    const results: RawResult[] = []
    // One for each statement, in their order: what it is prepared as, or nothing of it is kept.
    const asked: Prepared[] = []
    let rows: unknown[][] = []
    let failure: Error | undefined
    let parsedNow: string[] = []
    let known: Map<string, Prepared | null>
    let timer: NodeJS.Timeout | undefined
    const now = () => (asked[results.length] ??= {})

    const query = {
      submit(connection: WireConnection) {
        known = preparedOn(connection)
        timer = setTimeout(() => {
          onSilence()
          connection.stream.destroy(new Error('The database did not answer.'))
        }, patienceMs)
        connection.stream.cork?.()
        try {
          for (const { text, values } of statements) {
            const wanted = nameOf(text)
            const name = known.size < maxPrepared || known.has(wanted) ? wanted : ''
            const before = known.get(name)
            const statement: Prepared = before ?? {}
            if (!before) {
              if (before === null) connection.close({ type: 'S', name })
              connection.parse({ text, name })
              if (name) {
                known.set(name, statement)
                parsedNow.push(name)
              }
            }
            connection.bind({ statement: name, values: values.map(wireValue) })
            // Its rows have the same shape as long as it is prepared: PostgreSQL refuses it once they would not.
            if (!statement.shape) connection.describe({ type: 'P', name: '' })
            connection.execute({ portal: '', rows: 0 })
            asked.push(statement)
          }
          connection.sync()
        } finally {
          connection.stream.uncork?.()
        }
        return null
      },
      handleRowDescription(message: { fields: Field[] }) {
        now().shape = {
          columns: message.fields.map((field) => field.name),
          parsers: message.fields.map((field) => parserOf(field.dataTypeID)),
        }
      },
      handleDataRow(message: { fields: (string | null)[] }) {
        const parsers = now().shape?.parsers ?? []
        rows.push(message.fields.map((value, i) => (value === null ? null : (parsers[i] ?? String)(value))))
      },
      handleCommandComplete(message: { text: string }) {
        const [command = '', ...numbers] = message.text.split(' ')
        // A statement without rows is described as having none, which says as much.
        const { columns } = (now().shape ??= { columns: [], parsers: [] })
        results.push({ columns, rows, command, rowCount: Number(numbers.at(-1) ?? 0) })
        rows = []
      },
      handleEmptyQuery() {},
      handlePortalSuspended() {},
      handleCopyInResponse() {},
      handleCopyData() {},
      handleError(error: Error) {
        // Which of the new statements the server still prepared before the error is not known: forget them carefully.
        for (const name of parsedNow) known.set(name, null)
        parsedNow = []
        failure ??= error
        clearTimeout(timer)
        // A lost connection sends no ReadyForQuery; rejecting twice is harmless.
        reject(failure)
      },
      handleReadyForQuery() {
        clearTimeout(timer)
        if (failure) reject(failure)
        else resolve(results)
      },
      callback() {},
    }
    // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a submittable: pg only calls the methods above, as it does for pg-cursor, but types none of it
    client.query(query as unknown as pg.Submittable)
  })
}

function preparedOn(connection: object): Map<string, Prepared | null> {
  let known = prepared.get(connection)
  if (!known) prepared.set(connection, (known = new Map<string, Prepared | null>()))
  return known
}

function wireValue(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value) || typeof value === 'string') return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return arrayLiteral(value)
  if (typeof value === 'object') return JSON.stringify(value)
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- objects are gone by now
  return String(value)
}

/** PostgreSQL's array text form. Objects inside become JSON. */
function arrayLiteral(values: readonly unknown[]): string {
  const items = values.map((value) => {
    if (value === null || value === undefined) return 'NULL'
    if (Array.isArray(value)) return arrayLiteral(value)
    // eslint-disable-next-line @typescript-eslint/no-base-to-string -- objects have become JSON
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`
  })
  return `{${items.join(',')}}`
}

/** Wire types: instants as ISO strings in UTC, dates as they are, 64-bit integers as numbers (none of ours passes 2^53). */
const ownParsers: Record<number, (value: string) => unknown> = {
  [pg.types.builtins.TIMESTAMPTZ]: (value) => `${value.replace(' ', 'T').replace(/\+00$/, '')}Z`,
  [pg.types.builtins.DATE]: (value) => value,
  [pg.types.builtins.INT8]: Number,
}

function parserOf(type: number): (value: string) => unknown {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- pg's parsers answer any; this function says unknown
  return ownParsers[type] ?? pg.types.getTypeParser(type, 'text')
}
