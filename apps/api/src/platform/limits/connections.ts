import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { problem } from '../procedures/problem.ts'

/** Requests of one connection at work at once. Browsers and proxies send the next when they have their answer. */
const maxAtWork = 2
/**
 * Connections, each of which costs some 10 kB before a word is said on it: `idle` are kept open while nothing is asked on them, and whoever comes
 * after that connects anew for every request. Beyond `open` of them new ones are ended as they come.
 */
const mostConnections = { idle: 1_000, open: 4_000 }

/** What one client, or ten thousand, can make a server hold: many requests at once on one connection, and many connections with none. */
export function limitConnections(app: FastifyInstance, most = mostConnections): void {
  app.server.maxConnections = most.open
  const atWork = new Map<Socket, number>()
  let open = 0
  app.server.on('connection', (socket) => {
    open += 1
    socket.once('close', () => (open -= 1))
  })
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const now = (atWork.get(socket) ?? 0) + 1
    atWork.set(socket, now)
    reply.raw.once('close', () => {
      const left = (atWork.get(socket) ?? 1) - 1
      if (left > 0) atWork.set(socket, left)
      else atWork.delete(socket)
    })
    if (now <= maxAtWork) return
    reply.header('connection', 'close')
    throw problem('BAD_REQUEST', { reason: 'pipelining', detail: 'Send the next request when this one is answered.' })
  })
  app.addHook('onSend', async (_request, reply) => {
    if (open - atWork.size > most.idle) reply.header('connection', 'close')
  })
}
