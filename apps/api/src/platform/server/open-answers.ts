import type { FastifyInstance } from 'fastify'
import type { Caller } from '../sign-in/identity.ts'
import { refusalOf } from '../sign-in/identity.ts'
import { isRefusedByDatabase } from '../procedures/problem.ts'
import type { Services } from '../services.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who was let in; absent on what everybody may ask for. */
    caller?: Caller
    /** Whether what is being sent may still be sent, where that depends on more than the account. */
    stillAllowed?: () => Promise<boolean>
  }
}

/** With the few seconds that an account's state is remembered, an answer that is still being sent ends within five. */
const checkMs = 500
/** An answer that takes its time, such as a download or a stream of events, ends when its reader may no longer have it. */
export function endForRevoked(app: FastifyInstance, { identities, log }: Services): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { caller, stillAllowed } = request
    if (!caller || !isStream(payload)) return
    const timer = setInterval(() => {
      void mayGoOn(caller, stillAllowed).then((may) => {
        if (may || reply.raw.destroyed) return
        log.info({ requestId: request.id }, 'an answer was cut short: its reader may no longer have it')
        reply.raw.destroy()
      })
    }, checkMs)
    timer.unref()
    reply.raw.once('close', () => clearInterval(timer))
  })

  async function mayGoOn(caller: Caller, stillAllowed?: () => Promise<boolean>): Promise<boolean> {
    try {
      if (refusalOf(await identities.again(caller)) !== null) return false
      return stillAllowed ? await stillAllowed() : true
    } catch (error) {
      if (isRefusedByDatabase(error)) return false
      // What cannot be asked is asked again soon; a database that restarts ends nobody's download.
      log.warn({ err: error }, 'it could not be checked whether an answer may go on')
      return true
    }
  }
}

const isStream = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'pipe' in payload && typeof payload.pipe === 'function'
