import { Agent, request } from 'node:http'
import autocannon from 'autocannon'

/** With a body it is posted as JSON. */
export type Call = { url: string; headers?: Record<string, string>; body?: string }

const methodOf = ({ body }: Call) => (body === undefined ? 'GET' : 'POST')
const headersOf = ({ headers, body }: Call) => ({ ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) })

/** Answers per second over so many seconds, with 16 connections that go through the calls in turn. Any answer but 200 ends the measurement. */
export async function throughput(calls: readonly Call[], seconds: number): Promise<number> {
  const [first] = calls
  if (!first) throw new Error('Nothing to call.')
  const result = await autocannon({
    url: new URL(first.url).origin,
    connections: 16,
    duration: seconds,
    requests: calls.map((call) => ({
      method: methodOf(call),
      path: new URL(call.url).pathname + new URL(call.url).search,
      headers: headersOf(call),
      ...(call.body !== undefined && { body: call.body }),
    })),
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} of ${result.requests.total} calls to ${first.url} failed.`)
  return result.requests.total / result.duration
}

/** `failed`: answers other than 200 and 201, such as 503 from a server that has too much to do; their times count, too. */
export type Latency = { p50: number; p95: number; p99: number; perSecond: number; failed: number }

/** Each user sends the next call when the last one is answered, on a connection of their own, until all calls are done. */
export async function latency(calls: readonly Call[], users: number): Promise<Latency> {
  const agent = new Agent({ keepAlive: true, maxSockets: users })
  const times: number[] = []
  let nth = 0
  let failed = 0
  const user = async () => {
    for (let call = calls[nth++]; call; call = calls[nth++]) {
      const { milliseconds, ok } = await timed(call, agent)
      times.push(milliseconds)
      if (!ok) failed++
    }
  }
  // The first calls of every connection open it and prepare its statements.
  await Promise.all(Array.from({ length: users }, async () => calls[0] && timed(calls[0], agent)))
  const start = performance.now()
  await Promise.all(Array.from({ length: users }, user))
  const seconds = (performance.now() - start) / 1_000
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), perSecond: times.length / seconds, failed }
}

function timed(call: Call, agent: Agent): Promise<{ milliseconds: number; ok: boolean }> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    request(call.url, { agent, method: methodOf(call), headers: headersOf(call) }, (response) => {
      let size = 0
      response.on('data', (chunk: Buffer) => (size += chunk.length))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ milliseconds: performance.now() - start, ok: (response.statusCode === 200 || response.statusCode === 201) && size > 0 }),
      )
    })
      .on('error', reject)
      .end(call.body)
  })
}

export async function answerOf(call: Call): Promise<unknown> {
  const { url, body } = call
  const response = await fetch(url, { method: methodOf(call), headers: headersOf(call), ...(body !== undefined && { body }) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}
