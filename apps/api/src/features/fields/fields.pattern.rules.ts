import { createContext, Script } from 'node:vm'

/** A pattern that takes longer than this for one text is refused: some take years for a text of thirty letters. */
const patienceMs = 100

const context = createContext({})
/** Written by an administrator, run where it can be stopped. */
const script = new Script('new RegExp(`^(?:${pattern})$`, "u").test(text)')

export type PatternAnswer = 'fits' | 'differs' | 'slow' | 'broken'

/** Whether a whole text matches a pattern, within a limit of time; asked twice, since a busy machine may stand still once. */
export function matchPattern(pattern: string, text: string): PatternAnswer {
  const answer = tryPattern(pattern, text)
  return answer === 'slow' ? tryPattern(pattern, text) : answer
}

function tryPattern(pattern: string, text: string): PatternAnswer {
  Object.assign(context, { pattern, text })
  try {
    return script.runInContext(context, { timeout: patienceMs }) === true ? 'fits' : 'differs'
  } catch (error) {
    return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
      ? 'slow'
      : 'broken'
  }
}

/** Texts that make patterns slow which can be: long runs of what patterns repeat, with an end that does not fit. */
const probes = ['a', '0', 'A', ' ', '-', 'a1', 'a ', 'ab', '@.'].flatMap((unit) =>
  ['', '!', '\u0001'].map((end) => unit.repeat(Math.ceil(480 / unit.length)) + end),
)

/** What is wrong with a pattern itself, tried on texts that are made to be hard. */
export function checkPattern(pattern: string): 'fits' | 'slow' | 'broken' {
  // Runs of the pattern's own letters are the hardest for it.
  const own = [...new Set(pattern.replace(/[^\p{L}\p{N}]/gu, ''))].slice(0, 8).map((letter) => `${letter.repeat(480)}\u0001`)
  for (const probe of ['', ...probes, ...own]) {
    const answer = matchPattern(pattern, probe)
    if (answer === 'slow' || answer === 'broken') return answer
  }
  return 'fits'
}
