const mark = Symbol('JSON')

/**
 * An answer whose members PostgreSQL has already written as JSON. It leaves as it is: reading, checking and writing it once more would cost as
 * much as the rest of a request. What it holds is chosen column by column in the query; tests hold such answers against the contract.
 */
type WrittenJson = { [mark]: Buffer; rows: number }

/** An answer of the contract's type out of one member, a list of so many rows, that is JSON text already and others that are not. */
export function written<T extends object>(name: keyof T & string, text: string, rows: number, others: Omit<T, typeof name>): T {
  const rest = JSON.stringify(others).slice(1)
  const answer: WrittenJson = { rows, [mark]: bytesOf([`{${JSON.stringify(name)}:`, text, rest === '}' ? rest : `,${rest}`]) }
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a stand-in that the HTTP layer alone takes apart
  return answer as unknown as T
}

/** Put together as bytes: one long text would be copied, at two bytes a letter, by each of those it passes through on its way out. */
function bytesOf(parts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0))
  let at = 0
  for (const part of parts) at += bytes.write(part, at)
  return bytes
}

/** The bytes of an answer that was written so; undefined for any other. */
export const writtenBytes = (answer: unknown): Buffer | undefined =>
  typeof answer === 'object' && answer !== null && mark in answer && Buffer.isBuffer(answer[mark]) ? answer[mark] : undefined

/** How many rows an answer has that was written so; undefined for any other. */
export const writtenRows = (answer: unknown): number | undefined =>
  typeof answer === 'object' && answer !== null && mark in answer && 'rows' in answer && typeof answer.rows === 'number'
    ? answer.rows
    : undefined
