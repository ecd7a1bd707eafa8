import { OutgoingError } from '../../../platform/outgoing/outgoing.ts'
import type { OutgoingAnswer, OutgoingRequest } from '../../../platform/outgoing/outgoing.ts'
import { connectorError, isConnectorError, retryAfter } from './integrations.connector.rules.ts'
import type { ConnectorCode, Reach } from './integrations.connector.rules.ts'

const ofOutgoing: Record<OutgoingError['reason'], ConnectorCode> = {
  not_an_address: 'refused',
  not_https: 'refused',
  credentials_in_address: 'refused',
  port_refused: 'refused',
  address_refused: 'refused',
  redirected: 'bad_answer',
  unknown_encoding: 'bad_answer',
  too_large: 'too_large',
  too_slow: 'unreachable',
  unreachable: 'unreachable',
}

const mostRedirects = 3

/** The same of a document that may lie elsewhere, as exports do. Each address is checked like the first one, and credentials stay with the host that they are for. */
export async function follow(
  reach: Reach,
  address: string,
  request: OutgoingRequest = {},
  accepts: readonly number[] = [],
): Promise<OutgoingAnswer> {
  let at = address
  let { headers = {} } = request
  for (let left = mostRedirects; ; left -= 1) {
    try {
      return await ask(reach, at, { ...request, headers }, accepts)
    } catch (error) {
      const next = leadsTo(error)
      if (next === null || left === 0) throw error
      if (new URL(next).host !== new URL(at).host)
        headers = Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))
      at = next
    }
  }
}

const leadsTo = (error: unknown): string | null =>
  isConnectorError(error) && error.cause instanceof OutgoingError ? error.cause.location : null

/** Asks the other side; what is no answer for the caller is thrown. Statuses in `accepts` come back beside those of success. */
export async function ask(
  reach: Reach,
  address: string,
  request: OutgoingRequest = {},
  accepts: readonly number[] = [],
): Promise<OutgoingAnswer> {
  reach.signal.throwIfAborted()
  const answer = await reach.outgoing.request(address, request).catch((error: unknown) => {
    if (!(error instanceof OutgoingError)) throw error
    throw connectorError(ofOutgoing[error.reason], {
      cause: error,
      ...(error.reason === 'redirected' && { message: 'The other side sends elsewhere; give the address that it ends at.' }),
    })
  })
  reach.signal.throwIfAborted()
  const { status, headers } = answer
  if ((status >= 200 && status < 300) || accepts.includes(status)) return answer
  if (status === 401 || status === 403) throw connectorError('unauthorized')
  if (status === 404 || status === 410) throw connectorError('not_found')
  if (status === 429) throw connectorError('rate_limited', { retryAfterSeconds: retryAfter(headers['retry-after']) })
  if (status === 413) throw connectorError('too_large')
  if (status >= 500 || status === 408) throw connectorError('unreachable', { retryAfterSeconds: retryAfter(headers['retry-after']) })
  throw connectorError('bad_answer', { message: `The other side answers with status ${status}.` })
}

/** A request of an API that speaks JSON. */
export type Call = {
  method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  body?: unknown
  query?: Record<string, string>
  accepts?: readonly number[]
}
type Api = { base: string; user: string; secret: string; accept?: string; timeoutMs: number }

/** Asks an API that speaks JSON, with a name and a secret. */
export function askApi(
  reach: Reach,
  { base, user, secret, accept = 'application/json', timeoutMs }: Api,
  path: string,
  { method, body, query, accepts = [] }: Call,
): Promise<OutgoingAnswer> {
  const search = query ? `?${new URLSearchParams(query).toString()}` : ''
  const headers = { authorization: `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`, accept }
  return ask(
    reach,
    `${base}${path}${search}`,
    {
      ...(method && { method }),
      ...(body === undefined ? { headers } : { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      // What organisations keep of a person there has no bounds.
      maxBytes: 20_000_000,
      timeoutMs,
    },
    accepts,
  )
}
