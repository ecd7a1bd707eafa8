import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { endWorld, test } from '../testing.ts'
import { jobHandlers } from '../jobs.ts'
import { startJobs } from './jobs.ts'
import { createServices } from './services.ts'
import { startTracing } from './tracing.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: unknown }[]
}

/** A collector of OpenTelemetry, as far as it takes spans. */
const received: Span[] = []
const bodies: string[] = []
const collector = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    bodies.push(text)
    const { resourceSpans } = JSON.parse(text) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
    received.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`
})
afterAll(async () => {
  await endWorld()
  collector.close()
})

const clicked = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${clicked}-00f067aa0ba902b7-01`

test('while no collector is named nothing is recorded and jobs carry nothing along', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
  const invited = await owner.post(
    '/actions/exports',
    { list: 'groups', format: 'csv', columns: ['name'], selection: { all: {} } },
    { traceparent },
  )
  expect(invited.status).toBe(202)
  const { rows } = await admin.query<{ data: object }>(`select data from pgboss.job where name = 'exports'`)
  expect(rows.filter(({ data }) => 'traceparent' in data)).toEqual([])
  await admin.query(`delete from pgboss.job where name = 'exports'`)
})

test('one trace joins the click, the request, its transactions, the job and the mail', async ({ variant, admin, organisation, person }) => {
  const end = await startTracing((await variant({ TRACES_URL: url })).services.config)
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'] })
  // Nobody takes the mail, which is tried nonetheless.
  const { as, services } = await variant({ TRACES_URL: url, SMTP_URL: 'smtp://127.0.0.1:9' })
  const worker = createServices(services.config, services.log, services.config.WORKER_DATABASE_URL)
  const asked = await as(me.token).post('/data/accounts', { email: 'traced@example.org' }, { traceparent })
  const running = await startJobs({ url: services.config.WORKER_DATABASE_URL ?? '', handlers: jobHandlers(worker), log: services.log })
  await expect
    .poll(async () => (await admin.query(`select from pgboss.job where name = 'mail' and state in ('created', 'active')`)).rowCount, {
      timeout: 20_000,
    })
    .toBe(0)
  await running.stop()
  await worker.close()
  await end()
  await admin.query(`delete from pgboss.job where name = 'mail'`)
  expect(asked.status, asked.text).toBeLessThan(300)

  const spans = received.filter(({ traceId }) => traceId === clicked)
  const named = (name: string) => spans.find((span) => span.name === name)
  expect(named('inviteAccount')?.parentSpanId).toBe('00f067aa0ba902b7')
  expect(spans.some(({ name, parentSpanId }) => name === 'transaction' && parentSpanId === named('inviteAccount')?.spanId)).toBe(true)
  expect(named('mail')?.parentSpanId).toBe(named('job mail')?.spanId)
  expect(named('job mail')).toBeDefined()
  for (const secret of ['traced@example.org', me.token, me.personId ?? '']) expect(bodies.join('')).not.toContain(secret)
})
