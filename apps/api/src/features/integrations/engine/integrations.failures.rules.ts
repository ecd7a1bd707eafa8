import type { PlainReason } from '@guildhall/contract/reasons'
import type { ConnectorCode, ConnectorError } from '../connectors/integrations.connector.rules.ts'

/** Why a run ended, or a connection does not work. Fatal: nothing changes before somebody repairs it. */
export type RunFailure = { failure: { reason: PlainReason; detail: string }; isFatal: boolean }

const reasons: Record<ConnectorCode, { reason: PlainReason; isFatal: boolean }> = {
  unauthorized: { reason: 'sync_unauthorized', isFatal: true },
  not_found: { reason: 'sync_not_found', isFatal: false },
  rate_limited: { reason: 'sync_rate_limited', isFatal: false },
  unreachable: { reason: 'sync_unreachable', isFatal: false },
  bad_answer: { reason: 'sync_bad_answer', isFatal: false },
  too_large: { reason: 'sync_too_large', isFatal: false },
  refused: { reason: 'sync_refused', isFatal: true },
}

export function failureOf({ code, message }: ConnectorError): RunFailure {
  const { reason, isFatal } = reasons[code]
  return { failure: { reason, detail: message }, isFatal }
}

const fixed = (reason: PlainReason, isFatal: boolean, detail: string): RunFailure => ({ failure: { reason, detail }, isFatal })

export const ownerLost = fixed(
  'sync_owner',
  true,
  'The account that owns this connection may no longer manage it, so that nothing can act for it.',
)
export const stoppedHere = fixed(
  'sync_stopped',
  false,
  'Something went wrong here. What was written stays, and the next run goes on from there.',
)
export const notSetUp = fixed('sync_not_set_up', false, 'The mapping changed since this run was asked for. Do a dry run first.')
export const topicGone = fixed('sync_topic', true, 'The topic of this connection is not there any more. Choose another one.')
