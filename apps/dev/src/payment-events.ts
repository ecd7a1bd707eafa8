import { createHmac } from 'node:crypto'
import type { PaymentObjects } from './payment-objects.ts'
import { newId, nowInSeconds, type PaymentEvent, type PaymentStore } from './payment-store.ts'

export type PaymentEvents = {
  add: (type: string, object: unknown) => void
  /** Everything that waits, in its order; `times` lets the same one come again. */
  deliver: (ids?: readonly string[], times?: number) => Promise<void>
  waiting: () => readonly PaymentEvent[]
  drop: (id: string) => void
  hold: (isHeld: boolean) => void
  reverse: () => void
  stop: () => Promise<void>
}

type Options = { store: PaymentStore; objects: PaymentObjects; webhookUrl: string; webhookSecret: string; log: (line: string) => void }

const pauses = [1_000, 5_000, 30_000, 120_000, 600_000]

/** Tells the application of what happens, signed as Stripe signs: at once, or when somebody says so. */
export function paymentEvents({ store, objects, webhookUrl, webhookSecret, log }: Options): PaymentEvents {
  const { state, save } = store
  const timers = new Set<NodeJS.Timeout>()
  const stopping = new AbortController()
  let queue = Promise.resolve()

  async function send(event: PaymentEvent): Promise<void> {
    const body = JSON.stringify(objects.event(event))
    const answer = await fetch(webhookUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signatureOf(body, webhookSecret) },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(10_000), stopping.signal]),
    }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
    // Cut off by our own end: it is sent after the next start.
    if (stopping.signal.aborted) return
    event.attempts += 1
    event.answer = answer instanceof Error ? 'no answer' : String(answer.status)
    event.delivery = !(answer instanceof Error) && answer.ok ? 'delivered' : 'failed'
    save()
    if (event.delivery === 'delivered' || state.isHeld) return
    const pause = pauses[event.attempts - 1]
    if (pause === undefined) return log(`The event ${event.type} was not taken: ${event.answer}`)
    const timer = setTimeout(() => {
      timers.delete(timer)
      if (event.delivery === 'failed') void deliver([event.id])
    }, pause).unref()
    timers.add(timer)
  }

  const waiting = () => state.events.filter(({ delivery }) => delivery === 'waiting' || delivery === 'failed')

  function deliver(ids?: readonly string[], times = 1): Promise<void> {
    const due = ids ? state.events.filter(({ id }) => ids.includes(id)) : waiting()
    // One after the other: what comes out of order does so because somebody turned the order round.
    queue = queue.then(async () => {
      for (const event of due) for (let time = 0; time < times; time++) await send(event)
    })
    return queue
  }

  if (!state.isHeld) void deliver()

  return {
    add(type, object) {
      const event: PaymentEvent = {
        ...{ id: newId('evt'), created: nowInSeconds(), type, object },
        ...{ delivery: 'waiting', attempts: 0, answer: null },
      }
      state.events.push(event)
      save()
      if (!state.isHeld) void deliver([event.id])
    },
    deliver,
    waiting,
    drop(id) {
      const event = state.events.find((one) => one.id === id)
      if (event) event.delivery = 'dropped'
      save()
    },
    hold(isHeld) {
      state.isHeld = isHeld
      save()
    },
    reverse() {
      const turned = [...waiting()].reverse()
      state.events = state.events.map((event) =>
        event.delivery === 'waiting' || event.delivery === 'failed' ? (turned.shift() ?? event) : event,
      )
      save()
    },
    async stop() {
      stopping.abort()
      timers.forEach((timer) => clearTimeout(timer))
      await queue
    },
  }
}

/** The header of a delivery: when it was signed, and the keyed hash of that moment and the body. */
export function signatureOf(body: string, secret: string, at = nowInSeconds()): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}
