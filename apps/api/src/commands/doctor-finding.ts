/** One thing that was looked at: fine, worth knowing, or wrong with what to do about it. */
export type Finding = { level: 'ok' | 'note' | 'fault'; says: string; todo?: string }

export const ok = (says: string): Finding => ({ level: 'ok', says })
export const note = (says: string, todo?: string): Finding => ({ level: 'note', says, ...(todo ? { todo } : {}) })
export const fault = (says: string, todo: string): Finding => ({ level: 'fault', says, todo })

/** What is said of a section: one line per finding, what to do indented below it. */
export const sectionText = (title: string, findings: readonly Finding[]): string =>
  `${title}\n${findings.map(({ level, says, todo }) => `  ${level.padEnd(5)}  ${says}\n${todo ? `         → ${todo}\n` : ''}`).join('')}\n`

/** Why something could not be reached, in the words of a person. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return 'it did not answer within 5 seconds'
  const known: Record<string, string> = {
    ENOTFOUND: 'there is no host of that name',
    EAI_AGAIN: 'the name of the host could not be looked up',
    ECONNREFUSED: 'nothing listens there',
    ECONNRESET: 'the connection was cut',
    UND_ERR_SOCKET: 'the connection was cut',
    CERT_HAS_EXPIRED: 'its certificate has expired',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate chain is incomplete',
    ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  }
  const { cause } = error
  const told = [error, cause].flatMap((one) => (one instanceof Error ? ['code' in one ? String(one.code) : '', one.message] : [])).join(' ')
  const code = Object.keys(known).find((name) => told.includes(name))
  return known[code ?? ''] ?? (cause instanceof Error ? cause.message : error.message)
}
