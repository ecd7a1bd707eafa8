import { createServer } from 'node:http'
import { createOutgoing } from '../../../platform/outgoing/outgoing.ts'
import { serveLocally } from '../../../platform/server/local-server-testing.ts'
import type { Reach } from './integrations.connector.rules.ts'

export type RemoteRequest = {
  method: string
  path: string
  query: URLSearchParams
  authorization: string
  contentType: string
  body: unknown
}
export type RemoteAnswer = { status: number; body?: unknown; headers?: Record<string, string> }
/** What goes wrong with the next request that it is about: the answer is lost after all was done, nothing is done, or something else is answered. */
type RemoteFault = { of: (request: RemoteRequest) => boolean; does: 'lose' | 'cut' | RemoteAnswer }

const readBody = (text: string): unknown => {
  if (text === '') return undefined
  try {
    const body: unknown = JSON.parse(text)
    return body
  } catch {
    return text
  }
}

/** A server of another system on this machine: real HTTP, and faults to order. */
export async function startRemote(answer: (request: RemoteRequest) => RemoteAnswer | Promise<RemoteAnswer>) {
  const requests: RemoteRequest[] = []
  const faults: RemoteFault[] = []
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://localhost')
      const request = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        authorization: incoming.headers.authorization ?? '',
        contentType: incoming.headers['content-type'] ?? '',
        body: readBody(Buffer.concat(chunks).toString('utf8')),
      }
      requests.push(request)
      const at = faults.findIndex(({ of }) => of(request))
      const fault = at < 0 ? undefined : faults.splice(at, 1)[0]?.does
      const send = ({ status, body, headers }: RemoteAnswer) =>
        outgoing
          .writeHead(status, { 'content-type': 'application/json', ...headers })
          .end(body === undefined ? undefined : JSON.stringify(body))
      if (fault === 'cut') return void outgoing.destroy()
      if (typeof fault === 'object') return void send(fault)
      void Promise.resolve(answer(request)).then((said) => (fault === 'lose' ? outgoing.destroy() : send(said)))
    })
  })
  return {
    ...(await serveLocally(server)),
    requests,
    /** Ordered faults, each met once. */
    faults,
  }
}
export type Remote = Awaited<ReturnType<typeof startRemote>>

/** With what a connector asks a server of a test. */
export function reachOf(
  remote: Pick<Remote, 'host'>,
  settings: Reach['settings'],
  secrets: Reach['secrets'],
): Reach & { close(): Promise<void> } {
  const outgoing = createOutgoing({ allowed: remote.host.split(','), userAgent: 'Guildhall/test' })
  return {
    connectionId: '00000000-0000-7000-8000-000000000001',
    ...{ settings, secrets, outgoing, signal: new AbortController().signal, today: '2026-11-28', timezone: 'Europe/Vienna' },
    close: () => outgoing.close(),
  }
}
