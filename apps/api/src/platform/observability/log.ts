import { pino } from 'pino'
import type { Logger, LoggerOptions } from 'pino'

export type Log = Logger

/** One JSON line per event, times in UTC. Bodies and tokens are never handed to it; headers that could hold one are cut. */
export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const own = destination ? undefined : pino.destination(together)
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    formatters: { log: (fields) => withoutSecrets(fields) },
    hooks: {
      logMethod(line, write, at) {
        write.apply(this, line)
        if (at >= errors) own?.flushSync()
      },
    },
  }
  return pino(options, destination ?? own)
}

/** Lines wait for each other, half a second at most: to write each by itself takes a request a twentieth of its time. Errors do not wait. */
const together = { minLength: 4_096, periodicFlush: 500 }
const errors = 50

const secrets = new Set(['authorization', 'cookie', 'access_token', 'refresh_token', 'id_token'])
/** Deeper than any line of ours goes. */
const deepest = 3

/** The fields without what must never be written. pino's own `redact` goes over each line path by path, which makes 20 kB of garbage. */
function withoutSecrets(fields: Record<string, unknown>, depth = deepest): Record<string, unknown> {
  let kept = fields
  for (const name in fields) {
    const value = fields[name]
    const written = secrets.has(name) ? '[cut]' : depth > 0 && isPlain(value) ? withoutSecrets(value, depth - 1) : value
    if (written === value) continue
    if (kept === fields) kept = { ...fields }
    kept[name] = written
  }
  return kept
}

/** Headers and queries come from parsers as objects without a prototype. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** What helps to find a fault. Values of rows, which the database adds to its errors as `detail`, and whole connections stay out. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const facts = Object.fromEntries(
    ['code', 'constraint', 'table', 'column', 'routine'].flatMap((key) => {
      const value: unknown = Reflect.get(error, key)
      return typeof value === 'string' ? [[key, value]] : []
    }),
  )
  return {
    type: error.name,
    message: error.message,
    ...facts,
    stack: error.stack,
    ...(error.cause ? { cause: describeError(error.cause) } : {}),
  }
}
