import { createServer } from 'node:net'

export type PortState = 'free' | 'taken' | 'forbidden'

const loopbackAddresses = ['127.0.0.1', '::1']

/** Whether a port can be listened on. Both loopback addresses count: a browser may try either for `localhost`. */
export async function portState(port: number): Promise<PortState> {
  for (const host of loopbackAddresses) {
    const code = await tryListening(port, host)
    if (code === 'EACCES') return 'forbidden'
    if (code === 'EADDRINUSE') return 'taken'
  }
  return 'free'
}

/** A port that nobody listens on right now. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address()
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port assigned'))))
    })
  })

const tryListening = (port: number, host: string): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer().once('error', (error) => resolve('code' in error ? String(error.code) : 'unknown'))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
  })
