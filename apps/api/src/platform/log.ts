import { pino } from 'pino'
import type { Logger } from 'pino'

export type Log = Logger

/** One JSON line per event, times in UTC. Bodies and tokens are never handed to it; headers that could hold one are cut. */
export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
    redact: {
      paths: ['*.authorization', '*.cookie', 'authorization', 'cookie', '*.access_token', '*.refresh_token', '*.id_token'],
      censor: '[cut]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
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
