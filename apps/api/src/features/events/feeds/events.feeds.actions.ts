import type { FastifyInstance, FastifyReply } from 'fastify'
import { countAttempt, placesOf } from '../../../platform/limits/attempts.ts'
import { perMinute } from '../../../platform/limits/per-minute.ts'
import { countUse } from '../../../platform/limits/rate-limits.ts'
import { hashOf } from '../../../platform/links/signed-links.ts'
import { brandOf } from '../../../platform/public-pages/brand.ts'
import type { Services } from '../../../platform/services.ts'
import { textsFor } from '../../../platform/texts/texts.ts'
import { calendarType } from '../calendar/events.calendar.rules.ts'
import { feedRowsQuery, openFeed, publicFeedRows } from './events.feeds.queries.ts'
import type { FeedRow, OpenedFeed } from './events.feeds.queries.ts'
import { feedFile, feedTag, nameOf, windowAt } from './events.feeds.rules.ts'

/** Reads a minute from one address, and an hour of one calendar: programs ask once an hour, and several of one person's do. */
const fromOneAddress = 120
const ofOneCalendar = 120

/**
 * Calendars, for programs that subscribe to them and sign in nowhere. Whoever has the address reads what its owner may see at that moment, or, of a
 * public one, what everybody may see.
 */
export function addCalendarFeeds(app: FastifyInstance, services: Services, headers: Record<string, string>): void {
  const { config, database } = services
  const idpOrg = config.ORG_ID
  const isSeldom = perMinute(fromOneAddress)

  app.get<{ Params: { file: string } }>('/public/calendars/:file', { schema: {} }, async (request, reply) => {
    if (!isSeldom(request.ip)) return refuse(reply, 429, 60)
    const secretHash = hashOf(request.params.file.replace(/\.ics$/, ''))
    const found = await database.withoutActor(async (db) => {
      const feed = await openFeed(db, idpOrg, secretHash)
      const rows = feed?.public && !feed.isOver ? await publicFeedRows(db, idpOrg, secretHash, windowAt(Date.now())) : []
      return feed && { feed, rows }
    })
    if (!found) return (await mayTryAgain(request.ip)) ? refuse(reply, 404) : refuse(reply, 429, 3600)
    const { feed } = found
    if (feed.isOver) return refuse(reply, 410)
    const wait = await countUse(database, { orgId: feed.orgId, operation: 'readCalendarFeed', who: feed.id, perHour: ofOneCalendar })
    if (wait > 0) return refuse(reply, 429, wait)
    const rows = feed.public ? found.rows : await ownRows(feed)
    const name = nameOf(textsFor(request.headers['accept-language'], feed.locale), feed)
    const tag = feedTag(name, rows)
    reply.headers({
      ...headers,
      // Rights are asked at every read; what everybody may see may be a few minutes old.
      'cache-control': feed.public ? 'public, max-age=300' : 'private, no-cache',
      'content-disposition': 'inline; filename="events.ics"',
      'x-robots-tag': 'noindex',
      etag: tag,
    })
    if (request.headers['if-none-match']?.includes(tag)) return reply.status(304).send()
    return reply.type(calendarType).send(feedFile(name, rows, config.PUBLIC_URL, feed.public))
  })

  /** Addresses that are none are counted where every process counts; those that are one are never refused for what others tried. */
  const mayTryAgain = (ip: string) =>
    database.withoutActor(async (db) => {
      const brand = await brandOf(db, idpOrg, null)
      return !brand || countAttempt(db, brand.orgId, 'link', placesOf(ip, config.ACTOR_KEY))
    })

  async function ownRows({ orgId, accountId, idpRoles, ...place }: OpenedFeed): Promise<FeedRow[]> {
    if (accountId === null) return []
    const found = await database.read({ orgId, accountId, idpRoles }, feedRowsQuery(place, windowAt(Date.now())))
    return found.map(({ item, isTentative }) => ({ ...item, isTentative }))
  }

  function refuse(reply: FastifyReply, status: 404 | 410 | 429, wait?: number) {
    if (wait !== undefined) reply.header('retry-after', String(wait))
    return reply.status(status).headers(headers).type('text/plain; charset=utf-8').send(refusals[status])
  }
}

const refusals = {
  404: 'There is no calendar at this address. Check it, or subscribe again on the Events page.\n',
  410: 'This calendar has ended: its address was reset, or its owner can no longer sign in. Subscribe again on the Events page.\n',
  429: 'This calendar was read too often. Try again later.\n',
}
