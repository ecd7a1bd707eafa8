import { stripVTControlCharacters } from 'node:util'

/** One thing that failed: where, and what was said about it. */
export type Failure = { name: string; message: string }

/** More than a screen or two would again be a long log. */
const mostLines = 100

/** The failed things once more with the beginnings of their messages, for whoever reads only the end of a long log. */
export function failureLines(failures: Failure[], lines = mostLines): string[] {
  if (failures.length === 0) return []
  const listed = failures.length < lines ? failures : failures.slice(0, lines - 2)
  const rest = failures.length - listed.length
  const each = Math.min(12, Math.floor((lines - 1) / listed.length) - 1)
  return [
    'What failed:',
    ...listed.flatMap(({ name, message }) => [`  ${name}`, ...beginning(message, each).map((line) => `      ${line}`)]),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ]
}

const beginning = (message: string, lines: number) =>
  stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trimEnd().slice(0, 240))
    .filter((line) => line !== '')
    .slice(0, lines)
