import type { FastifyInstance } from 'fastify'
import { ForgedEventError } from '../../platform/payments/payment-provider.ts'
import type { ProviderEvent } from '../../platform/payments/payment-provider.ts'
import type { Services } from '../../platform/services.ts'
import { noteEvent } from './payments.queries.ts'

const path = '/webhooks/stripe'

/** What changes nothing about a payment is not kept. */
const about =
  /^(checkout\.session\.|payment_intent\.(succeeded|payment_failed|canceled)|charge\.(succeeded|updated|refunded|dispute\.)|refund\.)/

/**
 * Where the payment provider tells of what happens. An event is noted with the job that reads its payment anew, in one transaction, before it is
 * acknowledged; what it says besides its ids counts for nothing.
 */
export async function addPaymentWebhooks(app: FastifyInstance, services: Services, headers: Record<string, string>): Promise<void> {
  await app.register(async (scope) => {
    // The signature is about the very bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1_048_576 }, (_request, body, done) => done(null, body))
    scope.post(path, { schema: {} }, async (request, reply) => {
      const { payments, log } = services
      if (!payments) return reply.status(404).headers(headers).send()
      const { body } = request
      const signature = request.headers['stripe-signature']
      try {
        const event = payments.readEvent(
          Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          Array.isArray(signature) ? signature[0] : signature,
        )
        if (event.isLive === payments.isLive && about.test(event.type)) await takeEvent(services, event)
        return await reply.status(200).headers(headers).send({ received: true })
      } catch (error) {
        if (!(error instanceof ForgedEventError)) throw error
        log.warn({ requestId: request.id, err: error }, 'an event of the payment provider was not signed with our secret')
        return reply.status(400).headers(headers).send({ error: 'signature' })
      }
    })
  })
}

/** Notes the event and the job that reads its payment; a second delivery finds it noted. */
export async function takeEvent({ database, jobs }: Services, event: ProviderEvent): Promise<void> {
  await database.withoutActor(async (tx) => {
    const noted = await noteEvent(tx, event)
    if (noted?.isFresh) await jobs.send(tx, 'payments', { does: 'read', org: noted.orgId, payment: noted.paymentId })
    // Refunds and disputes name the payment by an id that we may not have heard of yet.
    else if (!noted && event.intentId !== null)
      await jobs.send(tx, 'payments', { does: 'find', intent: event.intentId, event: event.id, type: event.type })
  })
}
