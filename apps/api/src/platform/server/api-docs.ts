import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { securityHeaders } from './headers.ts'

const documents = ['data', 'actions'] as const
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const pageFiles: Record<string, string> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui-standalone-preset.js': 'text/javascript',
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Guildhall API</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="documentation"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/swagger-ui-standalone-preset.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>`

const start = `SwaggerUIBundle({
  dom_id: '#documentation',
  urls: [{ url: '/docs/data.json', name: 'Data API' }, { url: '/docs/actions.json', name: 'Actions API' }],
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
})`

/** `/docs`: both OpenAPI documents, to read and to try with one's own token. The page comes from this server alone. */
export function addApiDocs(app: FastifyInstance, headers: ReturnType<typeof securityHeaders>): void {
  const policy = {
    ...headers.common,
    'cache-control': 'no-cache',
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  }
  app.get('/docs', async (_request, reply) => reply.headers(policy).type('text/html; charset=utf-8').send(page))
  app.get('/docs/start.js', async (_request, reply) => reply.headers(policy).type('text/javascript').send(start))
  for (const name of documents) {
    const file = new URL(`../../../../../openapi/${name}.json`, import.meta.url)
    app.get(`/docs/${name}.json`, async (_request, reply) =>
      reply
        .headers(policy)
        .type('application/json')
        .send(await readFile(file)),
    )
  }
  for (const [file, type] of Object.entries(pageFiles)) {
    app.get(`/docs/${file}`, async (_request, reply) =>
      reply
        .headers(policy)
        .type(type)
        .send(await readFile(`${swagger}/${file}`)),
    )
  }
}
