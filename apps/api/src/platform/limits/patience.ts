import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionLost } from '@guildhall/db'
import { problem } from '../procedures/problem.ts'

/** How long requests wait out a database that is away: as long as a restart takes. */
const patienceMs = 8_000
const pauseMs = 100
/** What a procedure may take in all; a database statement has a shorter limit of its own. */
export const procedureLimitMs = 15_000

/** Runs again what the database's going away cut off, where `mayRepeat` says that doing it twice does no harm. */
export async function outlastingRestarts<T>(run: () => Promise<T>, mayRepeat: (lost: ConnectionLost) => boolean): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof ConnectionLost) || !mayRepeat(error) || performance.now() > deadline) throw error
      await sleep(pauseMs)
    }
  }
}

/** Answers in time, one way or the other. What took too long may still come to its end. */
export function withinLimit<T>(work: Promise<T>, limitMs = procedureLimitMs): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLong = () =>
      reject(problem('SERVICE_UNAVAILABLE', { reason: 'too_slow', detail: 'This took too long; look whether it was done, and try again.' }))
    const timer = setTimeout(tooLong, limitMs)
    work.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}
