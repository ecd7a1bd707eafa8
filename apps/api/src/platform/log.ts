import { pino } from 'pino'
import type { Logger } from 'pino'

export type Log = Logger

/** One JSON line per event, times in UTC. Bodies and tokens are never handed to it; headers that could hold one are cut. */
export function createLog(level: string, destination?: NodeJS.WritableStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['*.authorization', '*.cookie', 'authorization', 'cookie', '*.access_token', '*.refresh_token', '*.id_token'],
      censor: '[cut]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
