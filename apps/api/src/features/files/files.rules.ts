import { withoutHidden } from '@guildhall/contract/text-rules'

/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const isEdge = (letter: string | undefined) => letter === '.' || letter === ' '

/** Without dots and spaces at its ends. */
function bare(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isEdge(text[from])) from += 1
  while (to > from && isEdge(text[to - 1])) to -= 1
  return text.slice(from, to)
}

/** A file's name as it is kept: without its path and what cannot be seen or typed, with the ending that its content has. */
export function keptName(given: string, endings: readonly string[], ending: string): string {
  const whole = given.toWellFormed().normalize('NFC')
  const path = Math.max(whole.lastIndexOf('/'), whole.lastIndexOf('\\'))
  const base = bare(
    withoutHidden(whole.slice(path + 1))
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
      .replace(/[<>:"|?*]/g, '-')
      .replace(/\s/g, ' '),
  )
  const has = endings.some((one) => base.toLowerCase().endsWith(`.${one}`))
  const stem = bare(has ? base.slice(0, base.lastIndexOf('.')) : base)
  const kept = has ? base.slice(base.lastIndexOf('.') + 1).toLowerCase() : ending
  const named = stem === '' ? 'File' : reserved.test(stem) ? `_${stem}` : stem
  // A letter that is cut in the middle is left out.
  return `${named
    .slice(0, 190)
    .toWellFormed()
    .replace(/\ufffd$/, '')}.${kept}`
}
