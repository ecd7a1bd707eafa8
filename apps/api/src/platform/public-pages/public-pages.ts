import { createHash } from 'node:crypto'
import type { Schema } from '@guildhall/db'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import { readPicture } from '../files/content.ts'
import type { Files } from '../files/files.ts'
import { countAttempt, placesOf } from '../limits/attempts.ts'
import { perMinute } from '../limits/per-minute.ts'
import { hashOf, openLink, useLink } from '../links/signed-links.ts'
import type { LinkSubject } from '../links/signed-links.ts'
import { toProblem } from '../procedures/problem.ts'
import type { securityHeaders } from '../server/headers.ts'
import type { Services } from '../services.ts'
import { textsFor } from '../texts/texts.ts'
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
  /** Whether people can pay by card here. */
  takesCards: boolean
}

/** What a form holds; empty where none was sent. */
type FormContext = { form: URLSearchParams }
type PublishedContext = PageContext & { params: Readonly<Record<string, string>>; query: URLSearchParams }
type LinkContext = PageContext & FormContext & { subject: LinkSubject; token: string; secretHash: string; services: Services }

/** What is done once the transaction has committed, since it reaches outside; it makes the page. */
export type Afterwards = () => Promise<View>

/** A picture that everybody may have while the record that shows it is published. */
type FoundPicture = { orgId: string; pictureId: string }

/**
 * A page below /public/. One that is published is for everybody, and browsers keep it for a minute; one for a link opens with a valid signed link of
 * its purpose, and nobody keeps it; its form, sent to its own address, uses the link and acts. A page that shows nothing (undefined) is not there.
 * A picture has an address of its own only for messengers, which fetch what a link preview shows.
 */
export type PublicPage =
  | {
      kind: 'published'
      path: string
      show(context: PublishedContext): Promise<View | undefined>
      /** What its form does, which anybody may send: counted by address, as `register` of countAttempt unless it says otherwise. */
      act?(context: PublishedContext & FormContext & { services: Services }): Promise<View | Afterwards | undefined>
      counts?: 'register' | 'give'
    }
  | { kind: 'picture'; path: string; find(context: Pick<PublishedContext, 'db' | 'idpOrg' | 'params'>): Promise<FoundPicture | undefined> }
  | {
      kind: 'link'
      purpose: string
      show(context: LinkContext): Promise<View | undefined>
      act?(context: LinkContext): Promise<View | Afterwards>
      /** A file below its address, made once the transaction has ended; undefined where there is none. */
      file?: { name: string; type: string; make(context: LinkContext): Promise<(() => Promise<Buffer>) | undefined> }
      /** What it says to every link that is not valid, for whatever reason. */
      refused?(i18n: Texts): View
    }

/** Views a minute from one address (IPv4) or /64 (IPv6), in each process. */
const most = { published: 120, link: 60, file: 10 }

export async function addPublicPages(
  app: FastifyInstance,
  services: Services,
  pages: readonly PublicPage[],
  headers: ReturnType<typeof securityHeaders>,
): Promise<void> {
  const { config, database, files, log } = services
  const idpOrg = config.ORG_ID
  const takesCards = services.payments !== undefined
  const publicUrl = config.PUBLIC_URL.replace(/\/$/, '')
  const seldom = { published: perMinute(most.published), link: perMinute(most.link), file: perMinute(most.file) }

  const textsOf = (request: FastifyRequest, brand: Brand | undefined) => textsFor(request.headers['accept-language'], brand?.locale ?? 'en')

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
    const i18n = textsOf(request, brand)
    const shown = typeof view === 'function' ? view(i18n) : view
    const isKept = published && status === 200
    const listed = isKept && shown.isUnlisted !== true
    const { html, policy } = renderPage(shown, {
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
      'cache-control': isKept ? (shown.isPersonal ? 'private, no-cache' : 'public, max-age=60') : 'no-store',
      ...(listed ? {} : { 'x-robots-tag': 'noindex' }),
    })
    if (isKept && !shown.isPersonal) {
      const tag = `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`
      reply.header('etag', tag)
      if (request.headers['if-none-match']?.includes(tag)) return reply.status(304).send()
    }
    return reply
      .status(shown.status ?? status)
      .type('text/html; charset=utf-8')
      .send(html)
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
          const i18n = textsOf(request, found)
          const asked = { params: request.params, query: queryOf(request) }
          return [found, await page.show({ db, i18n, brand: found, publicUrl, idpOrg, files, takesCards, ...asked })] as const
        })
        return send(request, reply, view ? 200 : 404, view ?? notFoundView, { brand, published: true })
      })
    }

    for (const page of pages.filter((one) => one.kind === 'picture')) {
      scope.get<{ Params: Record<string, string> }>(`/public/${page.path}`, async (request, reply) => {
        if (!seldom.published(request.ip)) return refuseMany(request, reply)
        const { brand, found } = await database.withoutActor(async (db) => ({
          brand: await brandOf(db, idpOrg, null),
          found: await page.find({ db, idpOrg, params: request.params }),
        }))
        const picture = found && (await readPicture(files, found.orgId, found.pictureId, 'content'))
        if (!picture) return send(request, reply, 404, notFoundView, { brand })
        return reply
          .headers({ ...headers.common, 'cache-control': 'public, max-age=300', 'x-robots-tag': 'noindex' })
          .type('image/jpeg')
          .send(picture)
      })
    }

    // Forms are read as text of a bounded length; what is not one of ours is not read.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 65_536 }, (_request, body, done) => {
      done(null, new URLSearchParams(String(body)))
    })
    scope.addContentTypeParser('*', { bodyLimit: 4_096 }, (_request, payload, done) => {
      payload.resume()
      done(null)
    })
    for (const page of pages.filter((one) => one.kind === 'published')) {
      const { act, counts = 'register' } = page
      if (!act) continue
      scope.post<{ Params: Record<string, string> }>(`/public/${page.path}`, async (request, reply) => {
        if (!seldom.published(request.ip)) return refuseMany(request, reply)
        const done = await database.withoutActor(async (db) => {
          const brand = await brandOf(db, idpOrg, null)
          if (!brand) return { brand, view: undefined, allowed: true }
          const allowed = await countAttempt(db, brand.orgId, counts, placesOf(request.ip, config.ACTOR_KEY))
          const i18n = textsOf(request, brand)
          const asked = { params: request.params, query: queryOf(request), form: formOf(request) }
          const context = { db, i18n, brand, publicUrl, idpOrg, files, takesCards, services, ...asked }
          return { brand, view: allowed ? await act(context) : undefined, allowed }
        })
        if (!done.allowed) {
          reply.header('retry-after', '3600')
          return send(request, reply, 429, tooManyView, { brand: done.brand })
        }
        const view = isAfterwards(done.view) ? await done.view() : done.view
        return send(request, reply, view ? 200 : 404, view ?? notFoundView, { brand: done.brand })
      })
    }
    for (const page of pages.filter((one) => one.kind === 'link')) {
      const { act } = page
      scope.get<ForLink>(`/public/${page.purpose}/:token`, (request, reply) => open(request, reply, page, openLink, page.show))
      if (act) scope.post<ForLink>(`/public/${page.purpose}/:token`, (request, reply) => open(request, reply, page, useLink, act))
      const { file } = page
      if (!file) continue
      scope.get<ForLink>(`/public/${page.purpose}/:token/${file.name}`, async (request, reply) => {
        // Making one takes more than showing a page.
        if (!seldom.file(request.ip)) return refuseMany(request, reply)
        let make: (() => Promise<Buffer>) | undefined
        const shown = await look(request, page, openLink, async (context) => {
          make = await file.make(context)
          return make && { title: file.name, body: null }
        })
        if (!make || shown.status !== 200) return answer(request, reply, shown)
        const content = await make()
        return reply
          .headers({ ...headers.common, 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
          .header('content-disposition', `attachment; filename="${file.name}"`)
          .type(file.type)
          .send(content)
      })
    }

    type Shown = { status: number; view: View | Afterwards | ((i18n: Texts) => View); brand: Brand | undefined }
    async function open(
      request: FastifyRequest<ForLink>,
      reply: FastifyReply,
      page: LinkPage,
      find: typeof openLink,
      run: (context: LinkContext) => Promise<View | Afterwards | undefined>,
    ) {
      if (!seldom.link(request.ip)) return refuseMany(request, reply)
      return answer(request, reply, await look(request, page, find, run))
    }

    async function look(
      request: FastifyRequest<ForLink>,
      { purpose, refused = linkRefusedView }: LinkPage,
      find: typeof openLink,
      run: (context: LinkContext) => Promise<View | Afterwards | undefined>,
    ): Promise<Shown> {
      const { token } = request.params
      return database.withoutActor(async (db) => {
        const link = await find(db, { purpose, token, idpOrg })
        const brand = await brandOf(db, idpOrg, link?.orgId ?? null)
        const i18n = textsOf(request, brand)
        const view =
          link && brand
            ? await run({
                db,
                i18n,
                brand,
                publicUrl,
                idpOrg,
                files,
                takesCards,
                services,
                subject: link.subject,
                token,
                secretHash: hashOf(token),
                form: formOf(request),
              })
            : undefined
        if (view) return { status: 200, view, brand }
        // Counted where every process counts; a valid link is never refused for what others tried.
        const places = placesOf(request.ip, config.ACTOR_KEY)
        const allowed = !brand || (await countAttempt(db, brand.orgId, 'link', places))
        return allowed ? { status: 404, view: refused, brand } : { status: 429, view: tooManyView, brand }
      })
    }

    async function answer(request: FastifyRequest<ForLink>, reply: FastifyReply, { status, view, brand }: Shown) {
      if (status === 429) reply.header('retry-after', '3600')
      return send(request, reply, status, isAfterwards(view) ? await view() : view, { brand })
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
const isAfterwards = (view: View | Afterwards | ((i18n: Texts) => View) | undefined): view is Afterwards =>
  typeof view === 'function' && view.length === 0

const queryOf = ({ url }: FastifyRequest): URLSearchParams => new URL(url, 'http://localhost').searchParams
const formOf = ({ body }: FastifyRequest): URLSearchParams => (body instanceof URLSearchParams ? body : new URLSearchParams())

type LinkPage = Pick<PublicPage & { kind: 'link' }, 'purpose' | 'refused'>
type ForLink = { Params: { token: string } }
type Sent = { brand?: Brand | undefined; published?: boolean }

const statusOf = (error: unknown): number =>
  error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : 500
