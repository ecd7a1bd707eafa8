import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { isHostAndPort, isPublicAddress, readAddress } from './address-rules.ts'
import { createOutgoing } from './outgoing.ts'
import type { Outgoing } from './outgoing.ts'

/** A server of our own network that answers as the test says and remembers who asked. */
let answer: (request: IncomingMessage, response: ServerResponse) => void
let asked: { url: string; headers: IncomingMessage['headers'] }[] = []
const server = createServer((incoming, response) => {
  asked.push({ url: incoming.url ?? '', headers: incoming.headers })
  answer(incoming, response)
})
let port = 0
const made: Outgoing[] = []
const numbers: Record<string, string[]> = {}
const lookups: string[] = []

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(async () => {
  await Promise.all(made.map((one) => one.close()))
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})
beforeEach(() => {
  asked = []
  lookups.length = 0
  answer = (_request, response) => void response.end('hello')
})

function outgoing(allowed: string[] = []) {
  const one = createOutgoing({
    allowed,
    userAgent: 'Guildhall/test',
    // Each look-up takes the next number of a name, the last one for good.
    lookup: async (hostname) => {
      lookups.push(hostname)
      const list = numbers[hostname] ?? []
      const address = (list.length > 1 ? list.shift() : list[0]) ?? '127.0.0.1'
      return address.split(' ').map((number) => ({ address: number, family: number.includes(':') ? 6 : 4 }))
    },
  })
  made.push(one)
  return one
}
const refusal = (one: Outgoing, address: string, options?: Parameters<Outgoing['request']>[1]) =>
  one.request(address, options).then(
    ({ status }) => `answered ${status}`,
    (error: unknown) => (error as { reason: string }).reason,
  )

describe('addresses that nobody on the internet can mean', () => {
  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '198.18.0.1',
    '203.0.113.7',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    'not an address',
    '',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(['93.184.216.34', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '64:ff9b::101:101'])(
    'unlike %s',
    (address) => {
      expect(isPublicAddress(address)).toBe(true)
    },
  )
})

test.each([
  ['http://example.org/', 'not_https'],
  ['ftp://example.org/', 'not_https'],
  ['file:///etc/passwd', 'not_https'],
  ['javascript:alert(1)', 'not_https'],
  [`https://user:${'x'.repeat(6)}@example.org/`, 'credentials_in_address'],
  ['https://user@example.org/', 'credentials_in_address'],
  ['https://example.org:25/', 'port_refused'],
  ['https://127.0.0.1/', 'address_refused'],
  ['https://2130706433/', 'address_refused'],
  ['https://0x7f.1/', 'address_refused'],
  ['https://0177.0.0.1/', 'address_refused'],
  ['https://[::1]/', 'address_refused'],
  ['https://[::ffff:169.254.169.254]/', 'address_refused'],
  ['https://localhost/', 'address_refused'],
  ['https://LOCALHOST./', 'address_refused'],
  ['https://metadata.google.internal/', 'address_refused'],
  ['https://printer.local:8443/', 'address_refused'],
  ['example.org', 'not_an_address'],
  [`https://example.org/${'a'.repeat(2000)}`, 'not_an_address'],
])('%s is refused before anybody is asked: %s', async (address, reason) => {
  expect(readAddress(address, new Set())).toBe(reason)
  expect(await refusal(outgoing(), address)).toBe(reason)
  expect(lookups).toEqual([])
})

describe('what a name leads to', () => {
  test.each([
    ['a private number', '10.0.0.7'],
    ['this machine', '127.0.0.1'],
    ['one good and one bad number', '93.184.216.34 127.0.0.1'],
    ['a version 4 number written as version 6', '::ffff:127.0.0.1'],
  ])('%s is refused when connecting', async (_name, number) => {
    numbers['hostile.example'] = [number]
    expect(await refusal(outgoing(), `https://hostile.example:${port}/`)).toBe('address_refused')
    expect(asked).toEqual([])
  })

  test('a name that answers otherwise the second time fools who looks first and connects later, and not us', async () => {
    const fooled = ['93.184.216.34', '127.0.0.1']
    const next = () => fooled.shift() ?? ''
    expect(isPublicAddress(next())).toBe(true)
    const later = new Agent({ connect: { lookup: (_hostname, _options, done) => done(null, [{ address: next(), family: 4 }]) } })
    expect((await request(`http://rebinding.example:${port}/`, { dispatcher: later })).statusCode).toBe(200)
    await later.close()
    asked = []
    numbers['rebinding.example'] = ['127.0.0.1', '93.184.216.34']
    expect(await refusal(outgoing(), `https://rebinding.example:${port}/`)).toBe('address_refused')
    expect(asked).toEqual([])
    expect(lookups).toEqual(['rebinding.example'])
  })

  test('without the check the server of the inner network is reached', async () => {
    const open = new Agent({ connect: { lookup: (_hostname, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) } })
    const { statusCode } = await request(`http://hostile.example:${port}/secret`, { dispatcher: open })
    expect([statusCode, asked[0]?.url]).toEqual([200, '/secret'])
    await open.close()
  })
})

describe('a host that the operator allows', () => {
  const allowed = () => outgoing([`hooks.example:${port}`])
  const address = (path = '/') => `http://hooks.example:${port}${path}`

  test('is asked, with our name and nothing else of ours', async () => {
    answer = (incoming, response) => {
      let body = ''
      incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
      incoming.on('end', () => response.writeHead(201, { 'x-kept': 'yes' }).end(`got ${body}`))
    }
    const { status, headers, body } = await allowed().request(address('/in'), {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    })
    expect([status, headers['x-kept'], body.toString()]).toEqual([201, 'yes', 'got {"a":1}'])
    expect(asked[0]?.headers).toEqual({
      host: `hooks.example:${port}`,
      connection: 'keep-alive',
      'user-agent': 'Guildhall/test',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'content-length': '7',
    })
  })

  test('opens no other port', async () => {
    expect(await refusal(allowed(), 'http://hooks.example:8443/')).toBe('not_https')
    expect(await refusal(allowed(), 'https://hooks.example:8443/')).toBe('address_refused')
  })

  test.each([301, 302, 307, 308])('leads nowhere else by %i', async (status) => {
    answer = (incoming, response) => {
      if (incoming.url === '/inner') response.end('secret')
      else response.writeHead(status, { location: '/inner' }).end()
    }
    expect(await refusal(allowed(), address())).toBe('redirected')
    expect(asked.map(({ url }) => url)).toEqual(['/'])
  })

  test('that never answers, or answers drop by drop, is given up in time', async () => {
    const started = performance.now()
    answer = () => undefined
    expect(await refusal(allowed(), address(), { timeoutMs: 300 })).toBe('too_slow')
    answer = (_request, response) => {
      response.writeHead(200)
      const drops = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drops))
    }
    expect(await refusal(allowed(), address(), { timeoutMs: 300 })).toBe('too_slow')
    expect(performance.now() - started).toBeLessThan(3_000)
  })

  test('that never ends is cut off, also packed', async () => {
    answer = (_request, response) => {
      const piece = Buffer.alloc(64_000, 1)
      const pour = () => {
        while (response.write(piece) && !response.destroyed) continue
      }
      response.on('drain', pour)
      pour()
    }
    expect(await refusal(allowed(), address(), { maxBytes: 500_000 })).toBe('too_large')
    const { status, body } = await allowed().request(address(), { beginning: 4_000 })
    expect([status, body.length]).toEqual([200, 4_000])
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    expect(bomb.length).toBeLessThan(100_000)
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
    const before = process.memoryUsage().rss
    expect(await refusal(allowed(), address(), { maxBytes: 500_000 })).toBe('too_large')
    expect(process.memoryUsage().rss - before).toBeLessThan(40_000_000)
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'))
    expect((await allowed().request(address())).body.toString()).toBe('packed')
    answer = (_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('twice')))
    expect(await refusal(allowed(), address())).toBe('unknown_encoding')
    answer = (_request, response) => void response.writeHead(200, { 'x-long': 'a'.repeat(30_000) }).end()
    expect(await refusal(allowed(), address())).toBe('too_large')
  })

  test('that breaks off is unreachable', async () => {
    answer = (_request, response) => void response.destroy()
    expect(await refusal(allowed(), address())).toBe('unreachable')
  })
})

test('the setting names hosts with their ports', () => {
  expect(['localhost:4010', 'hooks.example:443', '[::1]:80'].map(isHostAndPort)).toEqual([true, true, true])
  expect(['localhost', 'http://localhost:4010', 'user@localhost:4010', 'localhost:4010/path', ''].map(isHostAndPort)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})
