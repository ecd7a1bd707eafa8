import { PlainError } from './plain-error.ts'

/** A companion is a convenience with its doors open: it must never be reachable where the data is real. */
export function refuseInProduction(what: string): void {
  if (process.env['NODE_ENV'] === 'production') throw new PlainError(`${what} does not run in production (NODE_ENV=production).`)
}
