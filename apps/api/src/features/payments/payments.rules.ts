import type { Services } from '../../platform/services.ts'
import type { Counting } from './payments.queries.ts'

/** A payment that moved no money pays nothing where money is meant; on a developer's machine it does, so that everything can be tried. */
export const countingOf = ({ payments, config }: Pick<Services, 'payments' | 'config'>): Counting => {
  const isLive = payments?.isLive ?? false
  return { isLive, counts: countsAs(isLive, config.NODE_ENV) }
}
export const countsAs = (isLive: boolean, environment: string): boolean => isLive || environment !== 'production'
