/**
 * The database went away under a transaction: restarted, crashed, unreachable. `mayHaveCommitted` is false when nothing of the transaction
 * can have stayed, so that doing it again is safe.
 */
export class ConnectionLost extends Error {
  readonly mayHaveCommitted: boolean
  /** As the database or the system named it. */
  readonly code: string
  constructor(cause: Error, mayHaveCommitted: boolean) {
    super(cause.message, { cause })
    this.mayHaveCommitted = mayHaveCommitted
    this.code = codeOf(cause)
  }
}

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')

/** Ended by an administrator or a crash, starting up, or a failure of the connection itself. */
const goneCodes = /^(57P0[123]|08...|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/
const goneTexts =
  /^(Connection terminated|timeout expired|Client has encountered a connection error|Client was closed|The database did not answer)/

/** Whether an error says that the connection is gone, and nothing about what was asked. */
export const isLost = (error: unknown): error is Error =>
  error instanceof Error && (goneCodes.test(codeOf(error)) || goneTexts.test(error.message))
