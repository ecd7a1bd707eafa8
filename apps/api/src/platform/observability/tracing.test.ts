import { afterAll, expect } from 'vitest'
import { endWorld, test } from '../../testing.ts'
import { mailTemplates } from '../../mails.ts'
import { sendDue } from '../mail/outbox.ts'
import { createServices } from '../services.ts'
import { startCollector } from './tracing-testing.ts'
import { startTracing } from './tracing.ts'

const collector = startCollector()
afterAll(async () => {
  await endWorld()
  await collector.stop()
})

const clicked = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${clicked}-00f067aa0ba902b7-01`

test('while no collector is named nothing is recorded and jobs carry nothing along', async ({ api, admin, organisation, person }) => {
  expect((await api.as(null).get('/config.json')).body).toMatchObject({ tracing: false })
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
  const url = await collector.url
  const end = await startTracing((await variant({ TRACES_URL: url })).services.config)
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'] })
  // Nobody takes the mail, which is tried nonetheless.
  const { as, services } = await variant({ TRACES_URL: url, SMTP_URL: 'smtp://127.0.0.1:9' })
  const worker = createServices(services.config, services.log, services.config.WORKER_DATABASE_URL)
  // What makes the browser begin a trace.
  expect((await as(null).get('/config.json')).body).toMatchObject({ tracing: true })
  const asked = await as(me.token).post('/data/accounts', { email: 'traced@example.org' }, { traceparent })
  expect(await sendDue(worker, mailTemplates)).toEqual({ claimed: 1, isHopeless: true })
  await worker.close()
  await end()
  await admin.query(`delete from app.mail_messages where org_id = $1`, [org.id])
  expect(asked.status, asked.text).toBeLessThan(300)

  const spans = collector.spans.filter(({ traceId }) => traceId === clicked)
  const named = (name: string) => spans.find((span) => span.name === name)
  expect(named('inviteAccount')?.parentSpanId).toBe('00f067aa0ba902b7')
  expect(spans.some(({ name, parentSpanId }) => name === 'transaction' && parentSpanId === named('inviteAccount')?.spanId)).toBe(true)
  expect(named('mail')?.parentSpanId).toBe(named('job mail')?.spanId)
  expect(named('job mail')).toBeDefined()
  for (const secret of ['traced@example.org', me.token, me.personId ?? '']) expect(collector.bodies.join('')).not.toContain(secret)
})
