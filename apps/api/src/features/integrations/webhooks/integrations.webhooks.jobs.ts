import { setTimeout as sleep } from 'node:timers/promises'
import { turnsOf } from '../../../platform/jobs/turns.ts'
import { OutgoingError } from '../../../platform/outgoing/outgoing.ts'
import type { Services } from '../../../platform/services.ts'
import { open } from '../connections/integrations.secrets.rules.ts'
import { chatRequest, isForChat } from '../chat/integrations.chat.actions.ts'
import {
  fanOut,
  holdDeliveries,
  leaveLane,
  settleDeliveries,
  sweepWebhooks,
  takeDeliveries,
  takeLanes,
} from './integrations.webhook-deliveries.queries.ts'
import type { Lane, Result, Taken } from './integrations.webhook-deliveries.queries.ts'
import {
  answerShown,
  bodyOf,
  failureOfStatus,
  headersOf,
  readOfAnswer,
  signatureOf,
  webhookSecretPlace,
} from './integrations.webhooks.rules.ts'

/** Of one worker: so many endpoints, and so many requests in all. An endpoint has eight at most, and fewer while it is slow or fails. */
const mostLanes = 400
const mostRequests = 256
/** So many deliveries are taken for each of them, and begun within so long; the rest goes back. */
const takenForEach = 16
const batchMs = 20_000
/** Another worker takes an endpoint over when its worker was not heard of for so long: more than a batch takes with its last answer. */
const leaseMs = 45_000
/** After so long an endpoint goes back in line. */
const sliceMs = 20_000
const patientMs = 10_000
/** Deliveries that are made at once: what one statement can do in good time. */
const fannedAtOnce = 25_000
const sweptAtOnce = 5_000
const sweepEveryMs = 60_000
const idleMs = 500
const patienceMs = 5_000

export type Webhooks = { stop(): Promise<void> }

/** Other figures than those above, for tests. */
export type Pace = { timeoutMs?: number; places?: number; batchMs?: number; leaseMs?: number }

/** Sends webhooks until it is stopped, each endpoint in a lane of its own; what is on its way then is finished. Any number of workers may. */
export function startWebhooks(services: Services, pace: Pace = {}): Webhooks {
  const { database, log } = services
  const { timeoutMs = patientMs, places = mostRequests } = pace
  const limits = { batchMs: pace.batchMs ?? batchMs, lease: `${pace.leaseMs ?? leaseMs} milliseconds` }
  const stopping = new AbortController()
  const { signal } = stopping
  const rest = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
  const turns = turnsOf(places)
  const lanes = new Set<Promise<void>>()
  const begin = (lane: Lane) => {
    const send: Send = (delivery, isLate) => turns(() => (isLate() ? Promise.resolve(null) : attempt(services, lane, delivery, timeoutMs)))
    const running = runLane(services, lane, send, signal, limits)
      .catch((error: unknown) => log.warn({ err: error, endpoint: lane.endpointId }, 'a webhook waits for the database'))
      .finally(() => lanes.delete(running))
    lanes.add(running)
  }
  const running = (async () => {
    let sweptAt = -Infinity
    while (!signal.aborted) {
      try {
        if (performance.now() - sweptAt > sweepEveryMs) {
          // First, so that a sweep that fails does not keep everything else from being sent.
          sweptAt = performance.now()
          await database.withoutActor((db) => sweepWebhooks(db, sweptAtOnce))
        }
        const fanned = await database.withoutActor((db) => fanOut(db, fannedAtOnce))
        const taken = lanes.size < mostLanes ? await database.withoutActor((db) => takeLanes(db, mostLanes - lanes.size, limits.lease)) : []
        for (const lane of taken) begin(lane)
        if (fanned === 0 && taken.length === 0) await rest(idleMs)
      } catch (error) {
        log.warn({ err: error }, 'webhooks wait for the database')
        await rest(patienceMs)
      }
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await running
      await Promise.all(lanes)
    },
  }
}

/** Writes results as they come; while one statement runs, the next ones wait for it together. */
function settler(write: (results: Result[]) => Promise<unknown>) {
  const waiting: Result[] = []
  let writing: Promise<void> | undefined
  let failure: Error | undefined
  const writeAll = async () => {
    try {
      while (waiting.length > 0) await write(waiting.splice(0))
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error))
    }
    writing = undefined
  }
  return {
    add(result: Result) {
      waiting.push(result)
      writing ??= writeAll()
    },
    async end() {
      await writing
      if (failure !== undefined) throw failure
    },
  }
}

/** Nothing where it is too late for it when its turn comes. */
type Send = (delivery: Taken, isLate: () => boolean) => Promise<Result | null>
type Limits = { batchMs: number; lease: string }

/** Sends what is due to one endpoint. Whoever dies here leaves what was in hand to the next one, under the same ids; so does who loses the database. */
async function runLane({ database }: Services, lane: Lane, send: Send, signal: AbortSignal, limits: Limits): Promise<void> {
  const ends = performance.now() + sliceMs
  while (!signal.aborted && performance.now() < ends) {
    const batch = await database.withoutActor((db) => takeDeliveries(db, lane, lane.atOnce * takenForEach, limits.lease))
    if (batch.length === 0) break
    const begunUntil = performance.now() + limits.batchMs
    const isLate = () => signal.aborted || performance.now() > begunUntil
    const settling = settler((results) => database.withoutActor((db) => settleDeliveries(db, lane, results)))
    const next = async () => {
      while (!isLate()) {
        const delivery = batch.shift()
        if (!delivery) return
        const result = await send(delivery, isLate)
        if (result) settling.add(result)
        else batch.push(delivery)
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: lane.atOnce }, next))
    await settling.end()
    for (const one of ended) if (one.status === 'rejected') throw new Error('a try could not be made', { cause: one.reason })
    if (batch.length > 0) break
  }
  await database.withoutActor((db) => leaveLane(db, lane))
}

async function attempt(services: Services, lane: Lane, delivery: Taken, timeoutMs: number): Promise<Result> {
  const { outgoing, log } = services
  const { id, attempt: nth } = delivery
  const sentAt = new Date()
  const started = performance.now()
  const result = (outcome: Pick<Result, 'status' | 'failure' | 'answer'>): Result => ({
    ...{ id, attempt: nth, at: sentAt.toISOString() },
    milliseconds: Math.round(performance.now() - started),
    ...outcome,
  })
  const request = isForChat(delivery.type)
    ? await chatRequest(services, lane, id)
    : signedRequest(services, lane.endpointId, delivery, sentAt)
  if (!request) {
    log.error({ endpoint: lane.endpointId }, 'the secret of a webhook does not open with this INTEGRATIONS_KEY')
    return result({ status: null, failure: 'no_secret', answer: '' })
  }
  try {
    const { url, headers, body } = request
    const answer = await outgoing.request(url, { method: 'POST', headers, body, timeoutMs, beginning: readOfAnswer })
    return result({ status: answer.status, failure: failureOfStatus(answer.status), answer: answerShown(answer.body) })
  } catch (error) {
    if (!(error instanceof OutgoingError)) log.error({ err: error, delivery: id }, 'a webhook could not be sent')
    return result({ status: null, failure: error instanceof OutgoingError ? error.reason : 'unreachable', answer: '' })
  }
}

/** A webhook with its signatures; null where none of its secrets opens. */
function signedRequest({ config }: Services, endpointId: string, delivery: Taken, sentAt: Date) {
  const { id, url } = delivery
  const secrets = delivery.secrets.map((sealed) =>
    open(config.INTEGRATIONS_KEY, Buffer.from(sealed, 'base64'), webhookSecretPlace(endpointId)),
  )
  const known = secrets.filter((secret) => secret !== null)
  if (known.length === 0) return null
  const body = bodyOf(delivery)
  return { url, body, headers: { ...headersOf(id, sentAt), 'webhook-signature': signatureOf(known, { id, sentAt, body }) } }
}

/** Sends nothing that waited before a backup was made, which has been restored since: it may have been sent then. How many deliveries. */
export const holdWebhooks = ({ database }: Pick<Services, 'database'>, before: Date): Promise<number> =>
  database.withoutActor((db) => holdDeliveries(db, before), { statementTimeoutMs: 600_000 })
