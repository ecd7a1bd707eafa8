import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { PlainError } from './plain-error.ts'

export type Reply = { status?: number; headers: Record<string, string>; body: string | Buffer }

type LocalServer = {
  port: number
  log: (line: string) => void
  /** Answers by itself, or gives the reply to send. */
  answer: (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<Reply | undefined>
}

const localNames = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Serves this machine and nobody else: it listens on loopback only, and refuses names that a page of the internet may have pointed here. */
export async function serveLocally({ port, log, answer }: LocalServer): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const isLocal = localNames.has((request.headers.host ?? '').replace(/:\d+$/, ''))
    const url = URL.parse(request.url ?? '/', `http://localhost:${port}`)
    if (!isLocal || !url) return void response.writeHead(isLocal ? 400 : 421).end()
    answer(request, response, url)
      .then((reply) => reply && response.writeHead(reply.status ?? 200, reply.headers).end(reply.body))
      .catch((error: unknown) => {
        log(error instanceof Error ? (error.stack ?? error.message) : String(error))
        if (!response.headersSent) response.writeHead(500)
        response.end()
      })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject('code' in error && error.code === 'EADDRINUSE' ? new PlainError(`Port ${port} is used by another program.`) : error),
    )
    server.listen(port, '127.0.0.1', resolve)
  })
  return async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
}

/** A posted form, cut off at a size no form of ours reaches. */
export async function readForm(request: AsyncIterable<unknown>): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > 10_000) break
  }
  return new URLSearchParams(text)
}
