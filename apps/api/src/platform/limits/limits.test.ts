import { Writable } from 'node:stream'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fastify } from 'fastify'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { describe, expect, vi } from 'vitest'
import { test } from '../../testing.ts'
import { readJsonBodies } from './body-limits.ts'
import { createLog } from '../observability/log.ts'
import { withinLimit } from './patience.ts'
import { limitConnections } from './connections.ts'
import { shedOverload } from './shedding.ts'

const nested = (depth: number) => `${'{"a":['.repeat(depth / 2)}${']}'.repeat(depth / 2)}`
const json = { 'content-type': 'application/json' }

describe('a body', () => {
  test('nested a thousand levels is refused before anything walks it; texts may hold any number of brackets', async ({ api, person }) => {
    const { post } = api.as(await person({ idpRoles: ['org-admin'] }))
    const deep = await post('/data/tags', nested(1_000), json)
    expect([deep.status, (deep.body as { reason: string }).reason]).toEqual([400, 'too_deep'])
    expect((await post('/data/tags', { name: `{[${'['.repeat(40)}\\"` }, json)).status).toBe(201)
  })

  test('of 100,000 keys, 10,000 items or more than a mebibyte is refused quickly', async ({ api, person }) => {
    const { post } = api.as(await person({ idpRoles: ['org-admin'] }))
    const keys = Object.fromEntries(Array.from({ length: 70_000 }, (_, i) => [`k${i}`, 1]))
    expect((await post('/data/tags', keys)).status).toBe(400)
    expect((await post('/data/tags', { name: Array.from({ length: 10_000 }, () => 'x') })).status).toBe(400)
    expect((await post('/data/tags', { name: 'x'.repeat(1_100_000) })).status).toBe(413)
  })

  test('control: without the limit the same nesting is taken', async () => {
    const statusWith = async (prepare: (app: FastifyInstance) => void) => {
      const app = fastify()
      prepare(app)
      app.post('/', async () => 'taken')
      return (await app.inject({ method: 'POST', url: '/', headers: json, payload: nested(1_000) })).statusCode
    }
    expect([await statusWith(() => undefined), await statusWith(readJsonBodies)]).toEqual([200, 400])
  })
})

test('headers that come in drop by drop end with the connection within ten seconds', { timeout: 30_000 }, async ({ api }) => {
  await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = api.app.server.address() as { port: number }
  const started = performance.now()
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\n')
  const dribble = setInterval(() => socket.writable && socket.write('x-a: b\r\n'), 500)
  await new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()))
  clearInterval(dribble)
  expect(performance.now() - started).toBeLessThan(11_000)
})

test('of many requests sent at once on one connection only two are worked on; control: without the limit all are', async () => {
  const answersWith = async (prepare: (app: FastifyInstance) => void) => {
    const app = fastify()
    prepare(app)
    app.get('/', async () => sleep(50, 'served'))
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    let heard = ''
    const socket = connect(port, '127.0.0.1')
    socket.on('data', (data: Buffer) => (heard += data.toString()))
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(10))
    await vi.waitFor(() => expect(socket.closed || heard.split('200 OK').length > 10).toBe(true))
    socket.destroy()
    await app.close()
    return [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  }
  expect(await answersWith((app) => limitConnections(app))).toEqual([200, 200, 400])
  expect(await answersWith(() => undefined)).toEqual(Array.from({ length: 10 }, () => 200))
})

test('of connections that nothing is asked on any more so many stay', async () => {
  const app = fastify()
  limitConnections(app, { idle: 50, open: 100 })
  app.get('/', async () => 'served')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  let heard = 0
  const sockets = Array.from({ length: 80 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => (heard += 1)).once('data', () => (heard += 1))
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    return socket
  })
  await vi.waitFor(() => expect(heard).toBe(80), { timeout: 10_000 })
  await vi.waitFor(() => expect(sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(51), { timeout: 10_000 })
  expect(sockets.filter(({ closed }) => !closed).length).toBeGreaterThanOrEqual(50)
  for (const socket of sockets) socket.destroy()
  await app.close()
})

test('beyond so many connections new ones are ended as they come, and there is room again when others go; control: without the limit all stay', async () => {
  const openWith = async (prepare: (app: FastifyInstance) => void) => {
    const app = fastify()
    prepare(app)
    app.get('/', async () => 'served')
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.server.address() as { port: number }
    const come = () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume()
    const sockets = Array.from({ length: 60 }, come)
    await vi.waitFor(async () => {
      expect(sockets.every(({ closed, connecting }) => closed || !connecting)).toBe(true)
      await sleep(100)
    })
    const stayed = sockets.filter(({ closed }) => !closed)
    stayed[0]?.destroy()
    await sleep(100)
    const later = await fetch(`http://127.0.0.1:${port}/`).then(({ status }) => status)
    for (const socket of sockets) socket.destroy()
    await app.close()
    return [stayed.length, later]
  }
  expect(await openWith((app) => limitConnections(app, { idle: 40, open: 40 }))).toEqual([40, 200])
  expect(await openWith(() => undefined)).toEqual([60, 200])
})

test('work that takes too long is answered for it', async () => {
  await expect(withinLimit(new Promise(() => undefined), 20)).rejects.toMatchObject({ status: 503, data: { reason: 'too_slow' } })
  await expect(withinLimit(Promise.resolve('done'), 20)).resolves.toBe('done')
})

test('under too much load requests are turned away with a time to come back, and health is still told', async ({ api }) => {
  const { services } = api
  const app = fastify()
  let waitedMs = 2_000
  const load = () => ({ total: 8, idle: 0, waiting: 100, waitedMs })
  await shedOverload(app, { ...services, database: { ...services.database, load } })
  app.get('/data/people', async () => 'served')
  app.get('/healthz', async () => 'served')
  const turnedAway = await app.inject('/data/people')
  expect([turnedAway.statusCode, turnedAway.headers['retry-after'], turnedAway.json<{ reason: string }>().reason]).toEqual([
    503,
    '5',
    'busy',
  ])
  expect((await app.inject('/healthz')).body).toBe('served')
  waitedMs = 200
  expect((await app.inject('/data/people')).body).toBe('served')
  await app.close()
})

test('requests that are given up by those who sent them are no work any more', async ({ api }) => {
  const { services } = api
  const app = fastify()
  await shedOverload(app, services)
  app.get('/data/slow', async (_request, reply) => {
    await sleep(4_000)
    // As the handler of the contract does: nothing is sent to nobody.
    return reply.raw.destroyed ? reply.hijack() : 'served'
  })
  app.get('/data/people', async () => 'served')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const impatient = Array.from({ length: services.config.DATABASE_POOL * 8 + 5 }, () => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('GET /data/slow HTTP/1.1\r\nhost: x\r\n\r\n')
    return socket
  })
  await vi.waitFor(async () => expect((await app.inject('/data/people')).statusCode).toBe(503), { timeout: 3_500 })
  for (const socket of impatient) socket.destroy()
  await vi.waitFor(async () => expect((await app.inject('/data/people')).body).toBe('served'), { timeout: 2_000 })
  await app.close()
})

describe('the log', () => {
  const logged = (fields: object) => {
    let text = ''
    const out = new Writable({ write: (chunk: Buffer, _encoding, done) => done(void (text += chunk.toString())) })
    createLog('info', out).info(fields, 'something')
    return text
  }

  test('keeps values of rows, which the database adds to its errors, to itself', async ({ admin, organisation }) => {
    const { id } = await organisation()
    const error = await admin
      .query(`insert into app.accounts (org_id, email, status) values ($1, 'canary@example.org', 'nonsense')`, [id])
      .catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(pg.DatabaseError)
    expect((error as pg.DatabaseError).detail).toContain('canary@example.org')
    expect(logged({ err: error })).not.toContain('canary')
    expect(logged({ err: new Error('outer', { cause: error }) })).not.toContain('canary')
    expect(logged({ err: error })).toContain('23514')
  })

  test('is one line per event, whatever is put into it', () => {
    expect(logged({ path: '/data/x\r\n{"level":60,"msg":"forged"}' }).trimEnd().split('\n')).toHaveLength(1)
    expect(logged({ authorization: 'Bearer canary', request: { cookie: 'canary' } })).not.toContain('canary')
  })
})
