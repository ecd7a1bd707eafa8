import { OutgoingError } from '../../../platform/outgoing/outgoing.ts'
import { connectorError, retryAfter } from './integrations.connector.rules.ts'
import type { ConnectorCode, OutgoingAnswer, OutgoingRequest, Reach } from './integrations.connector.rules.ts'

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
    const now = at
    const led: { to: string | null } = { to: null }
    const answer = await ask(
      {
        ...reach,
        outgoing: {
          request: (to, how) =>
            reach.outgoing.request(to, how).catch((error: unknown) => {
              if (error instanceof OutgoingError && error.reason === 'redirected') led.to = error.location
              throw error
            }),
        },
      },
      now,
      { ...request, headers },
      accepts,
    ).catch((error: unknown) => {
      if (led.to === null || left === 0) throw error
      return null
    })
    if (answer) return answer
    const next = led.to ?? now
    if (new URL(next).host !== new URL(now).host)
      headers = Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'authorization'))
    at = next
  }
}

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
    throw connectorError(
      ofOutgoing[error.reason],
      error.reason === 'redirected' ? { message: 'The other side sends elsewhere; give the address that it ends at.' } : {},
    )
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
