import { createHash } from 'node:crypto'
import type { Schema } from '@guildhall/db'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { readPicture } from '../files/content.ts'
import type { Files } from '../files/files.ts'
import { countAttempt, networksOf, placesOf } from '../limits/attempts.ts'
import { hashOf, openLink, useLink } from '../links/signed-links.ts'
import type { LinkSubject } from '../links/signed-links.ts'
import { toProblem } from '../procedures/problem.ts'
import type { securityHeaders } from '../server/headers.ts'
import type { Services } from '../services.ts'
import { languageFor, textsIn } from '../texts/texts.ts'
import type { Texts } from '../texts/texts.ts'
import { brandOf } from './brand.ts'
import type { Brand } from './brand.ts'
import { linkRefusedView, notFoundView, renderPage, tooManyView, unavailableView } from './page-view.ts'
import type { View } from './page-view.ts'

/** What a page has to work with. `db` has no actor: only functions that are open to everybody answer in it. */
export type PageContext = {
  db: Kysely<Schema>
  i18n: Texts
  brand: Brand
  publicUrl: string
  /** The organisation that this installation serves, if it serves one. */
  idpOrg: string | undefined
  files: Files
}

type LinkContext = PageContext & { subject: LinkSubject; token: string; secretHash: string; services: Services }

/** What is done once the transaction has committed, since it reaches outside; it makes the page. */
export type Afterwards = () => Promise<View>

/**
 * A page below /public/. One that is published is for everybody, and browsers keep it for a minute; one for a link opens with a valid signed link of
 * its purpose, and nobody keeps it; its form, sent to its own address, uses the link and acts. A page that shows nothing (undefined) is not there.
 */
export type PublicPage =
  | {
      kind: 'published'
      path: string
      show(context: PageContext & { params: Readonly<Record<string, string>> }): Promise<View | undefined>
    }
  | {
      kind: 'link'
      purpose: string
      show(context: LinkContext): Promise<View | undefined>
      act?(context: LinkContext): Promise<View | Afterwards>
      /** What it says to every link that is not valid, for whatever reason. */
      refused?(i18n: Texts): View
    }

/** Views a minute from one address (IPv4) or /64 (IPv6), in each process. */
const perMinute = { published: 120, link: 60 }

export async function addPublicPages(
  app: FastifyInstance,
  services: Services,
  pages: readonly PublicPage[],
  headers: ReturnType<typeof securityHeaders>,
): Promise<void> {
  const { config, database, files, log } = services
  const idpOrg = config.ORG_ID
  const publicUrl = config.PUBLIC_URL.replace(/\/$/, '')
  const seldom = { published: limiter(perMinute.published), link: limiter(perMinute.link) }

  const textsFor = (request: FastifyRequest, brand: Brand | undefined) =>
    textsIn(languageFor(request.headers['accept-language'], brand?.locale ?? 'en'))

  /** By their ids, which always mean the same picture. */
  const logos = new LRUCache<string, { url: string }>({ max: 100 })
  async function logoOf(brand: Brand | undefined): Promise<string | undefined> {
    if (!brand?.logoId) return undefined
    const known = logos.get(brand.logoId)
    if (known) return known.url
    const picture = await readPicture(files, brand.orgId, brand.logoId, 'small').catch(() => undefined)
    if (!picture) return undefined
    const url = `data:image/webp;base64,${picture.toString('base64')}`
    logos.set(brand.logoId, { url })
    return url
  }

  async function send(request: FastifyRequest, reply: FastifyReply, status: number, view: View | ((i18n: Texts) => View), more: Sent = {}) {
    const { brand, published = false } = more
    const i18n = textsFor(request, brand)
    const listed = published && status === 200
    const { html, policy } = renderPage(typeof view === 'function' ? view(i18n) : view, {
      i18n,
      brand,
      listed,
      logo: await logoOf(brand),
    })
    reply.headers({
      ...headers.common,
      'content-security-policy': policy,
      'content-language': i18n.language,
      vary: 'accept-language',
      'cache-control': listed ? 'public, max-age=60' : 'no-store',
      ...(listed ? {} : { 'x-robots-tag': 'noindex' }),
    })
    if (listed) {
      const tag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
      reply.header('etag', tag)
      if (request.headers['if-none-match']?.includes(tag)) return reply.status(304).send()
    }
    return reply.status(status).type('text/html; charset=utf-8').send(html)
  }

  await app.register(async (scope) => {
    scope.setErrorHandler(async (error, request, reply) => {
      const status = toProblem(error)?.status ?? statusOf(error)
      if (status >= 500) log.error({ err: error, requestId: request.id }, 'a public page failed')
      return send(request, reply, status, status === 429 ? tooManyView : status >= 500 ? unavailableView : notFoundView)
    })

    for (const page of pages.filter((one) => one.kind === 'published')) {
      scope.get<{ Params: Record<string, string> }>(`/public/${page.path}`, async (request, reply) => {
        if (!seldom.published(request.ip)) return refuseMany(request, reply)
        const [brand, view] = await database.withoutActor(async (db) => {
          const found = await brandOf(db, idpOrg, null)
          if (!found) return [undefined, undefined] as const
          const i18n = textsFor(request, found)
          return [found, await page.show({ db, i18n, brand: found, publicUrl, idpOrg, files, params: request.params })] as const
        })
        return send(request, reply, view ? 200 : 404, view ?? notFoundView, { brand, published: true })
      })
    }

    // A form of ours says nothing that the address does not.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { bodyLimit: 4_096 }, (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    for (const page of pages.filter((one) => one.kind === 'link')) {
      const { act } = page
      scope.get<ForLink>(`/public/${page.purpose}/:token`, (request, reply) => open(request, reply, page, openLink, page.show))
      if (act) scope.post<ForLink>(`/public/${page.purpose}/:token`, (request, reply) => open(request, reply, page, useLink, act))
    }

    async function open(
      request: FastifyRequest<ForLink>,
      reply: FastifyReply,
      { purpose, refused = linkRefusedView }: Pick<PublicPage & { kind: 'link' }, 'purpose' | 'refused'>,
      find: typeof openLink,
      run: (context: LinkContext) => Promise<View | Afterwards | undefined>,
    ) {
      if (!seldom.link(request.ip)) return refuseMany(request, reply)
      const { token } = request.params
      const shown = await database.withoutActor(async (db) => {
        const link = await find(db, { purpose, token, idpOrg })
        const brand = await brandOf(db, idpOrg, link?.orgId ?? null)
        const i18n = textsFor(request, brand)
        const view =
          link && brand
            ? await run({ db, i18n, brand, publicUrl, idpOrg, files, services, subject: link.subject, token, secretHash: hashOf(token) })
            : undefined
        if (view) return { status: 200, view, brand }
        // Counted where every process counts; a valid link is never refused for what others tried.
        const places = placesOf(request.ip, config.ACTOR_KEY)
        const allowed = !brand || (await countAttempt(db, brand.orgId, 'link', places))
        return allowed ? { status: 404, view: refused, brand } : { status: 429, view: tooManyView, brand }
      })
      if (shown.status === 429) reply.header('retry-after', '3600')
      const { view } = shown
      return send(request, reply, shown.status, isAfterwards(view) ? await view() : view, shown)
    }

    scope.get('/public/*', async (request, reply) => {
      if (!seldom.published(request.ip)) return refuseMany(request, reply)
      const brand = await database.withoutActor((db) => brandOf(db, idpOrg, null))
      return send(request, reply, 404, notFoundView, { brand })
    })

    async function refuseMany(request: FastifyRequest, reply: FastifyReply) {
      reply.header('retry-after', '60')
      return send(request, reply, 429, tooManyView)
    }
  })
}
/** Views of refusals are made with the reader's texts: they take one argument. */
const isAfterwards = (view: View | Afterwards | ((i18n: Texts) => View)): view is Afterwards =>
  typeof view === 'function' && view.length === 0

type ForLink = { Params: { token: string } }
type Sent = { brand?: Brand | undefined; published?: boolean }

/** Whether an address may open one more page within its minute. */
function limiter(most: number) {
  const opened = new LRUCache<string, { times: number }>({ max: 50_000, ttl: 60_000 })
  return (ip: string): boolean => {
    const [place] = networksOf(ip)
    const seen = opened.get(place)
    if (!seen) opened.set(place, { times: 1 })
    else seen.times += 1
    return (seen?.times ?? 1) <= most
  }
}

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
