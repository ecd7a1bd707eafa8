import type { Server } from 'node:http'

/** Lets a server of a test answer on this machine, at a port that is free. `host` is host:port, as OUTGOING_ALLOW names it. */
export async function serveLocally(server: Server): Promise<{ host: string; url: string; close(): Promise<void> }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const host = `localhost:${typeof address === 'object' && address ? address.port : 0}`
  return {
    host,
    url: `http://${host}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
