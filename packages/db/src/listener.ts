import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Listener = {
  /** Whether whatever is notified arrives right now. */
  isListening(): boolean
  close(): Promise<void>
}

export type ListenerOptions = {
  url: string
  channel: string
  onMessage: (payload: string) => void
  /** Listening has begun, or begun again: of what happened before, nothing will be heard. */
  onListening: () => void
  onLost: (error: Error) => void
}

/** A connection that says nothing for so long is asked whether it is still there, and given up when no answer comes. */
const askMs = 1_500
const answerMs = 1_500
const pauseMs = 500

/** One connection that hears what transactions tell with NOTIFY; whenever it breaks, another is opened. */
export function openListener({ url, channel, onMessage, onListening, onLost }: ListenerOptions): Listener {
  const ending = new AbortController()
  let listening = false

  async function listen() {
    const broken = new AbortController()
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000, query_timeout: answerMs })
    // Without a listener a broken connection ends the process.
    client.on('error', (error) => broken.abort(error))
    client.on('end', () => broken.abort(new Error('the connection ended')))
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      listening = true
      onListening()
      const over = AbortSignal.any([broken.signal, ending.signal])
      for (;;) {
        await sleep(askMs, undefined, { signal: over, ref: false })
        await client.query('select 1')
      }
    } catch (error) {
      if (!ending.signal.aborted) onLost(asError(broken.signal.aborted ? broken.signal.reason : error))
    } finally {
      listening = false
      // A connection on which nothing comes back would not even end.
      await Promise.race([client.end().catch(() => undefined), sleep(answerMs, undefined, { ref: false })])
    }
  }

  async function goOn() {
    while (!ending.signal.aborted) {
      await listen()
      await sleep(pauseMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined)
    }
  }

  const running = goOn()
  return {
    isListening: () => listening,
    async close() {
      ending.abort()
      await running
    },
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
