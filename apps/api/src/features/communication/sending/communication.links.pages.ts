import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { perMinute } from '../../../platform/limits/per-minute.ts'
import type { Services } from '../../../platform/services.ts'
import { followLink, noteOpening } from './communication.sending.queries.ts'
import { isProgram, readLinkToken } from './communication.links.rules.ts'

/** A picture of one transparent pixel (GIF). */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const fromOneAddress = 300

/** Links of messages that are counted on their way, and the picture that tells of opening. */
export function addMessageLinks(app: FastifyInstance, { config, database }: Services, headers: Record<string, string>): void {
  const isSeldom = perMinute(fromOneAddress)
  const common = { ...headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' }
  type Asked = FastifyRequest<{ Params: { token: string } }>
  const programIn = ({ method, headers: sent }: Asked) =>
    isProgram(method, sent['user-agent'], typeof sent['sec-purpose'] === 'string' ? sent['sec-purpose'] : undefined)

  const follow = async (request: Asked, reply: FastifyReply) => {
    if (!isSeldom(request.ip))
      return reply
        .headers({ ...common, 'retry-after': '60' })
        .status(429)
        .send()
    const named = readLinkToken(config.ACTOR_KEY, request.params.token)
    const url = named && (await database.withoutActor((db) => followLink(db, named, programIn(request))))
    if (!url) return reply.headers(common).status(404).type('text/plain').send('This link is no longer valid.')
    return reply.headers(common).redirect(url, 302)
  }
  app.route<{ Params: { token: string } }>({ method: ['GET', 'HEAD'], url: '/public/follow/:token', schema: {}, handler: follow })

  app.get<{ Params: { token: string } }>('/public/seen/:token', { schema: {} }, async (request, reply) => {
    // Whatever is asked, the answer is the picture: it says nothing about the address.
    const named = isSeldom(request.ip) ? readLinkToken(config.ACTOR_KEY, request.params.token.replace(/\.gif$/, '')) : undefined
    if (named?.link === 0) await database.withoutActor((db) => noteOpening(db, named))
    return reply.headers(common).type('image/gif').send(pixel)
  })
}
