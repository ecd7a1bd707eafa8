import { createServer, connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** What happens to connections through the proxy: passed on, reset, refused, answered late, or swallowed without a word. */
export type Weather = 'fine' | 'refuse' | 'silent' | { delayMs: number }

export type Proxy = {
  port: number
  /** For connections from now on and for those that are open. */
  set: (weather: Weather) => void
  /** Ends every open connection with a reset. */
  cut: () => void
  open: () => number
  stop: () => Promise<void>
}

/** A line between two programs that can be made bad. */
export async function startProxy(targetPort: () => number): Promise<Proxy> {
  let weather: Weather = 'fine'
  const lines = new Set<Socket>()

  const server = createServer((near) => {
    if (weather === 'refuse') {
      near.resetAndDestroy()
      return
    }
    const far = connect({ port: targetPort(), host: '127.0.0.1' })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      lines.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        lines.delete(from)
        to.destroy()
      })
      from.on('data', (chunk) => {
        if (weather === 'silent') return
        if (typeof weather === 'object') setTimeout(() => to.writable && to.write(chunk), weather.delayMs)
        else if (!to.write(chunk)) {
          from.pause()
          to.once('drain', () => from.resume())
        }
      })
      from.on('end', () => weather !== 'silent' && to.end())
    }
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a listening TCP server has an address of this kind
      resolve((server.address() as AddressInfo).port)
    })
  })
  const cut = () => {
    for (const line of lines) line.resetAndDestroy()
  }
  return {
    port,
    set: (next) => {
      weather = next
    },
    cut,
    open: () => lines.size / 2,
    stop: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
