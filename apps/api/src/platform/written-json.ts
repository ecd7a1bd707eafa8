const mark = Symbol('JSON text')

/**
 * An answer whose members PostgreSQL has already written as JSON. It leaves as it is: reading, checking and writing it once more would cost as
 * much as the rest of a request. What it holds is chosen column by column in the query; tests hold such answers against the contract.
 */
type WrittenJson = { [mark]: string }

/** An answer of the contract's type out of one member that is JSON text already and others that are not. */
export function written<T extends object>(name: keyof T & string, text: string, others: Omit<T, typeof name>): T {
  const rest = JSON.stringify(others).slice(1)
  const answer: WrittenJson = { [mark]: `{${JSON.stringify(name)}:${text}${rest === '}' ? '' : ','}${rest}` }
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- a stand-in that the HTTP layer alone takes apart
  return answer as unknown as T
}

/** The text of an answer that was written so; undefined for any other. */
export const writtenText = (answer: unknown): string | undefined =>
  typeof answer === 'object' && answer !== null && mark in answer && typeof answer[mark] === 'string' ? answer[mark] : undefined
