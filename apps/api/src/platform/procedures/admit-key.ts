import { takesKey } from '@guildhall/contract/base'
import type { ProcedureMeta } from '@guildhall/contract/base'
import { outlastingRestarts } from '../limits/patience.ts'
import type { ApiKey } from '../sign-in/api-keys.ts'
import { notWithKey } from '../sign-in/identity.ts'
import { actingHeader } from './acting.ts'
import type { RequestContext } from './context.ts'
import { problem } from './problem.ts'

/** Refuses a request that comes more often than its key may, or asks for what is for people only. */
export async function admitKey(context: RequestContext, key: ApiKey, meta: Partial<ProcedureMeta>): Promise<void> {
  const wait = await outlastingRestarts(
    () => context.services.keyRates.take(key),
    () => true,
  )
  if (wait > 0) {
    context.setHeader('retry-after', String(wait))
    throw problem('TOO_MANY_REQUESTS', {
      reason: 'key_rate',
      detail: `This API key may make ${key.perMinute} requests a minute; try again in ${wait} seconds.`,
    })
  }
  if (!takesKey(meta) || context.header(actingHeader) !== undefined) throw notWithKey()
}
