/** Edits of TypeScript that the formatter puts in order afterwards. */

const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

/** The end of what the bracket at `from` opens. Texts with brackets in them have both. */
export function endOf(text: string, from: number): number {
  const open = text.charAt(from)
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text.charAt(at) === open) depth++
    if (text.charAt(at) === closing[open] && --depth === 0) return at
  }
  throw new Error(`A ${open} is not closed.`)
}

/** Adds an entry at the end of the list or object that begins at the end of `opening`. */
export function intoList(text: string, opening: string, entry: string): string {
  const start = text.indexOf(opening)
  if (start < 0) throw new Error(`There is no “${opening}” to add ${entry} to.`)
  const from = start + opening.length - 1
  const end = endOf(text, from)
  const inside = text.slice(from + 1, end).trimEnd()
  const comma = inside.trim() === '' || inside.endsWith(',') ? '' : ','
  return `${text.slice(0, from + 1)}${inside}${comma} ${entry}${text.slice(end)}`
}

/** Adds imports after the last one, or where a file without any begins below its comment. */
export function withImports(text: string, ...imports: string[]): string {
  const last = [...text.matchAll(/^(?:import .*'|\} from '.*')$/gm)].at(-1)
  const at = last ? last.index + last[0].length : text.indexOf('\n\n')
  return `${text.slice(0, at)}\n${last ? '' : '\n'}${imports.join('\n')}${text.slice(at)}`
}
