import { joinTexts, splitTexts } from '../../../platform/files/joined-texts.ts'
import { isConnectorError } from './integrations.connector.rules.ts'
import type { Push, Pushed, RowError } from './integrations.connector.rules.ts'

export type RowFault = { ourId: string; error: RowError }
export const refused = ({ ourId }: Push, error: RowError): RowFault => ({ ourId, error })

/**
 * Pushes rows one by one, a few at a time. When the other side cannot be asked any more, what is done is answered and the rest is left for the next try, so that
 * a limit in the middle costs nothing.
 */
export async function pushEach(rows: readonly Push[], atOnce: number, push: (row: Push) => Promise<Pushed>): Promise<Pushed[]> {
  const done: Pushed[] = []
  const failures: Error[] = []
  const waiting = [...rows]
  const work = async () => {
    for (let row = waiting.shift(); row && failures.length === 0; row = waiting.shift()) {
      try {
        done.push(await push(row))
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const fault = failures.find((failure) => !isConnectorError(failure)) ?? failures[0]
  if (fault && (done.length === 0 || !isConnectorError(fault))) throw fault
  return done
}

/** Words as one text: each once and in the order of the alphabet, as both sides are compared. */
export function wordList(words: readonly string[]): string | null {
  const kept = [...new Set(words.map((word) => word.trim()).filter((word) => word !== ''))]
  return kept.length === 0
    ? null
    : joinTexts(
        kept.sort((a, b) => (a < b ? -1 : 1)),
        ';,|',
      )
}
export const wordsOf = (text: string | null | undefined): string[] => splitTexts(text ?? '', ';,|')
