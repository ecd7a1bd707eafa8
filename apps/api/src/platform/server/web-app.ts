import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { securityHeaders } from './headers.ts'

const noncePlace = '__CSP_NONCE__'
const callbackPages = ['signinwin', 'signinpop', 'signoutpop', 'signinsilent']

/** Serves the built web application: hashed files for ever, pages never cached, every other path the application itself. */
export async function serveWebApp(app: FastifyInstance, root: string, headers: ReturnType<typeof securityHeaders>): Promise<void> {
  const pages = new Map<string, string>()
  pages.set('app', await readFile(join(root, 'index.html'), 'utf8'))
  for (const name of callbackPages) {
    const html = await readFile(join(root, 'auth', `${name}.html`), 'utf8').catch(() => null)
    if (html) pages.set(name, html)
  }

  await app.register(fastifyStatic, {
    root,
    index: false,
    wildcard: false,
    serve: false,
    // The build leaves them beside their originals.
    preCompressed: true,
  })
  app.get<{ Params: { '*': string } }>('/assets/*', async (request, reply) => {
    reply.headers({ ...headers.common, 'cache-control': 'public, max-age=31536000, immutable' })
    return reply.sendFile(`assets/${request.params['*']}`, { cacheControl: false })
  })
  for (const file of ['favicon.svg', 'color-scheme.js']) {
    app.get(`/${file}`, async (_request, reply) =>
      reply.headers({ ...headers.common, 'cache-control': 'public, max-age=3600' }).sendFile(file, { cacheControl: false }),
    )
  }

  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? '/'
    // A part of an earlier version, asked for by a page that is still open: a page in its place would be kept for a year.
    const isGone = path.startsWith('/assets/')
    if (isGone || (request.method !== 'GET' && request.method !== 'HEAD'))
      return reply.status(404).headers(headers.data).send({ status: 404, title: 'Not found' })
    const callback = /^\/auth\/([a-z]+)\/[^/]+\/?$/i.exec(path)?.[1]?.toLowerCase()
    const html = (callback && pages.get(callback)) ?? pages.get('app') ?? ''
    const nonce = randomBytes(16).toString('base64')
    return reply.status(200).headers(headers.page(nonce, path)).type('text/html; charset=utf-8').send(html.replaceAll(noncePlace, nonce))
  })
}
