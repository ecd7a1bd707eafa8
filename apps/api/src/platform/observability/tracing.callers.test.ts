import { afterAll, expect } from 'vitest'
import { endWorld, test } from '../../testing.ts'
import { startCollector } from './tracing-testing.ts'
import { startTracing } from './tracing.ts'

const requests = 200
const collector = startCollector()
afterAll(async () => {
  await endWorld()
  await collector.stop()
})

test('callers neither choose how much is traced nor put anything of theirs into traces', async ({ variant }) => {
  const { as, services } = await variant({ TRACES_URL: await collector.url, TRACES_SHARE: '0.1' })
  const end = await startTracing(services.config)
  const ask = (headers: Record<string, string>) => as(null).get('/data/me', undefined, headers)
  // Of these ids, a draw by the id itself would keep every one.
  const kept = (nth: number) => `00000000000000000000000${(nth + 1).toString(16).padStart(9, '0')}`
  for (let nth = 0; nth < requests; nth++) {
    expect(await ask({ traceparent: `00-${kept(nth)}-00f067aa0ba902b7-01`, tracestate: 'evil=tracestate', baggage: 'evil=baggage' })).toMatchObject({ status: 401 }) // prettier-ignore
  }

  const id = '4bf92f3577b34da6a3ce929d0e0e4736'
  const malformed = [
    '', '-', '0', `00-${id}`, `00-${id}-00f067aa0ba902b7`, `ff-${id}-00f067aa0ba902b7-01`, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${id}-${'0'.repeat(16)}-01`, `00-${id.toUpperCase()}-00f067aa0ba902b7-01`, `00-${id}-00f067aa0ba902b7-01-more`, `00-${id}-00f067aa0ba902b7-1`,
    `00-${id}-00f067aa0ba902b7-01,00-${id}-00f067aa0ba902b7-01`, `00-${id}'; drop table app.people; --`, '{"$ne":1}', `00-${'a'.repeat(8_000)}-00f067aa0ba902b7-01`,
  ] // prettier-ignore
  for (const traceparent of malformed) expect(await ask({ traceparent }), traceparent).toMatchObject({ status: 401 })
  // Whoever decided not to record is obeyed.
  for (let nth = 0; nth < requests; nth++) await ask({ traceparent: `00-${id}-00f067aa0ba902b7-00` })
  await end()

  const chosen = collector.spans.filter(({ traceId }) => traceId.startsWith('00000000000000000000000'))
  // A tenth of them, within six standard deviations.
  expect(chosen.length).toBeGreaterThan(0)
  expect(chosen.length).toBeLessThan(requests * 0.1 + 6 * Math.sqrt(requests * 0.1 * 0.9))
  expect(collector.spans.filter(({ traceId }) => traceId === id)).toEqual([])
  expect(collector.bodies.join('')).not.toMatch(/evil|drop table/)
})
