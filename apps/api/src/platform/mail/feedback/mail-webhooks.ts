import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '../../services.ts'
import { largestReport, readReport } from './delivery-report.ts'
import { hashOfBody, takeFeedback } from './feedback.ts'
import type { Feedback, FeedbackSource } from './feedback.ts'
import { isFromMailgun, readMailgun } from './mailgun.ts'
import { isFromSendgrid, readSendgrid } from './sendgrid.ts'

type Intake = {
  source: FeedbackSource
  isConfigured(services: Services): boolean
  /** What was reported; undefined where it is not signed as it should be. */
  read(services: Services, request: FastifyRequest, body: Buffer): Promise<Feedback[] | undefined>
  bodyLimit: number
}

/** Senders put up to some hundred events into one request. */
const largestEvents = 2_097_152

const intakes: Intake[] = [
  {
    source: 'mailgun',
    bodyLimit: largestEvents,
    isConfigured: ({ config }) => config.MAILGUN_SIGNING_KEY !== undefined,
    async read(services, _request, body) {
      const content = contentOf(body)
      return (await isFromMailgun(services, body, content)) ? readMailgun(content) : undefined
    },
  },
  {
    source: 'sendgrid',
    bodyLimit: largestEvents,
    isConfigured: ({ config }) => config.SENDGRID_PUBLIC_KEY !== undefined,
    async read({ config }, { headers }, body) {
      const signature = one(headers['x-twilio-email-event-webhook-signature'])
      const timestamp = one(headers['x-twilio-email-event-webhook-timestamp'])
      return isFromSendgrid(config, body, signature, timestamp) ? readSendgrid(contentOf(body)) : undefined
    },
  },
  {
    source: 'report',
    bodyLimit: largestReport,
    isConfigured: ({ config }) => config.MAIL_REPORT_TOKEN !== undefined,
    async read({ config }, { headers }, body) {
      const [, given = ''] = /^Bearer (.+)$/i.exec(one(headers.authorization)) ?? []
      if (!isSame(given, config.MAIL_REPORT_TOKEN ?? '')) return undefined
      const found = await readReport(body)
      return found ? [found] : []
    },
  },
]

/** Where senders and mail servers tell what became of mail that had left. Nothing of what they say is logged: it names people. */
export async function addMailWebhooks(app: FastifyInstance, services: Services, headers: Record<string, string>): Promise<void> {
  const { metrics, log } = services
  await app.register(async (scope) => {
    // Signatures are about the very bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    for (const { source, isConfigured, read, bodyLimit } of intakes) {
      scope.post(`/webhooks/mail/${source}`, { schema: {}, bodyLimit }, async (request, reply) => {
        if (!isConfigured(services)) return reply.status(404).headers(headers).send()
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const reported = await read(services, request, body)
        if (!reported) {
          metrics.mailFeedback(source, 'forged')
          log.warn({ requestId: request.id, source }, 'a report about mail was not signed as it should be')
          return reply
            .status(source === 'report' ? 401 : 403)
            .headers(headers)
            .send({ error: 'signature' })
        }
        if (reported.length === 0) metrics.mailFeedback(source, 'other')
        else await takeFeedback(services, source, reported)
        return reply.status(200).headers(headers).send({ received: true })
      })
    }
  })
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) ?? ''

function contentOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Compares hashes, which are of one length. */
const isSame = (given: string, wanted: string) =>
  wanted !== '' && timingSafeEqual(Buffer.from(hashOfBody(given)), Buffer.from(hashOfBody(wanted)))
