import { NoMailServer } from './mail.ts'

/** What a failed attempt tells of a mail. `unknown`: it may have arrived, so it is not sent again. */
export type Failure = {
  state: 'queued' | 'failed' | 'unknown'
  outcome: 'refused' | 'deferred' | 'unreachable' | 'no_server' | 'cut_off' | 'given_up' | 'not_rendered'
  answer: string
  /** The address is refused for good. */
  bounced: boolean
  /** It failed for what concerns every mail alike. */
  everywhere: boolean
}

const minute = 60
/** A receiving server that defers a stranger wants to see it again within minutes. */
const pauses = [minute, 5 * minute, 15 * minute, 60 * minute]
/** Two days of trying, as mail servers do. */
const mostAttempts = 50

/** Seconds until the next attempt. Where no mail can leave at all, one of many that wait finds out soon that it can again. */
export const pauseAfter = (attempt: number, everywhere: boolean): number =>
  everywhere ? minute : (pauses[Math.min(attempt, pauses.length) - 1] ?? minute)

type SmtpError = Error & {
  code?: string
  command?: string
  responseCode?: number
  response?: string
  syscall?: string
  timeoutType?: string
}

/** Read from the error of one attempt. Only what is sure not to have arrived is tried again. */
export function failureOf(error: unknown, attempt: number): Failure {
  if (error instanceof NoMailServer) return { state: 'queued', outcome: 'no_server', answer: '', bounced: false, everywhere: true }
  const {
    code = '',
    command = '',
    responseCode,
    response = '',
    syscall = '',
    timeoutType,
    message,
  }: SmtpError = error instanceof Error ? error : new Error(String(error))
  const answer = (response || message).replace(/[\r\n]+/g, ' ').slice(0, 300)
  const failure = (state: Failure['state'], outcome: Failure['outcome'], more: Partial<Failure> = {}): Failure => {
    const isGivenUp = state === 'queued' && attempt >= mostAttempts && !more.everywhere
    const settled = isGivenUp ? { state: 'failed' as const, outcome: 'given_up' as const } : { state, outcome }
    return { ...settled, answer, bounced: false, everywhere: false, ...more }
  }
  // Our own credentials and certificates are for the operator to mend; the mail is not at fault.
  if (code === 'EAUTH' || code === 'ETLS' || code === 'EDNS') return failure('queued', 'unreachable', { everywhere: true })
  if (responseCode !== undefined && responseCode >= 500)
    return failure('failed', 'refused', {
      bounced: command === 'RCPT TO' && /\b5\.1\.[0-9]+\b|unknown|does not exist|no such user/i.test(response),
    })
  if (responseCode !== undefined && responseCode >= 400) return failure('queued', 'deferred')
  const isConnecting =
    ['connect', 'getaddrinfo', 'queryA', 'queryAaaa'].includes(syscall) ||
    (code === 'ETIMEDOUT' && timeoutType !== undefined && timeoutType !== 'SOCKET_TIMEOUT')
  if (isConnecting || /^(EHLO|HELO|LHLO|STARTTLS|AUTH|MAIL FROM|RCPT TO)/.test(command))
    return failure('queued', 'unreachable', { everywhere: isConnecting })
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return failure('failed', 'refused')
  return failure('unknown', 'cut_off')
}
