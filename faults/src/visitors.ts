import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Visit = { status: number; ms: number; error?: string; retryAfter?: string }
export type VisitOptions = {
  url: () => string
  headers: Record<string, string>
  users: number
  /** What a visitor waits after an answer. */
  pauseMs?: (visit: Visit) => number
}

export type Visitors = {
  visits: Visit[]
  failed: () => Visit[]
  stop: () => Promise<void>
}

/** Users on connections that are kept open; each asks again once it has been answered. */
export function sendVisitors({ url, headers, users, pauseMs = () => 0 }: VisitOptions): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: users })
  const visits: Visit[] = []
  let going = true
  const all = Promise.all(
    Array.from({ length: users }, async () => {
      while (going) {
        const visit = await visitOnce(url(), headers, agent)
        visits.push(visit)
        const pause = pauseMs(visit)
        if (pause > 0) await sleep(pause)
      }
    }),
  )
  return {
    visits,
    failed: () => visits.filter(({ status }) => status !== 200),
    stop: async () => {
      going = false
      await all
      agent.destroy()
    },
  }
}

export const visitOnce = (url: string, headers: Record<string, string>, agent?: Agent): Promise<Visit> =>
  new Promise((resolve) => {
    const start = performance.now()
    const took = () => performance.now() - start
    request(url, { headers, timeout: 30_000, ...(agent ? { agent } : {}) }, (response) => {
      const retryAfter = response.headers['retry-after']
      let text = ''
      response.on('data', (chunk: Buffer) => (text = response.statusCode === 200 ? '' : text + chunk.toString()))
      response.on('error', (error) => resolve({ status: 0, ms: took(), error: error.message }))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, ms: took(), ...reasonIn(text), ...(retryAfter ? { retryAfter } : {}) }),
      )
    })
      .on('timeout', function (this: { destroy: (error: Error) => void }) {
        this.destroy(new Error('no answer within 30 s'))
      })
      .on('error', (error) => resolve({ status: 0, ms: took(), error: error.message }))
      .end()
  })

/** Which rule refused, from a problem's body. */
function reasonIn(text: string): { error?: string } {
  const reason = /"reason":"(\w+)"/.exec(text)?.[1]
  return reason ? { error: reason } : {}
}

export function at(visits: readonly Visit[], share: number): number {
  const times = visits.map(({ ms }) => ms).sort((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
}

/** How often each status or error came, for a report. */
export function tally(visits: readonly Visit[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, error } of visits) {
    const key = error ? `${status} ${error}` : String(status)
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}
