import type { FastifyInstance } from 'fastify'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'

const message = { name: 'A', email: 'a@example.org', topic: 'T', message: 'M' }

describe('where a request comes from', () => {
  /** Ten messages an hour are taken from one place: how many are, when each names another address? */
  async function takenOf(headers: (n: number) => Record<string, string>, fixtures: Fixtures, proxies?: string) {
    const org = (await fixtures.organisation()).id
    const { app } = await fixtures.variant({ ORG_ID: org, ...(proxies ? { TRUSTED_PROXIES: proxies } : {}) })
    let taken = 0
    for (let n = 0; n < 14; n++) {
      const { statusCode } = await app.inject({
        method: 'POST',
        url: '/actions/site/contact',
        payload: message,
        headers: headers(n),
        remoteAddress: '10.1.2.3',
      })
      if (statusCode === 201) taken++
    }
    return taken
  }
  type Fixtures = {
    organisation: () => Promise<{ id: string }>
    variant: (settings: Record<string, string>) => Promise<{ app: FastifyInstance }>
  }

  test('is the machine at the other end of the wire, whatever headers say', async ({ organisation, variant }) => {
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'cf-connecting-ip', 'x-client-ip']) {
      const forged = (n: number) => ({ [header]: header === 'forwarded' ? `for=203.0.113.${n}` : `203.0.113.${n}` })
      expect(await takenOf(forged, { organisation, variant }), header).toBe(10)
    }
  })

  test('is what a trusted proxy says, and nothing that came before it', async ({ organisation, variant }) => {
    const fixtures = { organisation, variant }
    // The proxy adds the last one; what stands before it the stranger wrote.
    expect(await takenOf((n) => ({ 'x-forwarded-for': `203.0.113.${n}` }), fixtures, '10.0.0.0/8')).toBe(14)
    expect(await takenOf((n) => ({ 'x-forwarded-for': `192.0.2.${n}, 203.0.113.7` }), fixtures, '10.0.0.0/8')).toBe(10)
    expect(await takenOf((n) => ({ 'x-forwarded-for': `192.0.2.${n}, 203.0.113.7, 10.9.9.9` }), fixtures, '10.0.0.0/8')).toBe(10)
    expect(await takenOf((n) => ({ 'x-forwarded-for': `203.0.113.${n}` }), fixtures, '127.0.0.0/8, 192.168.0.1')).toBe(10)
  })
})

test('proxies are named by address or network; nobody trusts the whole world', async ({ variant }) => {
  await expect(
    variant({ TRUSTED_PROXIES: '10.0.0.1, fd00::/8, 10.0.0.0/8, 192.168.0.0/16, 104.16.0.0/13, 2606:4700::/32, ::ffff:10.0.0.1, ::1' }),
  ).resolves.toBeDefined()
  for (const bad of [
    'true',
    '*',
    '1',
    '0.0.0.0/0',
    '::/0',
    '0.0.0.0/1',
    '128.0.0.0/1',
    '8.0.0.0/8',
    '10.0.0.0/7',
    '2000::/3',
    '2600::/12',
    '::/8',
    '::ffff:0:0/96',
    '::ffff:0:0/80',
    'proxy.example.org',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
  ]) {
    await expect(variant({ TRUSTED_PROXIES: bad }), bad).rejects.toThrow(/TRUSTED_PROXIES/)
  }
})
